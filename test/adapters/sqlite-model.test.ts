/**
 * Random sequences of what the program asks of a history on disk, beside a plain list of what must be in it: groups of all sizes, bursts,
 * reads that take long, looks at what waits, removals by a person and by number, bytes and age, other sync levels, pauses, ends and kills.
 * Every read equals the list, and what is counted equals what is there.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { times } from '../support/extent.ts';
import { Pair, slowly, step } from './history-and-list.ts';
import { NewestStand } from './newest-stand.ts';

/** The tables take in such small parts that most bursts have several. */
const PART_BYTES = 200_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['that answers at once', 1],
  ['that answers at once', 2],
  ['that lags behind', 3],
  ['that lags behind', 4],
  ['that lags behind', 5],
])('whatever is asked of a history with a thread %s, it has what was written, seed %i', async (how, seed) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const stand = new NewestStand(how === 'that lags behind' ? slowly() : undefined, PART_BYTES);
      const pair = new Pair(stand);
      try {
        for (const one of steps) await pair.take(one);
        await pair.equal();
        await pair.take({ kind: 'kill' });
        await pair.equal();
        expect(stand.said).toEqual([]);
      } finally {
        pair.end();
        await stand.remove();
      }
    }),
    { seed, numRuns: times(2, 60) },
  );
});
