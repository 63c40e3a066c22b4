/** The size of one bulk delivery is limited: what is more goes in further calls. */
import { expect, test } from 'vitest';
import type { SeenCall } from '../support/scripted-app.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

function ids(call: SeenCall): readonly string[] {
  const { entries } = call.json() as { entries: readonly { entryId: string }[] };
  return entries.map(({ entryId }) => entryId);
}

function bulkStand(more: object = {}): Promise<Stand> {
  const bulkSubscribe = { maxMessagesCount: 6, maxAwaitDurationMs: 200 };
  return started({}, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders', bulkSubscribe, ...more });
    it.set('delivery.bulkBytes', 10_000);
    it.app.answerWith = (call) => ({
      body: { statuses: ids(call).map((entryId) => ({ entryId, status: 'SUCCESS' })) },
    });
  });
}

async function publishAll(
  stand: Stand,
  sizes: readonly number[],
  wide = false,
  topic = 'orders',
): Promise<void> {
  const made: string[] = [];
  for (const size of sizes) made.push(await stand.publish(topic, (wide ? '✓' : 'x').repeat(size)));
  await stand.pass(200);
  for (const id of made) {
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({ state: 'processed', attempts: [{ number: 1 }] });
  }
}

test('a batch that is larger goes in as many calls as needed, in its order', async () => {
  const stand = await bulkStand();
  await publishAll(stand, [3000, 3000, 3000, 3000, 3000, 3000]);
  expect(stand.app.calls.map((call) => ids(call).length)).toEqual([2, 2, 2]);
  for (const call of stand.app.calls)
    expect(Buffer.byteLength(JSON.stringify(call.json()))).toBeLessThanOrEqual(10_000);
});

test('the size of a batch counts bytes and not characters', async () => {
  const stand = await bulkStand();
  await publishAll(stand, [1500, 1500, 1500, 1500], true);
  expect(stand.app.calls.map((call) => ids(call).length)).toEqual([1, 1, 1, 1]);
});

test('raw payloads count as the base64 they are sent as', async () => {
  const stand = await bulkStand({ metadata: { rawPayload: 'true' } });
  await publishAll(stand, [3600, 3600, 3600]);
  for (const call of stand.app.calls)
    expect(Buffer.byteLength(JSON.stringify(call.json()))).toBeLessThanOrEqual(10_000);
  expect(stand.app.calls.map((call) => ids(call).length)).toEqual([1, 1, 1]);
});

test('bytes that are no UTF-8 count as the characters that they are sent as', async () => {
  const stand = await bulkStand();
  const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(2000, 0xff), Buffer.from('"}')]);
  const made: string[] = [];
  for (let n = 0; n < 4; n += 1)
    made.push(await stand.publish('orders', '', { body, metadata: { rawPayload: 'true' } }));
  await stand.pass(200);
  for (const id of made) expect(await stand.delivery(id)).toMatchObject({ state: 'processed' });
  for (const call of stand.app.calls)
    expect(Buffer.byteLength(JSON.stringify(call.json()))).toBeLessThanOrEqual(10_000);
  expect(stand.app.calls.map((call) => ids(call).length)).toEqual([1, 1, 1, 1]);
});

test('the size of a batch includes the name of the topic', async () => {
  const topic = '"'.repeat(1000);
  const stand = await bulkStand({ topic });
  await publishAll(stand, [2100, 2100], false, topic);
  for (const call of stand.app.calls)
    expect(Buffer.byteLength(JSON.stringify(call.json()))).toBeLessThanOrEqual(10_000);
  expect(stand.app.calls.map((call) => ids(call).length)).toEqual([1, 1]);
});

test('an entry larger than the limit is sent alone', async () => {
  const stand = await bulkStand();
  await publishAll(stand, [100, 30_000, 100]);
  expect(stand.app.calls.map((call) => ids(call).length)).toEqual([1, 1, 1]);
});
