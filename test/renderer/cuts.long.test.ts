/** A hundred cuts of the line at random bytes: the list and a script's copy equal the host, row by row. */
import { expect, test } from 'vitest';
import { runCuts } from './cuts.ts';

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'after 100 cuts a client has the data of the host, seed %i',
  async (seed) => {
    const { cuts, host, list, copy } = await runCuts(100, seed);
    expect(cuts).toBeGreaterThanOrEqual(100);
    expect(list).toEqual(host);
    expect(copy).toEqual(host);
  },
);
