// The setting `app.address`: an app with a mock app is delivered to elsewhere, keeps it over a restart, and comes back.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Product } from '../e2e/product.ts';
import { keptProducts } from '../support/kept-products.ts';

let folder: string;
let server: Server;
let url: string;
let asked: string[];
let product: Product | undefined;
const products = keptProducts();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-address-'));
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const subscriptions = [{ pubsubname: 'pubsub', topic: 'mine', routes: { default: '/mine' } }];
    const body = request.method === 'GET' ? subscriptions : { status: 'SUCCESS' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the app is not served');
  url = `http://127.0.0.1:${bound.port}`;
});
afterEach(async () => {
  await products.end();
  server.closeAllConnections();
  await new Promise((done) => void server.close(done));
  await rm(folder, { recursive: true, force: true });
});

const start = (): Promise<Product> => products.start({ flags: ['--data-dir', folder] });

/** Waits until the app's subscriptions are exactly these topics. */
function subscribed(to: Product, topics: readonly string[]): Promise<true> {
  return to.when(`subscriptions ${topics.join()}`, async () => {
    const { items } = await to.rpc('subscriptions.list', {});
    return items.map(({ topic }) => topic).join() === topics.join() ? true : undefined;
  });
}

test('to a real app, over a restart, and back to the mock app', async () => {
  product = await start();
  const [before] = (await product.rpc('apps.list', {})).items;
  expect(before).toMatchObject({ mock: true, mockUrl: before?.app });
  await expect(
    product.rpc('settings.set', { key: 'app.address', value: { app: 'nowhere' } }),
  ).rejects.toMatchObject({ error: { data: { code: 'INVALID_PARAMS' } } });

  await product.rpc('settings.set', { key: 'app.address', value: { app: `${url}/` } });
  await subscribed(product, ['mine']);
  const [moved] = (await product.rpc('apps.list', {})).items;
  expect(moved).toMatchObject({ app: url, mock: false, mockUrl: before?.app, channel: 'answering' });
  await product.publish('mine', { n: 1 });
  await product.when('delivered to the app', async () => (asked.includes('POST /mine') ? true : undefined));

  expect(await product.stop()).toBe(0);
  product = await start();
  await subscribed(product, ['mine']);
  expect((await product.rpc('apps.list', {})).items[0]).toMatchObject({ app: url, mock: false });

  await product.rpc('settings.set', { key: 'app.address', value: null });
  await subscribed(product, ['orders']);
  expect((await product.rpc('apps.list', {})).items[0]).toMatchObject({ mock: true });
  await product.publish('orders', { n: 2 });
  const back = product;
  await back.when('processed by the mock app', async () => {
    const { total } = await back.rpc('messages.list', { filter: 'topic:orders state:processed' });
    return total === 1 ? true : undefined;
  });
}, 60_000);

test('an address where nobody is: said, and asked again once somebody is', async () => {
  product = await start();
  await new Promise((done) => void server.close(done));
  await product.rpc('settings.set', { key: 'app.address', value: { app: url } });
  const running = product;
  await running.when('not reachable', async () => {
    const [app] = (await running.rpc('apps.list', {})).items;
    return app?.channel === 'not-reachable' ? true : undefined;
  });
  server.listen(Number(new URL(url).port), '127.0.0.1');
  expect(await subscribed(running, ['mine'])).toBe(true);
}, 60_000);
