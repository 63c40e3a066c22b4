/** Views in the order of a column: of one moment, nothing last, the same over any length. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSortBy } from '../../core/console/views/filter.ts';
import { SortedView } from '../../core/console/views/sorted-view.ts';
import { sortInSlices } from '../../core/console/views/slow-sort.ts';
import { SORTABLE } from '../../core/contract/words.ts';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

async function sorted(params: object): Promise<readonly number[]> {
  const { viewId } = await stand.view({ order: 'oldest', ...params });
  await stand.rhythm(6);
  return stand.numbers(viewId, 0, 500);
}

describe('a sorted view', () => {
  test('sorts up and down, and puts messages without a value last', async () => {
    const sizes = [300, 20, 1000, 20];
    for (const sizeBytes of sizes) await stand.runtime.accept({ sizeBytes });
    expect(await sorted({ sortBy: 'size' })).toEqual([2, 4, 1, 3]);
    expect(await sorted({ sortBy: 'size', order: 'newest' })).toEqual([3, 1, 2, 4]);
    await stand.runtime.accept({ subject: 'b' });
    await stand.runtime.accept({ subject: 'a' });
    expect(await sorted({ sortBy: 'subject' })).toEqual([6, 5, 1, 2, 3, 4]);
    expect(await sorted({ sortBy: 'subject', order: 'newest' })).toEqual([5, 6, 1, 2, 3, 4]);
  });

  test('sorts by a path into the payload, and numbers as numbers', async () => {
    for (const total of [100, 9, 'x']) await stand.runtime.accept({}, { total });
    await stand.runtime.accept({}, {});
    expect(await sorted({ sortBy: 'data.total' })).toEqual([2, 1, 3, 4]);
  });

  test('sorts by state, with the state that needs attention most first', async () => {
    await stand.accept(3);
    await stand.runtime.move('msg_1', 'processed');
    await stand.runtime.move('msg_3', 'parked');
    expect(await sorted({ sortBy: 'state' })).toEqual([3, 2, 1]);
  });

  test('has only messages that match its filter and existed when it was opened', async () => {
    for (const sizeBytes of [3, 2, 1]) await stand.runtime.accept({ sizeBytes, topic: 'a' });
    await stand.runtime.accept({ topic: 'b' });
    const { viewId, total } = await stand.view({ order: 'oldest', sortBy: 'size', filter: 'topic:a' });
    expect(total).toBe(3);
    await stand.runtime.accept({ sizeBytes: 0, topic: 'a' });
    await stand.rhythm(6);
    expect(await stand.numbers(viewId, 0, 10)).toEqual([3, 2, 1]);
    const news = stand.news(viewId);
    expect(news.some(({ moved }) => moved === true)).toBe(true);
    expect(news.at(-1)).toMatchObject({ total: 3 });
    expect(news.at(-1)?.progress).toBeUndefined();
    expect(news.reduce((sum, { appended }) => sum + appended, 0)).toBe(1);
  });

  test.each(SORTABLE)('%s is a column to sort by', async (sortBy) => {
    await stand.accept(3);
    await stand.runtime.move('msg_2', 'processed');
    expect((await sorted({ sortBy })).toSorted()).toEqual([1, 2, 3]);
  });

  test('removed messages leave it', async () => {
    for (const sizeBytes of [3, 2, 1]) await stand.runtime.accept({ sizeBytes });
    for (const n of [1, 2, 3]) await stand.runtime.move(`msg_${n}`, 'processed');
    const { viewId } = await stand.view({ order: 'oldest', sortBy: 'size' });
    await stand.rhythm(6);
    await stand.runtime.prune(2);
    await stand.rhythm(6);
    expect(await stand.numbers(viewId, 0, 10)).toEqual([3, 2]);
  });
});

test('a view that is sorted while its filter still searches has every match', async () => {
  await stand.accept(10_000, (n) => ({
    topic: n % 10 === 0 ? 'refunds' : 'orders',
    sizeBytes: 1 + (n % 70),
  }));
  const { viewId, total } = await stand.view({ order: 'oldest', sortBy: 'size', filter: 'topic:refunds' });
  expect(total).toBeLessThan(1000);
  await stand.found(viewId);
  const { result } = await stand.ask('view.rows', { viewId, from: 0, count: 500 });
  const sizes = result?.rows.map(({ sizeBytes }) => sizeBytes) ?? [];
  expect(result?.total).toBe(1000);
  expect(sizes).toHaveLength(500);
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
});

test('a view whose only matches are the oldest messages has them, though its search finds nothing at first', async () => {
  await stand.accept(10_000, (n) => ({ topic: n < 100 ? 'refunds' : 'orders', sizeBytes: 1 + (n % 70) }));
  const { viewId, total } = await stand.view({ order: 'oldest', sortBy: 'size', filter: 'topic:refunds' });
  expect(total).toBe(0);
  await stand.runtime.accept({ topic: 'refunds', sizeBytes: 0 });
  await stand.found(viewId);
  const { result } = await stand.ask('view.rows', { viewId, from: 0, count: 500 });
  expect(result?.total).toBe(100);
  const sizes = result?.rows.map(({ sizeBytes }) => sizeBytes) ?? [];
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(result?.rows.every(({ number }) => number <= 100)).toBe(true);
});

test('until it is sorted, a view tells that its lines have moved when its search finds older matches', async () => {
  const list = {
    total: 2,
    at: (index: number) => [8, 9][index],
    indexOf: () => -1,
    progress: { done: 2, of: 9 },
  };
  const lists = {
    newest: 9,
    summaries: () => Promise.resolve([]),
    columnValues: () => Promise.resolve({ numbers: [], values: [] }),
    notify: () => undefined,
    failed: () => undefined,
  };
  const sortBy = readSortBy('size');
  const deps = { viewId: 'view_1', list, order: 'oldest' as const, sortBy, lists, leave: () => undefined };
  const view = new SortedView(deps, stand.clock);
  await view.ready(false);
  view.announce();
  view.settle();
  view.note({ appended: 0, hasMoved: true, touched: [] });
  expect(view.isNews).toBe(true);
  expect(view.news()).toMatchObject({ total: 2, moved: true });
  view.close();
});

test('until it is sorted, a view finds its messages on the lines where it has them', async () => {
  await stand.accept(3);
  const broken: Pick<typeof stand.runtime.journal, 'columnValues'> = stand.runtime.journal;
  broken.columnValues = () => new Promise(() => undefined);
  const { viewId } = await stand.view({ order: 'newest', sortBy: 'size' });
  expect(await stand.numbers(viewId, 0, 10)).toEqual([3, 2, 1]);
  const { result } = await stand.ask('view.find', { viewId, messageId: 'msg_1' });
  expect(result).toEqual({ index: 2, messageId: 'msg_1' });
  // Only what existed at its beginning is in it.
  await stand.accept(1);
  await stand.rhythm();
  expect((await stand.ask('view.find', { viewId, messageId: 'msg_4' })).result).toBeNull();
});

test('a sort whose journal cannot be read for a moment is done again', async () => {
  for (const sizeBytes of [3, 1, 2]) await stand.runtime.accept({ sizeBytes });
  const { columnValues } = stand.runtime.journal;
  const broken: Pick<typeof stand.runtime.journal, 'columnValues'> = stand.runtime.journal;
  broken.columnValues = () => Promise.reject(new Error('for a moment'));
  const { viewId } = await stand.view({ order: 'oldest', sortBy: 'size' });
  await stand.rhythm();
  expect(stand.news(viewId).every(({ progress }) => progress !== undefined)).toBe(true);
  broken.columnValues = columnValues;
  stand.clock.advance(5000);
  await stand.found(viewId);
  expect(await stand.numbers(viewId, 0, 10)).toEqual([2, 3, 1]);
});

test('sorting in slices gives what sorting at once gives', async () => {
  const items = Array.from({ length: 30_001 }, (_, n) => (n * 7919) % 1009);
  const compare = (a: number, b: number): number => a - b;
  expect(await sortInSlices(items, compare, () => false)).toEqual(items.toSorted(compare));
  expect(await sortInSlices([], compare, () => false)).toEqual([]);
});
