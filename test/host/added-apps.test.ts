/** Apps that are added and removed while the product runs: a sidecar each, deliveries, what is kept, what is refused. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import type { ProductOptions } from '../../core/host/options.ts';
import { Topology } from '../../core/runtime/queries/topology.ts';
import { connect } from '../../core/testing/connect.ts';
import type { Product } from '../e2e/product.ts';
import { forbidPort } from '../support/forbidden-port.ts';
import { freePort } from '../support/free-port.ts';
import { keptProducts } from '../support/kept-products.ts';
import { subscribedApp } from '../support/subscribed-app.ts';
import type { SubscribedApp } from '../support/subscribed-app.ts';

let folder: string;
let app: SubscribedApp;
let product: Product | undefined;
const products = keptProducts();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-apps-'));
  app = await subscribedApp();
});
afterEach(async () => {
  await products.end();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (...flags: string[]): Promise<Product> =>
  products.start({ flags: ['--data-dir', folder, ...flags] });

/** Waits until the list of messages of that filter is that long. */
function counted(to: Product, filter: string, n: number): Promise<true> {
  return to.when(`${n} of ${filter}`, async () => {
    const { total } = await to.rpc('messages.list', { filter });
    return total === n ? true : undefined;
  });
}

/** The row of an app once it was asked what it subscribes to. */
async function discovered(to: Product, appId: string) {
  return to.when(`${appId} is discovered`, async () => {
    const { items } = await to.rpc('apps.list', {});
    return items.find((app) => app.appId === appId && app.discovery.state === 'done');
  });
}

const publishAt = (sidecar: string, topic: string): Promise<Response> =>
  fetch(`${sidecar}/v1.0/publish/pubsub/${topic}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":1}',
  });

test('an added app has a sidecar and deliveries, is there after a restart at its port, and can be removed', async () => {
  product = await start();
  const first = product;
  const added = await product.rpc('apps.add', { appId: 'shop', url: app.url });
  expect(added).toMatchObject({ appId: 'shop', app: app.url, mock: false, added: true });
  await discovered(product, 'shop');
  expect((await publishAt(added.sidecar, 'mine')).status).toBe(204);
  await counted(first, 'app:shop topic:mine state:processed', 1);
  // The first app has not changed.
  await product.publish('orders', { n: 1 });
  await counted(first, 'topic:orders state:processed', 1);

  expect(await product.stop()).toBe(0);
  product = await start();
  const back = await discovered(product, 'shop');
  expect(back).toMatchObject({ sidecar: added.sidecar, app: app.url, added: true });

  expect(await product.rpc('apps.remove', { appId: 'shop' })).toEqual({ unfinished: 0 });
  await expect(publishAt(added.sidecar, 'mine')).rejects.toThrow();
  expect((await product.rpc('apps.list', {})).items.map(({ appId }) => appId)).toEqual(['app']);
  await product.publish('mine', { n: 2 });
  await counted(product, 'topic:mine state:none', 1);
  const { items } = await product.rpc('settings.get', {});
  expect(items.find(({ key }) => key === 'app.address')).toMatchObject({ value: {}, origin: 'default' });

  expect(await product.stop()).toBe(0);
  product = await start();
  expect((await product.rpc('apps.list', {})).items.map(({ appId }) => appId)).toEqual(['app']);
}, 90_000);

test('an added app may have an address without a scheme, as one of the start', async () => {
  product = await start();
  const { host } = new URL(app.url);
  expect(await product.rpc('apps.add', { appId: 'shop', url: host })).toMatchObject({
    app: app.url,
    mock: false,
  });
  await discovered(product, 'shop');
}, 60_000);

test('an app added without an address has a mock app of its own', async () => {
  product = await start();
  const added = await product.rpc('apps.add', { appId: 'shop' });
  expect(added).toMatchObject({ mock: true, mockUrl: added.app });
  await discovered(product, 'shop');
  expect(await product.rpc('mockApp.get', { appId: 'shop' })).toMatchObject({
    subscriptions: [{ topic: 'orders' }],
  });
  await product.publish('orders', { n: 1 });
  await counted(product, 'app:shop topic:orders state:processed', 1);
  const [row] = (await product.rpc('messages.list', {})).items;
  expect(row?.deliveries.map(({ appId }) => appId).toSorted()).toEqual(['app', 'shop']);
}, 60_000);

test('unfinished deliveries of a removed app continue with the next app of its id', async () => {
  app.hangs = true;
  product = await start();
  await product.rpc('apps.add', { appId: 'shop', url: app.url });
  await discovered(product, 'shop');
  await product.publish('mine', { n: 1 });
  await counted(product, 'topic:mine state:attempting', 1);
  expect(await product.rpc('apps.remove', { appId: 'shop' })).toEqual({ unfinished: 1 });
  // The call that was cut does not count as an attempt.
  const [left] = (await product.rpc('messages.list', {})).items;
  expect(left?.deliveries).toMatchObject([{ state: 'queued', attempts: 0 }]);

  app.hangs = false;
  await product.rpc('apps.add', { appId: 'shop', url: app.url });
  await counted(product, 'topic:mine state:processed', 1);
}, 60_000);

test('the sidecar of an added app leaves the port alone at which another added app is going to listen', async () => {
  const sidecarPort = await freePort();
  product = await start('--sidecar-port', String(sidecarPort));
  // The port that the sidecar of the next app would take.
  const promised = sidecarPort + 2;
  const later = await product.rpc('apps.add', { appId: 'later', url: `http://127.0.0.1:${promised}` });
  const { sidecar } = await product.rpc('apps.add', { appId: 'shop' });
  expect(later.app).not.toBe(sidecar);
  await expect(product.rpc('apps.add', { appId: 'third', sidecarPort: promised })).rejects.toMatchObject({
    error: {
      message: `Port ${promised} is the port of app later: expected a port that is free, or none: the next free one.`,
    },
  });
}, 60_000);

test('a refused apps.add changes nothing', async () => {
  product = await start();
  const taken = app.port;
  const refused = async (wish: { appId: string; url?: string; sidecarPort?: number }, field: string) =>
    expect(product?.rpc('apps.add', wish)).rejects.toMatchObject({
      error: { data: { code: 'INVALID_PARAMS', field } },
    });
  await refused({ appId: 'app' }, 'appId');
  await refused({ appId: 'a/b' }, 'appId');
  await refused({ appId: 'shop', url: 'ftp://localhost:8080' }, 'url');
  await refused({ appId: 'shop', url: app.url, sidecarPort: taken }, 'sidecarPort');
  await expect(product.rpc('apps.remove', { appId: 'app' })).rejects.toMatchObject({
    error: { data: { code: 'INVALID_PARAMS', field: 'appId' } },
  });
  await expect(product.rpc('apps.remove', { appId: 'shop' })).rejects.toMatchObject({
    error: { data: { code: 'NOT_FOUND' } },
  });
  expect((await product.rpc('apps.list', {})).items.map(({ appId }) => appId)).toEqual(['app']);
  const { items } = await product.rpc('settings.get', {});
  expect(items.find(({ key }) => key === 'app.address')).toMatchObject({ value: {} });
  // The id is free for a wish that can be met.
  expect(await product.rpc('apps.add', { appId: 'shop' })).toMatchObject({ appId: 'shop' });
}, 60_000);

/** Starts an instance in this process with options that no flag gives. */
async function startHere(change: Partial<ProductOptions>) {
  const flags = [
    '--headless',
    '--ephemeral',
    '--sidecar-port',
    '0',
    '--app-port',
    '0',
    '--console-port',
    '0',
  ];
  const options = { ...readOptions(flags, {}), writeLog: () => undefined, isListed: false };
  const here = await startProduct({ ...options, ...change });
  onTestFinished(() => here.stop('at-once'));
  const rpc = await connect(here.ready);
  onTestFinished(() => rpc.close());
  return rpc;
}

test('an app that gets no gRPC port is not added, and leaves no open port', async () => {
  // The next one after the last port of all is none.
  const rpc = await startHere({ grpcPort: 65_535, apps: [{ appId: 'app', grpcPort: 0 }] });
  const sidecarPort = await freePort();
  await expect(rpc.call('apps.add', { appId: 'shop', sidecarPort })).rejects.toThrow(
    'TRANSITION_NOT_ALLOWED: App shop cannot be added: its gRPC port: 65536, the port after the one before, is not a port. (apps.add)',
  );
  await expect(fetch(`http://127.0.0.1:${sidecarPort}/v1.0/healthz`)).rejects.toThrow();
  expect((await rpc.call('apps.list', {})).items.map(({ appId }) => appId)).toEqual(['app']);
}, 60_000);

test('a port on which this user may not listen is not said to be in use', async () => {
  const rpc = await startHere({ grpcPort: 'off' });
  const sidecarPort = await freePort();
  forbidPort(sidecarPort);
  await expect(rpc.call('apps.add', { appId: 'shop', sidecarPort })).rejects.toThrow(
    `The system keeps port ${sidecarPort} for itself: expected a port that is free, or none: the next free one.`,
  );
}, 60_000);

test('an app is added with one row built, however many apps there are', async () => {
  const rpc = await startHere({ grpcPort: 'off' });
  const rows = vi.spyOn(Topology.prototype, 'apps');
  onTestFinished(() => rows.mockRestore());
  const count = 12;
  for (let n = 0; n < count; n += 1) await rpc.call('apps.add', { appId: `shop-${n}` });
  const built = rows.mock.results.flatMap(({ type, value }) => (type === 'return' ? value : []));
  expect(built).toHaveLength(count);
}, 60_000);

test('an added app leaves the components of its folder running', async () => {
  const set = { folders: [], lookedIn: [] };
  const rpc = await startHere({
    grpcPort: 'off',
    apps: [{ appId: 'one' }, { appId: 'two' }],
    resourceSets: [
      { ...set, appIds: ['one'] },
      { ...set, appIds: ['two'] },
    ],
  });
  const { sidecar } = await rpc.call('apps.add', { appId: 'shop' });
  const { items } = await rpc.call('logs.list', { filter: 'part:components' });
  // Each folder has its own component.
  expect(items.filter(({ text }) => text.includes('is ready'))).toHaveLength(2);
  const scopes = (await rpc.call('components.list', {})).items.map((row) => row.scopes);
  expect(scopes).toEqual([['one', 'shop'], ['two']]);
  expect((await publishAt(sidecar, 'mine')).status).toBe(204);
  await rpc.call('apps.remove', { appId: 'shop' });
  const after = await rpc.call('logs.list', { filter: 'part:components' });
  expect(after.items.filter(({ text }) => text.includes('is ready'))).toHaveLength(2);
}, 60_000);

test('an added app without a token is named where the other apps have tokens of their own', async () => {
  const warnings = async (change: Partial<ProductOptions>) => {
    const rpc = await startHere({ grpcPort: 'off', ...change });
    await rpc.call('apps.add', { appId: 'shop' });
    const { items } = await rpc.call('logs.list', { level: 'warn', filter: 'part:sidecar' });
    return items.map(({ text }) => text);
  };
  const apps = [{ appId: 'app', edge: { apiToken: 'of one app' } }];
  expect(await warnings({ apps })).toEqual([
    'The sidecar of app shop asks for no token, but others of this run do. Set SIDECAR_API_TOKEN in the environment of Sidelight to give each added app that token.',
  ]);
  expect(await warnings({ apps, env: { SIDECAR_API_TOKEN: 'of all' } })).toEqual([]);
  expect(await warnings({})).toEqual([]);
}, 60_000);

test('an address for an added app is refused while a flag has the addresses', async () => {
  product = await start('--set', 'app.address={}');
  await expect(product.rpc('apps.add', { appId: 'shop', url: app.url })).rejects.toMatchObject({
    error: {
      message: 'A flag sets app.address for this run: expected no url, or the app in --set app.address.',
      data: { code: 'INVALID_PARAMS', field: 'url' },
    },
  });
  expect((await product.rpc('apps.list', {})).items.map(({ appId }) => appId)).toEqual(['app']);
}, 60_000);

/** The app.address setting as it stands. */
async function addresses(of: Product) {
  const { items } = await of.rpc('settings.get', {});
  return items.find(({ key }) => key === 'app.address');
}

test('an address of a flag stays in the settings when its app is removed for good', async () => {
  const flags = ['--set', `app.address={"shop":"${app.url}"}`];
  product = await start(...flags);
  expect(await product.rpc('apps.add', { appId: 'shop' })).toMatchObject({ app: app.url, mock: false });
  expect(await product.rpc('apps.remove', { appId: 'shop' })).toEqual({ unfinished: 0 });
  expect(await addresses(product)).toMatchObject({ value: { shop: app.url }, origin: 'flag' });

  expect(await product.stop()).toBe(0);
  product = await start(...flags);
  expect((await product.rpc('apps.list', {})).items.map(({ appId }) => appId)).toEqual(['app']);
}, 60_000);

test('an app added without an address takes no leftover address, and a refusal leaves the settings as they were', async () => {
  product = await start();
  const left = { shop: app.url, other: app.url };
  await product.rpc('settings.set', { key: 'app.address', value: left });
  const sidecarPort = app.port;
  await expect(product.rpc('apps.add', { appId: 'shop', sidecarPort })).rejects.toThrow();
  expect(await addresses(product)).toMatchObject({ value: left });
  expect(await product.rpc('apps.add', { appId: 'shop' })).toMatchObject({ mock: true });
  expect(await addresses(product)).toMatchObject({ value: { other: app.url } });
}, 60_000);
