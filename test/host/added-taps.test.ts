/** Taps that are added while a headless product runs, and messages about their ports. */
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { Keeper } from '../../core/host/kept-state.ts';
import { PortClaims } from '../../core/host/port-claims.ts';
import { TapService } from '../../core/host/taps.ts';
import { RuleRoom } from '../../core/mock-app/rule-room.ts';
import { RpcRefusal } from '../e2e/product.ts';
import type { Product } from '../e2e/product.ts';
import { reusablePort } from '../e2e/reusable-port.ts';
import { forbidPort } from '../support/forbidden-port.ts';
import { freePort } from '../support/free-port.ts';
import { productInProcess } from '../support/in-process.ts';
import { Stand } from '../support/runtime-stand.ts';

const NOWHERE = 'http://127.0.0.1:9';

async function started(...flags: readonly string[]): Promise<Product> {
  const product = await productInProcess({ flags });
  onTestFinished(() => product.kill());
  return product;
}

/** Listens there until the test is over. */
async function occupied(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => void server.listen(port, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return server;
}

const closed = (server: Server): Promise<void> => new Promise((done) => void server.close(() => done()));

test('taps that are added without ports get free ones each', async () => {
  const product = await started();
  const add = (appId: string) => product.rpc('taps.add', { appId, appUrl: NOWHERE });
  const taps = [await add('first'), await add('second')];
  expect(new Set(taps.flatMap(({ appPort, sidecarPort }) => [appPort, sidecarPort])).size).toBe(4);
});

test.each(['appPort', 'sidecarPort', 'grpcPort'] as const)(
  'a taken %s is refused with its name, and nothing changes',
  async (name) => {
    const product = await started();
    const { port } = (await occupied(0)).address() as AddressInfo;
    const wish = { appId: 'shop', appUrl: NOWHERE, sidecarGrpc: '127.0.0.1:9', appPort: 0, sidecarPort: 0 };
    const refusal: unknown = await product
      .rpc('taps.add', { ...wish, grpcPort: 0, [name]: port })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RpcRefusal);
    const { error } = refusal as RpcRefusal;
    expect(error.data).toMatchObject({ field: name });
    expect(error.message).toContain(`Port ${port} is in use`);
    expect(error.message).not.toContain('--tap');
    expect((await product.rpc('taps.list', {})).items).toEqual([]);
  },
);

test('a port on which this user may not listen is refused with that reason', async () => {
  const product = await started();
  const port = await freePort();
  forbidPort(port);
  const wish = { appId: 'shop', appUrl: NOWHERE, appPort: 0, sidecarPort: port };
  await expect(product.rpc('taps.add', wish)).rejects.toThrow(
    `The system keeps port ${port} for itself: expected a port that is free.`,
  );
  expect((await product.rpc('taps.list', {})).items).toEqual([]);
});

test('a port of another tap is refused with the name of its app, also while nothing listens there', async () => {
  const product = await started();
  const { appPort } = await product.rpc('taps.add', { appId: 'shop', appUrl: NOWHERE, appPort: 0 });
  await expect(product.rpc('taps.add', { appId: 'mail', appUrl: NOWHERE, appPort })).rejects.toThrow(
    `Port ${appPort} is a port of the tap of app shop: expected a port that is free.`,
  );
});

test('a port that the tap of another Sidelight opens once its app runs is refused until that tap is gone', async () => {
  const [one, other] = [await started(), await started()];
  const port = await freePort();
  const wish = { appId: 'shop', appUrl: NOWHERE, appPort: port, sidecarPort: 0 };
  expect(await one.rpc('taps.add', wish)).toMatchObject({ appPort: port });
  await expect(other.rpc('taps.add', wish)).rejects.toThrow(
    `Port ${port} is in use over UDP by another program, such as a tap whose app does not run yet: expected a port that is free.`,
  );
  const behind = { appId: 'mail', appUrl: NOWHERE, sidecarGrpc: '127.0.0.1:9', appPort: 0 };
  for (const name of ['sidecarPort', 'grpcPort'] as const)
    await expect(
      other.rpc('taps.add', { ...behind, sidecarPort: 0, grpcPort: 0, [name]: port }),
    ).rejects.toThrow(`Port ${port} is in use over UDP by another program`);
  expect((await other.rpc('taps.list', {})).items).toEqual([]);
  await one.rpc('taps.remove', { appId: 'shop' });
  expect(await other.rpc('taps.add', wish)).toMatchObject({ appPort: port });
  await other.rpc('taps.remove', { appId: 'shop' });
  // One whose other port is taken leaves nothing behind.
  const taken = ((await occupied(0)).address() as AddressInfo).port;
  await expect(one.rpc('taps.add', { ...wish, sidecarPort: taken })).rejects.toThrow(
    `Port ${taken} is in use`,
  );
  expect(await other.rpc('taps.add', wish)).toMatchObject({ appPort: port });
});

test('a port that the system chose for a tap is claimed too, until the tap is gone', async () => {
  const product = await started();
  const { appPort } = await product.rpc('taps.add', { appId: 'shop', appUrl: NOWHERE, appPort: 0 });
  const others = new PortClaims();
  // The claim of the product is one of another socket, as that of another program is.
  expect(await others.isOthers(appPort)).toBe(true);
  await product.rpc('taps.remove', { appId: 'shop' });
  expect(await others.isOthers(appPort)).toBe(false);
});

/** Taps without a product around them. */
async function tapsAlone() {
  const stand = await new Stand({ profile: 'dapr' }).start();
  const { journal } = stand.runtime;
  const log = { write: () => undefined };
  const taps = new TapService({
    runtime: stand.runtime,
    profile: PROFILES.dapr,
    isProfileGiven: false,
    clock: stand.clock,
    log,
    keeper: new Keeper(journal, log),
    apps: { list: [] },
    apiToken: '',
    mayMove: false,
    ruleRoom: new RuleRoom(),
  });
  onTestFinished(() => taps.close());
  return { taps, journal, stand };
}

test.each(['tap-rules:shop', 'tap-routes:shop'])(
  'a tap that does not open because %s cannot be read leaves no port claimed',
  async (unreadable) => {
    const { taps, journal } = await tapsAlone();
    const reading = vi
      .spyOn(journal, 'kept')
      .mockImplementation((key) =>
        key === unreadable ? Promise.reject(new Error('no such page')) : Promise.resolve(undefined),
      );
    onTestFinished(() => reading.mockRestore());
    const appPort = await freePort();
    await expect(taps.add({ appId: 'shop', appUrl: NOWHERE, appPort, sidecarPort: 0 })).rejects.toThrow(
      'no such page',
    );
    expect(await new PortClaims().isOthers(appPort)).toBe(false);
  },
);

test('banners make no report of what has passed, and the list of taps makes all of them', async () => {
  const { taps, stand } = await tapsAlone();
  const sidecar = createHttpServer((_, answer) => answer.writeHead(204).end());
  await new Promise<void>((done) => void sidecar.listen(0, '127.0.0.1', done));
  onTestFinished(() => void sidecar.close());
  const sidecarUrl = `http://127.0.0.1:${(sidecar.address() as AddressInfo).port}`;
  const { sidecarPort } = await taps.add({
    appId: 'shop',
    appUrl: NOWHERE,
    sidecarUrl,
    appPort: 0,
    sidecarPort: 0,
  });
  const { status } = await fetch(`http://127.0.0.1:${sidecarPort}/v1.0/publish/redis/orders`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'a book',
  });
  expect(status).toBe(204);
  const messages = async (): Promise<number> => {
    await stand.settle();
    return (await stand.journal.stats()).messages;
  };
  taps.banners();
  expect(await messages()).toBe(0);
  expect(taps.list()).toMatchObject([{ publishes: 1 }]);
  expect(await messages()).toBe(1);
});

test('a tap that is added while those of the last start are opened waits its turn', async () => {
  const { taps, journal } = await tapsAlone();
  const kept = { appId: 'shop', appUrl: NOWHERE, sidecarUrl: NOWHERE, appPort: 0, sidecarPort: 0 };
  let readOn: () => void = () => undefined;
  const read = new Promise<void>((go) => (readOn = go));
  const reading = vi
    .spyOn(journal, 'kept')
    .mockImplementation((key) => (key === 'taps' ? Promise.resolve([kept]) : read.then(() => undefined)));
  onTestFinished(() => reading.mockRestore());
  const starting = taps.start(undefined);
  const adding = taps.add(kept).catch((error: unknown) => error);
  // Both have gone as far as they can.
  await new Promise((next) => setImmediate(next));
  readOn();
  await starting;
  expect(await adding).toMatchObject({ message: expect.stringContaining('The app id "shop" is taken') });
  expect(taps.list()).toHaveLength(1);
});

test('a tap that is being added when all are closed is closed too, and a later one is refused', async () => {
  const { taps } = await tapsAlone();
  const wish = { appId: 'shop', appUrl: NOWHERE, appPort: 0, sidecarPort: 0 };
  const adding = taps.add(wish);
  await taps.close();
  const { sidecarPort } = await adding;
  await expect(fetch(`http://127.0.0.1:${sidecarPort}/`)).rejects.toThrow();
  await expect(taps.add({ ...wish, appId: 'mail' })).rejects.toThrow('Sidelight is ending.');
});

test('while the product waits for a call before its end, no app and no tap can be added', async () => {
  const product = await started();
  const { hostname, port } = new URL(product.ready.apps[0]?.sidecar ?? '');
  const call = connect(Number(port), hostname);
  onTestFinished(() => void call.destroy());
  const head =
    'POST /v1.0/publish/pubsub/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n';
  call.write(head);
  await once(call, 'data');
  const stopped = product.stop();
  for (const add of [
    () => product.rpc('taps.add', { appId: 'shop', appUrl: NOWHERE }),
    () => product.rpc('apps.add', { appId: 'shop' }),
  ])
    await expect(add()).rejects.toThrow('Sidelight is ending.');
  call.end('{}');
  await stopped;
});

test('default ports of two Sidelights differ, also before their apps run', async () => {
  const products = [await started(), await started()];
  const ports = await Promise.all(
    products.map((product) => product.rpc('taps.add', { appId: 'shop', appUrl: NOWHERE })),
  );
  expect(new Set(ports.map(({ appPort }) => appPort)).size).toBe(2);
});

test.each([
  ['appPort', 'appUrl', 'http://localhost:', 'app'],
  ['sidecarPort', 'sidecarUrl', 'http://127.0.0.1:', 'sidecar'],
  ['sidecarPort', 'appUrl', 'http://127.0.0.1:', 'app'],
  ['grpcPort', 'sidecarGrpc', '127.0.0.1:', "sidecar's gRPC API"],
] as const)(
  'a %s that is the port of %s is refused, because the tap would call itself',
  async (port, url, at, whose) => {
    const product = await started();
    const free = await reusablePort();
    const wish = {
      appId: 'shop',
      appUrl: NOWHERE,
      sidecarUrl: 'http://127.0.0.1:8',
      sidecarGrpc: '127.0.0.1:7',
    };
    await expect(
      product.rpc('taps.add', { ...wish, [url]: `${at}${free}`, [port]: Number(free) }),
    ).rejects.toThrow(`Port ${free} is that of the ${whose} behind the tap, ${at}${free}`);
    expect((await product.rpc('taps.list', {})).items).toEqual([]);
  },
);

test('a default port of the tap gives way to the sidecar behind it, also while that one is away', async () => {
  const product = await started();
  const wish = { appId: 'shop', appUrl: 'http://127.0.0.1:6101', sidecarUrl: 'http://127.0.0.1:3501' };
  const { appPort, sidecarPort } = await product.rpc('taps.add', wish);
  expect(appPort).not.toBe(6101);
  expect(sidecarPort).not.toBe(3501);
});

test('an added tap whose port is taken at the next start is reported in one line, stays, and can be removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-taps-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const here = ['--data-dir', folder];
  const first = await started(...here);
  // No other program takes one of these by chance.
  const [appPort, sidecarPort] = [Number(await reusablePort()), Number(await reusablePort())];
  await first.rpc('taps.add', { appId: 'shop', appUrl: NOWHERE, appPort, sidecarPort });
  await first.stop();

  const server = await occupied(sidecarPort);
  const second = await started(...here);
  const line = `The tap of shop that was added earlier could not be opened again: port ${sidecarPort} is in use`;
  const banners = async (of: Product) =>
    (await of.rpc('system.describe', {})).banners.map(({ text }) => text);
  expect(await banners(second)).toEqual([expect.stringContaining(line)]);
  const { items } = await second.rpc('logs.list', {});
  expect(items.filter(({ text }) => text.includes(line))).toHaveLength(1);
  // Another one that is added takes neither its place in what is kept nor its ports.
  await expect(second.rpc('taps.add', { appId: 'mail', appUrl: NOWHERE, appPort })).rejects.toThrow(
    `Port ${appPort} is a port of the tap of app shop`,
  );
  await second.rpc('taps.add', { appId: 'mail', appUrl: NOWHERE });
  await second.stop();

  await closed(server);
  const third = await started(...here);
  const taps = (await third.rpc('taps.list', {})).items.map(({ appId }) => appId);
  expect(taps.toSorted()).toEqual(['mail', 'shop']);
  await third.stop();

  await occupied(sidecarPort);
  const fourth = await started(...here);
  await fourth.rpc('taps.remove', { appId: 'shop' });
  expect((await banners(fourth)).filter((text) => text.includes('shop'))).toEqual([]);
});

test('with several taps the banner of one whose sidecar is away names its app', async () => {
  const product = await started();
  const wish = { appUrl: NOWHERE, appPort: 0, sidecarPort: 0 };
  await product.rpc('taps.add', { ...wish, appId: 'shop', sidecarUrl: 'http://127.0.0.1:1' });
  await product.rpc('taps.add', { ...wish, appId: 'mail', sidecarUrl: 'http://127.0.0.1:2' });
  await expect
    .poll(async () => {
      const { banners } = await product.rpc('system.describe', {});
      return banners.map(({ text }) => text).filter((text) => text.includes('the sidecar of the app'));
    })
    .toEqual([
      expect.stringContaining('the sidecar of the app shop: '),
      expect.stringContaining('the sidecar of the app mail: '),
    ]);
});
