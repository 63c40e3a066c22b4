/** Requests that are pipelined on one connection are handled in their order. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { CountedBodies } from '../support/counted-bodies.ts';
import { answersOf, rawRequest } from '../support/raw-request.ts';
import { edgeOf } from './fake-sidecar.ts';
import type { Edge } from './fake-sidecar.ts';

const open: Edge[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((edge) => edge.server.close(0)));
});

const post = (topic: string, body: string, more = ''): string =>
  `POST /v1.0/publish/ps/${topic} HTTP/1.1\r\nhost: x\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
const LAST = post('last', '', 'connection: close\r\n');

/** Order of starts and ends, with a first publish that takes longer than the others. */
async function handled(...requests: readonly string[]): Promise<{ steps: string[]; answers: string }> {
  const edge = edgeOf({ apiToken: '' });
  open.push(edge);
  const steps: string[] = [];
  edge.fake.view.publish = async ({ topic }) => {
    steps.push(`begin ${topic}`);
    for (let i = 0; i < (topic === 'first' ? 20 : 1); i += 1) await new Promise((go) => setImmediate(go));
    steps.push(`end ${topic}`);
    return { messageId: topic };
  };
  await edge.server.start();
  return { answers: await rawRequest(edge.server.port, requests.join('')), steps };
}

test.each([
  ['small', 'x'],
  ['without a body', ''],
  ['large', 'x'.repeat(1_000_000)],
])('the next publish begins when a first one that is %s has ended', async (_name, body) => {
  const { steps, answers } = await handled(post('first', body), post('second', ''), post('third', 'y'), LAST);
  const topics = ['first', 'second', 'third', 'last'];
  expect(steps).toEqual(topics.flatMap((topic) => [`begin ${topic}`, `end ${topic}`]));
  expect(answers.match(/HTTP\/1\.1 204 /g)).toHaveLength(4);
});

test('a refused request in between does not change the order of later ones', async () => {
  const unknown = 'GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n';
  const foreign = post('foreign', 'x', 'origin: http://evil.example\r\n');
  const { steps, answers } = await handled(post('first', 'x'), unknown, foreign, LAST);
  expect(steps).toEqual(['begin first', 'end first', 'begin last', 'end last']);
  expect(answers.match(/HTTP\/1\.1 \d+ /g)?.map((line) => line.slice(9, 12))).toEqual([
    '204',
    '404',
    '403',
    '204',
  ]);
});

test('a publish does not wait for those of other connections', async () => {
  const edge = edgeOf();
  open.push(edge);
  let release: () => void = () => undefined;
  edge.fake.view.publish = async ({ topic }) => {
    if (topic === 'first') await new Promise<void>((go) => (release = go));
    return { messageId: topic };
  };
  await edge.server.start();
  const slow = rawRequest(edge.server.port, post('first', 'x', 'connection: close\r\n'));
  expect(await rawRequest(edge.server.port, LAST)).toMatch(/^HTTP\/1\.1 204 /);
  release();
  expect(await slow).toMatch(/^HTTP\/1\.1 204 /);
});

test('many requests sent at once let other work run in between', async () => {
  const edge = edgeOf();
  open.push(edge);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const inTurn: number[] = [];
  const topics: string[] = [];
  edge.fake.view.publish = ({ topic }) => {
    inTurn[turns] = (inTurn[turns] ?? 0) + 1;
    topics.push(topic);
    return { messageId: topic };
  };
  await edge.server.start();
  count();
  // The two blanks leave the connection to the HTTP server.
  const all = Array.from({ length: 200 }, (_, n) => post(`t${n}`, 'x', 'a:  b\r\n'));
  const answers = await rawRequest(edge.server.port, all.join('') + LAST);
  isOver = true;
  expect(answers.match(/HTTP\/1\.1 204 /g)).toHaveLength(201);
  expect(topics).toEqual([...all.map((_, n) => `t${n}`), 'last']);
  expect(Math.max(...inTurn.filter((made) => made > 0))).toBeLessThan(64);
});

interface Crowd {
  readonly edge: Edge;
  readonly bodies: CountedBodies;
  readonly topics: string[];
  /** Lets the first publish end. */
  readonly go: () => void;
  /** Sends bytes on the connection. */
  readonly send: (text: string) => void;
  /** Everything that came back, once the connection is closed. */
  readonly answers: Promise<string>;
}

/** One connection whose first publish waits. */
async function crowd(roomBytes: number, silence = SILENCE): Promise<Crowd> {
  const bodies = new CountedBodies(roomBytes);
  const edge = edgeOf({ apiToken: '', bodies, silence });
  open.push(edge);
  const topics: string[] = [];
  let go = (): void => undefined;
  const first = new Promise<void>((resolve) => (go = resolve));
  edge.fake.view.publish = async ({ topic }) => {
    topics.push(topic);
    if (topic === 'first') await first;
    return { messageId: topic };
  };
  await edge.server.start();
  const socket = connect(edge.server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let got = '';
  socket.on('data', (chunk: Buffer) => (got += chunk.toString())).on('error', () => undefined);
  const answers = once(socket, 'close').then(() => got);
  return { edge, bodies, topics, go, send: (text) => void socket.write(text), answers };
}

/** Requests that are left to the HTTP server, because of the two blanks. */
const many = (count: number, body: string): string =>
  Array.from({ length: count }, (_, n) => post(`t${n}`, body, 'a:  b\r\n')).join('');
const FIRST = post('first', 'x', 'a:  b\r\n');

test('a connection with many requests that wait is not read until they have had their turn', async () => {
  const { bodies, topics, go, send, answers } = await crowd(1_000_000_000);
  send(FIRST + many(3000, 'y'.repeat(900)) + LAST);
  await expect.poll(() => bodies.bytes).toBeGreaterThan(0);
  for (let n = 0; n < 500; n += 1) await turn();
  // What one read of the connection brings comes beyond the hundred.
  expect(bodies.bytes).toBeLessThan(1_000_000);
  expect(topics).toEqual(['first']);
  go();
  const statuses = answersOf(await answers).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 3002 }, () => 204));
  expect(topics).toEqual(['first', ...Array.from({ length: 3000 }, (_, n) => `t${n}`), 'last']);
  expect(bodies.bytes).toBe(0);
});

test('a connection for whose many requests there is no room is closed, and what was read is published', async () => {
  const { edge, bodies, topics, go, send, answers } = await crowd(100_000);
  send(FIRST + many(200, 'y') + LAST);
  expect(await answers).toBe('');
  expect(edge.logged.join('\n')).toContain(
    'A connection was closed because too many of its requests wait: the limit of 100,000 bytes',
  );
  go();
  await expect.poll(() => bodies.bytes).toBe(0);
  expect(topics).toEqual(['first', ...Array.from({ length: topics.length - 1 }, (_, n) => `t${n}`)]);
  expect(topics.length).toBeLessThan(150);
});

/** Resolves when the server has closed a connection with an incomplete request, so that it has looked at all of them. */
async function looked(edge: Edge): Promise<void> {
  expect(await rawRequest(edge.server.port, 'POST /v1.0/publish/ps/t HTTP/1.1\r\nhost:  x\r\n')).toContain(
    ' 408 ',
  );
}

const SHORT = { ...SILENCE, headersMs: 100, requestMs: 100, everyMs: 20 };

test.each([
  ['head', 150, LAST.slice(0, 30), LAST.slice(30)],
  ['body', 150, post('more', 'z'.repeat(10), 'a:  b\r\n').slice(0, -5), 'zzzzz' + LAST],
])(
  'a request of which the %s waits because its connection is not read is not too late',
  async (_part, count, begun, rest) => {
    const { edge, topics, go, send, answers } = await crowd(1_000_000_000, SHORT);
    send(FIRST + many(count, 'y') + begun);
    await expect.poll(() => topics).toEqual(['first']);
    await looked(edge);
    send(rest);
    go();
    const statuses = answersOf(await answers).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(topics.at(-1)).toBe('last');
  },
);

test('a request that waits with its connection, and whose path cannot be routed, is answered once', async () => {
  const { edge, topics, go, send, answers } = await crowd(1_000_000_000, SHORT);
  const unroutable = 'GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n';
  send(FIRST + many(150, 'y') + unroutable.slice(0, 20));
  await expect.poll(() => topics).toEqual(['first']);
  await looked(edge);
  send(unroutable.slice(20));
  go();
  await expect.poll(() => topics.length).toBe(151);
  // The time for the request begins anew when its connection is read again, and is over by then.
  await looked(edge);
  await looked(edge);
  send(LAST);
  const statuses = answersOf(await answers).map(({ status }) => status);
  expect(statuses.slice(151)).toEqual([400, 204]);
});

test('a request that stays incomplete after its connection is read again is answered 408', async () => {
  const { edge, topics, go, send, answers } = await crowd(1_000_000_000, SHORT);
  send(FIRST + many(150, 'y') + LAST.slice(0, 30));
  await expect.poll(() => topics).toEqual(['first']);
  await looked(edge);
  go();
  const statuses = answersOf(await answers).map(({ status }) => status);
  expect(statuses).toEqual([...Array.from({ length: 151 }, () => 204), 408]);
});
