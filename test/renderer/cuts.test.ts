/** A line that is cut again and again: afterwards the list is the host's, row by row. The full count runs under `test:long`. */
import { expect, test } from 'vitest';
import { seeded } from './cut-line.ts';
import { runCuts } from './cuts.ts';

test('equal seeds give equal numbers', () => {
  const [a, b] = [seeded(7), seeded(7)];
  expect([a(), a(), a()]).toEqual([b(), b(), b()]);
  expect(seeded(8)()).not.toBe(seeded(7)());
});

test.each([11, 12])('after 25 cuts a client has the data of the host, seed %i', async (seed) => {
  const { cuts, host, list, copy } = await runCuts(25, seed);
  expect(cuts).toBeGreaterThanOrEqual(25);
  expect(host.length).toBeGreaterThan(25);
  expect(list).toEqual(host);
  expect(copy).toEqual(host);
});
