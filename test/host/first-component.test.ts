/** A first user sees traffic, also where the first pub/sub component of the folder is not ready. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Product } from '../e2e/product.ts';
import { freePort } from '../support/free-port.ts';
import { productInProcess } from '../support/in-process.ts';

/** Starts with a Redis that nobody serves, and with a component in memory behind it. */
async function started(): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-first-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = (name: string, type: string, metadata: readonly object[]): Promise<void> =>
    writeFile(
      join(folder, `${name}.yaml`),
      JSON.stringify({
        apiVersion: 'dapr.io/v1alpha1',
        kind: 'Component',
        metadata: { name },
        spec: { type, version: 'v1', initTimeout: '500ms', metadata },
      }),
    );
  await write('a-dead', 'pubsub.redis', [{ name: 'redisHost', value: `127.0.0.1:${await freePort()}` }]);
  await write('b-memory', 'pubsub.in-memory', []);
  const product = await productInProcess({ flags: ['--resources', folder] });
  onTestFinished(() => product.kill());
  return product;
}

const active = async (product: Product): Promise<readonly string[]> => {
  const { items } = await product.rpc('subscriptions.list', {});
  return items
    .filter(({ state }) => state === 'active')
    .map(({ pubsubname, topic }) => `${pubsubname}/${topic}`)
    .toSorted();
};

test('the mock app subscribes first to a component that is ready, and the log says why', async () => {
  const product = await started();
  await expect.poll(() => active(product)).toEqual(['b-memory/orders']);
  const { items } = await product.rpc('logs.list', {});
  expect(items.map(({ text }) => text)).toContain(
    'The mock app that answers for the app subscribes to orders on b-memory, because a-dead is not ready.',
  );
});

test('sample traffic subscribes to its own component where the same topic of another one is subscribed to', async () => {
  const product = await started();
  const onDead = { pubsubname: 'a-dead', topic: 'orders', routes: { default: '/orders' } };
  await product.rpc('mockApp.setSubscriptions', { appId: 'app', subscriptions: [onDead] });
  const { added } = await product.rpc('samples.add', {});
  expect(added).toContain('subscription orders');
  await expect.poll(() => active(product)).toContain('b-memory/orders');
  const { removed } = await product.rpc('samples.remove', {});
  expect(removed).toContain('subscription orders');
  const { subscriptions } = await product.rpc('mockApp.get', { appId: 'app' });
  expect(subscriptions).toEqual([onDead]);
});

test('the topics of the sample go with it, except one that something else is on', async () => {
  const product = await productInProcess();
  onTestFinished(() => product.kill());
  const topics = async (): Promise<readonly string[]> => {
    const { items } = await product.rpc('topics.list', {});
    return items.map(({ topic }) => topic).toSorted();
  };
  await expect.poll(topics).toEqual(['orders']);
  await product.rpc('samples.add', {});
  await product.rpc('messages.publish', { pubsubname: 'pubsub', topic: 'refunds', data: { own: true } });
  const sampled = ['invoices', 'orders', 'payments', 'refunds', 'shipments', 'shipments-dead'];
  await expect.poll(topics).toEqual(sampled);
  await product.rpc('samples.remove', {});
  await expect.poll(topics).toEqual(['orders', 'refunds']);
});
