/** Requests that are pipelined on one connection are handled in their order. */
import { afterEach, expect, test } from 'vitest';
import { rawRequest } from '../support/raw-request.ts';
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
