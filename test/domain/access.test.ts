// Topic scopes, and the waits between attempts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayPublish, maySubscribe, readScopes } from '../../core/domain/access.ts';
import { delayAfter, isExhausted } from '../../core/domain/retry.ts';

describe('access', () => {
  const scopes = readScopes({ protectedTopics: 'pay', publishingScopes: 'a=pay,orders;b=' });

  test.each([
    ['a', 'pay', true],
    ['a', 'orders', true],
    ['a', 'other', false],
    ['b', 'pay', false],
    ['b', 'orders', false],
    ['b', 'other', false],
    ['c', 'pay', false],
    ['c', 'orders', true],
    ['c', 'other', true],
  ])('app %s may publish to %s: %s', (appId, topic, may) => {
    expect(mayPublish(scopes, appId, topic)).toBe(may);
  });

  test('subscribing has a list of its own, protection is common', () => {
    expect(maySubscribe(scopes, 'a', 'other')).toBe(true);
    expect(maySubscribe(scopes, 'a', 'pay')).toBe(false);
    expect(maySubscribe(readScopes({ subscriptionScopes: 'a=x' }), 'a', 'y')).toBe(false);
  });

  test('allowedTopics closes everything else, also what an app is granted', () => {
    const closed = readScopes({ ALLOWEDTOPICS: ' a , b ', publishingScopes: 'x=c' });
    expect([
      mayPublish(closed, 'y', 'a'),
      mayPublish(closed, 'y', 'c'),
      mayPublish(closed, 'x', 'c'),
    ]).toEqual([true, false, false]);
  });

  test('without settings everything is allowed', () => {
    expect(mayPublish(readScopes({}), 'any', 'thing')).toBe(true);
  });

  test('odd parts: without = skipped, after a second = ignored, the same app twice is both, case counts', () => {
    const odd = readScopes({ publishingScopes: 'nothing;a=t1=t9;a=t2;B=t3' });
    expect(['t1', 't2', 't9'].map((topic) => mayPublish(odd, 'a', topic))).toEqual([true, true, false]);
    expect([mayPublish(odd, 'nothing', 'z'), mayPublish(odd, 'b', 'z'), mayPublish(odd, 'B', 'T3')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('only spaces are removed', () => {
    expect(mayPublish(readScopes({ allowedTopics: 'a,\tb' }), 'x', 'b')).toBe(false);
  });
});

describe('retry', () => {
  const policy = { maxAttempts: 10, firstDelayMs: 100, factor: 1.5, maxDelayMs: 5000, jitter: 0 };

  test('the default waits', () => {
    expect(Array.from({ length: 9 }, (_, k) => delayAfter(policy, k + 1, 0.5))).toEqual([
      100, 150, 225, 338, 506, 759, 1139, 1709, 2563,
    ]);
    expect(delayAfter(policy, 20, 0)).toBe(5000);
  });

  test('the last attempt of the round, and no limit', () => {
    expect([
      isExhausted(policy, 9),
      isExhausted(policy, 10),
      isExhausted({ ...policy, maxAttempts: 0 }, 1e9),
    ]).toEqual([false, true, false]);
  });

  test('waits of nothing stay nothing, however often they grow', () => {
    expect(delayAfter({ ...policy, firstDelayMs: 0, factor: 1000 }, 5000, 0)).toBe(0);
  });

  test('property: never negative, never NaN, within the jitter of the bound', () => {
    const policies = fc.record({
      maxAttempts: fc.nat(),
      firstDelayMs: fc.nat({ max: 1e6 }),
      factor: fc.double({ min: 1, max: 1000, noNaN: true }),
      maxDelayMs: fc.nat({ max: 1e6 }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        policies,
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (any, attempt, random) => {
          const delay = delayAfter(any, attempt, random);
          expect(Number.isInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThanOrEqual(Math.ceil(any.maxDelayMs * (1 + any.jitter)));
        },
      ),
    );
  });
});
