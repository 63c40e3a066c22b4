/** Marking as read: what a filter matches, and nothing else. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

const marked = (): readonly unknown[] =>
  stand.runtime.calls.filter(({ method }) => method === 'updateMessage').map(({ args }) => args);

test('unread messages that match are marked, each once', async () => {
  await stand.accept(4, (n) => ({ topic: n % 2 === 0 ? 'orders' : 'refunds', unread: n !== 3 }));
  const { result } = await stand.ask('messages.markRead', { filter: 'topic:orders' });
  expect(result).toEqual({ changed: 2 });
  expect(marked()).toEqual([
    ['msg_3', { read: true }],
    ['msg_1', { read: true }],
  ]);
});

test('without a filter all unread messages are marked, and a filter that cannot be read changes nothing', async () => {
  await stand.accept(3, (n) => ({ unread: n > 0 }));
  expect((await stand.ask('messages.markRead')).result).toEqual({ changed: 2 });
  stand.runtime.calls.length = 0;
  expect((await stand.ask('messages.markRead', { filter: 'topik:x' })).error?.data).toMatchObject({
    code: 'FILTER_SYNTAX',
  });
  expect(marked()).toEqual([]);
});
