/** Counters of topics are bounded: in number, and in the characters of their names. */
import { expect, test } from 'vitest';
import { NO_MESSAGES } from '../../core/ports/journal.ts';
import { Metrics } from '../../core/runtime/telemetry/metrics.ts';
import { ManualClock } from '../support/manual-clock.ts';

function charactersOf(metrics: Metrics): number {
  return metrics.topics().reduce((sum, { topic }) => sum + topic.length, 0);
}

test.each([
  [12_000, 10],
  [400, 8_000],
])('memory for counters has a limit with %i topics with names of %i characters', (count, length) => {
  const clock = new ManualClock();
  const metrics = new Metrics(clock);
  for (let n = 0; n < count; n += 1) {
    clock.advance(1);
    metrics.accepted('pubsub', `${n}`.padEnd(length, 't'));
  }
  const topics = metrics.topics();
  expect(topics.length).toBeLessThanOrEqual(10_000);
  expect(charactersOf(metrics)).toBeLessThanOrEqual(1024 * 1024 + length);
  expect(topics.at(-1)?.topic).toBe(`${count - 1}`.padEnd(length, 't'));
  expect(metrics.published).toBe(count);
});

test('topics with open deliveries stay, and are forgotten once those have ended', () => {
  const metrics = new Metrics(new ManualClock());
  const names = Array.from({ length: 400 }, (_, n) => `${n}`.padEnd(8_000, 't'));
  const counted = names.map((topic) => ({ pubsubname: 'pubsub', topic, lane: 'lane' }));
  for (const of of counted) metrics.moved(of, null, 'queued');
  expect(metrics.topics()).toHaveLength(400);
  for (const of of counted) metrics.moved(of, 'queued', 'processed');
  for (let n = 0; n < 20; n += 1) metrics.accepted('pubsub', `new ${n}`.padEnd(8_000, 't'));
  expect(charactersOf(metrics)).toBeLessThanOrEqual(1024 * 1024 + 8_000);
});

test('a subscription is forgotten with the last of its deliveries in the history, and counted again with a new one', () => {
  const metrics = new Metrics(new ManualClock());
  const of = { pubsubname: 'pubsub', topic: 'orders', lane: 'app\npubsub\norders' };
  const total = (count: number) => ({
    ...{ ...NO_MESSAGES, pubsubname: 'pubsub', topic: 'orders', messages: count },
    deliveries: [{ appId: 'app', subscription: 'orders', state: 'processed' as const, count }],
  });
  for (let i = 0; i < 3; i += 1) metrics.moved(of, null, 'processed');
  metrics.pruned([total(2)]);
  expect(metrics.ofLane(of.lane)).toEqual({ processed: 1 });
  metrics.pruned([total(1)]);
  expect(metrics.lagOf(of.lane)).toBeUndefined();
  metrics.moved(of, null, 'queued');
  expect(metrics.ofLane(of.lane)).toEqual({ queued: 1 });
  metrics.moved(of, 'queued', 'processed');
  metrics.pruned([total(1)]);
  expect(metrics.lagOf(of.lane)).toBeUndefined();
});
