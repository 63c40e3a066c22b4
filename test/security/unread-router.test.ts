/** The router and its webhook have few places for connections: a client that does not read its answers keeps none of them for long. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { serveWebhook } from '../../core/event-router/webhook/webhook-server.ts';
import { listen } from '../../core/local-router/edge/listen.ts';
import { createWeb } from '../../core/local-router/edge/listener.ts';
import { RefusalLog } from '../../core/local-router/edge/refusal-log.ts';
import { Faults } from '../../core/local-router/faults.ts';
import { Certificates } from '../../core/local-router/trust/certificates.ts';

/** Long enough for TLS and the first answers on a busy machine. */
const times = { handshakeMs: 20_000, headersMs: 20_000, requestMs: 20_000, unreadMs: 300 };
/** More than the system keeps for a client that does not read. */
const MUCH = Buffer.alloc(32 * 1024 * 1024);
const BUSY = { timeout: 60_000 };

function deaf(socket: Socket): Socket {
  socket.on('error', () => socket.destroy());
  onTestFinished(() => void socket.destroy());
  socket.pause();
  return socket;
}

test('a listener of the router', { timeout: 130_000 }, async () => {
  const nothing = (): void => undefined;
  const certificates = await Certificates.open({ hosts: [], now: Date.now });
  const app = createWeb({
    pair: certificates.leaf,
    hostNames: () => [],
    bodyLimit: 1,
    faults: new Faults(randomIds(), nothing, nothing),
    refusals: new RefusalLog(Date.now, nothing),
    log: { write: nothing },
    times,
    targetOf: () => 'topic',
  });
  onTestFinished(() => app.close());
  app.get('/', (_request, reply) => reply.send(MUCH));
  const address = await listen(app, {
    address: 'localhost:0',
    soft: false,
    allowRemote: false,
    what: 'the router',
  });
  const { host, port } = new URL(address);
  const ca = certificates.caPem;
  const connected = once(app.server, 'secureConnection');
  const socket = deaf(secure({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ca }));
  await once(socket, 'secureConnect');
  const [ours] = (await connected) as [Socket];
  socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  await expect.poll(() => ours.destroyed, BUSY).toBe(true);
});

test('webhook', { timeout: 130_000 }, async () => {
  let ours: Socket | undefined;
  const webhook = await serveWebhook({
    port: 0,
    clock: systemClock(),
    times,
    answer: async (request, response) => {
      ours = request.socket;
      response.end(MUCH);
    },
    broken: () => undefined,
  });
  onTestFinished(() => webhook.close());
  const socket = deaf(connect(webhook.port, '127.0.0.1'));
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(() => ours?.destroyed, BUSY).toBe(true);
});
