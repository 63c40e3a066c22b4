/** Messages are removed while others read the history: what stays is found once, and nothing else. */
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { SqliteJournal } from '../../core/adapters/sqlite-journal/journal.ts';
import {
  accepted,
  allPages,
  count,
  finished,
  removed,
  unfinishedNumbers,
  wholeScan,
} from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';
import { wrongIn } from './tables-check.ts';

const MESSAGES = 3000;
const AT_ONCE = 100;
const NO_LIMIT = { maxMessages: Infinity, maxBytes: Infinity, olderThanMs: 0 };
/** Every third message stays. */
const STAYS = 3;
const staying = count(1, MESSAGES).filter((number) => number % STAYS === 0);

let at: TestFolder;
let journal: SqliteJournal;
beforeEach(async () => {
  at = await testFolder();
  journal = await at.open();
});
afterEach(() => at.remove());

async function fillWith(recordsOf: (number: number) => ReturnType<typeof finished>): Promise<void> {
  for (let from = 1; from <= MESSAGES; from += AT_ONCE)
    await journal.append(count(from, from + AT_ONCE - 1).flatMap(recordsOf));
}

/** Removes messages a few at a time until it is told that the readers are done, and then the rest. */
async function removing(isOver: () => boolean): Promise<void> {
  const gone = count(1, MESSAGES).filter((number) => number % STAYS !== 0);
  while (gone.length > 0) {
    await journal.append([removed(...gone.splice(0, isOver() ? gone.length : 7))]);
    await journal.prune({ ...NO_LIMIT, maxMessages: MESSAGES }, 0, 10);
  }
}

async function readWhileRemoving(read: () => Promise<number[]>): Promise<number[]> {
  let isOver = false;
  const reading = read().finally(() => (isOver = true));
  await removing(() => isOver);
  return reading;
}

test.each<[string, () => Promise<number[]>]>([
  ['pages', () => allPages(journal, { order: 'oldest', limit: 40 })],
  ['pages of a filter', () => allPages(journal, { filter: 'data.n>0', order: 'oldest', limit: 40 })],
  ['a scan', () => wholeScan(journal, { filter: 'data.n>0 state:processed', order: 'oldest', limit: 40 })],
  [
    'details and rows',
    async () => {
      const numbers = count(1, MESSAGES);
      const details = await journal.details(numbers);
      const rows = await journal.rows(numbers);
      expect(details.filter((one) => one?.deliveries.length === 0)).toEqual([]);
      const inRows = new Set(rows.flatMap((one) => one?.number ?? []));
      return details.flatMap((one) =>
        one !== undefined && inRows.has(one.row.number) ? [one.row.number] : [],
      );
    },
  ],
])('%s that are read meanwhile have each message that stays once', { timeout: 60_000 }, async (_, read) => {
  await fillWith((number) => finished(number, { data: { n: number } }));
  const found = await readWhileRemoving(read);
  expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b));
  expect(staying.filter((number) => !found.includes(number))).toEqual([]);
  expect(await allPages(journal, { order: 'oldest', limit: 500 })).toEqual(staying);
  await journal.close();
  expect(wrongIn(at.folder)).toEqual([]);
});

test(
  'unfinished messages that are read meanwhile are there once, if they stay',
  { timeout: 60_000 },
  async () => {
    await fillWith((number) => [accepted(number)]);
    const found = await readWhileRemoving(() => unfinishedNumbers(journal));
    expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b));
    expect(staying.filter((number) => !found.includes(number))).toEqual([]);
    expect(journal.damaged).toBe(0);
  },
);
