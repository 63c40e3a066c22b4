/** Observed topics are distinguished from those of Sidelight's own apps. */
import { expect, test } from 'vitest';
import type { TopicRow } from '../../core/contract/subscription.ts';
import { isReadByTaps, observedBy, profileInUse } from '../../renderer/format/observed.ts';
import { graphOf } from '../../renderer/views/topics/graph-model.ts';

const row = (more: Partial<TopicRow> = {}): TopicRow => ({
  pubsubname: 'redis',
  topic: 'orders',
  apps: [],
  subscriptions: 0,
  published: 1,
  counts: {},
  rate: 0,
  perSecond: [],
  bulk: false,
  ...more,
});

const tap = (appId: string, topic: string, pubsubname = 'redis') => ({
  appId,
  subscriptions: [{ pubsubname, topic, routes: ['/orders'] }],
});

test.each([
  ['nobody', {}, [], []],
  ['who showed a message of it', { taps: ['shop'] }, [], ['shop']],
  ['who subscribes to it', {}, [tap('mail', 'orders')], ['mail']],
  ['who subscribes to a pattern', {}, [tap('mail', 'ord*')], ['mail']],
  ['both, once each', { taps: ['shop', 'mail'] }, [tap('mail', 'orders')], ['mail', 'shop']],
  ['nobody of another component', {}, [tap('mail', 'orders', 'other')], []],
] as const)('a topic is observed by %s', (_, more, taps, expected) => {
  expect(observedBy({ ...row(), ...more }, taps)).toEqual(expected);
});

test.each([
  ['its own beside sidecars of ours', ['a'], ['dapr-1.18'], 'dapr'],
  ['that of the sidecar behind the tap, where nothing is ours', [], ['dapr-1.18'], 'dapr-1.18'],
  ['each of them once', [], ['dapr-1.18', 'dapr', 'dapr-1.18'], 'dapr, dapr-1.18'],
  ['its own while no tap is known', [], [], 'dapr'],
] as const)('a session names %s', (_, apps, profiles: readonly string[], expected) => {
  const taps = profiles.map((profile) => ({ profile }));
  expect(profileInUse({ profile: 'dapr', apps }, taps)).toBe(expected);
  expect(isReadByTaps({ apps }, taps)).toBe(apps.length === 0 && profiles.length > 0);
});

test('the graph has a tapped app, its subscriptions, and their topics', () => {
  const graph = graphOf({
    topics: [row(), row({ topic: 'bills' })],
    subscriptions: [],
    apps: [],
    components: [],
    taps: [{ ...tap('mail', 'orders'), appUrl: 'http://127.0.0.1:8080', appAnswers: false, publishes: 0 }],
  });
  expect(graph.nodes.filter(({ kind }) => kind !== 'publisher')).toMatchObject([
    { title: 'orders', facts: ['redis', 'observed: mail'], attention: undefined },
    { title: 'bills', facts: ['redis'], attention: 'none' },
    { kind: 'app', title: 'mail', facts: ['http://127.0.0.1:8080', 'observed', 'not reachable'] },
    { kind: 'subscription', title: 'orders', facts: ['mail · observed', 'POST /orders'] },
  ]);
  const named = (id: string) => graph.nodes.find((node) => node.id === id)?.title;
  const ways = graph.edges.map(({ from, to }) => `${named(from)} to ${named(to)}`);
  expect(ways).toContain('orders to orders');
  expect(ways).toContain('orders to mail');
});

test('the graph does not say of an observed topic that nobody subscribes to it', () => {
  const graph = graphOf({
    topics: [row(), row({ topic: 'bills', taps: ['shop'] })],
    subscriptions: [],
    apps: [],
    components: [],
  });
  expect(graph.nodes.filter(({ kind }) => kind === 'topic')).toMatchObject([
    { title: 'orders', facts: ['redis'], attention: 'none' },
    { title: 'bills', facts: ['redis', 'observed: shop'], attention: undefined },
  ]);
});
