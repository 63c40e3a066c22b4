/** Parameters that fit, for every method. */
import type { Method } from '../../core/contract/console.ts';

const ANSWERS = [
  { kind: 'respond', status: 200 },
  { kind: 'respond', status: 503, headers: { a: 'b' }, body: { x: [1] }, delayMs: [1, 2] },
  { kind: 'respond-bulk', status: 200, statuses: 'all-retry', delayMs: 5 },
  { kind: 'respond-bulk', status: 200, statuses: { '#1': 'SUCCESS', '*': null } },
  { kind: 'hang' },
  { kind: 'reset' },
  { kind: 'ask' },
];
const TARGETS = [{ deliveryId: 'd' }, { deliveryIds: ['d'] }, { filter: 'topic:orders' }, { messageId: 'm' }];
const APPS = [{}, { appId: 'app' }];

export const GOOD: Readonly<Record<Method, readonly unknown[]>> = {
  'system.describe': [{}],
  'system.link': [{}],
  'messages.list': [{}, { filter: 'topic:a', cursor: 'c', limit: 500, order: 'oldest' }],
  'messages.get': [{ messageId: 'm' }],
  'messages.publish': [
    { pubsubname: '', topic: '', data: null },
    { pubsubname: 'p', topic: 't', dataBase64: 'AA==', contentType: 'a/b', metadata: { a: '1' }, appId: 'a' },
  ],
  'messages.publishBulk': [
    { pubsubname: 'p', topic: 't', entries: [] },
    {
      pubsubname: 'p',
      topic: 't',
      entries: [{ entryId: '1', event: 0, contentType: 'a/b', metadata: { a: 'b' } }],
    },
  ],
  'messages.replay': [
    { messageId: 'm' },
    { messageId: 'm', to: 'topic', changes: { data: 1, attributes: { x: null } } },
  ],
  'messages.update': [{ messageId: 'm', pinned: true, note: 'n', tags: ['a'], read: false }],
  'deliveries.retry': TARGETS,
  'deliveries.drop': TARGETS,
  'deliveries.hold': TARGETS,
  'deliveries.release': [...TARGETS, ...ANSWERS.map((answer) => ({ deliveryId: 'd', answer }))],
  'deliveries.deadLetter': [...TARGETS, { deliveryId: 'd', topic: 't' }],
  'deliveries.cancelAttempt': [{ deliveryId: 'd' }],
  'deliveries.answer': ANSWERS.map((answer) => ({ deliveryId: 'd', answer })),
  'holds.list': [{}],
  'holds.add': [
    { at: 'publish', filter: '' },
    { at: 'response', filter: 'x', enabled: false, name: 'n', times: 3, releaseAfterMs: 0 },
  ],
  'holds.update': [{ holdId: 'h' }, { holdId: 'h', at: 'delivery', filter: 'x', times: 1 }],
  'holds.remove': [{ holdId: 'h' }, { holdId: 'h', release: true }],
  'mockApp.get': APPS,
  'mockApp.setSubscriptions': [
    { subscriptions: [] },
    {
      subscriptions: [
        {
          pubsubname: 'p',
          topic: 't',
          routes: { rules: [{ match: 'm', path: '/a' }], default: '/b' },
          metadata: { rawPayload: 'true' },
          bulkSubscribe: { enabled: true, maxMessagesCount: 1, maxAwaitDurationMs: 1 },
          deadLetterTopic: 'd',
        },
        {
          pubsubname: 'p',
          topic: 't',
          route: '/r',
          routes: null,
          metadata: null,
          bulkSubscribe: null,
          deadLetterTopic: null,
        },
      ],
    },
  ],
  'mockApp.setRules': [
    { rules: [] },
    ...ANSWERS.map((answer) => ({ rules: [{ enabled: true, match: {}, answer }] })),
    {
      rules: [
        {
          ruleId: 'r',
          name: 'n',
          enabled: false,
          match: { topic: 't', route: '/r', eventType: 'e', filter: 'f' },
          times: 2,
          per: 'message',
          answer: { kind: 'sequence', steps: ANSWERS, then: 'loop' },
          hits: 3,
          lastAt: 'now',
        },
        { enabled: true, match: {}, answer: { kind: 'random', of: [{ share: 100, answer: ANSWERS[0] }] } },
      ],
    },
  ],
  'mockApp.presets': APPS,
  'mockApp.usePreset': [{ preset: 'S1' }],
  'mockApp.waiting': APPS,
  'topics.list': [{}],
  'subscriptions.list': [{}],
  'subscriptions.discover': APPS,
  'components.list': [{}],
  'components.validate': [{ file: 'a.yaml', text: '' }],
  'components.save': [{ file: 'a.yaml', text: 'x: 1' }],
  'components.read': [{ file: 'a.yaml' }],
  'components.reload': [{}],
  'apps.list': [{}],
  'routes.explain': [{ pubsubname: 'p', topic: 't', event: {} }],
  'verdict.explain': [
    { kind: 'single', status: 200 },
    { kind: 'bulk', status: 200, body: '{}', entryId: '1' },
  ],
  'filter.check': [{ filter: '' }, { filter: 'topic:' }],
  'filter.complete': [{ filter: 'top', cursor: 3 }],
  'view.open': [{}, { filter: 'x', order: 'newest', groupBy: 'topic' }],
  'view.rows': [{ viewId: 'v', from: 0, count: 0 }],
  'view.close': [{ viewId: 'v' }],
  'stream.open': [{}, { epoch: 'e', since: 0, scope: 'views' }],
  'stream.ack': [{ sequence: 1 }],
  'stream.close': [{}],
  'events.since': [{ sequence: 0 }, { sequence: 1, limit: 1, waitMs: 30_000 }],
  'logs.list': [{}, { level: 'warn', filter: 'part:http', cursor: 'c', limit: 1 }],
  'metrics.get': [{}],
  'health.get': APPS,
  'health.simulate': [{ healthy: null }, { appId: 'a', healthy: false }],
  'settings.get': [{}],
  'settings.set': [
    { key: 'a.b', value: null },
    { key: 'a.b', value: { c: 1 } },
  ],
  'samples.add': [{}],
  'samples.remove': [{}],
};
