/** Bodies of requests to mock apps share a limit, and give their room back however a request ends. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { RequestBodies } from '../../core/domain/request-bodies.ts';
import { openMockApp } from '../support/mock-app-parts.ts';

const PATH = '/orders';
const rules = [{ ruleId: 'slow', name: 'slow', enabled: true, match: {}, answer: { kind: 'ask' } }] as const;

const post = async (url: string, bytes: number): Promise<number> =>
  (await fetch(`${url}${PATH}`, { method: 'POST', body: 'x'.repeat(bytes) })).status;

test('bodies of requests to all mock apps share one limit, and a refused one names it', async () => {
  const bodies = new RequestBodies(1000);
  const [one, two] = [await openMockApp({ bodies, rules }), await openMockApp({ bodies })];
  const socket = connect(Number(new URL(one.url).port), '127.0.0.1');
  socket.write(`POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 800\r\n\r\n${'x'.repeat(800)}`);
  await vi.waitFor(() => expect(one.state().received).toBe(1));
  expect(await post(two.url, 300)).toBe(503);
  expect(two.state().requests[0]?.note).toContain('bodies of requests that wait');
  expect(await post(two.url, 200)).toBe(200);
  socket.destroy();
  await vi.waitFor(async () => expect(await post(two.url, 1000)).toBe(200));
  // A body that was answered, refused or broken off takes no room.
  for (let i = 0; i < 5; i += 1) expect(await post(two.url, 1000)).toBe(200);
});

test('a body that breaks off, and answers that wait behind each other, give their room back with the connection', async () => {
  const bodies = new RequestBodies(1000);
  const app = await openMockApp({ bodies, rules });
  const free = await openMockApp({ bodies });
  const head = `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 400\r\n\r\n`;
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  await once(socket, 'connect');
  // Two whole requests of which the second waits for the answer of the first, and the beginning of a third one.
  socket.write(`${head}${'x'.repeat(400)}${head}${'x'.repeat(400)}${head}${'x'.repeat(150)}`);
  await vi.waitFor(async () => expect(await post(free.url, 100)).toBe(503));
  socket.destroy();
  await vi.waitFor(async () => expect(await post(free.url, 1000)).toBe(200));
});
