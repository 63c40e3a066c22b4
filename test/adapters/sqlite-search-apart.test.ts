/**
 * A search has a thread of its own: a read of one message is answered meanwhile, whatever the search looks for and however large the
 * payloads are.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Journal } from '../../core/ports/journal.ts';
import { accepted, fill, filterOf, NOW_MS, pageNumbers } from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

const SIZE = 150_000;
const data = 'ab'.repeat(SIZE / 2);
/** As many words as a filter may have, none of which is in the payloads. */
const WORDS = Array.from({ length: 50 }, (_, index) => `ab${'ab'.repeat(index)}c`).join(' OR ');

async function filled(): Promise<Journal> {
  const journal = await at.open();
  for (let number = 1; number <= 3; number++)
    await journal.append([accepted(number, { data, row: { sizeBytes: SIZE } })]);
  return journal;
}

test.each(['page', 'scan', 'test'] as const)('a message is answered before a %s ends', async (kind) => {
  const journal = await filled();
  const order: string[] = [];
  const query = { filter: filterOf(WORDS), order: 'newest', limit: 10, nowMs: NOW_MS } as const;
  const searching = {
    page: () => journal.page(query),
    scan: () => journal.scan(query),
    test: () => journal.test([1, 2, 3], query.filter, NOW_MS),
  }[kind]();
  const search = searching.then((found) => {
    order.push('search');
    return found;
  });
  const get = journal.get('msg_2').then((found) => {
    order.push('get');
    return found?.message.row.messageId;
  });
  expect(await get).toBe('msg_2');
  await search;
  expect(order).toEqual(['get', 'search']);
});

test('a search reads what was just written, before and after the file is opened again', async () => {
  const journal = await at.open();
  await fill(journal, 1, 3, { data: 'needle' });
  expect((await pageNumbers(journal, { filter: 'needle' })).numbers).toEqual([3, 2, 1]);
  await fill(journal, 4, 4, { data: 'needle' });
  expect((await pageNumbers(journal, { filter: 'needle' })).numbers).toEqual([4, 3, 2, 1]);
  await journal.close();
  const again = await at.open();
  expect((await pageNumbers(again, { filter: 'needle' })).numbers).toEqual([4, 3, 2, 1]);
});

test('large payloads are searched a few at a time, and none is left out', async () => {
  const journal = await at.open();
  // Recorded as so large that each step of a search reads one or two of them.
  for (let number = 1; number <= 30; number++)
    await journal.append([
      accepted(number, { data: number % 2 === 0 ? 'needle' : 'hay', row: { sizeBytes: 40_000_000 } }),
    ]);
  const even = Array.from({ length: 15 }, (_, index) => 2 * (index + 1));
  expect((await pageNumbers(journal, { filter: 'needle', order: 'oldest' })).numbers).toEqual(even);
  const newest = await pageNumbers(journal, { filter: 'needle', order: 'newest', limit: 4 });
  expect(newest).toMatchObject({ numbers: [30, 28, 26, 24], total: 15 });
});

test('a long text that nearly fits everywhere is found, and not found, in one pass', async () => {
  const journal = await at.open();
  const long = 'a'.repeat(1_000_000);
  const part = `${'a'.repeat(2500)}b${'a'.repeat(2500)}`;
  await journal.append([accepted(1, { data: long })]);
  await journal.append([accepted(2, { data: { text: `${long}b${long}`, part } })]);
  expect((await pageNumbers(journal, { filter: part })).numbers).toEqual([2]);
  expect((await pageNumbers(journal, { filter: `data.part:${part}` })).numbers).toEqual([2]);
  expect((await pageNumbers(journal, { filter: `data.part:*${part}*` })).numbers).toEqual([2]);
});
