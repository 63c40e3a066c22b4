/** "Edit and release" of a message that is held at publish, over /rpc: what the app gets, what the history says, also after a restart. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { startProduct, type Product } from '../e2e/product.ts';
import { PROGRAM } from '../support/program.ts';

let folder: string;
let product: Product | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-held-'));
});
afterEach(async () => {
  await product?.kill();
  await rm(folder, { recursive: true, force: true });
});

const start = (): Promise<Product> => startProduct({ entry: PROGRAM, flags: ['--data-dir', folder] });

test('the app gets the edited message, and the history keeps that one', async () => {
  product = await start();
  const running = product;
  await running.rpc('holds.add', { at: 'publish', filter: 'topic:orders' });
  await running.publish('orders', { total: 120 });
  const [held] = (await running.rpc('holds.queue', {})).items;
  expect(held).toMatchObject({ heldAt: 'publish', row: { stage: 'held' } });
  const messageId = held?.row.messageId ?? '';

  await expect(
    running.rpc('deliveries.release', { messageId, answer: { kind: 'respond', status: 200 } }),
  ).rejects.toMatchObject({ error: { data: { code: 'INVALID_PARAMS' } } });
  const changes = { data: { total: 999 }, attributes: { type: 'edited' } };
  expect(await running.rpc('deliveries.release', { messageId, changes })).toEqual({ changed: 1 });
  await running.when('processed', async () => {
    const { total } = await running.rpc('messages.list', { filter: 'state:processed data.total:999' });
    return total === 1 ? true : undefined;
  });
  const sent = async (of: Product): Promise<unknown> => {
    const { deliveries } = await of.rpc('messages.get', { messageId });
    return deliveries.map(({ attempts }) => attempts.map(({ request }) => JSON.parse(request.body)));
  };
  expect(await sent(running)).toMatchObject([[{ data: { total: 999 }, type: 'edited' }]]);

  expect(await running.stop()).toBe(0);
  product = await start();
  expect(await product.rpc('messages.get', { messageId })).toMatchObject({
    data: { total: 999 },
    eventType: 'edited',
    flags: ['A person changed the message while it was held.'],
    deliveries: [{ state: 'processed' }],
  });
  expect(await sent(product)).toMatchObject([[{ data: { total: 999 }, type: 'edited' }]]);
}, 60_000);
