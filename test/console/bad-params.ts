/** Parameters that do not fit, for every method: field, expected and sentence of the refusal. */
import type { Method } from '../../core/contract/console.ts';
import { BAD_MOCK } from './bad-mock-params.ts';
import { BAD_SAVED, type Bad } from './bad-saved-params.ts';
import { BAD_VIEWS } from './bad-view-params.ts';

const NONE: readonly Bad[] = [[{ x: 1 }, 'x', 'no parameters', 'x is not known: expected no parameters']];
const APP: readonly Bad[] = [
  [{ appId: 1 }, 'appId', 'string', 'appId must be a string of at most 1000 characters, got 1'],
  [{ app: 'a' }, 'app', 'one of appId', 'app is not known: expected one of appId'],
];
const TARGET: readonly Bad[] = [
  [{ deliveryId: 5 }, 'deliveryId', 'string', 'deliveryId must be a string of at most 200 characters, got 5'],
  [
    { deliveryIds: [] },
    'deliveryIds',
    'array 1..500',
    'deliveryIds must be a list of 1 to 500 items, got a list of 0',
  ],
  [
    { deliveryIds: ['a', 2] },
    'deliveryIds[1]',
    'string',
    'deliveryIds[1] must be a string of at most 200 characters, got 2',
  ],
];
const FILE: readonly Bad[] = [
  [{ file: 'a.yaml' }, 'text', 'string', 'text is missing: it must be a string'],
  [{ file: '', text: '' }, 'file', 'string 1..1000', 'file must be a string of 1 to 1000 characters, got ""'],
];
const missingId = (field: string): Bad => [
  {},
  field,
  'string',
  `${field} is missing: it must be a string of at most 200 characters`,
];
const MESSAGE_ID = missingId('messageId');
const RECORDING_ID = missingId('recordingId');
/** Members of a fault of the embedded router: a value that does not fit, and the least and the most that does. */
const ROUTER_FAULTS: readonly (readonly [member: string, value: number, least: number, most: number])[] = [
  ['times', 0, 1, 100_000],
  ['status', 199, 200, 599],
  ['delayMs', 600_001, 0, 600_000],
  ['slowBodyMs', 600_001, 0, 600_000],
];

export const BAD: Readonly<Record<Method, readonly Bad[]>> = {
  'recordings.export': [
    [{ messageIds: 1 }, 'messageIds', 'array', 'messageIds must be a list of 1 to 10000 items, got 1'],
  ],
  'recordings.read': [
    [{ jobId: 'j', part: 0 }, 'part', 'integer 1..', 'part must be an integer of at least 1, got 0'],
  ],
  'recordings.import': [[{}, 'text', 'string', 'text is missing: it must be a string']],
  'recordings.list': NONE,
  'recordings.close': [RECORDING_ID],
  'recordings.replay': [RECORDING_ID],
  'recordings.compare': [
    [
      { before: 'rec_1', show: ['new'] },
      'show[0]',
      '"same" | "changed" | "only-before" | "only-after"',
      'show[0] must be "same", "changed", "only-before" or "only-after", got "new"',
    ],
  ],
  'recordings.toTest': [
    [
      { target: 'jest' },
      'target',
      '"scenario" | "vitest"',
      'target must be "scenario" or "vitest", got "jest"',
    ],
  ],
  ...BAD_SAVED,
  ...BAD_VIEWS,
  'system.describe': NONE,
  'system.link': NONE,
  'system.revoke': NONE,
  'messages.list': [
    [{ limit: 0 }, 'limit', 'integer 1..500', 'limit must be an integer 1 to 500, got 0'],
    [{ limit: 501 }, 'limit', 'integer 1..500', 'limit must be an integer 1 to 500, got 501'],
    [{ limit: '5' }, 'limit', 'integer 1..500', 'limit must be an integer 1 to 500, got "5"'],
    [{ limit: 1.5 }, 'limit', 'integer 1..500', 'limit must be an integer 1 to 500, got 1.5'],
    [{ order: 'up' }, 'order', '"newest" | "oldest"', 'order must be "newest" or "oldest", got "up"'],
    [
      { limt: 5 },
      'limt',
      'one of filter, upTo, cursor, limit, order, recordingId',
      'limt is not known: expected one of filter, upTo, cursor, limit, order, recordingId',
    ],
  ],
  'messages.get': [MESSAGE_ID],
  'messages.payload': [MESSAGE_ID],
  'messages.preview': [
    [{ pubsubname: 'p', data: 1 }, 'topic', 'string', 'topic is missing: it must be a string'],
  ],
  'messages.publish': [
    [{ topic: 't', data: 1 }, 'pubsubname', 'string', 'pubsubname is missing: it must be a string'],
    [
      { pubsubname: 'p', topic: 't', data: 1, metadata: { a: 1 } },
      'metadata.a',
      'string',
      'metadata.a must be a string, got 1',
    ],
  ],
  'messages.publishBulk': [
    [
      { pubsubname: 'p', topic: 't', entries: {} },
      'entries',
      'array',
      'entries must be a list, got an object',
    ],
    [
      { pubsubname: 'p', topic: 't', entries: [{ entryId: '1', eventText: 1, contentType: 'a/b' }] },
      'entries[0].eventText',
      'string',
      'entries[0].eventText must be a string, got 1',
    ],
  ],
  'messages.replay': [
    MESSAGE_ID,
    [
      { messageId: 'm', changes: { body: 1 } },
      'changes.body',
      'one of pubsubname, topic, data, contentType, metadata, attributes',
      'changes.body is not known: expected one of pubsubname, topic, data, contentType, metadata, attributes',
    ],
  ],
  'messages.update': [
    MESSAGE_ID,
    [{ messageId: 'm', pinned: 'yes' }, 'pinned', 'boolean', 'pinned must be true or false, got "yes"'],
  ],
  'deliveries.retry': TARGET,
  'deliveries.reroute': [
    [
      { deliveryId: 5 },
      'deliveryId',
      'string',
      'deliveryId must be a string of at most 200 characters, got 5',
    ],
    [
      { problem: { code: 'old', appId: 'a', pubsubname: 'p', topic: 't', path: '' } },
      'problem.code',
      '"missing-route" | "mended-route" | "old-route"',
      'problem.code must be "missing-route", "mended-route" or "old-route", got "old"',
    ],
  ],
  'deliveries.drop': TARGET,
  'deliveries.undoDrop': TARGET,
  'deliveries.hold': TARGET,
  'deliveries.release': [
    ...TARGET,
    [
      { deliveryId: 'd', answer: { kind: 'shout' } },
      'answer.kind',
      '"respond" | "respond-bulk" | "hang" | "reset" | "ask"',
      'answer.kind must be "respond", "respond-bulk", "hang", "reset" or "ask", got "shout"',
    ],
    // Such a status only announces an answer.
    [
      { deliveryId: 'd', answer: { kind: 'respond', status: 101 } },
      'answer.status',
      'integer 200..599',
      'answer.status must be an integer 200 to 599, got 101',
    ],
  ],
  'deliveries.deadLetter': [
    ...TARGET,
    [{ topic: null }, 'topic', 'string', 'topic must be a string of at most 1000 characters, got null'],
  ],
  'deliveries.cancelAttempt': [
    [{}, 'deliveryId', 'string', 'deliveryId is missing: it must be a string of at most 200 characters'],
  ],
  'deliveries.answer': [
    [
      { deliveryId: 'd', answer: { kind: 'respond', status: 199 } },
      'answer.status',
      'integer 200..599',
      'answer.status must be an integer 200 to 599, got 199',
    ],
    [
      { deliveryId: 'd', answer: { kind: 'respond-bulk', status: 200, statuses: { '*': 'MAYBE' } } },
      'answer.statuses.*',
      '"SUCCESS" | "RETRY" | "DROP" | null',
      'answer.statuses.* must be "SUCCESS", "RETRY", "DROP" or null, got "MAYBE"',
    ],
  ],
  'holds.list': NONE,
  'holds.queue': [[{ limit: 0 }, 'limit', 'integer 1..500', 'limit must be an integer 1 to 500, got 0']],
  'holds.add': [
    [
      { at: 'start', filter: '' },
      'at',
      '"publish" | "delivery" | "response"',
      'at must be "publish", "delivery" or "response", got "start"',
    ],
    [
      { at: 'delivery', filter: '', times: 0 },
      'times',
      'integer 1..',
      'times must be an integer of at least 1, got 0',
    ],
  ],
  'holds.update': [
    [
      { enabled: true },
      'holdId',
      'string',
      'holdId is missing: it must be a string of at most 200 characters',
    ],
  ],
  'holds.remove': [
    [{ holdId: 'h', release: 1 }, 'release', 'boolean', 'release must be true or false, got 1'],
  ],
  'holds.restore': [
    [{}, 'holdId', 'string', 'holdId is missing: it must be a string of at most 200 characters'],
  ],
  ...BAD_MOCK,
  'topics.list': NONE,
  'subscriptions.list': NONE,
  'subscriptions.discover': APP,
  'components.list': NONE,
  'components.validate': FILE,
  'components.save': FILE,
  'components.read': [[{}, 'file', 'string', 'file is missing: it must be a string of 1 to 1000 characters']],
  'components.reveal': [
    [{}, 'file', 'string', 'file is missing: it must be a string of 1 to 1000 characters'],
  ],
  'components.reload': NONE,
  'apps.list': NONE,
  'apps.add': [
    [{}, 'appId', 'string', 'appId is missing: it must be a string of at most 1000 characters'],
    [
      { appId: 'shop', sidecarPort: 70_000 },
      'sidecarPort',
      'integer 0..65535',
      'sidecarPort must be an integer 0 to 65535, got 70000',
    ],
  ],
  'apps.remove': [
    [{}, 'appId', 'string', 'appId is missing: it must be a string of at most 1000 characters'],
  ],
  'taps.list': NONE,
  'taps.add': [
    [
      { appUrl: 'http://127.0.0.1:8080' },
      'appId',
      'string',
      'appId is missing: it must be a string of at most 1000 characters',
    ],
    [
      { appId: 'shop', appUrl: 'http://127.0.0.1:8080', appPort: 70_000 },
      'appPort',
      'integer 0..65535',
      'appPort must be an integer 0 to 65535, got 70000',
    ],
  ],
  'taps.remove': [
    [{}, 'appId', 'string', 'appId is missing: it must be a string of at most 1000 characters'],
  ],
  'processes.list': NONE,
  'processes.restart': [
    [{}, 'appId', 'string', 'appId is missing: it must be a string of at most 1000 characters'],
  ],
  'processes.stop': [
    [{}, 'appId', 'string', 'appId is missing: it must be a string of at most 1000 characters'],
  ],
  'processes.start': [
    [{}, 'appId', 'string', 'appId is missing: it must be a string of at most 1000 characters'],
  ],
  'processes.logs': [[{ limit: 0 }, 'limit', 'integer 1..500', 'limit must be an integer 1 to 500, got 0']],
  'routes.explain': [
    [{ pubsubname: 'p', topic: 't' }, 'event', 'any', 'event is missing: it must be a value'],
  ],
  'verdict.explain': [
    [
      { kind: 'single', status: 700 },
      'status',
      'integer 0..599',
      'status must be an integer 0 to 599, got 700',
    ],
  ],
  'filter.check': [
    [{ filter: 1 }, 'filter', 'string', 'filter must be a string of at most 10000 characters, got 1'],
  ],
  'filter.complete': [
    [
      { filter: '', cursor: -1 },
      'cursor',
      'integer 0..10000',
      'cursor must be an integer 0 to 10000, got -1',
    ],
  ],
  'view.open': [[{ order: 1 }, 'order', '"newest" | "oldest"', 'order must be "newest" or "oldest", got 1']],
  'view.rows': [
    [
      { viewId: 'v', from: 0, count: 501 },
      'count',
      'integer 0..500',
      'count must be an integer 0 to 500, got 501',
    ],
    [
      { viewId: 'v', from: -1, count: 1 },
      'from',
      'integer 0..',
      'from must be an integer of at least 0, got -1',
    ],
  ],
  'view.close': [
    [{}, 'viewId', 'string', 'viewId is missing: it must be a string of at most 200 characters'],
  ],
  'stream.open': [
    [
      { scope: 'some' },
      'scope',
      '"all" | "views" | "opened"',
      'scope must be "all", "views" or "opened", got "some"',
    ],
    [{ since: 'x' }, 'since', 'integer 0..', 'since must be an integer of at least 0, got "x"'],
  ],
  'stream.ack': [[{}, 'sequence', 'integer 0..', 'sequence is missing: it must be an integer of at least 0']],
  'stream.close': NONE,
  'events.since': [
    [
      { sequence: 0, waitMs: 30_001 },
      'waitMs',
      'integer 0..30000',
      'waitMs must be an integer 0 to 30000, got 30001',
    ],
  ],
  'logs.list': [
    [
      { level: 'loud' },
      'level',
      '"debug" | "info" | "warn" | "error"',
      'level must be "debug", "info", "warn" or "error", got "loud"',
    ],
  ],
  'metrics.get': [
    [
      { rangeSeconds: 0 },
      'rangeSeconds',
      'integer 1..3600',
      'rangeSeconds must be an integer 1 to 3600, got 0',
    ],
  ],
  'health.get': APP,
  'health.call': [
    [
      { probe: 'inbound' },
      'probe',
      '"healthz" | "outbound"',
      'probe must be "healthz" or "outbound", got "inbound"',
    ],
  ],
  'health.simulate': [
    [{ healthy: 'no' }, 'healthy', 'boolean | null', 'healthy must be true or false or null, got "no"'],
    [{}, 'healthy', 'boolean | null', 'healthy is missing: it must be true or false or null'],
  ],
  'settings.get': NONE,
  'settings.set': [[{ key: 'a.b' }, 'value', 'any', 'value is missing: it must be a value']],
  'eventRouter.status': [
    [{ component: 1 }, 'component', 'string', 'component must be a string of at most 1000 characters, got 1'],
  ],
  'eventRouter.handshake': [
    [{}, 'component', 'string', 'component is missing: it must be a string of at most 1000 characters'],
  ],
  'eventRouter.emulate': [],
  'eventRouter.create': [],
  'eventRouter.subscriptions': [],
  'eventRouter.deliveries': [],
  'eventRouter.act': [],
  'eventRouter.breakpoints': [],
  'eventRouter.topics': [],
  'eventRouter.token': [],
  'eventRouter.certificate': [],
  'eventRouter.faults': [
    ...ROUTER_FAULTS.map(([member, value, least, most]): Bad => [
      { add: { target: 'topic', times: 1, [member]: value } },
      `add.${member}`,
      `integer ${least}..${most}`,
      `add.${member} must be an integer ${least} to ${most}, got ${value}`,
    ]),
    ...[1.5, 10_001, -10_001].map((clockSkewMinutes): Bad => [
      { add: { target: 'identity', clockSkewMinutes } },
      'add.clockSkewMinutes',
      'integer -10000..10000',
      `add.clockSkewMinutes must be an integer -10000 to 10000, got ${clockSkewMinutes}`,
    ]),
  ],
  'eventRouter.simulate': [],
  'eventRouter.reveal': [],
  'samples.add': NONE,
  'samples.remove': NONE,
};
