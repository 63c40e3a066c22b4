/** Lists and choices that end at a number: later messages are neither in them nor counted. */
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  const both = await stand.ask('recordings.export', { messageIds: ['msg_1'], upTo: 4, format: 'ndjson' });
  expect(both.error?.data).toMatchObject({ code: 'INVALID_PARAMS' });
});

test('a sorted list says with which number it ends', async () => {
  await stand.accept(3);
  const { result } = await stand.ask('view.open', { sortBy: 'topic' });
  expect(result).toMatchObject({ total: 3, upTo: 3 });
  expect((await stand.ask('view.open', {})).result).not.toHaveProperty('upTo');
});
