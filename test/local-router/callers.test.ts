/** Callers that are slow, disconnect, send too much or are foreign: answered, listed as refusals, and without effect on others. */
import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveWebhook } from '../../core/event-router/webhook/webhook-server.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { KEY, cloudEvent, wireStand } from './wire-stand.ts';

describe('callers that misbehave', () => {
  async function raw(base: string, ca: string): Promise<tls.TLSSocket> {
    const socket = tls.connect({
      port: Number(new URL(base).port),
      host: '127.0.0.1',
      servername: 'localhost',
      ca,
    });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    onTestFinished(() => void socket.destroy());
    return socket;
  }

  test('a request that is cut off queues nothing, and the next one is served', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    const socket = await raw(stand.base, stand.router.certificates.caPem());
    const head = `POST /topics/orders/api/events HTTP/1.1\r\nHost: ${new URL(stand.base).host}\r\naeg-sas-key: ${KEY}\r\n`;
    socket.write(
      `${head}Content-Type: application/cloudevents+json\r\nContent-Length: 500\r\n\r\n{"specversion":"1.0"`,
    );
    socket.resume();
    socket.end();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(stand.stored()).toEqual([]);
    expect((await stand.publish(cloudEvent())).status).toBe(200);
  });

  test('headers beyond 16 KiB, a length beside chunks and two keys are refused', async () => {
    const stand = await wireStand();
    const big = await stand.publish(cloudEvent(), { 'x-big': 'x'.repeat(17 * 1024) }).then(
      ({ status }) => status,
      () => 'closed',
    );
    expect([431, 'closed']).toContain(big);
    const socket = await raw(stand.base, stand.router.certificates.caPem());
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const head = `POST /topics/orders/api/events HTTP/1.1\r\nHost: ${new URL(stand.base).host}\r\n`;
    socket.write(
      `${head}aeg-sas-key: ${KEY}\r\naeg-sas-key: ${KEY}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    );
    await expect.poll(() => said).toMatch(/^HTTP\/1\.1 400/);
    const twice = await raw(stand.base, stand.router.certificates.caPem());
    let answer = '';
    twice.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    twice.write(`${head}aeg-sas-key: ${KEY}\r\naeg-sas-key: x\r\nContent-Length: 2\r\n\r\n{}`);
    await expect.poll(() => answer).toContain('was sent more than once');
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
  });

  test('plain http on a TLS port is closed', async () => {
    const stand = await wireStand();
    await expect(request(stand.base.replace('https:', 'http:'))).rejects.toThrow();
    await expect(request(stand.router.addresses().ingress.replace('https:', 'http:'))).rejects.toThrow();
  });
});

const SOON = { handshakeMs: 20_000, headersMs: 200, requestMs: 400, unreadMs: 60_000 };
/** Everything a socket says until it is closed. */
async function lastWords(socket: net.Socket): Promise<string> {
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(socket, 'close');
  return said;
}

async function connected(address: string, ca: string): Promise<tls.TLSSocket> {
  const port = Number(new URL(address).port);
  const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  onTestFinished(() => void socket.destroy());
  // A caller that is cut off may hear of it as an error.
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

describe('callers that are slow', () => {
  test.each(['router', 'ingress'] as const)(
    '%s: headers and bodies that never end are answered with 408',
    async (which) => {
      const stand = await wireStand({ settings: { times: SOON } });
      const address = stand.router.addresses()[which];
      const ca = stand.router.certificates.caPem();
      const { host } = new URL(address);
      const headers = await connected(address, ca);
      headers.write(`POST /api/events HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
      expect(await lastWords(headers)).toMatch(/^HTTP\/1\.1 408 /);
      const body = await connected(address, ca);
      const key = which === 'router' ? `aeg-sas-key: ${KEY}\r\n` : '';
      const path = which === 'router' ? '/topics/orders/api/events' : '/api/events';
      body.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${key}Content-Length: 9\r\n\r\n{`);
      expect(await lastWords(body)).toMatch(/^HTTP\/1\.1 408 /);
      expect(stand.router.status().refusals).toMatchObject([
        { status: 408, code: 'ERR_HTTP_REQUEST_TIMEOUT' },
        { status: 408, code: 'ERR_HTTP_REQUEST_TIMEOUT' },
      ]);
      expect(stand.hook.events()).toEqual([]);
    },
  );

  test.each(['router', 'ingress'] as const)(
    '%s: a TLS handshake that never ends is closed and reported',
    async (which) => {
      const stand = await wireStand({ settings: { times: { ...SOON, handshakeMs: 50 } } });
      const port = Number(new URL(stand.router.addresses()[which]).port);
      for (const bytes of [[], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]]) {
        const socket = net.connect(port, '127.0.0.1');
        onTestFinished(() => void socket.destroy());
        socket.on('error', () => undefined);
        socket.write(Buffer.from(bytes));
        await lastWords(socket);
      }
      const late = {
        code: 'ERR_TLS_HANDSHAKE_TIMEOUT',
        reason: 'A TLS connection failed: TLS handshake timeout.',
      };
      expect(stand.router.status().refusals).toMatchObject([late, late]);
    },
  );

  test('a whole request is accepted once, though its caller closed its sending side', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    const socket = await connected(stand.base, stand.router.certificates.caPem());
    const text = JSON.stringify(cloudEvent());
    socket.end(
      `POST /topics/orders/api/events HTTP/1.1\r\nHost: ${new URL(stand.base).host}\r\naeg-sas-key: ${KEY}\r\n` +
        `Content-Type: application/cloudevents+json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    );
    await lastWords(socket);
    // Whether or not it waited for the answer: what came whole was taken once.
    await expect.poll(() => stand.stored().length).toBe(1);
  });

  test('the webhook answers headers and bodies that never end with 408, too long headers with 431, and what is no HTTP with 400', async () => {
    const told: [number, string][] = [];
    const webhook = await serveWebhook({
      port: 0,
      clock: systemClock(),
      times: SOON,
      answer: async (incoming, response) => {
        incoming.resume();
        await once(incoming, 'end').catch(() => undefined);
        response.end('taken');
      },
      broken: (status, reason) => void told.push([status, reason]),
    });
    onTestFinished(() => webhook.close());
    const sent = async (text: string): Promise<string> => {
      const socket = net.connect({ port: webhook.port, host: '127.0.0.1' });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      socket.write(text);
      return lastWords(socket);
    };
    const answers = await Promise.all([
      sent('POST /api/events HTTP/1.1\r\nHost: x\r\nX-Slow: '),
      sent('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'),
    ]);
    answers.push(
      await sent(`POST / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`),
      await sent('nonsense\r\n\r\n'),
    );
    // None has a body.
    expect(answers.map((text) => /^HTTP\/1\.1 (\d+) [\s\S]+?\r\n\r\n$/.exec(text)?.[1])).toEqual([
      '408',
      '408',
      '431',
      '400',
    ]);
    expect(told.map(([status]) => status)).toEqual([408, 408, 431, 400]);
  });
});

test('a refused caller is listed with the reason, and without anything that it sent', async () => {
  const stand = await wireStand();
  const { base } = stand;
  const secret = 'do-not-keep-me';
  const calls: readonly (readonly [Promise<{ status: number }>, Record<string, unknown>])[] = [
    [stand.publish(cloudEvent(), { 'aeg-sas-key': secret }), { at: 'topic', status: 401 }],
    [stand.publish('{', {}), { at: 'topic', status: 400 }],
    [stand.publish(cloudEvent(), { origin: 'https://evil.example' }), { at: 'topic', status: 403 }],
    [stand.call('GET', `/subscriptions/s1?token=${secret}`, {}), { at: 'management', status: 404 }],
    [
      stand.call('GET', stand.recordPath(), { authorization: `Bearer ${secret}` }),
      { at: 'management', status: 401 },
    ],
    [stand.call('GET', '/a%5cb', {}), { at: 'identity', status: 400 }],
    [
      stand.call('POST', '/nobody/oauth2/v2.0/token', {}, `client_secret=${secret}`),
      { at: 'identity', status: 400 },
    ],
    [stand.call('GET', `${stand.router.addresses().ingress}/none`, {}), { at: 'ingress', status: 404 }],
  ];
  for (const [call, expected] of calls)
    expect({ ...expected, status: (await call).status }).toEqual(expected);
  const { refusals } = stand.router.status();
  expect(refusals).toHaveLength(calls.length);
  for (const [, expected] of calls)
    expect(refusals).toContainEqual(
      expect.objectContaining({ ...expected, reason: expect.stringMatching(/\w/) }),
    );
  expect(JSON.stringify(refusals)).not.toContain(secret);
  await expect(request(base.replace('https:', 'http:'))).rejects.toThrow();
  await expect.poll(() => stand.router.status().refusals[0]?.reason).toContain('A TLS connection failed');
});
