/** The bounds by which a view tells most events apart: they leave out no message that it shows or may push. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { RunList } from '../../core/console/numbers.ts';
import { View } from '../../core/console/views/view.ts';

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 300 });
/** Numbers in the list, before it and behind it. */
const anyNumber = Array.from({ length: 420 }, (_, at) => at);
const range = fc.record({ from: fc.integer({ min: 0, max: 320 }), count: fc.integer({ min: 0, max: 60 }) });

test('what a view covers are the messages on the lines that were asked for, and nothing lower is pushed', async () => {
  await fc.assert(
    fc.asyncProperty(
      numbers,
      range,
      fc.constantFrom('newest' as const, 'oldest' as const),
      async (unsorted, { from, count }, order) => {
        const sorted = unsorted.toSorted((one, other) => one - other);
        const view = new View({ viewId: 'v', list: RunList.of(sorted), order, leave: () => undefined }, 0);
        await view.read(from, count, { rowsOf: (asked) => Promise.resolve(asked.map(() => undefined)) });
        const lines = order === 'newest' ? sorted.toReversed() : sorted;
        const { least, most, has } = view.covered();
        const covered = sorted.filter((number) => number >= least && number <= most && has(number));
        expect(covered).toEqual(lines.slice(from, from + count).toSorted((one, other) => one - other));
        const lower = anyNumber.filter((number) => number < view.leastPushed);
        expect(lower.filter((number) => view.mayPush(number))).toEqual([]);
      },
    ),
    { seed: 1, numRuns: 200 },
  );
});
