/** A client that sends megabytes of small requests over a WebSocket at once is read in pieces, between which others are served. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { MessageTurns } from '../../core/console/carriers/message-turns.ts';
import type { ConsoleDependencies } from '../../core/console/console.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import { FairTurns } from '../../core/domain/fair-turns.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { LogLine } from './bench.ts';

/** Most bytes that Node reads at once; while one piece is handled, a second one may be read already. */
const PIECE = 64 * 1024;
const MANY = 20_000;

/** A client of a console, with the end of its connection at the console. */
async function connected(
  clock: Clock = systemClock(),
  facts: Partial<ConsoleDependencies['facts']> = {},
): Promise<{
  readonly client: WebSocket;
  readonly end: Socket;
  readonly log: readonly LogLine[];
}> {
  const { deps, log } = makeBench(clock);
  const server = await createConsoleServer({
    ...deps,
    facts: { ...deps.facts, ...facts },
    port: 0,
    rendererDir: '/nowhere',
  });
  onTestFinished(() => server.close());
  const sockets: Socket[] = [];
  const hear = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    sockets.push(socket);
  };
  subscribe('net.server.socket', hear);
  onTestFinished(() => void unsubscribe('net.server.socket', hear));
  const headers = { authorization: `Bearer ${server.token}` };
  const client = new WebSocket(`${server.url.replace(/^http/, 'ws')}/stream`, { headers });
  onTestFinished(() => client.terminate());
  await once(client, 'open');
  const [end] = sockets;
  if (end === undefined) throw new Error('the console has no connection');
  return { client, end, log };
}

/** Looks in each turn of the event loop at a count, until `over`: gives by how much it grew in one turn at most. */
function watched(count: () => number): { over(): number } {
  let [most, last, isOver] = [0, count(), false];
  const look = (): void => {
    const now = count();
    most = Math.max(most, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  look();
  return {
    over: () => {
      isOver = true;
      return most;
    },
  };
}

test('of all that has come, few pieces are handled in a turn of the event loop', async () => {
  const { client, end } = await connected();
  let handled = 0;
  end.on('data', (bytes: Buffer) => (handled += bytes.length));
  const watch = watched(() => handled);
  const request = '{"jsonrpc":"2.0","id":1,"method":"x"}';
  for (let each = 0; each < MANY; each += 1) client.send(request);
  await expect.poll(() => handled, { timeout: 15_000 }).toBeGreaterThan(MANY * request.length);
  expect(watch.over()).toBeLessThanOrEqual(2 * PIECE);
});

test.each([
  ['texts without a character', ''],
  ['requests', '{"jsonrpc":"2.0","id":1,"method":"x"}'],
])('of thousands of %s in one piece, few are answered in a turn of the event loop', async (_, text) => {
  const { client, end } = await connected();
  const write = vi.spyOn(end, 'write');
  let answers = 0;
  client.on('message', () => (answers += 1));
  const watch = watched(() => write.mock.calls.length);
  for (let each = 0; each < MANY; each += 1) client.send(text);
  await expect.poll(() => answers, { timeout: 15_000 }).toBe(MANY);
  // An answer is written in two parts.
  expect(watch.over()).toBeLessThan(50);
});

test('of the requests with which a page begins, several are run in one turn, and of thousands few', async () => {
  let [turn, now] = [0, 0];
  const fair = new FairTurns(
    (run) => void setImmediate(run),
    () => now,
  );
  const turns = new MessageTurns(() => fair.next());
  const ranIn = async (count: number, ms: number): Promise<Map<number, number>> => {
    const ran = new Map<number, number>();
    let done = 0;
    for (let each = 0; each < count; each += 1)
      turns.add(() => {
        ran.set(turn, (ran.get(turn) ?? 0) + 1);
        now += ms;
        done += 1;
      });
    for (; done < count; turn += 1) await new Promise((next) => setImmediate(next));
    return ran;
  };
  expect(Math.max(...(await ranIn(15, 0)).values())).toBeGreaterThan(5);
  expect(Math.max(...(await ranIn(2000, 0)).values())).toBeLessThan(50);
  expect(Math.max(...(await ranIn(15, 100)).values())).toBe(1);
});

test('a client of whose requests many wait to be run is not taken for dead', async () => {
  const clock = new ManualClock();
  const banners = (): readonly [] => {
    clock.advance(1500);
    return [];
  };
  const { client, end } = await connected(clock, { banners });
  end.pause();
  const ids: unknown[] = [];
  client.on('message', (data: Buffer) => ids.push(JSON.parse(data.toString()).id));
  const asked = Array.from({ length: 60 }, (_, id) => id);
  for (const id of asked) client.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'system.describe' }));
  end.resume();
  await expect.poll(() => ids.length).toBe(asked.length);
  expect(client.readyState).toBe(client.OPEN);
});

test('requests that came before the end of their connection are run', async () => {
  const { client, end, log } = await connected();
  end.pause();
  for (let n = 0; n < 100; n += 1) client.send('{"jsonrpc":"2.0","method":"x"}');
  client.close();
  end.resume();
  const refused = (): number =>
    log.filter(({ text }) => text.startsWith('A notification was refused')).length;
  await expect.poll(refused).toBe(100);
});

test('requests that come in one piece are answered in their order', async () => {
  const { client } = await connected();
  const ids: unknown[] = [];
  client.on('message', (data: Buffer) => ids.push(JSON.parse(data.toString()).id));
  const asked = Array.from({ length: 1000 }, (_, id) => id);
  for (const id of asked) client.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'x' }));
  await expect.poll(() => ids.length, { timeout: 15_000 }).toBe(asked.length);
  expect(ids).toEqual(asked);
});
