/** A client that does not read its answers, or does not hang up after the last one, keeps no connection for long. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import type { ConsoleServer } from '../../core/console/server.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { openFront } from '../../core/grpc/front.ts';
import { createMockApp } from '../../core/mock-app/server.ts';
import { makeBench } from '../console/bench.ts';
import { edgeOf } from '../http/fake-sidecar.ts';
import type { Edge } from '../http/fake-sidecar.ts';
import { answerOf, rawRequest } from '../support/raw-request.ts';

const silence = { ...SILENCE, unreadMs: 60, partingMs: 60, everyMs: 20 };
/** Larger than the system's buffers of an unread connection. */
const LARGE = 'x'.repeat(24 * 1024 * 1024);
const HOST = 'host: localhost';

/** Our ends of the connections, by the port of their clients. */
const taken = new Map<number, Socket>();
const take = (message: unknown): void => {
  const { socket } = message as { readonly socket: Socket };
  if (socket.remotePort !== undefined) taken.set(socket.remotePort, socket);
};

let sidecar: Edge;
let page: ConsoleServer;
const ports = new Map<string, number>();
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  subscribe('net.server.socket', take);
  sidecar = edgeOf({ silence }, 'sidecar');
  sidecar.fake.extended['large'] = LARGE;
  await sidecar.server.start();
  ports.set('sidecar', sidecar.server.port);
  closing.push(async () => sidecar.server.close(0));
  const app = await createMockApp({
    appId: 'app',
    port: 0,
    profile: PROFILES.sidecar,
    subscriptions: [{ pubsubname: 'pubsub', topic: LARGE, routes: { default: '/a' } }],
    clock: systemClock(),
    ids: randomIds(),
    random: { next: () => 0.5 },
    codec: bufferCodec,
    log: { write: () => undefined },
    silence,
  });
  ports.set('mock app', Number(new URL(app.url).port));
  closing.push(async () => app.close());
  const { deps } = makeBench(systemClock());
  const front = await openFront({
    hosts: ['127.0.0.1'],
    port: 0,
    take: (socket) => socket.destroy(),
    http1Answer: () => 'This port speaks gRPC.',
    onForeign: () => undefined,
    partingMs: silence.partingMs,
  });
  ports.set('gRPC port', front.port);
  closing.push(async () => front.close());
  page = await createConsoleServer({ ...deps, port: 0, rendererDir: '/nowhere', silence });
  ports.set('console', page.port);
  closing.push(async () => page.close());
});
afterAll(async () => {
  unsubscribe('net.server.socket', take);
  await Promise.all(closing.map((close) => close()));
});

/**
 * Sends `text` and then neither reads nor hangs up. Resolves with our end of the connection, when it has taken something. Where this process
 * had to wait for the processor, a connection may have been silent for too long before its first bytes were read: then another one is made.
 */
async function deaf(name: string, text: string): Promise<{ readonly ours: Socket; leave(): void }> {
  const socket = connect({ port: ports.get(name) ?? 0, host: '127.0.0.1', allowHalfOpen: true });
  socket.pause();
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  const { localPort = 0 } = socket;
  socket.write(text);
  const isOver = (): boolean => {
    const ours = taken.get(localPort);
    return ours !== undefined && (ours.bytesRead > 0 || ours.destroyed);
  };
  await expect.poll(isOver).toBe(true);
  const ours = taken.get(localPort);
  taken.delete(localPort);
  if (ours === undefined) throw new Error('the connection was not taken');
  if (ours.bytesRead > 0) return { ours, leave: () => socket.destroy() };
  socket.destroy();
  return deaf(name, text);
}

/** On a busy machine thousands of answers take their time until the system keeps no more of them. */
const BUSY = { timeout: 60_000 };

/** Requests whose answers are more than the system keeps. */
const MUCH: Readonly<Record<string, () => string>> = {
  sidecar: () => `GET /v1.0/metadata HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'mock app': () => `GET /sidecar/subscribe HTTP/1.1\r\n${HOST}\r\n\r\n`,
  console: () => {
    const own = `host: localhost:${page.port}\r\naccept: text/html`;
    return `GET / HTTP/1.1\r\n${own}\r\n\r\n`.repeat(12_000);
  },
};

describe.each(['sidecar', 'mock app', 'console'])('%s', (name) => {
  test('closes a connection whose client does not read the answers', async () => {
    const { ours, leave } = await deaf(name, MUCH[name]?.() ?? '');
    await expect.poll(() => ours.bytesWritten, BUSY).toBeGreaterThan(0);
    await expect.poll(() => ours.destroyed, BUSY).toBe(true);
    leave();
  }, 130_000);

  test('closes a connection whose client does not close it after a refusal', async () => {
    const { ours, leave } = await deaf(name, 'HELLO\r\n\r\n');
    await expect.poll(() => ours.destroyed).toBe(true);
    leave();
  });
});

test('the sidecar closes a connection whose client does not read refusals of plain publishes', async () => {
  const { fake } = sidecar;
  const pubsubname = 'x'.repeat(200_000);
  fake.refuse = new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname, topic: 't', appId: 'app' });
  let asked = 0;
  const { publish } = fake.view;
  fake.view.publish = async (request) => {
    asked += 1;
    return publish(request);
  };
  const one = `POST /v1.0/publish/ps/t HTTP/1.1\r\n${HOST}\r\ncontent-length: 1\r\n\r\nx`;
  const { ours, leave } = await deaf('sidecar', one.repeat(4000));
  await expect.poll(() => ours.destroyed, BUSY).toBe(true);
  // Nothing more is read for a client that takes no answers.
  expect(asked).toBeLessThan(600);
  fake.refuse = undefined;
  fake.view.publish = publish;
  leave();
}, 130_000);

test('gRPC port: a request over HTTP/1 is refused, and the client does not hang up', async () => {
  const { ours, leave } = await deaf('gRPC port', `GET / HTTP/1.1\r\n${HOST}\r\n\r\n`);
  await expect.poll(() => ours.destroyed).toBe(true);
  leave();
});

test.each(['/other', '/stream'])(
  'the console closes a refused upgrade of %s whose client does not',
  async (path) => {
    const own = `host: localhost:${page.port}\r\nconnection: upgrade\r\nupgrade: websocket`;
    const { ours, leave } = await deaf('console', `GET ${path} HTTP/1.1\r\n${own}\r\n\r\n`);
    await expect.poll(() => ours.destroyed).toBe(true);
    leave();
  },
);

describe('a client that waits for an answer is not cut', () => {
  test.each(['a', 'größe'])('a publish to %s that takes longer is answered', async (topic) => {
    sidecar.fake.view.publish = async () => {
      await sleep(4 * silence.unreadMs);
      return { messageId: 'm' };
    };
    const text = `POST /v1.0/publish/ps/${topic} HTTP/1.1\r\n${HOST}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    expect(answerOf(await rawRequest(sidecar.server.port, text)).status).toBe(204);
  });

  test('a page whose stream has no events stays connected', async () => {
    const socket = new WebSocket(`${page.url.replace(/^http/, 'ws')}/stream`, {
      headers: { authorization: `Bearer ${page.token}` },
    });
    await once(socket, 'open');
    await sleep(4 * silence.unreadMs);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
  });
});
