/** Searches in memory take little of a turn of the event loop together, and leave others as much time as one message took from them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import type { Journal } from '../../core/ports/journal.ts';
import { SliceTurns } from '../../core/adapters/memory-journal/slices.ts';
import { accepted, count, delivered, fill, filterOf, published, removed } from './journal-records.ts';

function clock() {
  const waits: number[] = [];
  let ms = 1000;
  return {
    waits,
    pass: (by: number) => void (ms += by),
    now: () => ms,
    wait: async (by: number) => void waits.push(by),
  };
}

test('a slice ends after its time, and lets other work run', async () => {
  const time = clock();
  const slice = await new SliceTurns(time).begin();
  expect(slice.isOver()).toBe(false);
  time.pass(8);
  expect(slice.isOver()).toBe(true);
  await slice.end();
  // Two of the waits are for the end of the turn in which the slice began.
  expect(time.waits).toEqual([0, 0, 0]);
});

test('a slice ends after its number of rows', async () => {
  const slice = await new SliceTurns(clock()).begin();
  const rows = Array.from({ length: 4000 }, () => slice.isOver());
  expect(rows.indexOf(true)).toBe(3999);
});

test('after one row of half a second the search pauses for half a second', async () => {
  const time = clock();
  const slice = await new SliceTurns(time).begin();
  time.pass(500);
  expect(slice.isOver()).toBe(true);
  await slice.end();
  expect(time.waits).toEqual([0, 0, 500]);
});

test('a search that was given up ends after the wait', async () => {
  const given = new AbortController();
  const slice = await new SliceTurns(clock()).begin();
  given.abort(new Error('given up'));
  await expect(slice.end(given.signal)).rejects.toThrow('given up');
});

test('many searches at the same time take no longer in a turn of the event loop than a few', async () => {
  const journal = createMemoryJournal({ codec: bufferCodec });
  onTestFinished(() => journal.close());
  await fill(journal, 1, 100);
  const filters = Array.from({ length: 50 }, (_, n) => filterOf(`topic:x${n}`));
  // Each message takes a millisecond.
  let looks = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (looks += 1));
  let [most, last, isOver] = [0, 0, false];
  const watch = (): void => {
    most = Math.max(most, looks - last);
    last = looks;
    if (!isOver) setImmediate(watch);
  };
  watch();
  const search = { order: 'newest', limit: 1000, nowMs: 0 } as const;
  const found = await Promise.all([
    ...filters.map((filter) => journal.scan({ ...search, filter })),
    ...filters.map((filter) => journal.test(count(1, 100), filter, 0)),
  ]);
  isOver = true;
  expect(found).toHaveLength(100);
  expect(most).toBeLessThan(100);
});

/** A time after that of every other test. All searches share their turns, so no clock may go back. */
let laterMs = 1_000_000_000;

test.each<[string, (values: readonly string[]) => string]>([
  ['words', (values) => values.join(' OR ')],
  ['values of one member', (values) => `data.text:${values.map((value) => `*${value}*`).join(',')}`],
])('a search for fifty %s in one long message lets other work run between them', async (_, filterFor) => {
  const journal = createMemoryJournal({ codec: bufferCodec });
  onTestFinished(() => journal.close());
  await journal.append([accepted(1, { data: { text: 'a'.repeat(300_000) } }), published(1)]);
  const values = Array.from({ length: 50 }, (_absent, n) => `${'a'.repeat(20)}b${n}`);
  const filter = filterOf(filterFor(values));
  // Each look at the clock is the end of a slice.
  vi.spyOn(performance, 'now').mockImplementation(() => (laterMs += 10));
  let turns = 0;
  let isOver = false;
  const watch = (): void => {
    turns += 1;
    if (!isOver) setImmediate(watch);
  };
  watch();
  const query = { order: 'newest', limit: 10, nowMs: 0, filter } as const;
  expect((await journal.page(query)).items).toEqual([]);
  expect(turns).toBeGreaterThan(50);
  turns = 0;
  expect((await journal.scan(query)).numbers).toEqual([]);
  expect(turns).toBeGreaterThan(50);
  turns = 0;
  expect(await journal.test([1], filter, 0)).toEqual(new Set());
  isOver = true;
  expect(turns).toBeGreaterThan(50);
});

test.each([
  ['removed', removed(1)],
  ['changed, so that it no longer matches,', delivered(1, 'processed')],
])('a long message that is %s while it is tested is not found', async (_, record) => {
  vi.spyOn(performance, 'now').mockImplementation(() => (laterMs += 10));
  const text = 'a'.repeat(300_000);
  const values = Array.from({ length: 40 }, (_absent, n) => `${'a'.repeat(20)}b${n}`);
  // Only the last value is there.
  const anyValue = [...values, 'aaa'].map((value) => `*${value}*`).join(',');
  const filter = filterOf(`state:none data.text:${anyValue}`);
  const query = { order: 'newest', limit: 10, nowMs: 0, filter } as const;
  const searches: Record<string, (journal: Journal) => Promise<number>> = {
    page: async (journal) => (await journal.page(query)).total,
    scan: async (journal) => (await journal.scan(query)).numbers.length,
    test: async (journal) => (await journal.test([1], filter, 0)).size,
  };
  const found: [string, number, number][] = [];
  for (const [name, search] of Object.entries(searches)) {
    const journal = createMemoryJournal({ codec: bufferCodec });
    onTestFinished(() => journal.close());
    await journal.append([accepted(1, { data: { text } }), published(1)]);
    const before = await search(journal);
    const meanwhile = search(journal);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    await journal.append([record]);
    found.push([name, before, await meanwhile]);
  }
  expect(found).toEqual(Object.keys(searches).map((name) => [name, 1, 0]));
});

test('a search that was given up while it waited does not begin, and the next one does', async () => {
  const time = clock();
  const later: (() => void)[] = [];
  const turns = new SliceTurns({ ...time, wait: () => new Promise<void>((go) => void later.push(go)) });
  const first = await turns.begin();
  time.pass(8);
  expect(first.isOver()).toBe(true);
  const given = new AbortController();
  const second = turns.begin(given.signal);
  const third = turns.begin();
  given.abort(new Error('given up'));
  const refused = second.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  while (later.length > 0) {
    for (const go of later.splice(0)) go();
    await nextTurn();
  }
  expect(await refused).toEqual(new Error('given up'));
  expect((await third).isOver()).toBe(false);
});
