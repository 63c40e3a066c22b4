/** Plain publishes are answered on the socket itself; a client cannot tell, and everything else goes to the HTTP server. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';
import type { Silence } from '../../core/domain/http-edge.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { UNCOUNTED } from '../../core/http/body.ts';
import { takePlainConnections } from '../../core/http/plain-connections.ts';
import { edgeOf, fakeSidecar } from './fake-sidecar.ts';
import type { Edge, FakeSidecar } from './fake-sidecar.ts';

const LIMIT = 100;
const PATH = '/v1.0/publish/ps/t';
const request = (line: string, body = '{}', fields = `content-length: ${body.length}`): string =>
  `${line} HTTP/1.1\r\nHost: x\r\ncontent-type: application/json\r\n${fields}\r\n\r\n${body}`;
const plain = (topic: string, body = topic): string => request(`POST /v1.0/publish/ps/${topic}`, body);

/** Sends the pieces, and then says that nothing more comes. Resolves with all that came back. */
async function talk(port: number, ...pieces: readonly string[]): Promise<string> {
  let got = '';
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  socket.on('data', (bytes: Buffer) => (got += bytes.toString('latin1')));
  const over = new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve());
    socket.once('error', reject);
    socket.once('end', () => socket.destroy());
  });
  for (const piece of pieces) {
    await new Promise<void>((sent) => void socket.write(piece, 'latin1', () => sent()));
    await turn();
    await turn();
  }
  socket.end();
  await over;
  return got;
}

const statusesOf = (answers: string): readonly (string | undefined)[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

interface Stand {
  readonly port: number;
  readonly fake: FakeSidecar;
}

/** Connections whose HTTP server answers 299 to everything. */
async function stand(silence: Silence = SILENCE, keepAliveTimeout = 72_000): Promise<Stand> {
  const app = Fastify({
    serverFactory: () =>
      createServer({ keepAliveTimeout }, (got, response) => {
        got.resume().once('end', () => void response.writeHead(299).end());
      }),
  });
  const fake = fakeSidecar();
  takePlainConnections(app, {
    sidecar: fake.view,
    bodies: UNCOUNTED,
    maxBodyBytes: () => LIMIT,
    errors: { profile: PROFILES.sidecar, log: { write: () => undefined }, refused: () => undefined },
    silence,
  });
  await app.ready();
  await new Promise<void>((resolve) => void app.server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    app.server.closeAllConnections();
    app.server.close();
  });
  return { port: (app.server.address() as AddressInfo).port, fake };
}

async function started(change: Parameters<typeof edgeOf>[0] = {}): Promise<Edge> {
  const edge = edgeOf(change);
  await edge.server.start();
  onTestFinished(async () => edge.server.close(0));
  return edge;
}

test.each([
  ['a component and a topic', request(`POST ${PATH}`)],
  ['metadata in its query', request(`POST ${PATH}?metadata.ttlInSeconds=5&x=%20`)],
  ['a connection that stays', request(`POST ${PATH}`, '{}', 'Connection: Keep-Alive\r\ncontent-length:2')],
  ['no blank before its values', request(`POST ${PATH}`, '{}', 'traceparent:00-1\r\ncontent-length:2')],
  ['a body of the limit', request(`POST ${PATH}`, 'x'.repeat(LIMIT))],
])('a publish with %s is answered on the socket', async (_what, text) => {
  const { port, fake } = await stand();
  expect(statusesOf(await talk(port, text))).toEqual(['204']);
  expect(fake.published).toHaveLength(1);
});

test.each([
  ['another method', request(`PUT ${PATH}`)],
  ['a body over the limit', request(`POST ${PATH}`, 'x'.repeat(LIMIT + 1))],
  ['no body', request(`POST ${PATH}`, '')],
  ['a path with an escape', request('POST /v1.0/publish/ps/%74')],
  ['an absolute target', request(`POST http://x${PATH}`)],
  ['a fragment', request(`POST ${PATH}?a#b`)],
  ['HTTP/1.0', request(`POST ${PATH}`).replace('HTTP/1.1', 'HTTP/1.0')],
  ['an origin', request(`POST ${PATH}`, '{}', 'origin: http://x\r\ncontent-length: 2')],
  ['baggage', request(`POST ${PATH}`, '{}', 'baggage: a=b\r\ncontent-length: 2')],
  ['two blanks after the method', request(`POST  ${PATH}`)],
  ['an empty line before it', `\r\n${request(`POST ${PATH}`)}`],
  ['no Host', request(`POST ${PATH}`).replace('Host: x\r\n', '')],
  ['two Hosts', request(`POST ${PATH}`, '{}', 'host: y\r\ncontent-length: 2')],
  ['a name with an underscore', request(`POST ${PATH}`, '{}', '__proto__: y\r\ncontent-length: 2')],
  ['blanks around a value', request(`POST ${PATH}`, '{}', 'a:  b \r\ncontent-length: 2')],
  ['a tab', request(`POST ${PATH}`, '{}', 'a:\tb\r\ncontent-length: 2')],
  ['a byte beyond ASCII', request(`POST ${PATH}`, '{}', 'a: \u00e9\r\ncontent-length: 2')],
  ['a wish to close', request(`POST ${PATH}`, '{}', 'connection: close\r\ncontent-length: 2')],
  ['an upgrade', request(`POST ${PATH}`, '{}', 'connection: upgrade\r\nupgrade: h2c\r\ncontent-length: 2')],
  ['an expectation', request(`POST ${PATH}`, '{}', 'expect: 100-continue\r\ncontent-length: 2')],
  ['chunks', request(`POST ${PATH}`, '2\r\n{}\r\n0\r\n\r\n', 'transfer-encoding: chunked')],
  [
    'a length beside chunks',
    request(`POST ${PATH}`, '0\r\n\r\n', 'transfer-encoding: chunked\r\ncontent-length: 5'),
  ],
  ['two lengths', request(`POST ${PATH}`, '{}', 'content-length: 2\r\ncontent-length: 2')],
  ['two other lengths', request(`POST ${PATH}`, '{}', 'content-length: 2\r\nContent-Length: 1')],
  ['a list of lengths', request(`POST ${PATH}`, '{}', 'content-length: 2, 2')],
  ['a length with a sign', request(`POST ${PATH}`, '{}', 'content-length: +2')],
  ['a length with a zero before it', request(`POST ${PATH}`, '{}', 'content-length: 02')],
  ['a blank before the colon', request(`POST ${PATH}`, '{}', 'content-length : 2')],
  ['a folded header', request(`POST ${PATH}`, '{}', 'a: b\r\n c\r\ncontent-length: 2')],
  ['a lone line feed', request(`POST ${PATH}`, '{}', 'a: b\ncontent-length: 2')],
  [
    'lone line feeds at the end',
    request(`POST ${PATH}`, 'GET / HTTP/1.1\r\n\r\n').replace('\r\n\r\n', '\n\n'),
  ],
  ['a lone carriage return', request(`POST ${PATH}`, '{}', 'a: b\rc: d\r\ncontent-length: 2')],
  ['a NUL', request(`POST ${PATH}`, '{}', 'a: b\0c\r\ncontent-length: 2')],
  ['a head of 9 KiB', request(`POST ${PATH}`, '{}', `a: ${'b'.repeat(9 * 1024)}\r\ncontent-length: 2`)],
  [
    '101 headers',
    request(
      `POST ${PATH}`,
      '{}',
      `${Array.from({ length: 98 }, (_, n) => `a${n}: b`).join('\r\n')}\r\ncontent-length: 2\r\nz: z`,
    ),
  ],
])('a publish with %s goes to the HTTP server', async (_what, text) => {
  const { port, fake } = await stand();
  const [first] = statusesOf(await talk(port, text));
  expect(first).not.toBe('204');
  expect(first).toMatch(/^(?:299|400|100)$/);
  expect(fake.published).toEqual([]);
});

test('plain and other requests in turn, cut at every byte, are handled in their order', async () => {
  const all = plain('a') + plain('b') + request('PUT /v1.0/publish/ps/c', 'c') + plain('d') + plain('e');
  const { server, fake } = await started();
  const cuts = Array.from({ length: all.length + 1 }, (_, at) => at);
  for (let from = 0; from < cuts.length; from += 1) {
    const answers = await talk(server.port, all.slice(0, from), all.slice(from));
    const published = fake.published.splice(0).map(({ topic, body }) => `${topic} ${String(body)}`);
    expect([from, statusesOf(answers), published]).toEqual([
      from,
      ['204', '204', '204', '204', '204'],
      ['a a', 'b b', 'c c', 'd d', 'e e'],
    ]);
  }
});

const NOT_FOUND = new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname: 'ps', topic: 't', appId: 'checkout' });
test.each([
  ['taken', undefined],
  ['refused', NOT_FOUND],
  ['stopped by a mistake of ours', new Error('broken')],
])('a publish that is %s has the bytes of the HTTP server as its answer', async (_what, thrown) => {
  const { server, fake } = await started();
  fake.refuse = thrown;
  const fields = `traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01\r\ncontent-length: 2`;
  const one = request(`POST ${PATH}?metadata.a=b`, '{}', fields);
  const answers: string[] = [];
  // The second one comes in two pieces, which only the HTTP server puts together.
  for (const pieces of [[one], [one.slice(0, 9), one.slice(9)]])
    answers.push((await talk(server.port, ...pieces)).replace(/^date: .*$/im, 'date'));
  expect(answers[0]).toBe(answers[1]);
  expect(answers[0]).toContain(thrown === undefined ? 'HTTP/1.1 204 ' : 'content-type: application/json');
  const given = fake.published.map(({ caller, ...rest }) => ({ ...rest, headers: caller?.headers }));
  expect(given[0]).toEqual(given[1]);
});

test('half a request behind one that is under way is read once that is answered', async () => {
  const { server, fake } = await started();
  let go: () => void = () => undefined;
  fake.publishing = new Promise((resolve) => (go = resolve));
  const answers = talk(server.port, plain('a'), plain('b').slice(0, 9));
  await expect.poll(() => fake.published.length).toBe(1);
  for (let n = 0; n < 20; n += 1) await turn();
  go();
  expect(statusesOf(await answers)).toEqual(['204', '400']);
});

test.each(['POST', 'PUT'])('a client that sends nothing more gets its answers to %s', async (method) => {
  const { server, fake } = await started();
  let go: () => void = () => undefined;
  fake.publishing = new Promise((resolve) => (go = resolve));
  const answers = talk(server.port, request(`${method} ${PATH}`) + request(`${method} ${PATH}`));
  await expect.poll(() => fake.published.length).toBe(1);
  for (let n = 0; n < 20; n += 1) await turn();
  go();
  expect(statusesOf(await answers)).toEqual(['204', '204']);
});

test('who published is known by address and port', async () => {
  const { server, fake } = await started();
  await talk(server.port, plain('a'));
  expect(fake.published[0]?.caller?.address).toMatch(/^127\.0\.0\.1:\d+$/);
});

test('a connection that was answered and asks for nothing more is closed', async () => {
  const { port } = await stand({ ...SILENCE, everyMs: 5 }, 20);
  const socket = connect(port, '127.0.0.1', () => socket.write(plain('a')));
  let got = '';
  socket.on('data', (bytes: Buffer) => (got += bytes.toString()));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(statusesOf(got)).toEqual(['204']);
});

test('a client that says nothing, is told so and then breaks the connection harms nobody', async () => {
  const { server } = await started({ silence: { ...SILENCE, headersMs: 20, everyMs: 5 } });
  const ended = new Promise<Socket>((resolve) => {
    const hear = (message: unknown): void => {
      unsubscribe('net.server.socket', hear);
      const { socket } = message as { readonly socket: Socket };
      socket.once('close', () => resolve(socket));
    };
    subscribe('net.server.socket', hear);
  });
  const socket = connect(server.port, '127.0.0.1');
  const told = new Promise<string>((resolve) =>
    socket.once('data', (bytes: Buffer) => resolve(bytes.toString())),
  );
  expect(statusesOf(await told)).toEqual(['408']);
  socket.resetAndDestroy();
  expect((await ended).errored).toMatchObject({ code: 'ECONNRESET' });
});

test('a stop closes a resting connection and answers what is under way', async () => {
  const { server, fake } = await started();
  const resting = connect(server.port, '127.0.0.1', () => resting.write(plain('a')));
  await new Promise((resolve) => resting.once('data', resolve));
  let go: () => void = () => undefined;
  fake.publishing = new Promise((resolve) => (go = resolve));
  const answers = talk(server.port, plain('b'));
  await expect.poll(() => fake.published.length).toBe(2);
  const gone = new Promise((resolve) => resting.once('close', resolve));
  const closed = server.close(60_000);
  await gone;
  go();
  expect(statusesOf(await answers)).toEqual(['204']);
  await closed;
});

test('a stop does not wait for a client that always has one more publish', async () => {
  const { server, fake } = await started();
  let go: () => void = () => undefined;
  fake.publishing = new Promise((resolve) => (go = resolve));
  const answers = talk(server.port, plain('a') + plain('b') + plain('c'));
  await expect.poll(() => fake.published.length).toBe(1);
  const closed = server.close(60_000);
  for (let n = 0; n < 20; n += 1) await turn();
  go();
  const got = await answers;
  expect(statusesOf(got)).toEqual(['204']);
  expect(got.match(/^connection: .*$/gim)).toEqual(['Connection: close']);
  await closed;
  expect(fake.published.map(({ topic }) => topic)).toEqual(['a']);
});

test('a stop without patience cuts what is under way', async () => {
  const { server, fake } = await started();
  fake.publishing = new Promise(() => undefined);
  const answers = talk(server.port, plain('a'));
  await expect.poll(() => fake.published.length).toBe(1);
  await server.close(0);
  expect(await answers).toBe('');
});
