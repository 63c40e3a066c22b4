/** Hundreds of random ends over some minutes. */
import { expect, test } from 'vitest';
import { randomEnds } from './random-ends.ts';

test('hundreds of ends lose nothing, and nothing is stuck', async () => {
  let seed = 20_261_123;
  // A linear congruential generator: the same ends in every run.
  const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const outcome = await randomEnds(600, random);
  expect(outcome).toMatchObject({ lost: [], unfinished: {}, status: 0 });
  expect(outcome.restarts).toBeGreaterThan(200);
});
