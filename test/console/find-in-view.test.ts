/** Finding a line of a view: of a message, and of the next one that matches a further filter. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

async function find(viewId: string, params: object): Promise<unknown> {
  return (await stand.ask('view.find', { viewId, ...params })).result;
}

test('a message is found in either order, and one that is not in the view is not', async () => {
  await stand.accept(5, (n) => ({ topic: n === 1 ? 'other' : 'orders' }));
  const oldest = await stand.view({ order: 'oldest' });
  const newest = await stand.view({ order: 'newest' });
  const orders = await stand.view({ order: 'oldest', filter: 'topic:orders' });
  const messageId = 'msg_3';
  expect(await find(oldest.viewId, { messageId })).toEqual({ index: 2, messageId });
  expect(await find(newest.viewId, { messageId })).toEqual({ index: 2, messageId });
  expect(await find(orders.viewId, { messageId })).toEqual({ index: 1, messageId });
  expect(await find(orders.viewId, { messageId: 'msg_2' })).toBeNull();
  expect(await find(orders.viewId, { messageId: 'gone' })).toBeNull();
});

test('the next match is found, and the one before', async () => {
  await stand.accept(300);
  for (const n of [2, 250]) await stand.runtime.move(`msg_${n}`, 'parked');
  const { viewId } = await stand.view({ order: 'oldest' });
  const filter = 'state:parked';
  expect(await find(viewId, { filter })).toEqual({ index: 1, messageId: 'msg_2' });
  expect(await find(viewId, { filter, from: 1 })).toEqual({ index: 249, messageId: 'msg_250' });
  expect(await find(viewId, { filter, from: 249 })).toBeNull();
  expect(await find(viewId, { filter, from: 249, order: 'newest' })).toEqual({
    index: 1,
    messageId: 'msg_2',
  });
});

test('in a grouped view a message stands where its closed group does', async () => {
  await stand.accept(6, (n) => ({ topic: n % 2 === 0 ? 'a' : 'b' }));
  const { viewId } = await stand.view({ order: 'oldest', groupBy: 'topic' });
  await stand.rhythm(12);
  expect(await find(viewId, { messageId: 'msg_4' })).toEqual({ index: 1, messageId: 'msg_4' });
  await stand.ask('view.expand', { viewId, open: true });
  expect(await find(viewId, { messageId: 'msg_4' })).toEqual({ index: 6, messageId: 'msg_4' });
});

test('view.find without a message and a filter is refused', async () => {
  const { viewId } = await stand.view();
  expect(await stand.ask('view.find', { viewId })).toMatchObject({
    error: { data: { code: 'INVALID_PARAMS', field: 'messageId' } },
  });
});
