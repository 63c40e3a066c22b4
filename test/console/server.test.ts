/** The console's port: pages, sockets, closing. */
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { BARE_POLICY, pagePolicy } from '../../core/console/csp.ts';
import { fileIn } from '../../core/console/carriers/static.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import type { ConsoleServer } from '../../core/console/server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { answersOf, rawRequest } from '../support/raw-request.ts';
import { connect, listen } from './carrier-makers.ts';
import type { Bench } from './bench.ts';

let server: ConsoleServer;
let folder: string;
let bench: Bench;
let clock: ManualClock;
let done: () => Promise<void>;
beforeEach(async () => {
  clock = new ManualClock();
  const listening = await listen(clock);
  ({ server, bench, rendererDir: folder } = listening);
  done = async () => {
    await server.close();
    await listening.remove();
  };
});
afterEach(() => done());

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(server.url + path, {
    headers: { Authorization: `Bearer ${server.token}`, ...headers },
    redirect: 'manual',
  });
}

async function build(): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<meta name="csp-nonce" content="__NONCE__"><p>console</p>');
  await writeFile(join(folder, 'assets/main-abc123.js'), 'export {};');
  await writeFile(join(folder, 'assets/font.woff2'), Buffer.from([0, 255, 1]));
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  await writeFile(join(folder, 'secret.key'), 'secret');
}

/** A WebSocket without a token that says no goodbye, once it has heard that it is turned away. */
async function stranger(): Promise<Socket> {
  const socket = createConnection(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  let heard = Buffer.alloc(0);
  // 4401 as two bytes, after the head of a closing frame.
  while (!heard.includes(Buffer.from([0x11, 0x31]))) {
    const [more] = await once(socket, 'data');
    heard = Buffer.concat([heard, more]);
  }
  return socket;
}

/** First headers of Java's HTTP client to an address without TLS. */
const OFFER = 'Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n';

describe('an offer of HTTP/2', () => {
  const ask = '{"jsonrpc":"2.0","id":1,"method":"filter.check","params":{"filter":""}}';
  const post = (connection: string): string =>
    `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\n` +
    `${connection}Content-Length: ${ask.length}\r\n\r\n`;

  test('is ignored: the request is answered, the next one on the connection too', async () => {
    const last = post('Connection: close\r\n');
    const offered = post(`Connection: Upgrade, HTTP2-Settings\r\n${OFFER}`);
    const answers = await rawRequest(server.port, offered + ask.slice(0, 9), ask.slice(9), last + ask);
    expect(answersOf(answers).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('does not keep a connection that is to be closed', async () => {
    const answer = await rawRequest(
      server.port,
      post(`Connection: HTTP2-Settings, close, Upgrade\r\n${OFFER}`) + ask,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*"ok":true/);
  });

  test('admits no client', async () => {
    const text = post(`Connection: Upgrade, HTTP2-Settings, close\r\n${OFFER}`).replace(
      server.token,
      'wrong',
    );
    expect(await rawRequest(server.port, text + ask)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

test('a call that is refused before its body has come, which then cannot be read, is answered once', async () => {
  const head = `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const got = await rawRequest(server.port, head, 'zz\r\n\r\n');
  expect(answersOf(got).map(({ status }) => status)).toEqual([401]);
});

describe('pages', () => {
  test('without a build there is a page that says so', async () => {
    const answer = await get('/');
    expect(answer.status).toBe(503);
    // The policy allows one style, which is the page's own.
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy.startsWith(`${BARE_POLICY}; `)).toBe(true);
    expect(policy.slice(BARE_POLICY.length)).toMatch(/^; style-src 'sha256-[\w+/]{43}='$/);
    expect(await answer.text()).toContain('npm run build');
  });

  test('the page has the policy with a nonce of its own each time, and is not cached', async () => {
    await build();
    const nonces: string[] = [];
    for (const path of ['/', '/index.html', '/?x=1']) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const text = await answer.text();
      const nonce = /content="([^"]+)"/.exec(text)?.[1] ?? '';
      expect(text).toContain('<p>console</p>');
      expect(answer.headers.get('content-security-policy')).toBe(
        pagePolicy(nonce, `ws://127.0.0.1:${server.port}`),
      );
      nonces.push(nonce);
    }
    expect(new Set(nonces).size).toBe(3);
    expect(nonces.every((nonce) => nonce.length >= 20)).toBe(true);
  });

  test('the policy is the one that was proven to work', () => {
    expect(pagePolicy('n', 'ws://h')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-n'; font-src 'self'; img-src 'self' data:; " +
        "connect-src 'self' ws://h; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(pagePolicy('n')).toContain("connect-src 'self'; ");
  });

  test.each([
    ['/assets/main-abc123.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/font.woff2', 'font/woff2', 'public, max-age=31536000, immutable'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
  ])('%s is %s, %s', async (path, type, cache) => {
    await build();
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('cache-control')).toBe(cache);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
  });

  test.each([
    '/nothing.js',
    '/assets',
    '/assets/',
    '/secret.key',
    '/%2e%2e/outside.js',
    '/..%2foutside.js',
    '/assets/..%2f..%2foutside.js',
    '/%2fetc%2fpasswd',
    '/assets/%5c..%5c..%5coutside.js',
    '/icon.svg%00.js',
    '/%',
    '/assets/main-abc123.js/x.js',
    `/${'x'.repeat(1000)}.js`,
  ])('%s is answered with 404', async (path) => {
    await build();
    await writeFile(join(folder, '..', 'outside.js'), 'outside');
    const answer = await get(path);
    expect([400, 404]).toContain(answer.status);
    expect(await answer.text()).not.toContain('outside');
  });

  test.each(['/../a.js', '/..', '/', '/a/../../b.js', '/a\\b.js', '/a\0.js'])(
    '%j names no file of a folder',
    (path) => {
      expect(fileIn('/srv/pages', path)).toBeUndefined();
    },
  );

  test('pages need the token; the answer tells a person how to get in', async () => {
    await build();
    for (const path of ['/', '/assets/main-abc123.js']) {
      expect((await fetch(server.url + path)).status).toBe(401);
    }
    const answer = await fetch(server.url, { headers: { Accept: 'text/html' } });
    expect(answer.status).toBe(401);
    const text = await answer.text();
    expect(text).toContain('one-time link');
    expect(text).toContain('The console needs a link');
    const used = await fetch(`${server.url}/open?key=used`, { headers: { Accept: 'text/html' } });
    expect(used.status).toBe(401);
    expect(await used.text()).toContain('This link is no longer valid');
  });

  test('other paths and methods are 404 in JSON', async () => {
    const headers = { Authorization: `Bearer ${server.token}` };
    for (const [path, method] of [
      ['/rpc', 'GET'],
      ['/x', 'POST'],
      ['/', 'DELETE'],
    ] as const) {
      const answer = await fetch(server.url + path, { method, headers });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { data: { code: 'NOT_FOUND' } } });
    }
  });
});

describe('sockets', () => {
  test('only /stream accepts a WebSocket', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/other`, {
      headers: { Authorization: `Bearer ${server.token}` },
    });
    const error = await new Promise<Error>((resolve) => {
      socket.on('error', resolve);
    });
    expect(error.message).toContain('404');
  });

  test('a peer that does not answer pings is cut', async () => {
    const deaf = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, {
      headers: { Authorization: `Bearer ${server.token}` },
      autoPong: false,
    });
    await new Promise((resolve) => {
      deaf.once('open', resolve);
    });
    const alive = await connect(server);
    const pinged = Promise.all(
      [deaf, alive].map((peer) => new Promise((resolve) => peer.once('ping', resolve))),
    );
    clock.advance(20_000);
    await pinged;
    const closed = new Promise((resolve) => {
      deaf.once('close', resolve);
    });
    // The pong of the living one is on its way; a call after it proves that it has arrived.
    alive.send('{"jsonrpc":"2.0","id":1,"method":"apps.list"}');
    await new Promise((resolve) => {
      alive.once('message', resolve);
    });
    clock.advance(20_000);
    expect(await closed).toBe(1006);
    expect(alive.readyState).toBe(WebSocket.OPEN);
    alive.terminate();
  });

  test('a peer whose requests are answered is not cut, though its pong stands behind more of them', async () => {
    const busy = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, {
      headers: { Authorization: `Bearer ${server.token}` },
      autoPong: false,
    });
    await once(busy, 'open');
    const closed = once(busy, 'close');
    for (let time = 0; time < 3; time += 1) {
      const pinged = once(busy, 'ping');
      clock.advance(20_000);
      await Promise.race([pinged, closed]);
      expect(busy.readyState).toBe(WebSocket.OPEN);
      busy.send('{"jsonrpc":"2.0","id":1,"method":"apps.list"}');
      await once(busy, 'message');
    }
    // Without a further sign of life the next two looks cut it.
    clock.advance(20_000);
    clock.advance(20_000);
    expect((await closed)[0]).toBe(1006);
  });

  test('a flood of pings closes no connection, and the last ping and calls are answered', async () => {
    const peer = await connect(server);
    const last = new Promise<void>((resolve) => {
      peer.on('pong', (data) => {
        if (data.toString() === '4999') resolve();
      });
    });
    for (let n = 0; n < 5000; n += 1) peer.ping(String(n));
    await last;
    peer.send('{"jsonrpc":"2.0","id":1,"method":"apps.list"}');
    await new Promise((resolve) => {
      peer.once('message', resolve);
    });
    expect(peer.readyState).toBe(WebSocket.OPEN);
    peer.terminate();
  });

  test('a socket that does not read is cut, and that is logged', async () => {
    const socket = await connect(server);
    socket.pause();
    const { runtime } = bench;
    for (let n = 0; n < 10; n += 1) await runtime.accept({ note: 'x'.repeat(700_000) });
    const closed = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    // Its answer has a snapshot, and nothing waits until its client has read: a reading of the list would.
    const ask = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'stream.open', params: {} });
    for (let n = 0; n < 12; n += 1) socket.send(ask);
    await expect
      .poll(() => bench.log.map(({ text }) => text), { timeout: 10_000 })
      .toContain('A console connection was closed because it no longer read what it was sent.');
    socket.resume();
    expect(await closed).toBe(1006);
  });

  test('more than 100 are turned away with 1013', async () => {
    const peers = await Promise.all(Array.from({ length: 100 }, () => connect(server)));
    const late = await connect(server);
    const code = await new Promise((resolve) => {
      late.once('close', resolve);
    });
    expect(code).toBe(1013);
    for (const peer of peers) peer.terminate();
    await expect.poll(() => clock.waiting).toBe(0);
    const again = await connect(server);
    again.send('{"jsonrpc":"2.0","id":1,"method":"apps.list"}');
    await new Promise((resolve) => {
      again.once('message', resolve);
    });
    again.terminate();
  });

  test('clients that are turned away take no place of others, however long they stay', async () => {
    const strangers = await Promise.all(Array.from({ length: 101 }, () => stranger()));
    const peer = await connect(server);
    peer.send('{"jsonrpc":"2.0","id":1,"method":"apps.list"}');
    const answer = new Promise((resolve) => {
      peer.once('message', (bytes: Buffer) => resolve(JSON.parse(bytes.toString('utf8'))));
    });
    await expect(answer).resolves.toMatchObject({ id: 1, result: expect.anything() });
    peer.terminate();
    for (const each of strangers) each.destroy();
  });

  test('a client that is turned away cannot send more than 4 KiB', async () => {
    const socket = await stranger();
    const closed = new Promise((resolve) => {
      socket.once('close', () => resolve('closed'));
    });
    // The head of a frame of 8 MiB, and the beginning of it.
    socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x80, 0, 0, 1, 2, 3, 4]));
    socket.write(Buffer.alloc(100_000));
    await expect(closed).resolves.toBe('closed');
  });

  test('a closed connection leaves nothing behind', async () => {
    const socket = await connect(server);
    const ask = (method: string): Promise<unknown> => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }));
      return new Promise((resolve) => {
        socket.once('message', resolve);
      });
    };
    await ask('stream.open');
    await ask('view.open');
    expect(bench.runtime.events.listeners).toBe(1);
    socket.terminate();
    await expect.poll(() => bench.runtime.events.listeners).toBe(0);
    expect(clock.waiting).toBe(0);
  });
});

describe('the server', () => {
  test('closes its connections and its port, once', async () => {
    const socket = await connect(server);
    const closed = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    await Promise.all([server.close(), server.close()]);
    expect(await closed).toBe(1001);
    expect(clock.waiting).toBe(0);
    const again = createServer();
    await new Promise<void>((resolve, reject) => {
      again.once('error', reject);
      again.listen(server.port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => {
      again.close(resolve);
    });
  });

  test('a call that waits is answered or cut when the server closes', async () => {
    const headers = { Authorization: `Bearer ${server.token}` };
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'events.since',
      params: { sequence: 0, waitMs: 30_000 },
    });
    const answer = fetch(`${server.url}/rpc`, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 'cut',
    );
    await expect.poll(() => bench.runtime.events.listeners).toBe(1);
    await server.close();
    expect([200, 'cut']).toContain(await answer);
    expect(bench.runtime.events.listeners).toBe(0);
  });

  test('at every address of IPv6 the link leads to the loopback address of IPv6', async () => {
    await build();
    const everywhere = await createConsoleServer({
      ...bench.deps,
      rendererDir: folder,
      host: '::',
      port: 0,
    });
    onTestFinished(() => everywhere.close());
    expect(everywhere.url).toBe(`http://[::1]:${everywhere.port}`);
    expect((await fetch(everywhere.link(), { redirect: 'manual' })).status).toBe(303);
  });

  test('a taken port is the error of the socket', async () => {
    const parts = { ...bench.deps, rendererDir: folder, port: server.port };
    await expect(createConsoleServer(parts)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('a link inside the folder that leads out of it is not followed', async () => {
    await build();
    await writeFile(join(folder, '..', 'outside.js'), 'outside');
    await symlink(join(folder, '..', 'outside.js'), join(folder, 'inside.js'));
    expect((await get('/inside.js')).status).toBe(404);
  });
});
