/** A request that comes whole only after its time is over is answered 408 alone: an edge does not handle what it has refused. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { createMockApp } from '../../core/mock-app/server.ts';
import { makeBench } from '../console/bench.ts';
import { edgeOf } from '../http/fake-sidecar.ts';
import { answersOf } from '../support/raw-request.ts';

const silence = { ...SILENCE, headersMs: 40, requestMs: 80, everyMs: 10 };
/** Longer than `requestMs` and `everyMs` together. */
const BLOCKED_MS = 150;

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
    handled: () => app.state().received,
    close: () => app.close(),
  });
  const { deps, saved } = makeBench(systemClock());
  const page = await createConsoleServer({ ...deps, port: 0, rendererDir: '/nowhere', silence });
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

const SETTING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'settings.set',
  params: { key: 'delivery.concurrency', value: 3 },
};

test.each([
  ['sidecar', '/v1.0/publish/pubsub/orders', '{"orderId":1}'],
  ['mock app', '/orders', '{"orderId":1}'],
  ['console', '/rpc', JSON.stringify(SETTING)],
])('%s', async (name, path, body) => {
  const stand = stands.get(name);
  if (stand === undefined) throw new Error(`there is no ${name}`);
  const { port, headers, handled } = stand;
  const before = handled();
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let said = '';
  socket.on('data', (bytes) => (said += String(bytes)));
  const ended = new Promise((resolve) => socket.once('close', resolve));
  const began = nextRequest();
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`);
  await began;
  await turn();
  socket.write('0\r\n\r\n');
  block(BLOCKED_MS);
  await ended;
  expect(answersOf(said).map(({ status }) => status)).toEqual([408]);
  expect(handled()).toBe(before);
});
