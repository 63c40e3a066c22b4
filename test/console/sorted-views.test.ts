/** Views in the order of a column: of one moment, nothing last, the same over any length. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

test('sorting in slices gives what sorting at once gives', async () => {
  const items = Array.from({ length: 30_001 }, (_, n) => (n * 7919) % 1009);
  const compare = (a: number, b: number): number => a - b;
  expect(await sortInSlices(items, compare, () => false)).toEqual(items.toSorted(compare));
  expect(await sortInSlices([], compare, () => false)).toEqual([]);
});
