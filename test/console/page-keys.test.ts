/** The key of a page: how it comes by it, how it shows that it has it, and how it loses it. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { PAGE_PROTOCOL, proofProtocol } from '../../core/contract/page-auth.ts';
import { PageKeys } from '../../core/console/page-keys.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import type { ConsoleServer } from '../../core/console/server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { connect, listen } from './carrier-makers.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"holds.list"}';

let server: ConsoleServer;
let bench: Bench;
let clock: ManualClock;
let done: () => Promise<void>;
beforeEach(async () => {
  clock = new ManualClock();
  const listening = await listen(clock);
  ({ server, bench } = listening);
  done = async () => {
    await server.close();
    await listening.remove();
  };
});
afterEach(() => done());

function post(path: string, body = '', headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: 'POST', body, headers });
}

/** The code of a link, as a browser finds it in the fragment. */
async function codeOf(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: 'manual' });
  return /#enter=(.*)$/.exec(headers.get('location') ?? '')?.[1] ?? '';
}

async function enter(): Promise<Buffer> {
  const answer = await post('/enter', JSON.stringify({ code: await codeOf(server.link()) }));
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { key } = (await answer.json()) as { key: string };
  return Buffer.from(key, 'base64url');
}

async function challengeOf(): Promise<string> {
  const { challenge } = (await (await post('/challenge')).json()) as { challenge: string };
  return challenge;
}

const sign = (key: Buffer, challenge: string): string =>
  createHmac('sha256', key).update(challenge).digest('base64url');

/** A socket that was let in, or the code that it was closed with. */
function open(protocols: readonly string[], name = '127.0.0.1'): Promise<WebSocket | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, [...protocols], {
      headers: { Host: `${name}:${server.port}`, Origin: `http://${name}:${server.port}` },
    });
    socket.on('open', () => socket.send(CALL));
    socket.on('message', () => resolve(socket));
    socket.on('close', resolve);
    socket.on('error', reject);
  });
}

async function openAsPage(key: Buffer): Promise<WebSocket> {
  const challenge = await challengeOf();
  const socket = await open([PAGE_PROTOCOL, proofProtocol(challenge, sign(key, challenge))]);
  if (typeof socket === 'number') throw new Error(`closed with ${socket}`);
  return socket;
}

const rpc = async (method: string): Promise<{ result?: unknown; error?: { message: string } }> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
  return (await (await post('/rpc', body, { Authorization: `Bearer ${server.token}` })).json()) as object;
};

describe('the code of a link', () => {
  test('is changed for a key once, and the proof of the key opens the stream', async () => {
    const code = await codeOf(server.link());
    const first = await post('/enter', JSON.stringify({ code }));
    expect(first.status).toBe(200);
    const key = Buffer.from(((await first.json()) as { key: string }).key, 'base64url');
    expect(key).toHaveLength(32);
    const socket = await openAsPage(key);
    expect(socket.protocol).toBe(PAGE_PROTOCOL);
    socket.terminate();
    expect((await post('/enter', JSON.stringify({ code }))).status).toBe(401);
  });

  test('is valid again for the page that used it, and for no other', async () => {
    const code = await codeOf(server.link());
    const ask = async (claim?: string): Promise<number> =>
      (await post('/enter', JSON.stringify({ code, claim }))).status;
    const claim = 'a'.repeat(36);
    expect(await ask(claim)).toBe(200);
    expect(await ask(claim)).toBe(200);
    for (const other of ['b'.repeat(36), '', undefined, 'a'.repeat(35)]) expect(await ask(other)).toBe(401);
    clock.advance(60_000);
    expect(await ask(claim)).toBe(401);
  });

  test('is good for a minute', async () => {
    const code = await codeOf(server.link());
    clock.advance(60_000);
    expect((await post('/enter', JSON.stringify({ code }))).status).toBe(401);
  });

  test.each(['', 'x', '{}', '[]', 'null', '{"code":null}', '{"code":""}', '{"code":["a"]}'])(
    '%s is refused as a code',
    async (body) => {
      const answer = await post('/enter', body);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { data: { code: 'UNAUTHORIZED', field: 'code' } } });
    },
  );

  test('the key of a link is no code, and a code is no link', async () => {
    const link = server.link();
    const key = new URL(link).searchParams.get('key');
    expect((await post('/enter', JSON.stringify({ code: key }))).status).toBe(401);
    const code = await codeOf(link);
    expect((await fetch(`${server.url}/open?key=${code}`, { redirect: 'manual' })).status).toBe(401);
  });

  test.each(['/enter', '/challenge'])('%s is refused to a foreign page', async (path) => {
    for (const origin of ['http://127.0.0.1:1', `http://localhost:${server.port}`, 'null'])
      expect((await post(path, '{}', { Origin: origin })).status).toBe(403);
  });
});

describe('a proof', () => {
  test('opens the stream once', async () => {
    const key = await enter();
    const challenge = await challengeOf();
    const protocols = [PAGE_PROTOCOL, proofProtocol(challenge, sign(key, challenge))];
    const socket = await open(protocols);
    expect(socket).toBeInstanceOf(WebSocket);
    expect(await open(protocols)).toBe(4401);
    if (typeof socket !== 'number') socket.terminate();
  });

  test('is refused after half a minute', async () => {
    const key = await enter();
    const challenge = await challengeOf();
    clock.advance(30_000);
    expect(await open([PAGE_PROTOCOL, proofProtocol(challenge, sign(key, challenge))])).toBe(4401);
  });

  test.each<[string, (challenge: string, key: Buffer) => [string, string]]>([
    ['of another key', (challenge) => [challenge, sign(Buffer.alloc(32), challenge)]],
    ['of an empty key', (challenge) => [challenge, sign(Buffer.alloc(0), challenge)]],
    ['without a signature', (challenge) => [challenge, '']],
    ['of the token', (challenge) => [challenge, sign(Buffer.from(server.token), challenge)]],
    ['that is the token', (challenge) => [challenge, server.token]],
    ['of a challenge made elsewhere', (_challenge, key) => ['zzzzzzzz.a.b', sign(key, 'zzzzzzzz.a.b')]],
    [
      'of a longer life',
      (challenge, key) => {
        const longer = challenge.replace(/^[^.]+/, 'zzzzzzzz');
        return [longer, sign(key, longer)];
      },
    ],
    ['with more behind it', (challenge, key) => [`${challenge}.x`, sign(key, `${challenge}.x`)]],
  ])('%s does not open the stream', async (_name, make) => {
    const key = await enter();
    const [challenge, signature] = make(await challengeOf(), key);
    expect(await open([PAGE_PROTOCOL, proofProtocol(challenge, signature)])).toBe(4401);
  });

  test('a proof from a page at another address, which could pass it on, opens nothing', async () => {
    const key = await enter();
    const challenge = await challengeOf();
    expect(await open([PAGE_PROTOCOL, proofProtocol(challenge, sign(key, challenge))], 'localhost')).toBe(
      4401,
    );
    const pages = new PageKeys('secret', clock);
    const asked = pages.challenge();
    expect(pages.proves('127.0.0.1:3580', asked, sign(pages.keyOf('127.0.0.1:4000'), asked))).toBe(false);
    expect(pages.proves('127.0.0.1:3580', asked, sign(pages.keyOf('127.0.0.1:3580'), asked))).toBe(true);
  });

  test('does not save a wrong bearer, and needs no proof with a good one', async () => {
    const bearer = await connect(server);
    expect(bearer.readyState).toBe(WebSocket.OPEN);
    bearer.terminate();
  });
});

describe('system.revoke', () => {
  test('closes pages with 4401, and no key, code, ticket or link of before is good', async () => {
    const key = await enter();
    const page = await openAsPage(key);
    const script = await connect(server);
    const link = server.link();
    const code = await codeOf(server.link());
    const { headers } = await fetch(server.link(), { redirect: 'manual' });
    const ticket = { Cookie: headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
    expect((await fetch(`${server.url}/`, { headers: ticket })).status).toBe(503);
    const closed = new Promise((resolve) => void page.on('close', resolve));
    expect(await rpc('system.revoke')).toMatchObject({ result: { pages: 1 } });
    expect(await closed).toBe(4401);
    const challenge = await challengeOf();
    expect(await open([PAGE_PROTOCOL, proofProtocol(challenge, sign(key, challenge))])).toBe(4401);
    expect((await post('/enter', JSON.stringify({ code }))).status).toBe(401);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
    expect((await fetch(`${server.url}/`, { headers: ticket })).status).toBe(401);
    // The token of this run and a new link are good.
    expect(script.readyState).toBe(WebSocket.OPEN);
    script.terminate();
    (await openAsPage(await enter())).terminate();
  });

  test('runs nothing that a page has sent behind it', async () => {
    const page = await openAsPage(await enter());
    const closed = new Promise((resolve) => void page.on('close', resolve));
    page.send('{"jsonrpc":"2.0","id":1,"method":"system.revoke"}');
    for (let n = 0; n < 100; n += 1) page.send('{"jsonrpc":"2.0","method":"x"}');
    expect(await closed).toBe(4401);
    expect(bench.log.filter(({ text }) => text.startsWith('A notification was refused'))).toEqual([]);
  });

  test('cuts a page that does not close its connection itself', async () => {
    const page = await openAsPage(await enter());
    page.pause();
    expect(await rpc('system.revoke')).toMatchObject({ result: { pages: 1 } });
    const closed = new Promise((resolve) => void page.on('close', resolve));
    clock.advance(500);
    page.resume();
    expect([4401, 1006]).toContain(await closed);
    expect(await rpc('system.revoke')).toMatchObject({ result: { pages: 0 } });
  });
});

test('a revocation that cannot be stored is refused, and revokes nothing', async () => {
  await server.close();
  const { deps } = makeBench(clock);
  const kept: string[] = [];
  let fails = true;
  server = await createConsoleServer({
    ...deps,
    rendererDir: '/nowhere',
    port: 0,
    token: 'k'.repeat(43),
    keepToken: (token) => {
      if (fails) throw new Error('disk full');
      kept.push(token);
    },
  });
  const page = await openAsPage(await enter());
  expect(await rpc('system.revoke')).toHaveProperty('error');
  expect(page.readyState).toBe(WebSocket.OPEN);
  (await openAsPage(await enter())).terminate();
  fails = false;
  expect(await rpc('system.revoke')).toMatchObject({ result: { pages: expect.any(Number) } });
  expect(kept).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  // The next start with what was kept: pages of after are let in, those of before are not.
  const next = new PageKeys(kept[0] ?? '', clock);
  const address = `127.0.0.1:${server.port}`;
  expect(next.keyOf(address)).toEqual(await enter());
  expect(next.keyOf(address)).not.toEqual(new PageKeys('k'.repeat(43), clock).keyOf(address));
});
