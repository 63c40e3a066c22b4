/** Access over the network, by credential. */
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { CHALLENGE_PATH, ENTER_PATH } from '../../core/contract/page-auth.ts';
import { isFromLoopback, isUnderLocalhost } from '../../core/console/guard.ts';
import { START_LINK_MS } from '../../core/console/one-time-links.ts';
import type { ConsoleServer } from '../../core/console/server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { listen } from './carrier-makers.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"holds.list"}';

let server: ConsoleServer;
let clock: ManualClock;
let calls: () => number;
let done: () => Promise<void>;
beforeEach(async () => {
  clock = new ManualClock();
  const listening = await listen(clock);
  ({ server } = listening);
  calls = () => listening.bench.runtime.calls.length;
  done = async () => {
    await server.close();
    await listening.remove();
  };
});
afterEach(() => done());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Ask {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers go out exactly as given, the Host header too. */
function send({ path = '/rpc', method = 'POST', body = CALL, headers = {} }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: server.port, path, method, headers, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    sent.on('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

function bearer(token = server.token): { readonly Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

function closeCode(headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, { headers });
    const texts: unknown[] = [];
    socket.on('open', () => socket.send(CALL));
    socket.on('message', (data) => {
      texts.push(data);
      socket.close(1000);
    });
    socket.on('close', (code) => resolve(texts.length > 0 ? 1000 : code));
    socket.on('error', () => undefined);
  });
}

describe('the token', () => {
  test.each<[string, () => Record<string, string>]>([
    ['none', () => ({})],
    ['a wrong one', () => bearer('x'.repeat(43))],
    ['an empty one', () => ({ Authorization: 'Bearer ' })],
    ['its first half', () => bearer(server.token.slice(0, 20))],
    ['more than it', () => bearer(`${server.token}x`)],
    ['another scheme', () => ({ Authorization: `Basic ${server.token}` })],
    ['a wrong cookie', () => ({ Cookie: `sidelight-${server.port}=nope` })],
    ['a cookie of another port', () => ({ Cookie: `sidelight-1=${server.token}` })],
    ['a header of another name', () => ({ 'X-Token': server.token })],
  ])('%s is answered with 401 and 4401', async (_name, headers) => {
    const { status, body } = await send({ headers: headers() });
    expect(status).toBe(401);
    expect(JSON.parse(body)).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32001, data: { code: 'UNAUTHORIZED' } },
    });
    expect(await closeCode(headers())).toBe(4401);
    expect(calls()).toBe(0);
  });

  test('counts as bearer, in any case of the word, and never as a cookie', async () => {
    expect(await send({ headers: bearer() })).toMatchObject({ status: 200 });
    expect(await send({ headers: { Authorization: `bearer ${server.token}` } })).toMatchObject({
      status: 200,
    });
    const cookie = { Cookie: `other=1; sidelight-${server.port}=${server.token}; last=2` };
    expect(await send({ headers: cookie })).toMatchObject({ status: 401 });
    expect(await closeCode(bearer())).toBe(1000);
    expect(await closeCode(cookie)).toBe(4401);
  });

  test('a wrong bearer is not saved by a good cookie', async () => {
    const headers = { ...bearer('wrong'), Cookie: `sidelight-${server.port}=${server.token}` };
    expect(await send({ headers })).toMatchObject({ status: 401 });
  });

  test('two consoles have different tokens of 256 bits', async () => {
    const other = await listen();
    expect(other.server.token).not.toBe(server.token);
    expect(Buffer.from(server.token, 'base64url')).toHaveLength(32);
    await other.server.close();
    await other.remove();
  });
});

describe('Host', () => {
  test.each<[string, () => string]>([
    ['a name that points here (DNS rebinding)', () => `evil.example:${server.port}`],
    ['no port', () => '127.0.0.1'],
    ['another port', () => '127.0.0.1:80'],
    ['another address', () => `10.0.0.1:${server.port}`],
    ['a name that begins so', () => `127.0.0.1.evil.example:${server.port}`],
  ])('%s is answered with 403 and 4403, token or not', async (_name, host) => {
    for (const headers of [{ Host: host() }, { Host: host(), ...bearer() }]) {
      const { status, body } = await send({ headers });
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({
        error: { code: -32001, data: { code: 'UNAUTHORIZED', field: 'Host' } },
      });
      expect(await closeCode(headers)).toBe(4403);
    }
    expect(await send({ path: '/', method: 'GET', headers: { Host: host(), ...bearer() } })).toMatchObject({
      status: 403,
    });
    expect(calls()).toBe(0);
  });

  test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('%s with the port is ours', async (name) => {
    const headers = { Host: `${name}:${server.port}`, ...bearer() };
    expect(await send({ headers })).toMatchObject({ status: 200 });
    expect(await closeCode(headers)).toBe(1000);
  });
});

describe('Origin', () => {
  test.each<[string, () => string]>([
    ['a foreign page', () => 'https://evil.example'],
    ['a page on another local port', () => 'http://127.0.0.1:8080'],
    ['the same place over https', () => `https://127.0.0.1:${server.port}`],
    ['a sandboxed page', () => 'null'],
    ['another name of ours', () => `http://localhost:${server.port}`],
  ])('%s is answered with 403 and 4403 in spite of the token', async (_name, origin) => {
    const headers = { Origin: origin(), ...bearer() };
    const { status, body } = await send({ headers });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ error: { data: { code: 'UNAUTHORIZED', field: 'Origin' } } });
    expect(await closeCode(headers)).toBe(4403);
    expect(calls()).toBe(0);
  });

  test('the own origin of the console is accepted', async () => {
    const headers = { Origin: server.url, ...bearer() };
    expect(await send({ headers })).toMatchObject({ status: 200 });
    expect(await closeCode(headers)).toBe(1000);
  });

  test('no answer allows another origin to read it', async () => {
    const preflight = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    const answers = [
      await send({ method: 'OPTIONS', headers: preflight }),
      await send({ method: 'OPTIONS', headers: { Origin: server.url, ...bearer() } }),
      await send({ headers: bearer() }),
      await send({ path: '/', method: 'GET', headers: bearer() }),
    ];
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    }
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 200, 503]);
  });
});

describe('a one-time link', () => {
  const open = (url: string, headers = {}): Promise<Answer> => {
    const { pathname, search } = new URL(url);
    return send({ path: pathname + search, method: 'GET', headers });
  };

  test('leads to the console once, with a code in the fragment and the ticket to its files in a cookie', async () => {
    const url = server.link();
    const { status, headers } = await open(url);
    expect(status).toBe(303);
    expect(headers.location).toMatch(/^\/#enter=[\w-]{32}$/);
    expect(headers['cache-control']).toBe('no-store');
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=34560000',
      'Path=/',
      'SameSite=Strict',
    ]);
    const ticket = { Cookie: cookie.split(';', 1)[0] ?? '' };
    expect(await send({ path: '/', method: 'GET', headers: ticket })).toMatchObject({ status: 503 });
    expect(await send({ headers: ticket })).toMatchObject({ status: 401 });
    expect(await closeCode(ticket)).toBe(4401);
    const value = ticket.Cookie.split('=')[1] ?? '';
    expect(await send({ headers: bearer(value) })).toMatchObject({ status: 401 });
    const again = await open(url);
    expect(again.status).toBe(401);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.headers['content-type']).toContain('text/html');
  });

  test('goes on to the address of the console under the name localhost, and is not used up there', async () => {
    const url = server.link();
    for (const name of ['localhost', 'LOCALHOST']) {
      const { status, headers } = await open(url, { Host: `${name}:${server.port}` });
      expect([status, headers.location, headers['set-cookie']]).toEqual([303, url, undefined]);
    }
    expect((await open(url)).headers.location).toMatch(/^\/#enter=/);
  });

  test.each([
    ['localhost:3580', [], true],
    ['localhost:3580', ['127.0.0.1', 'Localhost'], false],
    ['localhost:8080', ['localhost:8080'], false],
    ['localhost:3580', ['localhost:8080'], true],
    ['127.0.0.1:3580', [], false],
    [undefined, [], false],
  ])('under %s, with %j allowed by hand, goes on to the address: %s', (host, allowedHosts, goesOn) => {
    expect(isUnderLocalhost(host, { port: 3580, allowedHosts })).toBe(goesOn);
  });

  test('is good for 60 s, the one at start for 10 min', async () => {
    const [early, late, start] = [server.link(), server.link(), server.link(START_LINK_MS)];
    clock.advance(59_000);
    expect((await open(early)).status).toBe(303);
    clock.advance(1000);
    expect((await open(late)).status).toBe(401);
    clock.advance(539_000);
    expect((await open(start)).status).toBe(303);
    const old = server.link(START_LINK_MS);
    clock.advance(600_000);
    expect((await open(old)).status).toBe(401);
  });

  test.each(['/open', '/open?key=', '/open?key=nope', '/open?key=a&key=b'])(
    '%s does not open the console',
    async (path) => {
      expect(await send({ path, method: 'GET' })).toMatchObject({ status: 401 });
    },
  );

  test('is not used up by a foreign page, a wrong Host or a look at its headers', async () => {
    const url = server.link();
    expect((await open(url, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await open(url, { Host: `evil.example:${server.port}` })).status).toBe(403);
    const { pathname, search } = new URL(url);
    expect((await send({ path: pathname + search, method: 'HEAD' })).status).not.toBe(303);
    expect((await open(url)).status).toBe(303);
  });

  test('a connected client stays connected', async () => {
    const { status, headers } = await open(`${server.url}/open?key=old`, bearer());
    expect(status).toBe(303);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('only the newest 100 are kept', async () => {
    const links = Array.from({ length: 101 }, () => server.link());
    expect((await open(links[0] ?? '')).status).toBe(401);
    expect((await open(links[1] ?? '')).status).toBe(303);
  });
});

describe('size', () => {
  test('a request over 8 MiB is answered with 413, and nothing is run', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'holds.list',
      x: 'x'.repeat(8 * 1024 * 1024),
    });
    const { status, body: text } = await send({ headers: bearer(), body });
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({ error: { code: -32013, data: { code: 'TOO_LARGE' } } });
    expect(calls()).toBe(0);
  });

  test.each([ENTER_PATH, CHALLENGE_PATH])(
    'a request to %s, which asks for no token, has at most 4 KiB',
    async (path) => {
      const { status, body } = await send({ path, body: 'x'.repeat(4097) });
      expect(status).toBe(413);
      expect(JSON.parse(body)).toMatchObject({
        error: { message: 'A request has at most 4 KiB.', data: { code: 'TOO_LARGE' } },
      });
    },
  );

  test('a frame over 8 MiB closes the connection with 1009, a binary one with 1003', async () => {
    for (const [frame, code] of [
      ['x'.repeat(8 * 1024 * 1024 + 1), 1009],
      [Buffer.from(CALL), 1003],
    ] as const) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, { headers: bearer() });
      const closed = new Promise((resolve) => {
        socket.on('close', resolve);
        socket.on('error', () => undefined);
      });
      socket.on('open', () => socket.send(frame));
      expect(await closed).toBe(code);
    }
    expect(calls()).toBe(0);
  });
});

test.each([
  [undefined, false],
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:192.168.0.7', false],
  ['192.168.0.7', false],
  ['fe80::1', false],
])('a caller at %s is on loopback: %s', (address, isThere) => {
  expect(isFromLoopback(address)).toBe(isThere);
});
