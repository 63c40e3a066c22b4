/** A request that comes whole only after its time is over is answered 408 alone: an edge does not handle what it has refused. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { connect as secure } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { serveWebhook } from '../../core/event-router/webhook/webhook-server.ts';
import { createMockApp } from '../../core/mock-app/server.ts';
import { makeBench } from '../console/bench.ts';
import { edgeOf } from '../http/fake-sidecar.ts';
import { cloudEvent, KEY, wireStand } from '../local-router/wire-stand.ts';
import { answersOf } from '../support/raw-request.ts';

// On a busy machine a connection may wait some hundred milliseconds until its headers are read.
const silence = { ...SILENCE, headersMs: 900, requestMs: 1000, everyMs: 10 };
/** Longer than `requestMs` and the time between two looks at it. */
const BLOCKED_MS = 1100;
/** Bytes of an answer that stay on this side as long as nobody reads them. */
const UNREAD_BYTES = 32 * 1024 * 1024;

const SETTING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'settings.set',
  params: { key: 'delivery.concurrency', value: 3 },
};

interface Stand {
  readonly port: number;
  /** Headers that the edge asks for before it reads a body. */
  readonly headers: string;
  /** Number of requests that it has handled. */
  readonly handled: () => number;
  readonly close: () => Promise<void>;
}

const stands = new Map<string, Stand>();

beforeAll(async () => {
  const { server, fake } = edgeOf({ silence }, 'sidecar');
  await server.start();
  stands.set('sidecar', {
    port: server.port,
    headers: 'host: localhost',
    handled: () => fake.published.length,
    close: () => server.close(0),
  });
  const app = await createMockApp({
    appId: 'app',
    port: 0,
    profile: PROFILES.sidecar,
    subscriptions: [],
    clock: systemClock(),
    ids: randomIds(),
    random: { next: () => 0.5 },
    codec: bufferCodec,
    log: { write: () => undefined },
    silence,
  });
  stands.set('mock app', {
    port: Number(new URL(app.url).port),
    headers: 'host: localhost',
    // A request that is cut off is listed too, as 400.
    handled: () => app.state().requests.filter(({ status }) => status === 200).length,
    close: () => app.close(),
  });
  const { deps, saved } = makeBench(systemClock());
  const page = await createConsoleServer({ ...deps, port: 0, rendererDir: '/nowhere', silence });
  // The console is loaded at its first call, which would be over before a late one is handled.
  await fetch(`${page.url}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${page.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...SETTING, params: { key: 'delivery.backlog', value: 10 } }),
  });
  stands.set('console', {
    port: page.port,
    headers: `host: localhost:${page.port}\r\nauthorization: Bearer ${page.token}\r\ncontent-type: application/json`,
    handled: () => saved.size,
    close: () => page.close(),
  });
});
afterAll(async () => {
  await Promise.all([...stands.values()].map((stand) => stand.close()));
});

/** The next request whose headers have come to a server of this process. */
async function nextRequest(): Promise<void> {
  const name = 'http.server.request.start';
  await new Promise<void>((resolve) => {
    const hear = (): void => {
      unsubscribe(name, hear);
      resolve();
    };
    subscribe(name, hear);
  });
}

/** Keeps the process busy, so that timers that become due meanwhile run before anything is read. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test.each([
  ['sidecar', '/v1.0/publish/pubsub/orders', '{"orderId":1}'],
  ['mock app', '/orders', '{"orderId":1}'],
  ['console', '/rpc', JSON.stringify(SETTING)],
])('%s', async (name, path, body) => {
  const stand = stands.get(name);
  if (stand === undefined) throw new Error(`there is no ${name}`);
  const { port, headers, handled } = stand;
  const before = handled();
  const said = await tooLate(connect(port, '127.0.0.1'), `POST ${path} HTTP/1.1\r\n${headers}`, body);
  expect(answersOf(said).map(({ status }) => status)).toEqual([408]);
  expect(handled()).toBe(before);
});

test('event router', async () => {
  const stand = await wireStand({ settings: { times: { handshakeMs: 10_000, ...silence } } });
  // Before the connection, whose time begins when it is accepted.
  await stand.subscribe();
  const { host, port } = new URL(stand.base);
  const ca = stand.router.certificates.caPem();
  const socket = secure({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ca });
  await once(socket, 'secureConnect');
  const headers = `host: ${host}\r\naeg-sas-key: ${KEY}\r\ncontent-type: application/cloudevents+json`;
  const head = `POST /topics/orders/api/events HTTP/1.1\r\n${headers}`;
  const said = await tooLate(socket, head, JSON.stringify(cloudEvent()));
  expect(answersOf(said).map(({ status }) => status)).toEqual([408]);
  expect(stand.stored()).toEqual([]);
});

test('webhook, whose 408 waits behind an answer that nobody reads', async () => {
  let handled = 0;
  const webhook = await serveWebhook({
    port: 0,
    clock: systemClock(),
    times: silence,
    answer: async (request, response) => {
      const next = request.method === 'GET' ? nextRequest() : undefined;
      request.on('end', () => (handled += 1)).resume();
      // The next request has begun before this answer fills the connection, which would not be read otherwise.
      await next;
      response.end(next === undefined ? '' : Buffer.alloc(UNREAD_BYTES));
    },
    broken: () => undefined,
  });
  onTestFinished(() => webhook.close());
  const socket = connect(webhook.port, '127.0.0.1');
  socket.pause();
  const asked = nextRequest();
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await asked;
  const said = await tooLate(socket, 'POST / HTTP/1.1\r\nhost: a', '{}');
  expect(said).toMatch(/HTTP\/1\.1 408 [^\0]*$/);
  expect(handled).toBe(1);
});

/** Sends a request whose end comes when its time is over, and gives what is answered. */
async function tooLate(socket: Socket, head: string, body: string): Promise<string> {
  onTestFinished(() => void socket.destroy());
  socket.setNoDelay(true);
  const began = nextRequest();
  socket.write(`${head}\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`);
  await began;
  await turn();
  socket.write('0\r\n\r\n');
  block(BLOCKED_MS);
  await turn();
  await turn();
  const ended = once(socket, 'close');
  const said: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => said.push(bytes)).resume();
  await ended;
  return Buffer.concat(said).toString();
}
