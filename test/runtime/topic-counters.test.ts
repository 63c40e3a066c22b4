/** The number of topics with counters is limited. */
import { expect, test } from 'vitest';
import { NO_MESSAGES } from '../../core/ports/journal.ts';
import { Metrics } from '../../core/runtime/telemetry/metrics.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

test('counters of the least recently used topics are forgotten, except with open deliveries', () => {
  const clock = new ManualClock();
  const metrics = new Metrics(clock);
  metrics.accepted('pubsub', 'open');
  metrics.moved({ pubsubname: 'pubsub', topic: 'open', lane: 'l' }, null, 'held');
  for (let i = 0; i < 15_000; i += 1) {
    clock.advance(1);
    metrics.accepted('pubsub', `topic-${i}`);
  }
  const topics = metrics.topics();
  expect(topics.length).toBeLessThanOrEqual(10_000);
  expect(topics.some(({ topic }) => topic === 'open')).toBe(true);
  expect(topics.some(({ topic }) => topic === 'topic-0')).toBe(false);
  expect(topics.some(({ topic }) => topic === 'topic-14999')).toBe(true);
});

test('a topic with the name of a pattern counts the subscription of that pattern once', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'ord*', route: '/wild' }));
  await stand.publish('ord*');
  await stand.publish('orders');
  const counted = stand.runtime.topology.topics().map(({ topic, subscriptions }) => [topic, subscriptions]);
  expect(counted.toSorted()).toEqual([
    ['ord*', 1],
    ['orders', 1],
  ]);
});

test('a topic that was forgotten does not come back with the removal of its messages', () => {
  const clock = new ManualClock();
  const metrics = new Metrics(clock);
  const of = { pubsubname: 'pubsub', topic: 'old', lane: 'app\npubsub\nold' };
  const total = {
    ...{ ...NO_MESSAGES, pubsubname: 'pubsub', topic: 'old', messages: 1 },
    deliveries: [{ appId: 'app', subscription: 'old', state: 'processed' as const, count: 1 }],
  };
  metrics.accepted('pubsub', 'old');
  metrics.moved(of, null, 'processed');
  for (let n = 0; n < 10_000; n += 1) {
    clock.advance(1);
    metrics.accepted('pubsub', `new ${n}`);
  }
  const names = (): readonly string[] => metrics.topics().map(({ topic }) => topic);
  expect(names()).not.toContain('old');
  metrics.pruned([total]);
  expect(names()).not.toContain('old');
  expect(metrics.counts().processed).toBe(0);
  expect(metrics.lagOf(of.lane)).toBeUndefined();
});
