/** Plain publishes are answered on the socket itself; a client cannot tell, and everything else goes to the HTTP server. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';
import type { Silence } from '../../core/domain/http-edge.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import type { RefusedRequest } from '../../core/http/errors.ts';
import { tokenCheck } from '../../core/http/guard.ts';
import { takePlainConnections } from '../../core/http/plain-connections.ts';
import { RequestBodies, UNCOUNTED } from '../../core/domain/request-bodies.ts';
import { edgeOf, fakeSidecar } from './fake-sidecar.ts';
import type { Edge, FakeSidecar } from './fake-sidecar.ts';
import { times } from '../support/extent.ts';

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

/**
 * A text in pieces.
 * @param cuts where it is cut; negative: from its end
 */
function pieces(text: string, ...cuts: readonly number[]): readonly string[] {
  return [0, ...cuts].map((from, n) => text.slice(from, cuts[n] ?? text.length));
}

const statusesOf = (answers: string): readonly (string | undefined)[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

type Published = Parameters<FakeSidecar['view']['publish']>[0];
type Answered = ReturnType<FakeSidecar['view']['publish']>;

interface Stand {
  readonly port: number;
  readonly fake: FakeSidecar;
}

interface StandOptions {
  readonly silence?: Silence;
  readonly keepAliveTimeout?: number;
  readonly mostBytes?: number;
  readonly token?: string;
}

/** Connections whose HTTP server answers 299 to everything. */
async function stand({
  silence = SILENCE,
  keepAliveTimeout = 72_000,
  mostBytes = LIMIT,
  token = '',
}: StandOptions = {}): Promise<Stand> {
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
    maxBodyBytes: () => mostBytes,
    hasToken: tokenCheck('api-token', token),
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
])('a publish with %s is left to the HTTP server', async (_what, text) => {
  const { port, fake } = await stand();
  const [first] = statusesOf(await talk(port, text));
  expect(first).not.toBe('204');
  expect(first).toMatch(/^(?:299|400|100)$/);
  expect(fake.published).toEqual([]);
});

const EVERY = times(3, 1);
test('plain and other requests in turn, cut anywhere, are handled in their order', async () => {
  const all = plain('a') + plain('b') + request('PUT /v1.0/publish/ps/c', 'c') + plain('d') + plain('e');
  const { server, fake } = await started();
  // With every third byte the four publishes, of 97 bytes each, are cut at each byte of one together.
  for (let from = 0; from <= all.length; from += EVERY) {
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

test('half a request behind a running one is read once that is answered', async () => {
  const { server, fake } = await started();
  let go: () => void = () => undefined;
  fake.publishing = new Promise((resolve) => (go = resolve));
  const answers = talk(server.port, plain('a'), plain('b').slice(0, 9));
  await expect.poll(() => fake.published.length).toBe(1);
  for (let n = 0; n < 20; n += 1) await turn();
  go();
  expect(statusesOf(await answers)).toEqual(['204', '400']);
});

test.each(['POST', 'PUT'])('a client that closed its sending side gets its answers to %s', async (method) => {
  const { server, fake } = await started();
  let go: () => void = () => undefined;
  fake.publishing = new Promise((resolve) => (go = resolve));
  const answers = talk(server.port, request(`${method} ${PATH}`) + request(`${method} ${PATH}`));
  await expect.poll(() => fake.published.length).toBe(1);
  for (let n = 0; n < 20; n += 1) await turn();
  go();
  expect(statusesOf(await answers)).toEqual(['204', '204']);
});

const LONG = 'x'.repeat(64 * 1024 + 1);
test.each<readonly [how: string, status: string, all: readonly string[]]>([
  ['its body behind its head', '204', pieces(plain('abc'), -3)],
  ['its body in the middle', '204', pieces(plain('abc'), -1)],
  ['its body in single bytes', '204', pieces(plain('abc'), -3, -2, -1)],
  ['a body of 64 KiB behind its head', '204', pieces(plain('a', LONG.slice(1)), 1 - LONG.length)],
  ['a longer body behind its head', '299', pieces(plain('a', LONG), -LONG.length)],
  ['its head in the middle', '299', pieces(plain('abc'), 9)],
  ['the end of its head behind it', '299', pieces(plain('abc'), -4)],
])('a publish that comes with %s gets the answer %s', async (_how, status, all) => {
  const { port, fake } = await stand({ mostBytes: LONG.length });
  expect(statusesOf(await talk(port, ...all))).toEqual([status]);
  expect(fake.published).toHaveLength(status === '204' ? 1 : 0);
});

test.each([
  ['the token', '204', 'api-token: secret\r\ncontent-length: 2'],
  ['another token', '299', 'api-token: secrets\r\ncontent-length: 2'],
  ['the token twice', '299', 'api-token: secret\r\napi-token: secret\r\ncontent-length: 2'],
  ['no token', '299', 'content-length: 2'],
])('a publish with %s where one is needed gets the answer %s', async (_what, status, fields) => {
  const { port, fake } = await stand({ token: 'secret' });
  expect(statusesOf(await talk(port, request(`POST ${PATH}`, '{}', fields)))).toEqual([status]);
  expect(fake.published).toHaveLength(status === '204' ? 1 : 0);
});

test('a token counts only for the publish that has it, and for no other of its connection', async () => {
  const { server, fake } = await started({ apiToken: 'secret' });
  const one = (fields: string): string => request(`POST ${PATH}`, '{}', `${fields}content-length: 2`);
  const [right, wrong] = [one('dapr-api-token: secret\r\n'), one('dapr-api-token: wrong\r\n')];
  const answers = await talk(server.port, right, right, one(''), right, wrong, right);
  expect(statusesOf(answers)).toEqual(['204', '204', '401', '204', '401', '204']);
  expect(fake.published).toHaveLength(4);
});

test.each<readonly [what: string, cut: (socket: Socket) => unknown]>([
  ['ends its side', (socket) => socket.end()],
  ['breaks the connection', (socket) => socket.resetAndDestroy()],
])(
  'a client that %s in the middle of a body is answered and listed as by the HTTP server',
  async (_what, cut) => {
    const text = request(`POST ${PATH}`, 'abcdefgh').slice(0, -3);
    const seen: unknown[] = [];
    // The second one goes to the HTTP server, for its head comes in two pieces.
    for (const sent of [pieces(text, -5), pieces(text, 9, -5)]) {
      const told: RefusedRequest[] = [];
      const bodies = new RequestBodies(8);
      const { server, fake } = await started({ bodies, onRefused: (info) => told.push(info) });
      const socket = connect(server.port, '127.0.0.1');
      let got = '';
      socket.on('data', (bytes: Buffer) => (got += bytes.toString('latin1'))).on('error', () => undefined);
      const over = new Promise((resolve) => socket.once('close', resolve));
      for (const piece of sent) {
        await new Promise<void>((resolve) => void socket.write(piece, () => resolve()));
        await turn();
        await turn();
      }
      // The received part of the body is counted.
      await expect.poll(() => bodies.take(4) !== undefined || bodies.free(4)).toBe(true);
      cut(socket);
      await over;
      await expect.poll(() => told.length).toBe(1);
      seen.push([got, told]);
      expect(told).toMatchObject([
        { isCutOff: true, reason: expect.stringContaining('the connection ended') },
      ]);
      expect(fake.published).toEqual([]);
      expect(bodies.take(8)).toBeUndefined();
    }
    expect(seen[0]).toEqual(seen[1]);
  },
);

test('a body without room is refused with the bytes of the HTTP server', async () => {
  const text = request(`POST ${PATH}`, 'abcdefgh');
  const answers: string[] = [];
  for (const sent of [pieces(text, -8), pieces(text, -3), pieces(text, 9)]) {
    const bodies = new RequestBodies(7);
    const { server } = await started({ bodies });
    answers.push((await talk(server.port, ...sent)).replace(/^date: .*$/im, 'date'));
    expect(bodies.take(7)).toBeUndefined();
  }
  expect(statusesOf(answers.join(''))).toEqual(['500', '500', '500']);
  expect(new Set(answers).size).toBe(1);
});

test('a stop waits for a publish whose body has begun, and then closes its connection', async () => {
  const { server, fake } = await started();
  const [head = '', body = ''] = pieces(plain('abc'), -2);
  const socket = connect(server.port, '127.0.0.1', () => socket.write(head));
  let got = '';
  socket.on('data', (bytes: Buffer) => (got += bytes.toString('latin1')));
  const over = new Promise((resolve) => socket.once('close', resolve));
  const resting = connect(server.port, '127.0.0.1', () => resting.write(plain('a')));
  await new Promise((resolve) => resting.once('data', resolve));
  const gone = new Promise((resolve) => resting.once('close', resolve));
  const closed = server.close(60_000);
  await gone;
  socket.write(body + plain('d'));
  await over;
  await closed;
  expect(statusesOf(got)).toEqual(['204']);
  expect(got).toContain('Connection: close');
  expect(fake.published.map(({ topic }) => topic)).toEqual(['a', 'abc']);
});

test('a sidecar that answers at once and one that waits give the same answers, wherever the requests are cut', async () => {
  const text = plain('a') + plain('a', 'other') + plain('b') + plain('refused') + plain('a', 'last');
  const answersOf = async (publish: (fake: FakeSidecar, request: Published) => Answered) => {
    const { port, fake } = await stand();
    fake.view.publish = (given) => publish(fake, given);
    const answers: unknown[] = [];
    for (let at = text.length - 1; at > 0; at -= 7) {
      const got = await talk(port, ...pieces(text, at));
      const published = fake.published.splice(0).map(({ topic, body }) => [topic, String(body)]);
      answers.push([got.replaceAll(/Date: .*/g, ''), published]);
    }
    return answers;
  };
  const take = (fake: FakeSidecar, given: Published): { messageId: string } => {
    if (given.topic === 'refused') throw new Refusal('ERR_TOPIC_EMPTY', { pubsubname: 'ps' });
    fake.published.push(given);
    return { messageId: 'msg_1' };
  };
  const [atOnce, later] = [await answersOf(take), await answersOf(async (...given) => take(...given))];
  expect(atOnce).toEqual(later);
  expect(atOnce[0]).toEqual([
    expect.any(String),
    [
      ['a', 'a'],
      ['a', 'other'],
      ['b', 'b'],
      ['a', 'last'],
    ],
  ]);
});

test('many publishes sent at once let other work run in between', async () => {
  const { port, fake } = await stand();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const inTurn: number[] = [];
  fake.view.publish = () => {
    inTurn[turns] = (inTurn[turns] ?? 0) + 1;
    return { messageId: 'msg_1' };
  };
  count();
  const answers = await talk(port, plain('a').repeat(300));
  isOver = true;
  expect(statusesOf(answers)).toHaveLength(300);
  expect(Math.max(...inTurn.filter((made) => made > 0))).toBeLessThan(64);
});

test('the caller of a publish has address and port', async () => {
  const { server, fake } = await started();
  await talk(server.port, plain('a'));
  expect(fake.published[0]?.caller?.address).toMatch(/^127\.0\.0\.1:\d+$/);
});

test('connections whose publishes arrive in pieces keep the bytes of each other apart', async () => {
  const { port, fake } = await stand();
  const bodies = Array.from({ length: 8 }, (_, n) => String(n).repeat(LIMIT - n));
  const all = bodies.map((body) => talk(port, ...pieces(plain('a', body), 20, -60, -10)));
  for (const answers of await Promise.all(all))
    expect(statusesOf(answers)).toEqual([expect.stringMatching(/204|299/)]);
  const late = bodies.map((body) => talk(port, ...pieces(plain('b', body), -60, -10)));
  for (const answers of await Promise.all(late)) expect(statusesOf(answers)).toEqual(['204']);
  const got = fake.published
    .filter(({ topic }) => topic === 'b')
    .map(({ body }) => Buffer.from(body).toString());
  expect(got.toSorted()).toEqual(bodies.toSorted());
});

test('an idle connection is closed', async () => {
  const { port } = await stand({ silence: { ...SILENCE, everyMs: 5 }, keepAliveTimeout: 20 });
  const socket = connect(port, '127.0.0.1', () => socket.write(plain('a')));
  let got = '';
  socket.on('data', (bytes: Buffer) => (got += bytes.toString()));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(statusesOf(got)).toEqual(['204']);
});

test('a silent client that breaks its connection after the 408 does no harm', async () => {
  const { server } = await started({ silence: { ...SILENCE, headersMs: 20, everyMs: 5 } });
  const ended = new Promise<Duplex>((resolve) => {
    const hear = (message: unknown): void => {
      unsubscribe('net.server.socket', hear);
      const { server: served } = (message as { readonly socket: { readonly server: Server } }).socket;
      served.once('clientError', (_error, socket) => socket.once('close', () => resolve(socket)));
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

test('a stop closes an idle connection and answers running requests', async () => {
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

test('a stop without a grace period cuts running requests', async () => {
  const { server, fake } = await started();
  fake.publishing = new Promise(() => undefined);
  const answers = talk(server.port, plain('a'));
  await expect.poll(() => fake.published.length).toBe(1);
  await server.close(0);
  expect(await answers).toBe('');
});
