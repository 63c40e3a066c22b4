// How topics share the room for unfinished work.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeShortage,
  isLent,
  shortageOf,
  shortageOfAll,
  shortageOfCopies,
} from '../../core/domain/backlog.ts';

const LIMITS = { count: 100, bytes: 1_000_000, memory: 1_000_000, byHeap: false };
const NOTHING = { count: 0, bytes: 0, memory: 0 };

function with_(count: number, bytes = 0): typeof NOTHING {
  return { count, bytes, memory: 0 };
}

test('one topic fills at most nine tenths, and the rest is left to others', () => {
  expect(shortageOf(with_(89), with_(89), LIMITS)).toBeUndefined();
  expect(shortageOf(with_(90), with_(90), LIMITS)).toMatchObject({ measure: 'count', forAll: false });
  expect(shortageOf(NOTHING, with_(90), LIMITS)).toBeUndefined();
  expect(shortageOf(NOTHING, with_(99), LIMITS)).toBeUndefined();
  expect(shortageOf(NOTHING, with_(100), LIMITS)).toMatchObject({ measure: 'count', forAll: true });
});

test('copies on dead-letter topics are accepted beyond the limit, but not without end', () => {
  const large = { ...LIMITS, count: 2000 };
  expect(shortageOfCopies(with_(2999), large)).toBeUndefined();
  expect(shortageOfCopies(with_(3000), large)).toMatchObject({ measure: 'count', limit: 2000, forAll: true });
  expect(shortageOfCopies(with_(999), LIMITS)).toBeUndefined();
  expect(shortageOfCopies(with_(1000), LIMITS)).toMatchObject({ measure: 'count' });
  expect(shortageOfCopies(with_(1, 1_499_999), LIMITS)).toBeUndefined();
  expect(shortageOfCopies(with_(1, 1_500_000), LIMITS)).toMatchObject({ measure: 'bytes' });
});

test('one topic fills at most nine tenths of the bytes too', () => {
  expect(shortageOf(with_(1, 900_000), with_(1, 900_000), LIMITS)).toMatchObject({ measure: 'bytes' });
  expect(shortageOf(NOTHING, with_(1, 900_000), LIMITS)).toBeUndefined();
  expect(shortageOfAll(with_(1, 1_000_000), LIMITS)).toMatchObject({ measure: 'bytes', forAll: true });
});

test('a large message does not take what is left for other topics', () => {
  const size = (bytes: number) => ({ bytes, memory: 0 });
  expect(shortageOf(with_(1, 600_000), with_(1, 600_000), LIMITS, size(600_000))).toEqual({
    measure: 'bytes',
    limit: 1_000_000,
    setBy: 'delivery.backlogBytes',
    forAll: false,
    bySize: true,
  });
  expect(shortageOf(NOTHING, with_(1, 600_000), LIMITS, size(300_000))).toBeUndefined();
  expect(shortageOf(NOTHING, with_(1, 600_000), LIMITS, { bytes: 0, memory: 950_000 })).toMatchObject({
    measure: 'memory',
  });
  // Alone, it would wait forever.
  expect(shortageOf(NOTHING, NOTHING, LIMITS, size(5_000_000))).toBeUndefined();
});

test('the first message of a topic is lent room, all such messages together a tenth of the limit', () => {
  const size = (bytes: number, memory = 0) => ({ bytes, memory });
  const all = with_(20, 980_000);
  const shortage = (own: typeof NOTHING, bytes: number, lent: number, memory = 0) =>
    shortageOf(own, all, LIMITS, size(bytes, memory), size(lent, lent));
  expect(shortage(NOTHING, 50_000, 0)).toBeUndefined();
  expect(shortage(NOTHING, 50_000, 50_000)).toBeUndefined();
  expect(shortage(NOTHING, 50_000, 50_001)).toMatchObject({ measure: 'bytes', bySize: true });
  expect(shortage(NOTHING, 50_000, 0, 100_001)).toMatchObject({ measure: 'bytes' });
  expect(shortage(with_(1, 10), 50_000, 0)).toMatchObject({ measure: 'bytes', bySize: true });
  // Not where even a small message finds no room.
  expect(shortageOf(NOTHING, with_(20, 1_000_000), LIMITS, size(50_000), size(0))).toMatchObject({
    forAll: true,
  });
  const isLentOf = (own: typeof NOTHING, bytes: number, of = all) =>
    isLent(own, of, LIMITS, size(bytes), size(0));
  expect(isLentOf(NOTHING, 50_000)).toBe(true);
  // There is room for it.
  expect(isLentOf(NOTHING, 5000)).toBe(false);
  expect(isLentOf(with_(1, 10), 50_000)).toBe(false);
  expect(isLentOf(NOTHING, 5_000_000, NOTHING)).toBe(false);
});

test('however many topics fill the bytes with messages of any size, a small one of another topic is accepted', () => {
  const step = fc.record({ topic: fc.nat(5), bytes: fc.integer({ min: 1000, max: 300_000 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 200 }), (steps) => {
      const own = Array.from({ length: 6 }, () => NOTHING);
      let all = NOTHING;
      const limits = { ...LIMITS, count: 10_000 };
      for (const { topic, bytes } of steps) {
        const before = own[topic] ?? NOTHING;
        if (shortageOf(before, all, limits, { bytes, memory: 0 }) !== undefined) continue;
        own[topic] = with_(before.count + 1, before.bytes + bytes);
        all = with_(all.count + 1, all.bytes + bytes);
      }
      const left = limits.bytes - all.bytes;
      expect(shortageOf(NOTHING, all, limits, { bytes: Math.floor(left / 2), memory: 0 })).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test('a small limit is used up to its last place by one topic', () => {
  for (const count of [1, 2, 3, 4]) {
    const limits = { ...LIMITS, count };
    expect(shortageOf(with_(count - 1), with_(count - 1), limits)).toBeUndefined();
    expect(shortageOf(with_(count), with_(count), limits)).toMatchObject({ forAll: true });
  }
});

test('a topic without waiting messages is accepted, however many others flood', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1000, max: 5000 }), (topics, count) => {
      const own = Array.from({ length: topics }, () => 0);
      const limits = { ...LIMITS, count };
      const all = (): number => own.reduce((sum, n) => sum + n, 0);
      for (let took = true; took;) {
        took = false;
        for (let topic = 0; topic < topics; topic += 1) {
          if (shortageOf(with_(own[topic] ?? 0), with_(all()), limits) !== undefined) continue;
          own[topic] = (own[topic] ?? 0) + 1;
          took = true;
        }
      }
      expect(shortageOf(NOTHING, with_(all()), limits)).toBeUndefined();
      // All topics have the same share, up to one.
      expect(Math.max(...own) - Math.min(...own)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 20 },
  );
});

test('the refusal names the limit, its setting and the topic', () => {
  const say = (own: typeof NOTHING, all: typeof NOTHING, limits = LIMITS): string => {
    const shortage = shortageOf(own, all, limits);
    return shortage === undefined ? '' : describeShortage(shortage, 'orders');
  };
  expect(say(with_(95), with_(95))).toBe(
    'the backlog limit of 100 unfinished deliveries (delivery.backlog) is reached for topic orders, the rest is reserved for other topics',
  );
  expect(say(with_(1, 1_000_000), with_(1, 1_000_000))).toBe(
    'the backlog limit of 1,000,000 bytes of unfinished messages (delivery.backlogBytes) is reached, topic orders has most of them',
  );
  expect(say(with_(1, 1_000_000), with_(1, 1_000_000), { ...LIMITS, byHeap: true })).toContain(
    '--max-old-space-size',
  );
});
