/** The subscriptions of a topic are found by its name. */
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isTopicPattern, topicMatches } from '../../core/contract/topic-pattern.ts';
import { Subscribers } from '../../core/runtime/queries/subscribers.ts';

test('they are those that match the topic, those with the topic itself first, in their order', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 5 });
  const row = fc.record({ pubsubname: fc.constantFrom('x', 'y'), topic: name });
  fc.assert(
    fc.property(fc.array(row), row, (rows, { pubsubname, topic }) => {
      const matching = rows.filter((one) => one.pubsubname === pubsubname && topicMatches(one.topic, topic));
      const expected = [
        ...matching.filter((one) => !isTopicPattern(one.topic)),
        ...matching.filter((one) => isTopicPattern(one.topic)),
      ];
      expect(new Subscribers(rows).of({ pubsubname, topic })).toEqual(expected);
    }),
  );
});

test('thousands of patterns are read once, however many topics there are', () => {
  let reads = 0;
  const rows = Array.from({ length: 2000 }, (_, n) => ({
    pubsubname: 'pubsub',
    get topic() {
      reads += 1;
      return `p${n}*`;
    },
  }));
  const subscribers = new Subscribers(rows);
  for (let n = 0; n < 1000; n += 1)
    expect(subscribers.of({ pubsubname: 'pubsub', topic: `q${n}` })).toEqual([]);
  expect(subscribers.of({ pubsubname: 'pubsub', topic: 'p1999x' })).toHaveLength(4);
  expect(reads).toBe(2000);
});

test('a topic is not cut to each length that a pattern has', () => {
  const rows = Array.from({ length: 2000 }, (_, n) => ({
    pubsubname: 'pubsub',
    topic: `b${'a'.repeat(n)}*`,
  }));
  const subscribers = new Subscribers(rows);
  const cuts = vi.spyOn(String.prototype, 'slice');
  onTestFinished(() => cuts.mockRestore());
  const found = Array.from(
    { length: 100 },
    (_, n) => subscribers.of({ pubsubname: 'pubsub', topic: `${'a'.repeat(2000)}${n}` }).length,
  );
  const made = cuts.mock.calls.length;
  expect(found).toEqual(found.map(() => 0));
  expect(made).toBeLessThan(1000);
});
