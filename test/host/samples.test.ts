/** Sample traffic in a kept history: a later run removes what an earlier one has published, too. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptProducts } from '../support/kept-products.ts';

let folder: string;
const products = keptProducts();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-samples-'));
});
afterEach(async () => {
  await products.end();
  await rm(folder, { recursive: true, force: true });
});

test('the messages of samples that an earlier run published are removed with those of this run, and no other', async () => {
  const flags = ['--data-dir', folder];
  const first = await products.start({ flags });
  await first.rpc('samples.add', {});
  const { messageId } = await first.rpc('messages.publish', {
    pubsubname: 'pubsub',
    topic: 'orders',
    data: 1,
  });
  await first.stop();
  const second = await products.start({ flags });
  const { total: kept } = await second.rpc('messages.list', {});
  expect(kept).toBeGreaterThan(12);
  const { messageIds } = await second.rpc('samples.add', {});
  const { removed } = await second.rpc('samples.remove', {});
  const { items } = await second.rpc('messages.list', {});
  expect(items.map((row) => row.messageId)).toEqual([messageId]);
  expect(removed).toContainEqual(expect.stringMatching(/^\d+ messages$/));
  expect(messageIds).toHaveLength(12);
  expect((await second.rpc('samples.remove', {})).removed.join()).not.toContain('message');
});

test('the errors of samples leave the log of the console with them', async () => {
  const product = await products.start({ flags: ['--data-dir', folder] });
  const errors = async (): Promise<readonly string[]> =>
    (await product.rpc('logs.list', { level: 'error' })).items.map(({ text }) => text);
  await product.rpc('samples.add', {});
  await expect.poll(errors).toContain('The app answered 404: dropped.');
  await product.rpc('samples.remove', {});
  expect(await errors()).toEqual([]);
});
