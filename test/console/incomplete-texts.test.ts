/** What has come of incomplete requests is bounded over all clients, and the client with the most gives way. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { IncompleteTexts } from '../../core/console/incomplete-texts.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import type { ConsoleServer } from '../../core/console/server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { connect as openStream } from './carrier-makers.ts';

const SAID = 'There is room for at most 200,000 bytes of requests that are not complete, of all clients';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"filter.check","params":{"filter":""}}';

describe('the count', () => {
  test('the request with the most is dropped, and one that ends gives its room back', () => {
    const dropped: string[] = [];
    const texts = new IncompleteTexts(100);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => texts.begin(() => dropped.push(name)));
    a?.add(40);
    b?.add(50);
    c?.add(20);
    expect([dropped, texts.bytes]).toEqual([['b'], 60]);
    a?.end();
    a?.end();
    expect(texts.bytes).toBe(20);
    b?.add(90);
    expect([dropped, texts.bytes]).toEqual([['b', 'b'], 20]);
    c?.add(-500);
    expect(texts.bytes).toBe(0);
  });
});

let bench: Bench;
let folder: string;
let server: ConsoleServer;
const sockets: Socket[] = [];
const peers: WebSocket[] = [];

beforeEach(async () => {
  bench = makeBench(new ManualClock());
  folder = await mkdtemp(join(tmpdir(), 'sidelight-incomplete-'));
  server = await createConsoleServer({ ...bench.deps, rendererDir: folder, port: 0, requestBytes: 200_000 });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const peer of peers.splice(0)) peer.terminate();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The beginning of a request over HTTP, whose body has `length` bytes. */
async function begun(bytes: number, length = 500_000): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write(' '.repeat(bytes));
  return socket;
}

async function stream(): Promise<WebSocket> {
  const peer = await openStream(server);
  peers.push(peer);
  return peer;
}

async function answered(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

async function ask(): Promise<number> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  return (await fetch(`${server.url}/rpc`, { method: 'POST', headers, body: CALL })).status;
}

test('over HTTP the largest body is refused with the limit, and smaller ones and whole requests go on', async () => {
  const [small, large] = [await begun(50_000), await begun(100_000)];
  const said = answered(large);
  await begun(90_000);
  expect(await said).toMatch(/^HTTP\/1\.1 413 [^]*connection: close[^]*"code":"TOO_LARGE"/i);
  expect(await said).toContain(SAID);
  expect(await ask()).toBe(200);
  small.write(' '.repeat(450_000 - CALL.length) + CALL);
  const [first] = (await once(small, 'data')) as [Buffer];
  expect(String(first)).toMatch(/^HTTP\/1\.1 413 /);
});

test('a client that goes in the middle of its body gives its room back', async () => {
  for (let n = 0; n < 5; n += 1) {
    // The last request has more than each of these, so it would be the one that is refused.
    const socket = await begun(60_000);
    // The server has read of it when it has answered others that came later.
    for (let asked = 0; asked < 3; asked += 1) expect(await ask()).toBe(200);
    socket.destroy();
  }
  const last = await begun(0, 190_000);
  last.write(' '.repeat(190_000 - CALL.length) + CALL);
  const [first] = (await once(last, 'data')) as [Buffer];
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a body over the limit of a request, whole or announced, is refused as before', async () => {
  const headers = { authorization: `Bearer ${server.token}` };
  const answer = await fetch(`${server.url}/rpc`, { method: 'POST', headers, body: ' '.repeat(9_000_000) });
  expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('at most 8 MiB')]);
});

test('a text in parts that finds no room is forgotten, and its client is told', async () => {
  const [one, other] = [await stream(), await stream()];
  other.send(`^${' '.repeat(50_000)}`);
  const heard = once(one, 'message') as Promise<[Buffer]>;
  one.send(`^${' '.repeat(90_000)}`);
  one.send(`+${' '.repeat(90_000)}`);
  const [text] = await heard;
  expect(JSON.parse(String(text))).toMatchObject({
    id: null,
    error: { message: expect.stringContaining(SAID) as unknown, data: { code: 'TOO_LARGE' } },
  });
  // The rest of it is passed over, and the next call is answered.
  one.send('$ ');
  one.send(CALL);
  expect(String((await (once(one, 'message') as Promise<[Buffer]>))[0])).toContain('"ok":true');
});

test('a message whose frame or frames are not complete counts, and the connection with the most is closed', async () => {
  const [one, other] = [await stream(), await stream()];
  other.send(' '.repeat(60_000), { fin: false });
  const closed = once(one, 'close');
  for (let n = 0; n < 3; n += 1) one.send(' '.repeat(50_000), { fin: false });
  await closed;
  expect(bench.log.map(({ text }) => text).filter((text) => text.includes(SAID))).toHaveLength(1);
  other.send(CALL, { fin: true });
  expect(String((await (once(other, 'message') as Promise<[Buffer]>))[0])).toContain('"id":1');
});

test('whole messages and pings take no room, however many there are', async () => {
  const one = await stream();
  for (let n = 0; n < 30; n += 1) {
    for (let pings = 0; pings < 100; pings += 1) one.ping('x'.repeat(100));
    one.send(`${CALL}${' '.repeat(20_000)}`);
    await once(one, 'message');
  }
  expect(one.readyState).toBe(one.OPEN);
});
