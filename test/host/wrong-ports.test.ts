/** Clients that come to the wrong port of a sidecar: said once in the log, in a banner as long as they come, and again when they come again. */
import { beforeEach, expect, test } from 'vitest';
import {
  foreignAtGrpc,
  grpcAtHttp,
  publishAtConsole,
  publishAtMock,
  WrongPortBanners,
} from '../../core/host/wrong-ports.ts';
import { startProduct } from '../e2e/product.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { SOURCE } from '../support/program.ts';

const HTTP = 'http://127.0.0.1:3500';
const GRPC = '127.0.0.1:50001';

let clock: ManualClock;
let lines: string[];
let ports: WrongPortBanners;

beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  ports = new WrongPortBanners(clock, {
    write: (level, part, text) => void lines.push(`${level} ${part}: ${text}`),
  });
});

test('a wrong port has one log line and one banner, however often it is used', () => {
  const text = grpcAtHttp('shop', HTTP, GRPC);
  for (const _ of [1, 2, 3]) ports.report('shop', text);
  expect(ports.banners()).toEqual([{ id: 'wrong-port-1', text, level: 'warn' }]);
  expect(lines).toEqual([`warn sidecar: ${text}`]);
});

test('the banner ends a minute after the last client, and the next one has another id', () => {
  const text = grpcAtHttp('shop', HTTP, GRPC);
  ports.report('shop', text);
  clock.advance(50_000);
  ports.report('shop', text);
  clock.advance(50_000);
  expect(ports.banners()).toHaveLength(1);
  clock.advance(10_000);
  expect(ports.banners()).toEqual([]);
  expect(lines.at(-1)).toBe('info sidecar: No client has used a wrong port of app shop for a minute.');
  ports.report('shop', text);
  expect(ports.banners()[0]?.id).toBe('wrong-port-2');
});

test('a publish at the console belongs to no app', () => {
  ports.report(undefined, publishAtConsole('http://127.0.0.1:3580', [{ appId: 'shop', url: HTTP }]));
  clock.advance(60_000);
  expect(lines.at(-1)).toBe('info sidecar: No publish has come to the console for a minute.');
});

test('every sentence names the app, the port and the right address', () => {
  expect(grpcAtHttp('shop', HTTP, GRPC)).toBe(
    `A gRPC client connected to the HTTP port of app shop, ${HTTP}: gRPC is served at ${GRPC}.`,
  );
  expect(grpcAtHttp('shop', HTTP, undefined)).toBe(
    `A gRPC client connected to the HTTP port of app shop, ${HTTP}: gRPC is off, see --grpc-port.`,
  );
  expect(foreignAtGrpc('http1', 'shop', GRPC, HTTP)).toBe(
    `An HTTP/1 client connected to the gRPC port of app shop, ${GRPC}: the HTTP API is at ${HTTP}.`,
  );
  expect(foreignAtGrpc('tls', 'shop', GRPC, HTTP)).toContain('this port has no TLS');
  expect(foreignAtGrpc('other', 'shop', GRPC, HTTP)).toContain(HTTP);
  expect(publishAtMock('shop', 'http://127.0.0.1:6001', HTTP)).toBe(
    `A publish came to the mock app, http://127.0.0.1:6001: the sidecar of app shop is at ${HTTP}.`,
  );
});

test('a publish at the console names the sidecars of several apps', () => {
  const apps = [1, 2, 3, 4, 5].map((n) => ({ appId: `a${n}`, url: `http://127.0.0.1:350${n}` }));
  expect(publishAtConsole('http://127.0.0.1:3580', apps.slice(0, 2))).toBe(
    'A publish came to the console, http://127.0.0.1:3580: publishes go to a sidecar: that of app a1 at http://127.0.0.1:3501, that of app a2 at http://127.0.0.1:3502.',
  );
  expect(publishAtConsole('http://127.0.0.1:3580', apps)).toContain('3503 and 2 more.');
});

test('a publish that comes to the port of the mock app or of the console is answered, and shown, with the address of the sidecar', async () => {
  const product = await startProduct({ entry: SOURCE });
  try {
    const [app] = product.ready.apps;
    const said = publishAtMock('app', app?.app ?? '', app?.sidecar ?? '');
    const answer = await fetch(`${app?.app}/v1.0/publish/pubsub/orders`, { method: 'POST', body: '{}' });
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 404,
      body: { message: said },
    });
    const { console: at } = product.ready;
    const saidThere = publishAtConsole(at, [{ appId: 'app', url: app?.sidecar ?? '' }]);
    for (const [method, path] of [
      ['POST', 'publish/pubsub/orders'],
      ['PUT', 'publish/bulk/pubsub/orders?metadata.rawPayload=true'],
    ]) {
      const there = await fetch(`${at}/v1.0/${path}`, { method: method ?? '', body: '{}' });
      expect({ status: there.status, body: await there.json() }).toEqual({
        status: 404,
        body: { message: saidThere },
      });
      expect(there.headers.get('access-control-allow-origin')).toBeNull();
    }
    const foreign = { method: 'POST', headers: { origin: 'http://evil.example' } };
    expect((await fetch(`${at}/v1.0/publish/pubsub/orders`, foreign)).status).toBe(403);
    expect((await fetch(`${at}/v1.0/publish/pubsub/orders`)).status).toBe(401);
    const { banners } = await product.rpc('system.describe', {});
    const texts = banners.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining([said, saidThere]));
  } finally {
    await product.kill();
  }
}, 60_000);
