/** Whoever has the answer to an append finds its records with the next read, whatever else was being read or written meanwhile. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import { finished } from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

test('a group that was being synced while somebody read is there for the next read', async () => {
  const journal = await at.open({ sync: 'full' });
  for (let number = 1; number < 20; number += 2) {
    let others: Promise<unknown> = Promise.resolve();
    await journal.append(finished(number), () => {
      // The second group is gathered while the first one is synced, and synced while the read brings the first one into the tables.
      const read = journal.stats();
      others = Promise.all([read, journal.append(finished(number + 1), () => undefined)]);
    });
    await others;
    const rows = await journal.rows([number, number + 1]);
    expect(rows.map((row) => row?.number)).toEqual([number, number + 1]);
  }
});
