/** Lists and choices that end at a number: later messages are neither in them nor counted. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MessageRow } from '../../core/contract/message.ts';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

const numbersOf = (result: unknown): readonly number[] =>
  (result as { items: readonly MessageRow[] }).items.map(({ number }) => number);

test.each([
  ['newest', {}, [3, 1]],
  ['oldest', { order: 'oldest' }, [1, 3]],
  ['newest', { limit: 1 }, [3]],
])('a list with the %s first, %j', async (_order, more, numbers) => {
  await stand.accept(6, (n) => ({ topic: n % 2 === 0 ? 'orders' : 'refunds' }));
  const { result } = await stand.ask('messages.list', { filter: 'topic:orders', upTo: 4, ...more });
  expect(numbersOf(result)).toEqual(numbers);
  expect(result).toMatchObject({ total: 2 });
});

test('a list of everything, and one that ends before its first message', async () => {
  await stand.accept(6);
  expect((await stand.ask('messages.list', { upTo: 4 })).result).toMatchObject({ total: 4 });
  const { result } = await stand.ask('messages.list', { upTo: 0 });
  expect(result).toMatchObject({ items: [], total: 0, nextCursor: null });
});

test('an export has the messages up to the number, and says how many', async () => {
  await stand.accept(6);
  const { result } = await stand.ask('recordings.export', { filter: '', upTo: 4, format: 'ndjson' });
  expect(result).toMatchObject({ count: 4 });
});

test('messages that are named by their ids have no number to end at', async () => {
  await stand.accept(1);
  const { error } = await stand.ask('recordings.export', { messageIds: ['msg_1'], upTo: 4 });
  expect(error?.message).toContain('upTo can only be given with filter');
  expect(error?.data).toMatchObject({ code: 'INVALID_PARAMS', field: 'upTo' });
});

test.each([
  ['above the end', '80', [4, 3]],
  ['below it', '4', [3, 2]],
])('a list goes on from a cursor %s', async (_where, cursor, numbers) => {
  await stand.accept(6);
  const { result } = await stand.ask('messages.list', { upTo: 4, cursor, limit: 2 });
  expect(numbersOf(result)).toEqual(numbers);
});

test.each([
  ['no number has', 999_999_999_999_999],
  ['is the highest that may be given', Number.MAX_SAFE_INTEGER],
])('a list that ends at a number that %s has everything', async (_which, upTo) => {
  await stand.accept(2);
  const { result, error } = await stand.ask('messages.list', { upTo });
  expect(error).toBeUndefined();
  expect(numbersOf(result)).toEqual([2, 1]);
});

describe('messages that come while it is counted what is later', () => {
  /** Two more messages come before each scan. */
  function growing(): void {
    const { journal } = stand.runtime;
    const scan = journal.scan.bind(journal);
    vi.spyOn(journal, 'scan').mockImplementation(async (query) => {
      await stand.accept(2);
      return scan(query);
    });
  }

  test.each([{}, { filter: 'topic:orders' }])('take nothing away from a list of %j', async (filter) => {
    await stand.accept(6, () => ({ topic: 'orders' }));
    growing();
    const { result } = await stand.ask('messages.list', { ...filter, upTo: 4, limit: 1 });
    expect(result).toMatchObject({ total: 4 });
  });

  test.each([{}, { filter: 'topic:orders' }])('take nothing away from an export of %j', async (filter) => {
    await stand.accept(6, () => ({ topic: 'orders' }));
    growing();
    const { result } = await stand.ask('recordings.export', { ...filter, upTo: 4, format: 'ndjson' });
    expect(result).toMatchObject({ count: 4 });
  });
});

describe('messages that come between two reads', () => {
  /** Two more messages come before each count. */
  function growing(): void {
    const { journal } = stand.runtime;
    const page = journal.page.bind(journal);
    vi.spyOn(journal, 'page').mockImplementation(async (query) => {
      await stand.accept(2, () => ({ topic: 'orders' }));
      return page(query);
    });
  }

  test.each([{}, { filter: 'topic:orders' }, { filter: 'topic:orders', order: 'oldest' }])(
    'are not counted in a list of %j',
    async (filter) => {
      await stand.accept(6, () => ({ topic: 'orders' }));
      growing();
      const { result } = await stand.ask('messages.list', { ...filter, upTo: 4, limit: 1 });
      expect(result).toMatchObject({ total: 4 });
    },
  );

  test.each([{}, { upTo: 4 }])('are not counted in an export of %j', async (bound) => {
    await stand.accept(6, (n) => ({ topic: n === 1 ? 'refunds' : 'orders' }));
    growing();
    const params = { filter: 'topic:orders', format: 'ndjson', ...bound };
    const { result } = await stand.ask('recordings.export', params);
    expect(result).toMatchObject({ count: 'upTo' in bound ? 3 : 5 });
  });
});

test.each([{}, { order: 'oldest' }])('only the first page of a list of %j counts it', async (more) => {
  await stand.accept(6, () => ({ topic: 'orders' }));
  const list = { filter: 'topic:orders', upTo: 4, limit: 1, ...more };
  let { result } = await stand.ask('messages.list', list);
  const cursorOf = (page: unknown): string | null => (page as { nextCursor: string | null }).nextCursor;
  const numbers = [...numbersOf(result)];
  const scan = vi.spyOn(stand.runtime.journal, 'scan');
  const stats = vi.spyOn(stand.runtime.journal, 'stats');
  for (let cursor = cursorOf(result); cursor !== null; cursor = cursorOf(result)) {
    await stand.accept(1, () => ({ topic: 'orders' }));
    ({ result } = await stand.ask('messages.list', { ...list, cursor }));
    expect(result).toMatchObject({ total: 4 });
    numbers.push(...numbersOf(result));
  }
  expect(numbers.toSorted()).toEqual([1, 2, 3, 4]);
  expect([scan.mock.calls, stats.mock.calls]).toEqual([[], []]);
});

test('a cursor that no page gave is refused before anything is read', async () => {
  await stand.accept(1);
  const stats = vi.spyOn(stand.runtime.journal, 'stats').mockRejectedValue(new Error('the disk is gone'));
  const { error } = await stand.ask('messages.list', { upTo: 1, cursor: 'x' });
  expect(error?.data).toMatchObject({ code: 'INVALID_PARAMS', field: 'cursor' });
  expect(stats).not.toHaveBeenCalled();
});

test('a sorted list says with which number it ends', async () => {
  await stand.accept(3);
  const { result } = await stand.ask('view.open', { sortBy: 'topic' });
  expect(result).toMatchObject({ total: 3, upTo: 3 });
  expect((await stand.ask('view.open', {})).result).not.toHaveProperty('upTo');
});
