/** Lists and forms: components by a word, messages of a test, addresses of apps, edges of dead letters. */
import { describe, expect, test } from 'vitest';
import type { SubscriptionRow, TopicRow } from '../../core/contract/subscription.ts';
import { findComponents, nameOf } from '../../renderer/views/components/component-words.ts';
import { expectedOf, filterOf, MAX_MESSAGES } from '../../renderer/views/recordings/test-messages.ts';
import { addressesWith } from '../../renderer/format/addresses.ts';
import { graphOf } from '../../renderer/views/topics/graph-model.ts';
import { deliveryIn, rowNamed } from './samples.ts';
import { componentRow } from '../support/component-row.ts';

describe('components', () => {
  const items = [
    componentRow('shop', { file: 'a.yaml', document: 1, scopes: ['app'] }),
    componentRow('shop', { file: 'a.yaml', document: 1, scopes: ['billing'] }),
    componentRow('router', { type: 'bindings.cloud.eventrouter', state: 'failed' }),
  ];

  test('one of several instances has the name of its app', () => {
    expect(items.map((item) => nameOf(item, items))).toEqual(['shop (app)', 'shop (billing)', 'router']);
  });

  test.each([
    ['', 3],
    ['BILLING', 1],
    ['eventrouter', 1],
    ['a.yaml', 2],
    ['not valid', 1],
    ['nothing', 0],
  ])('"%s" finds %i', (text, n) => expect(findComponents(items, text)).toHaveLength(n));
});

describe('messages of a test', () => {
  test('a choice becomes a filter, with ids one by one, and not more than a test takes', () => {
    expect(filterOf({})).toBe('');
    expect(filterOf({ filter: 'topic:a' })).toBe('topic:a');
    expect(filterOf({ messageIds: ['m1', 'm"2'] })).toBe('id:m1 OR id:"m\\"2"');
    const many = Array.from({ length: 80 }, (_, n) => `m${n}`);
    expect(filterOf({ messageIds: many }).split(' OR ')).toHaveLength(MAX_MESSAGES);
  });

  test('only differences from the recorded ends are sent, for included messages', () => {
    const rows = [rowNamed('m1', { deliveries: [deliveryIn('processed'), deliveryIn('dropped')] })];
    const wanted = { dlv_processed: 'parked', dlv_dropped: 'dropped', elsewhere: 'parked' } as const;
    expect(expectedOf(rows, wanted)).toEqual({ dlv_processed: 'parked' });
  });
});

test('one address is changed or removed, and without any the setting has its default', () => {
  expect(addressesWith({}, 'app', 'http://a')).toEqual({ app: 'http://a' });
  expect(addressesWith({ app: 'http://a', b: 'http://b' }, 'app', 'http://c')).toEqual({
    app: 'http://c',
    b: 'http://b',
  });
  expect(addressesWith({ app: 'http://a', b: 'http://b' }, 'app', undefined)).toEqual({ b: 'http://b' });
  expect(addressesWith({ app: 'http://a' }, 'app', undefined)).toBeNull();
});

test('messages on a dead-letter topic came from its subscription, not from publishers', () => {
  const topic = (name: string): TopicRow => ({
    pubsubname: 'pubsub',
    topic: name,
    apps: [],
    subscriptions: 0,
    published: 1,
    counts: {},
    rate: 0,
    perSecond: [],
    bulk: false,
  });
  const subscription: SubscriptionRow = {
    appId: 'app',
    pubsubname: 'pubsub',
    topic: 'orders',
    source: 'programmatic',
    rules: [],
    metadata: {},
    rawPayload: false,
    deadLetterTopic: 'dead',
    state: 'active',
    counts: {},
  };
  const topics = [topic('orders'), topic('dead')];
  const { edges } = graphOf({ topics, subscriptions: [subscription], apps: [], components: [] });
  const into = (name: string): readonly string[] =>
    edges.filter(({ to }) => to === `topic pubsub ${name}`).map(({ from }) => from);
  expect(into('orders')).toEqual(['publishers']);
  expect(into('dead')).toEqual(['subscription 0']);
});
