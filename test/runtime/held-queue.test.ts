/** The queue of what is held: at every point, longest first, counted as a whole. */
import { expect, test } from 'vitest';
import { StreamChannel } from '../../core/grpc/stream-channel.ts';
import { started } from '../support/runtime-stand.ts';

test('the queue of held messages, deliveries and answers has the order in which they were held', async () => {
  const stand = await started();
  stand.set('delivery.retry', {
    maxAttempts: 5,
    firstDelayMs: 60_000,
    factor: 1,
    maxDelayMs: 60_000,
    jitter: 0,
  });
  const first = await stand.runtime.holds.add({ at: 'publish', filter: 'data.n:1' });
  const second = await stand.runtime.holds.add({ at: 'delivery', filter: 'data.n:2' });
  const third = await stand.runtime.holds.add({ at: 'response', filter: 'data.n:3' });
  expect(stand.runtime.messages.held(10)).toEqual({ items: [], total: 0 });
  stand.app.next.push(503);
  const c = await stand.publish('orders', { n: 3 });
  await stand.pass(10);
  const a = await stand.publish('orders', { n: 1 });
  await stand.pass(10);
  const b = await stand.publish('orders', { n: 2 });
  await stand.pass(10);
  const { items, total } = stand.runtime.messages.held(10);
  expect(total).toBe(3);
  expect(items).toMatchObject([
    { row: { messageId: c }, heldAt: 'response', answer: { status: 503 } },
    { row: { messageId: a }, heldAt: 'publish', heldBy: first.holdId },
    { row: { messageId: b }, heldAt: 'delivery', heldBy: second.holdId },
  ]);
  expect(items[0]?.heldBy ?? third.holdId).toBe(third.holdId);
  expect(items[1]).not.toHaveProperty('deliveryId');
  expect(stand.runtime.messages.held(1).items).toHaveLength(1);
  expect(stand.runtime.status().holds).toBe(3);
  await stand.runtime.deliveryActions.release({ deliveryId: items[0]?.deliveryId ?? '' });
  await stand.runtime.deliveryActions.release({ messageId: a });
  await stand.settle();
  expect(stand.runtime.messages.held(10).total).toBe(1);
});

test('what is held on its way to a stream says so, because its route is no path', async () => {
  const stand = await started();
  const sidecar = stand.runtime.sidecar('app');
  const channel = new StreamChannel({ peer: '127.0.0.1:1', send: () => undefined, turns: sidecar.turns });
  channel.begin();
  const opening = sidecar.openStream({ pubsubname: 'pubsub', topic: 'live', metadata: {}, channel });
  await stand.settle();
  const stream = await opening;
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  await stand.publish('live', { n: 1 });
  await stand.publish('orders', { n: 1 });
  await stand.settle();
  const { items } = stand.runtime.messages.held(10);
  expect(items.map(({ row, stream: isStream }) => [row.topic, isStream])).toEqual([
    ['live', true],
    ['orders', undefined],
  ]);
  channel.end();
  await stream.close('ended');
});

test('what one hold holds is counted as a whole, however many things others have held longer', async () => {
  const stand = await started();
  const first = await stand.runtime.holds.add({ at: 'publish', filter: 'data.n:1' });
  const second = await stand.runtime.holds.add({ at: 'delivery', filter: 'data.n:2' });
  for (const n of [1, 1, 1, 2, 2]) {
    await stand.publish('orders', { n });
    await stand.pass(10);
  }
  expect(stand.runtime.messages.held(1, second.holdId)).toMatchObject({
    total: 2,
    items: [{ heldAt: 'delivery', heldBy: second.holdId }],
  });
  expect(stand.runtime.messages.held(10, first.holdId).items).toHaveLength(3);
  expect(stand.runtime.messages.held(10, 'none')).toEqual({ items: [], total: 0 });
});

test('a delivery that was changed shows what is sent instead', async () => {
  const stand = await started();
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  const id = await stand.publish('orders', { total: 120 });
  const { deliveryId } = await stand.delivery(id);
  expect(await stand.delivery(id)).not.toHaveProperty('changed');
  await stand.runtime.deliveryActions.release({ deliveryId }, { data: { total: 999 } });
  await stand.settle();
  const delivery = await stand.delivery(id);
  expect(JSON.parse(delivery.changed?.body ?? '')).toMatchObject({ data: { total: 999 } });
  expect((await stand.message(id)).data).toEqual({ total: 120 });
});
