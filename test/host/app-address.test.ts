/** The setting `app.address`: an app with a mock app is delivered to elsewhere, keeps it over a restart, and comes back. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Product } from '../e2e/product.ts';
import { freePort } from '../support/free-port.ts';
import { keptProducts } from '../support/kept-products.ts';
import { subscribedApp } from '../support/subscribed-app.ts';
import type { SubscribedApp } from '../support/subscribed-app.ts';

let folder: string;
let app: SubscribedApp;
let product: Product | undefined;
const products = keptProducts();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-address-'));
  app = await subscribedApp();
});
afterEach(async () => {
  await products.end();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (...flags: string[]): Promise<Product> =>
  products.start({ flags: ['--data-dir', folder, ...flags] });

/** Waits until the app's subscriptions are exactly these topics. */
function subscribed(to: Product, topics: readonly string[]): Promise<true> {
  return to.when(`subscriptions ${topics.join()}`, async () => {
    const { items } = await to.rpc('subscriptions.list', {});
    return items.map(({ topic }) => topic).join() === topics.join() ? true : undefined;
  });
}

test('the address of an app changes to a real app, stays over a restart, and changes back to the mock app', async () => {
  product = await start();
  const [before] = (await product.rpc('apps.list', {})).items;
  expect(before).toMatchObject({ mock: true, mockUrl: before?.app });
  await expect(
    product.rpc('settings.set', { key: 'app.address', value: { app: 'nowhere' } }),
  ).rejects.toMatchObject({ error: { data: { code: 'INVALID_PARAMS' } } });

  await product.rpc('settings.set', { key: 'app.address', value: { app: `${app.url}/` } });
  await subscribed(product, ['mine']);
  const [moved] = (await product.rpc('apps.list', {})).items;
  expect(moved).toMatchObject({ app: app.url, mock: false, mockUrl: before?.app, channel: 'answering' });
  await product.publish('mine', { n: 1 });
  await product.when('delivered to the app', async () =>
    app.asked.includes('POST /mine') ? true : undefined,
  );

  expect(await product.stop()).toBe(0);
  product = await start();
  expect(product.ready.apps).toMatchObject([{ appId: 'app', app: app.url, mock: false }]);
  await subscribed(product, ['mine']);
  expect((await product.rpc('apps.list', {})).items[0]).toMatchObject({ app: app.url, mock: false });

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

test('an address without a listener is reported, and the app is asked once it listens', async () => {
  product = await start();
  await app.close();
  await product.rpc('settings.set', { key: 'app.address', value: { app: app.url } });
  const running = product;
  await running.when('not reachable', async () => {
    const [row] = (await running.rpc('apps.list', {})).items;
    return row?.channel === 'not-reachable' ? true : undefined;
  });
  await app.open();
  expect(await subscribed(running, ['mine'])).toBe(true);
}, 60_000);

test.each(['constructor', '__proto__'])('an app named %s has no address that nobody set', async (appId) => {
  product = await products.start({ flags: ['--data-dir', folder, `--app-id=${appId}`] });
  const { items } = await product.rpc('apps.list', {});
  expect(items).toEqual([expect.objectContaining({ appId, mock: true })]);
});

test('an address at which Sidelight itself listens is refused with the name of its listener', async () => {
  product = await start();
  const to = product;
  const [own] = product.ready.apps;
  const shop = await product.rpc('apps.add', { appId: 'shop' });
  const tap = await product.rpc('taps.add', { appId: 'mail', appUrl: 'http://127.0.0.1:9', sidecarPort: 0 });
  const grpc = own?.grpc?.replace(/^[a-z]+:\/\//, '') ?? '';
  const cases = [
    [own?.sidecar ?? '', 'is the port of the sidecar of the app'],
    ...['localhost', 'LOCALHOST.', 'ip6-localhost', '127.1', '[::ffff:127.0.0.1]', '[0:0:0:0:0:0:0:1]'].map(
      (host) =>
        [(own?.sidecar ?? '').replace('127.0.0.1', host), 'is the port of the sidecar of the app'] as const,
    ),
    [`grpc://${grpc}`, 'is the gRPC port of the sidecar of the app'],
    [`grpc://${grpc.replace('127.0.0.1', '127.1')}`, 'is the gRPC port of the sidecar of the app'],
    [shop.sidecar, 'is the port of the sidecar of app shop'],
    [shop.mockUrl ?? '', 'is the port of the mock app of app shop'],
    [`http://127.0.0.1:${tap.sidecarPort}`, 'is a port of the tap of app mail'],
    [product.ready.console, "is Sidelight's own console"],
  ] as const;
  for (const [url, what] of cases) {
    const message = `Port ${new URL(url).port} ${what}: give the address of your own app.`;
    const refused = (field: string) => ({
      error: { message: expect.stringContaining(message), data: { code: 'INVALID_PARAMS', field } },
    });
    const value = { app: url };
    await expect(to.rpc('settings.set', { key: 'app.address', value })).rejects.toMatchObject(
      refused('value.app'),
    );
    await expect(to.rpc('apps.add', { appId: 'late', url })).rejects.toMatchObject(refused('url'));
  }
  expect((await to.rpc('apps.list', {})).items.map(({ appId }) => appId)).toEqual(['app', 'shop']);
  // Nothing was sent there, so nobody is told about a call that was refused.
  expect(
    (await to.rpc('system.describe', {})).banners.filter(({ text }) => text.includes('refused')),
  ).toEqual([]);
}, 60_000);

test.each([
  ['localhost', '"localhost" is not an address; the port is missing, as in http://localhost:8080.'],
  ['localhost:', '"localhost:" is not an address; the port is missing, as in http://localhost:8080.'],
  [
    'https://localhost:/base',
    '"https://localhost:/base" is not an address; the port is missing, as in https://localhost:8080.',
  ],
  ['http:', '"http:" is not an address: expected an http, https, h2c, grpc or grpcs address.'],
  [
    'http://localhost',
    '"http://localhost" is not an address; the port is missing, as in http://localhost:8080.',
  ],
  ['http://127.0.0.1:99999', '"http://127.0.0.1:99999" is not an address; the port 99999 is above 65535.'],
  [
    'http//127.0.0.1:28080',
    '"http//127.0.0.1:28080" is not an address; did you mean http://127.0.0.1:28080?',
  ],
  [
    'http://127.0.0.1:28080?x=1',
    '"http://127.0.0.1:28080?x=1" is not an address; an address has no user name, ? or #: write http://127.0.0.1:28080.',
  ],
  [
    'http://127.0.0.1:28080?token=word',
    '"http://127.0.0.1:28080?token=***" is not an address; an address has no user name, ? or #: write http://127.0.0.1:28080.',
  ],
  [
    'me:word@127.0.0.1:28080',
    '"***@127.0.0.1:28080" is not an address; an address has no user name, ? or #: write http://127.0.0.1:28080.',
  ],
  [
    'http://me:word@127.0.0.1:28080/base',
    '"http://***@127.0.0.1:28080/base" is not an address; an address has no user name, ? or #: write http://127.0.0.1:28080/base.',
  ],
  [
    ' http://me:word@127.0.0.1:28080?x=1',
    '"***@127.0.0.1:28080?x=1" is not an address; an address has no user name, ? or #: write http://127.0.0.1:28080.',
  ],
  [
    'http://localhost/a@b?x',
    '"http://***@b?x" is not an address: expected an http, https, h2c, grpc or grpcs address.',
  ],
  ['what?', '"what?" is not an address: expected an http, https, h2c, grpc or grpcs address.'],
])(
  'the refusal of the address %s says what is wrong with it',
  async (url, message) => {
    product = await start();
    const says = { error: { message } };
    const value = { app: url };
    await expect(product.rpc('settings.set', { key: 'app.address', value })).rejects.toMatchObject(says);
    await expect(product.rpc('apps.add', { appId: 'shop', url })).rejects.toMatchObject(says);
  },
  60_000,
);

test('an address of an earlier run that is the port of a sidecar now is removed, which the start says', async () => {
  product = await start();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await product.rpc('settings.set', { key: 'app.address', value: { app: url, shop: app.url } });
  expect(await product.stop()).toBe(0);
  product = await start('--sidecar-port', String(port));
  const { banners } = await product.rpc('system.describe', {});
  const says = `${url}, the address that the app had until now, is the port of the sidecar of the app in this start`;
  expect(banners.map(({ text }) => text)).toEqual([expect.stringContaining(says)]);
  expect(product.log()).toContain(says);
  const { items } = await product.rpc('settings.get', {});
  expect(items.find(({ key }) => key === 'app.address')?.value).toEqual({ shop: app.url });
  expect((await product.rpc('apps.list', {})).items).toMatchObject([{ mock: true }]);
}, 60_000);
