/** The graph of topics as data: who feeds whom, dead letters, what needs attention, folding. */
import { describe, expect, test } from 'vitest';
import type { SubscriptionRow, TopicRow } from '../../core/contract/subscription.ts';
import {
  graphOf,
  lineLook,
  lineName,
  nodeName,
  withDrawnWords,
} from '../../renderer/views/topics/graph-model.ts';

const topic = (name: string, more: Partial<TopicRow> = {}): TopicRow => ({
  pubsubname: 'pubsub',
  topic: name,
  apps: ['app'],
  subscriptions: 1,
  published: 3,
  counts: {},
  rate: 2,
  perSecond: [],
  bulk: false,
  ...more,
});

const subscription = (name: string, more: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  appId: 'app',
  pubsubname: 'pubsub',
  topic: name,
  source: 'programmatic',
  rules: [],
  defaultPath: `/${name}`,
  metadata: {},
  rawPayload: false,
  state: 'active',
  counts: {},
  ...more,
});

const APPS = [{ appId: 'app', app: 'http://127.0.0.1:6001', channel: 'answering', mock: true }] as const;
const graph = (topics: readonly TopicRow[], subscriptions: readonly SubscriptionRow[]) =>
  graphOf({ topics, subscriptions, apps: APPS, components: [] });

describe('the graph', () => {
  test('names each line by its ends and its words, for who does not see it', () => {
    const { nodes, edges } = graph([topic('orders')], [subscription('orders', { counts: { parked: 1 } })]);
    const titles = new Map(nodes.map(({ id, title }) => [id, title]));
    expect(edges.map((edge) => lineName(edge, titles))).toEqual([
      'Publishers to orders: 2.0/s, 3 published',
      'orders to orders: 2.0/s',
      'orders to app: 1 parked',
    ]);
  });

  test('colours each count by its own state, and a line that only expired deliveries took too', () => {
    const { edges } = graph(
      [topic('orders')],
      [subscription('orders', { counts: { expired: 1, processed: 2 } })],
    );
    const line = edges.find(({ to }) => to === 'app app');
    expect(line).toMatchObject({
      label: '1 expired · 2 processed',
      states: { '1 expired': 'expired', '2 processed': 'processed' },
      attention: 'expired',
    });
  });

  test('goes from publishers over topic and subscription, which has its routes inside, to the app', () => {
    const rules = [{ match: 'event.type == "a"', path: '/a' }];
    const { nodes, edges } = graph(
      [topic('orders')],
      [
        subscription('orders', {
          rules,
          counts: { processed: 12, retrying: 3 },
          lag: { unfinished: 3, inPerSecond: 2, outPerSecond: 1.5 },
        }),
      ],
    );
    expect(nodes.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
      'publisher Publishers',
      'topic orders',
      'subscription orders',
      'app app',
    ]);
    expect(nodes[2]?.facts).toEqual(['app · programmatic', 'event.type == "a" → POST /a', 'POST /orders']);
    expect(edges.map(({ label }) => label)).toEqual([
      '2.0/s · 3 published',
      '2.0/s',
      '1.5/s · 3 retrying · 12 processed',
    ]);
    expect(edges.map(({ attention }) => attention)).toEqual([undefined, undefined, 'retrying']);
  });

  test('a stream that the app opened has no path that is posted to', () => {
    const { nodes } = graph([topic('orders')], [subscription('orders', { source: 'streaming' })]);
    expect(nodes[2]?.facts).toEqual(['app · streaming']);
  });

  test('publishers name the observed apps that have published', () => {
    const tap = { appUrl: 'http://127.0.0.1:8080', appAnswers: true, subscriptions: [] };
    const taps = [
      { ...tap, appId: 'shop', publishes: 2 },
      { ...tap, appId: 'stock', publishes: 0 },
    ];
    const { nodes } = graphOf({
      topics: [topic('orders')],
      subscriptions: [],
      apps: APPS,
      components: [],
      taps,
    });
    expect(nodes[0]?.facts).toEqual(['HTTP, console and scripts', 'observed: shop']);
  });

  test.each([
    [false, ['observed: shop']],
    [true, ['HTTP, console and scripts', 'observed: shop']],
  ])('to a topic that a tap showed something was published here: %s', (isOurs, facts) => {
    const shop = {
      ...{ appId: 'shop', appUrl: 'http://127.0.0.1:8080', appAnswers: true, subscriptions: [] },
      publishes: 2,
    };
    const topics = [topic('orders', { taps: ['shop'], isOurs }), topic('quiet', { published: 0 })];
    const { nodes } = graphOf({ topics, subscriptions: [], apps: APPS, components: [], taps: [shop] });
    expect(nodes[0]?.facts).toEqual(facts);
  });

  test('a topic without a subscription says so, and one without messages has no publisher', () => {
    const { nodes, edges } = graph(
      [topic('audit', { subscriptions: 0, apps: [] }), topic('new', { published: 0 })],
      [],
    );
    expect(nodes.find(({ title }) => title === 'audit')?.attention).toBe('none');
    expect(nodes.map(nodeName)).toContain('Topic audit: pubsub, No subscription');
    expect(edges.map(({ to }) => to)).toEqual(['topic pubsub audit']);
  });

  test('dead letters lead to their topic, which is there even before the first', () => {
    const { nodes, edges } = graph(
      [topic('orders')],
      [subscription('orders', { deadLetterTopic: 'orders-dlq', counts: { parked: 1, 'dead-lettered': 2 } })],
    );
    expect(nodes.some(({ title }) => title === 'orders-dlq')).toBe(true);
    expect(edges.find(({ isDeadLetter }) => isDeadLetter)).toMatchObject({
      to: 'topic pubsub orders-dlq',
      label: '2 dead-lettered',
      attention: 'dead-lettered',
    });
    expect(nodes.find(({ kind }) => kind === 'subscription')?.attention).toBe('parked');
  });

  test('a dead-letter topic says once what arrived there, with the copies of what an app dropped', () => {
    const { edges } = graph(
      [topic('a'), topic('b'), topic('c'), topic('dlq', { published: 4 })],
      ['a', 'b', 'c'].map((name, n) =>
        subscription(name, { deadLetterTopic: 'dlq', counts: { 'dead-lettered': n } }),
      ),
    );
    const drawn = withDrawnWords(edges).filter(({ isDeadLetter }) => isDeadLetter);
    expect(drawn.map(({ label }) => label)).toEqual(['4 published', '', '']);
    expect(drawn[0]?.states).toEqual({ '4 published': 'dead-lettered' });
    expect(withDrawnWords(edges).filter(({ isDeadLetter }) => !isDeadLetter)).toEqual(
      edges.filter(({ isDeadLetter }) => !isDeadLetter),
    );
  });

  test('a subscription with a star is fed by longer topics alone', () => {
    const topics = [topic('orders-'), topic('orders-new')];
    const { edges } = graph(topics, [subscription('orders-*')]);
    const fed = edges.filter(({ to }) => to.startsWith('subscription ')).map(({ from }) => from);
    expect(fed).toEqual(['topic pubsub orders-new']);
  });

  test('before an app answers no topic is shown without a subscription', () => {
    const apps = [{ ...APPS[0], channel: 'unknown' }] as const;
    const topics = [topic('audit', { subscriptions: 0, apps: [] })];
    const { nodes } = graphOf({ topics, subscriptions: [], apps, components: [] });
    expect(nodes.find(({ title }) => title === 'audit')?.attention).toBeUndefined();
  });

  test('an event router that could not be started says so, and nothing comes from it', () => {
    const router = { kind: 'binding', type: 'bindings.cloud.eventrouter' } as const;
    const components = [
      { ...router, name: 'good', state: 'ready' },
      { ...router, name: 'bad', state: 'failed' },
    ] as const;
    const { nodes, edges } = graphOf({ topics: [], subscriptions: [], apps: APPS, components });
    expect(nodes.find(({ title }) => title === 'bad')?.facts).toContain('not ready');
    expect(edges.map(({ from }) => from)).toEqual(['binding good']);
  });

  test('a wildcard subscription is fed by every topic that fits', () => {
    const { edges } = graph(
      [topic('orders.a'), topic('orders.b'), topic('other')],
      [subscription('orders.*')],
    );
    const fed = edges.filter(({ to }) => to === 'subscription 0').map(({ from }) => from);
    expect(fed).toEqual(['topic pubsub orders.a', 'topic pubsub orders.b']);
  });

  test('with too many parts the routes of a subscription are counted', () => {
    const names = Array.from({ length: 80 }, (_, n) => `t${n}`);
    const many = graph(
      names.map((name) => topic(name)),
      names.map((name) => subscription(name)),
    );
    expect(many.isFolded).toBe(true);
    expect(many.nodes.find(({ kind }) => kind === 'subscription')?.facts).toContain('1 route');
    expect(many.edges.filter(({ to }) => to === 'app app')).toHaveLength(80);
  });
});

test('a line has the colour of the worst state on it, and is dashed where messages did not arrive', () => {
  expect(lineLook({})).toEqual({ colour: 'var(--border-strong)', isDashed: false });
  expect(lineLook({ attention: 'retrying' })).toEqual({ colour: 'var(--state-retrying)', isDashed: false });
  expect(lineLook({ attention: 'parked' })).toEqual({ colour: 'var(--state-parked)', isDashed: true });
  expect(lineLook({ isDeadLetter: true }).isDashed).toBe(true);
});
