/** Clients of the console that do not read their answers: memory, other clients, who is closed. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UnreadAnswers } from '../../core/console/carriers/unread-answers.ts';
import type { UnreadLimits } from '../../core/console/carriers/unread-answers.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import type { ConsoleServer } from '../../core/console/server.ts';
import { times } from '../support/extent.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { answersOf, rawRequest } from '../support/raw-request.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { connect as openStream } from './carrier-makers.ts';

vi.setConfig({ testTimeout: 80_000 });
/** On a busy machine tens of megabytes take their time. */
const BUSY = { timeout: 60_000 };

const MIB = 1024 * 1024;
const LIST = '{"jsonrpc":"2.0","id":1,"method":"messages.list","params":{}}';
const CHECK = '{"jsonrpc":"2.0","id":1,"method":"filter.check","params":{"filter":""}}';
const CLOSED = /^A console connection was closed because it did not read its answers: .+ waited for it\.$/;

let clock: ManualClock;
let bench: Bench;
let folder: string;
let server: ConsoleServer;
const clients: Socket[] = [];

beforeEach(async () => {
  clock = new ManualClock();
  bench = makeBench(clock);
  folder = await mkdtemp(join(tmpdir(), 'sidelight-unread-'));
  // A list of them has 7 MB, more than the system takes for a client that does not read.
  for (let n = 0; n < 10; n += 1) await bench.runtime.accept({ note: 'x'.repeat(700_000) });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function serve(unread: Partial<UnreadLimits> = {}): Promise<void> {
  const limits = { waitFromBytes: 64 * MIB, mostBytes: 256 * MIB, patienceMs: 1000, ...unread };
  server = await createConsoleServer({ ...bench.deps, rendererDir: folder, port: 0, unread: limits });
}

function post(body: string, more = ''): string {
  const head = `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}`;
  return `${head}\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** A connection that sends a text and reads nothing. */
async function deaf(text: string): Promise<Socket> {
  const client = connect(server.port, '127.0.0.1');
  clients.push(client);
  client.pause();
  client.on('error', () => client.destroy());
  await once(client, 'connect');
  client.write(text);
  return client;
}

async function ask(body: string): Promise<number> {
  const [answer] = answersOf(await rawRequest(server.port, post(body, 'Connection: close\r\n')));
  return answer?.status ?? 0;
}

const logged = (): readonly string[] => bench.log.map(({ text }) => text).filter((text) => CLOSED.test(text));

test('answers that wait behind an unread one are forgotten when their client resets the connection', async () => {
  await serve({ waitFromBytes: 50_000 });
  const turnedAway = `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 0\r\n\r\n`;
  const sent = vi.spyOn(UnreadAnswers.prototype, 'sent');
  const client = await deaf(post(LIST) + turnedAway.repeat(500));
  await expect.poll(() => sent.mock.calls.length).toBe(500);
  const gone = once(client, 'close');
  client.resetAndDestroy();
  await gone;
  // The server may hear of the reset no sooner than it closes the connection by itself.
  const asked = ask(CHECK);
  await expect.poll(() => clock.waiting).toBeGreaterThan(0);
  clock.advance(1000);
  expect(await asked).toBe(200);
  sent.mockRestore();
});

describe('over HTTP', () => {
  test('the next request of a connection is run once the answer before it was read', async () => {
    await serve();
    const page = vi.spyOn(bench.runtime.journal, 'page');
    const client = await deaf(post(LIST).repeat(10));
    await expect.poll(() => page.mock.calls.length).toBeGreaterThan(0);
    for (let n = 0; n < 20; n += 1) await ask(CHECK);
    expect(page).toHaveBeenCalledTimes(1);
    let bytes = 0;
    client.on('data', (chunk) => (bytes += chunk.length));
    client.resume();
    await expect.poll(() => bytes, BUSY).toBeGreaterThan(70_000_000);
    expect(page).toHaveBeenCalledTimes(10);
  });

  test('with too much unread a request waits a second, then the connection with the most is closed', async () => {
    await serve({ waitFromBytes: MIB });
    const page = vi.spyOn(bench.runtime.journal, 'page');
    const client = await deaf(post(LIST));
    await expect.poll(() => page.mock.calls.length).toBe(1);
    let status = 0;
    const answered = ask(CHECK).then((got) => (status = got));
    await expect.poll(() => clock.waiting).toBe(1);
    expect([status, logged()]).toEqual([0, []]);
    clock.advance(1000);
    await answered;
    expect(status).toBe(200);
    expect(logged()).toHaveLength(1);
    client.resume();
    await once(client, 'close');
  });

  test('a request that waits is run as soon as the others have read', async () => {
    await serve({ waitFromBytes: MIB });
    const page = vi.spyOn(bench.runtime.journal, 'page');
    const client = await deaf(post(LIST));
    await expect.poll(() => page.mock.calls.length).toBe(1);
    const answered = ask(CHECK);
    await expect.poll(() => clock.waiting).toBe(1);
    client.resume();
    expect(await answered).toBe(200);
    expect(logged()).toEqual([]);
  });

  test('clients that read are not closed, however much they ask for at a time', async () => {
    await serve({ waitFromBytes: 8 * MIB, mostBytes: 64 * MIB });
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(LIST)));
    expect(answers).toEqual([200, 200, 200, 200, 200, 200]);
    expect(logged()).toEqual([]);
  });

  test('very many requests in a row on one connection are all answered in their order', async () => {
    await serve();
    const many = times(1000, 3000);
    const texts = Array.from({ length: many }, (_, n) => CHECK.replace('"id":1', `"id":${n}`));
    const last = post(CHECK.replace('"id":1', `"id":${many}`), 'Connection: close\r\n');
    const answers = answersOf(await rawRequest(server.port, texts.map((text) => post(text)).join('') + last));
    expect(answers.map(({ body }) => JSON.parse(body).id)).toEqual(
      Array.from({ length: many + 1 }, (_, n) => n),
    );
  });
});

test('of WebSockets that read too little together, the one with the most is closed and that is logged', async () => {
  await serve({ mostBytes: 10 * MIB });
  const page = vi.spyOn(bench.runtime.journal, 'page');
  const peers = await Promise.all([1, 2, 3].map(() => openStream(server)));
  for (const peer of peers) {
    peer.pause();
    const before = page.mock.calls.length;
    peer.send(LIST);
    await expect.poll(() => page.mock.calls.length).toBe(before + 1);
  }
  await expect.poll(logged).toHaveLength(1);
  for (const peer of peers) peer.terminate();
});

test('a WebSocket that has not read a list gets its next one once it has, and is not closed', async () => {
  await serve();
  const page = vi.spyOn(bench.runtime.journal, 'page');
  const peer = await openStream(server);
  let bytes = 0;
  peer.on('message', (data: Buffer) => (bytes += data.length));
  peer.pause();
  for (let n = 0; n < 6; n += 1) peer.send(LIST);
  await expect.poll(() => page.mock.calls.length).toBeGreaterThan(0);
  for (let n = 0; n < 20; n += 1) await ask(CHECK);
  expect(page).toHaveBeenCalledTimes(1);
  peer.resume();
  await expect.poll(() => bytes, BUSY).toBeGreaterThan(42_000_000);
  expect(bench.log.map(({ text }) => text).filter((text) => text.includes('connection was closed'))).toEqual(
    [],
  );
  peer.terminate();
});
