/** A delivery played through: the documented times, what ends it, and the time to live. */
import { describe, expect, test } from 'vitest';
import { simulateDelivery } from '../../core/local-router/rules/simulate.ts';

const seconds = (ms: number): number => ms / 1000;

describe('a delivery played through', () => {
  test('with the defaults eleven attempts at the documented times, then it expires', () => {
    const { attempts, end } = simulateDelivery({ answers: [500] }, 1);
    expect(attempts.map(({ atMs }) => seconds(atMs))).toEqual([
      0, 10, 40, 100, 400, 1000, 2800, 6400, 17_200, 38_800, 82_000,
    ]);
    expect(end).toEqual({ state: 'expired', rule: 'router.expired', atMs: 86_400_000 });
  });

  test('thirty minutes to live allow six attempts', () => {
    expect(simulateDelivery({ eventTimeToLiveInMinutes: 30, answers: ['timeout'] }, 1).attempts).toHaveLength(
      6,
    );
  });

  test('an answer has its shortest wait, which probation makes longer', () => {
    const first = (probation: boolean): number | undefined =>
      simulateDelivery({ answers: ['no-name', 200], probation }, 1).attempts[0]?.waitMs;
    expect(first(false)).toBe(10_000);
    expect(first(true)).toBe(300_000);
    expect(simulateDelivery({ answers: [408, 200] }, 1).attempts[1]?.atMs).toBe(120_000);
  });

  test.each([
    [[503, 200], 2, 'processed', 'router.processed'],
    [[401], 1, 'parked', 'router.unauthorized'],
    [[503, 413], 2, 'parked', 'router.payload-too-large'],
    [['tls', 'refused', 204], 3, 'processed', 'router.processed'],
  ] as const)('answers %j end after %i as %s', (answers, number, state, rule) => {
    const result = simulateDelivery({ answers }, 0.01);
    expect(result.attempts).toHaveLength(number);
    expect(result.end).toMatchObject({ state, rule });
  });

  test('used-up attempts park after the last one, and the scale shortens every wait', () => {
    const { attempts, end } = simulateDelivery({ maxDeliveryAttempts: 3, answers: [503] }, 0.01);
    expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 300, 600]);
    expect(end).toEqual({ state: 'parked', rule: 'router.exhausted', atMs: 600 });
  });
});
