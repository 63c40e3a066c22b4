// `sidelight tap` between an app and a stand-in for its sidecar, both over HTTP, as the console shows it.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Product } from '../e2e/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { keptProducts } from '../support/kept-products.ts';

interface Got {
  readonly line: string;
  readonly body: string;
  readonly rawHeaders: readonly string[];
}

/** A server of one side that keeps what it got. */
class Side {
  readonly got: Got[] = [];
  readonly server: Server;

  constructor(answer: (request: IncomingMessage, response: ServerResponse) => void) {
    this.server = createServer((incoming, response) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        const { method, url, rawHeaders } = incoming;
        this.got.push({ line: `${method} ${url}`, body: Buffer.concat(parts).toString(), rawHeaders });
        answer(incoming, response);
      });
    });
  }

  async open(port = 0): Promise<this> {
    await new Promise<void>((done) => void this.server.listen(port, '127.0.0.1', done));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => void this.server.close(done));
  }
}

let app: Side;
let sidecar: Side;
let product: Product | undefined;
const products = keptProducts();
let appStatus: number;
/** Subscriptions that the sidecar lists once it has asked its app. */
let listed: readonly object[] | undefined;

const SUBSCRIPTIONS = [{ pubsubname: 'redis', topic: 'orders', route: '/orders' }];

beforeEach(async () => {
  appStatus = 200;
  listed = [{ pubsubname: 'redis', topic: 'orders', rules: [{ path: '/orders' }] }];
  app = await new Side((incoming, response) => {
    if (incoming.url === '/dapr/subscribe') response.end(JSON.stringify(SUBSCRIPTIONS));
    else response.writeHead(appStatus).end('{"status":"SUCCESS"}');
  }).open();
  sidecar = await new Side((incoming, response) => {
    if (incoming.url === '/v1.0/metadata')
      response.end(JSON.stringify({ id: 'shop', runtimeVersion: '1.13.6', subscriptions: listed }));
    else if (incoming.url?.startsWith('/v1.0/publish/redis/') === true) response.writeHead(204).end();
    else
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"errorCode":"ERR_DIRECT_INVOKE"}');
  }).open();
});
afterEach(async () => {
  await products.end();
  await app.close();
  await sidecar.close();
});

async function tapped(...more: string[]) {
  const flags = ['--app-id', 'shop', '--app-url', `http://127.0.0.1:${app.port}`];
  const ports = [
    '--sidecar-url',
    `http://127.0.0.1:${sidecar.port}`,
    '--tap-app-port',
    '0',
    '--tap-sidecar-port',
    '0',
  ];
  product = await products.start({
    command: 'tap',
    flags: ['--ephemeral', ...flags, ...ports, ...more],
  });
  const [tap] = product.ready.taps ?? [];
  if (tap === undefined) throw new Error('the ready line has no tap');
  const started = product;
  await started.when('the tap listens for the sidecar', async () => {
    const { items } = await started.rpc('taps.list', {});
    return items[0]?.appAnswers === true && items[0].sidecarAnswers ? true : undefined;
  });
  return { product: started, ...tap };
}

function send(
  port: number,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT = JSON.stringify({
  id: 'made',
  pubsubname: 'redis',
  topic: 'orders',
  source: 'shop',
  data: { n: 1 },
});
const EVENT_TYPE = { 'content-type': 'application/cloudevents+json' };

test('a publish and its delivery are one message with its attempt, other calls are listed, and all bytes pass unchanged', async () => {
  const { product: at, appPort, sidecarPort } = await tapped();
  expect(at.ready.apps).toEqual([]);
  expect((await send(appPort, 'GET', '/dapr/subscribe')).body).toBe(JSON.stringify(SUBSCRIPTIONS));
  expect(await send(sidecarPort, 'POST', '/v1.0/publish/redis/orders', '{"n":1}', JSON_TYPE)).toMatchObject({
    status: 204,
  });
  expect(await send(appPort, 'POST', '/orders', EVENT, EVENT_TYPE)).toEqual({
    status: 200,
    body: '{"status":"SUCCESS"}',
  });
  const [row] = await at.when('it is processed', async () => {
    const { items } = await at.rpc('messages.list', { filter: 'is:tapped state:processed' });
    return items.length === 1 ? items : undefined;
  });
  expect(row).toMatchObject({ tap: 'shop', source: 'http', eventId: 'made', topic: 'orders' });
  expect(await send(sidecarPort, 'GET', '/v1.0/state/store/key')).toMatchObject({ status: 404 });
  expect(await send(appPort, 'POST', '/method', 'x')).toMatchObject({ status: 200 });
  const { items } = await at.rpc('taps.list', {});
  expect(items).toMatchObject([
    {
      appId: 'shop',
      runtimeVersion: '1.13.6',
      publishes: 1,
      deliveries: 1,
      missed: 0,
      problems: [],
      subscriptions: [{ pubsubname: 'redis', topic: 'orders', routes: ['/orders'] }],
      otherCalls: [
        { to: 'app', method: 'POST', path: '/method', status: 200 },
        { to: 'sidecar', method: 'GET', path: '/v1.0/state/store/key', status: 404 },
        { to: 'app', method: 'GET', path: '/dapr/subscribe', status: 200 },
      ],
    },
  ]);
  expect(app.got.find(({ line }) => line === 'POST /orders')?.body).toBe(EVENT);
});

test('a delivery is held and answered by hand; a message is replayed through the real sidecar', async () => {
  const { product: at, appPort, sidecarPort } = await tapped();
  await send(appPort, 'GET', '/dapr/subscribe');
  const { holdId } = await at.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  const answered = send(appPort, 'POST', '/orders', EVENT, EVENT_TYPE);
  const held = await at.when('it is held', async () => {
    const { items } = await at.rpc('messages.list', { filter: 'state:held' });
    return items[0]?.deliveries[0]?.deliveryId;
  });
  const reply = { kind: 'respond', status: 200, body: { status: 'RETRY' } } as const;
  await at.rpc('deliveries.release', { deliveryId: held, answer: reply });
  expect(await answered).toEqual({ status: 200, body: '{"status":"RETRY"}' });
  expect(app.got.some(({ line }) => line === 'POST /orders')).toBe(false);
  await at.rpc('holds.remove', { holdId });
  await send(appPort, 'POST', '/orders', EVENT, EVENT_TYPE);
  const { items } = await at.rpc('messages.list', { filter: 'source:elsewhere' });
  const { messageId } = await at.rpc('messages.replay', { messageId: items[0]?.messageId ?? '' });
  expect(sidecar.got.at(-1)).toMatchObject({ line: 'POST /v1.0/publish/redis/orders', body: EVENT });
  expect(await at.rpc('messages.get', { messageId })).toMatchObject({
    source: 'replay',
    replayOf: items[0]?.messageId,
  });
  expect(sidecarPort).toBeGreaterThan(0);
});

test('headers keep their order and case', async () => {
  const { sidecarPort } = await tapped();
  const head =
    'POST /v1.0/publish/redis/orders HTTP/1.1\r\nHOST: a\r\nx-One: 1\r\nContent-LENGTH: 2\r\nX-two:2\r\nConnection: close\r\n\r\n{}';
  await rawRequest(sidecarPort, head);
  expect(sidecar.got.at(-1)?.rawHeaders).toEqual([
    ...['HOST', 'a', 'x-One', '1', 'Content-LENGTH', '2', 'X-two', '2', 'Connection', 'close'],
  ]);
});

test('the port for the sidecar is closed while the app does not listen', async () => {
  const { product: at, appPort } = await tapped();
  const { port } = app;
  await app.close();
  const refuses = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(appPort, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(false);
      });
      socket.once('error', () => resolve(true));
    });
  await at.when('the port is closed', async () => ((await refuses()) ? true : undefined));
  const text = `Nothing answers at http://127.0.0.1:${port}, the app shop: `;
  const said = await at.when('it says why', async () => {
    const { items } = await at.rpc('taps.list', {});
    return items[0]?.problems[0]?.startsWith(text) === true ? items[0]?.problems[0] : undefined;
  });
  expect(said).toContain(text);
  await app.open(port);
  expect(await at.when('the port is open', async () => ((await refuses()) ? undefined : true))).toBe(true);
});

test('an upgrade and HTTP/2 are refused with 501 and the reason', async () => {
  const { sidecarPort, appPort } = await tapped();
  const upgrade = 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  expect(await rawRequest(appPort, upgrade)).toMatch(
    /^HTTP\/1\.1 501 [^]*does not pass an upgrade to websocket/,
  );
  expect(await rawRequest(sidecarPort, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 501 [^]*HTTP\/2/,
  );
});

test('an unreachable sidecar is named in the log and in the console', async () => {
  const { product: at } = await tapped();
  const { port } = sidecar;
  await sidecar.close();
  const text = `Nothing answers at http://127.0.0.1:${port}, the sidecar of the app shop: `;
  await at.when('the console says so', async () => {
    const { banners } = await at.rpc('system.describe', {});
    return banners.some((banner) => banner.text.startsWith(text)) ? true : undefined;
  });
  expect(at.log()).toContain(text);
  await sidecar.open(port);
});

test('a tap beside our own sidecars reads the names of the reference until its own sidecar says otherwise', async () => {
  product = await products.start();
  const appUrl = `http://127.0.0.1:${app.port}`;
  const ports = { appPort: 0, sidecarPort: 0 };
  const add = (appId: string, sidecarUrl: string) =>
    product?.rpc('taps.add', { appId, appUrl, sidecarUrl, ...ports });
  expect(await add('shop', 'http://127.0.0.1:1')).toMatchObject({ profile: 'dapr' });
  const [ours] = product.ready.apps;
  await add('other', ours?.sidecar ?? '');
  const at = product;
  const told = await at.when('its sidecar has told', async () => {
    const { items } = await at.rpc('taps.list', {});
    return items[1]?.runtimeVersion === undefined ? undefined : items.map(({ profile }) => profile);
  });
  expect(told).toEqual(['dapr', 'sidecar']);
});

test('routes that were seen are known after a restart of the tap, though the sidecar does not ask again', async () => {
  listed = undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-tap-'));
  try {
    const flags = ['--app-id', 'shop', '--app-url', `http://127.0.0.1:${app.port}`, '--data-dir', folder];
    const ports = [
      '--sidecar-url',
      `http://127.0.0.1:${sidecar.port}`,
      '--tap-app-port',
      '0',
      '--tap-sidecar-port',
      '0',
    ];
    const start = () => products.start({ command: 'tap', flags: [...flags, ...ports] });
    product = await start();
    let at = product;
    const listening = () =>
      at.when('the tap listens', async () =>
        (await at.rpc('taps.list', {})).items[0]?.appAnswers === true ? true : undefined,
      );
    await listening();
    await send(at.ready.taps?.[0]?.appPort ?? 0, 'GET', '/dapr/subscribe');
    await at.when('the route is known', async () =>
      (await at.rpc('taps.list', {})).items[0]?.subscriptions.length === 1 ? true : undefined,
    );
    await at.stop();
    product = await start();
    at = product;
    await listening();
    appStatus = 503;
    await send(at.ready.taps?.[0]?.appPort ?? 0, 'POST', '/orders', EVENT, EVENT_TYPE);
    const [row] = await at.when('it retries', async () => {
      const { items } = await at.rpc('messages.list', { filter: 'source:elsewhere state:retrying' });
      return items.length === 1 ? items : undefined;
    });
    expect(row?.deliveries[0]).toMatchObject({ appId: 'shop', route: '/orders', attempts: 1 });
    await at.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
