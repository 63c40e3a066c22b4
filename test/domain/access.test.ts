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

  test('allowedTopics forbids all other topics, also granted ones', () => {
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

  test('a part without = is skipped, text after a second = is ignored, an app that stands twice has both lists, and case counts', () => {
    const odd = readScopes({ publishingScopes: 'nothing;a=t1=t9;a=t2;B=t3' });
    expect(['t1', 't2', 't9'].map((topic) => mayPublish(odd, 'a', topic))).toEqual([true, true, false]);
    expect([mayPublish(odd, 'nothing', 'z'), mayPublish(odd, 'b', 'z'), mayPublish(odd, 'B', 'T3')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('spaces around topics are removed, and no other characters', () => {
    expect(mayPublish(readScopes({ allowedTopics: 'a,\tb' }), 'x', 'b')).toBe(false);
  });
});

describe('retry', () => {
  const policy = { maxAttempts: 10, firstDelayMs: 100, factor: 1.5, maxDelayMs: 5000, jitter: 0 };

  test('the default policy has these waits', () => {
    expect(Array.from({ length: 9 }, (_, k) => delayAfter(policy, k + 1, 0.5))).toEqual([
      100, 150, 225, 338, 506, 759, 1139, 1709, 2563,
    ]);
    expect(delayAfter(policy, 20, 0)).toBe(5000);
  });

  test('a round ends with its last attempt, and never without a limit', () => {
    expect([
      isExhausted(policy, 9),
      isExhausted(policy, 10),
      isExhausted({ ...policy, maxAttempts: 0 }, 1e9),
    ]).toEqual([false, true, false]);
  });

  test('a first wait of 0 stays 0', () => {
    expect(delayAfter({ ...policy, firstDelayMs: 0, factor: 1000 }, 5000, 0)).toBe(0);
  });

  test('property: a wait is never negative or NaN, and at most the longest wait with its jitter', () => {
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
