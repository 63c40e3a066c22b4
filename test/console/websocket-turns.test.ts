/** A client that sends megabytes of small requests over a WebSocket at once is read in pieces, between which others are served. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import { makeBench } from './bench.ts';

/** Most bytes that Node reads at once; while one piece is handled, a second one may be read already. */
const PIECE = 64 * 1024;
const MANY = 20_000;

test('of all that has come, few pieces are handled in a turn of the event loop', async () => {
  const { deps } = makeBench(systemClock());
  const server = await createConsoleServer({ ...deps, port: 0, rendererDir: '/nowhere' });
  onTestFinished(() => server.close());
  const sockets: Socket[] = [];
  const hear = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    sockets.push(socket);
  };
  subscribe('net.server.socket', hear);
  onTestFinished(() => void unsubscribe('net.server.socket', hear));
  const headers = { authorization: `Bearer ${server.token}` };
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/stream`, { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  let handled = 0;
  sockets[0]?.on('data', (bytes: Buffer) => (handled += bytes.length));
  let most = 0;
  let last = 0;
  let isOver = false;
  const look = (): void => {
    most = Math.max(most, handled - last);
    last = handled;
    if (!isOver) setImmediate(look);
  };
  look();
  const request = '{"jsonrpc":"2.0","id":1,"method":"x"}';
  for (let each = 0; each < MANY; each += 1) socket.send(request);
  await expect.poll(() => handled, { timeout: 15_000 }).toBeGreaterThan(MANY * request.length);
  isOver = true;
  expect(most).toBeLessThanOrEqual(2 * PIECE);
});
