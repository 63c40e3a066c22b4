/** The console's endpoint on raw sockets: names that point here from elsewhere, foreign pages, tokens, cookies, policy. */
import { describe, expect, test } from 'vitest';
import { ProductStand, statusOf } from './product.ts';

const stand = new ProductStand();
const CALL = '{"jsonrpc":"2.0","id":1,"method":"holds.list"}';
const bearer = (): string => `Authorization: Bearer ${stand.running.token}`;
const JSON_TYPE = 'Content-Type: application/json';

describe('DNS rebinding: a name of another site that points here is not ours', () => {
  test.each([
    ['a foreign name', (port: number) => [`Host: evil.example:${port}`]],
    ['a foreign name without a port', () => ['Host: evil.example']],
    ['our name below a foreign one', (port: number) => [`Host: 127.0.0.1.evil.example:${port}`]],
    ['localhost below a foreign one', (port: number) => [`Host: localhost.evil.example:${port}`]],
    ['a trailing dot', (port: number) => [`Host: localhost.:${port}`]],
    ['another port', () => ['Host: 127.0.0.1:1']],
    ['the address written otherwise', (port: number) => [`Host: 2130706433:${port}`]],
    ['0.0.0.0', (port: number) => [`Host: 0.0.0.0:${port}`]],
    ['a user before our name', (port: number) => [`Host: 127.0.0.1:${port}@evil.example`]],
    ['an empty name', () => ['Host:']],
  ])('%s: 403, although the token is right', async (_, headers) => {
    for (const [first, body] of [
      ['POST /rpc HTTP/1.1', CALL],
      ['GET / HTTP/1.1', ''],
    ] as const) {
      const answer = await stand.console(first, [...headers(stand.consolePort), bearer(), JSON_TYPE], body);
      expect(statusOf(answer)).toBe(403);
      expect(answer).not.toContain('"result"');
    }
  });

  test.each([
    ['no Host at all', () => []],
    ['two Hosts', (port: number) => [`Host: 127.0.0.1:${port}`, 'Host: evil.example']],
  ])('%s: refused', async (_, headers) => {
    const given = [...headers(stand.consolePort), bearer(), JSON_TYPE];
    const answer = await stand.console('POST /rpc HTTP/1.1', given, CALL);
    expect([400, 403]).toContain(statusOf(answer));
    expect(answer).not.toContain('"result"');
  });

  test.each([
    ['http://evil.example:PORT', 'evil.example', 403],
    ['http://evil.example:PORT', '127.0.0.1:PORT', 403],
    ['http://127.0.0.1:1', '127.0.0.1:PORT', 403],
    ['http://127.0.0.1:PORT@evil.example', '127.0.0.1:PORT', 403],
    ['http://', '127.0.0.1:PORT', 400],
    ['http://127.0.0.1:PORT', 'evil.example', 403],
    ['http://localhost:PORT', '127.0.0.1:PORT', 403],
    ['http://127.0.0.1:PORT', '127.0.0.1:PORT', 200],
  ])('the absolute target %s, Host %s: %d', async (origin, host, status) => {
    const here = (text: string): string => text.replace('PORT', String(stand.consolePort));
    const given = [`Host: ${here(host)}`, bearer(), JSON_TYPE];
    const answer = await stand.console(`POST ${here(origin)}/rpc HTTP/1.1`, given, CALL);
    expect(statusOf(answer)).toBe(status);
    expect(answer.includes('"result"')).toBe(status === 200);
  });

  test('the sidecar refuses its metadata to an absolute target with such a name, and answers two Host headers with 400', async () => {
    const port = stand.sidecarPort;
    const send = (first: string, hosts: string): Promise<string> =>
      stand.raw(port, `${first} HTTP/1.1\r\n${hosts}Connection: close\r\nContent-Length: 2\r\n\r\n{}`);
    const own = `Host: 127.0.0.1:${port}\r\n`;
    expect(statusOf(await send(`GET http://evil.example:${port}/v1.0/metadata`, own))).toBe(403);
    expect(statusOf(await send(`GET http://127.0.0.1:${port}/v1.0/metadata`, own))).toBe(200);
    for (const first of ['POST /v1.0/publish/pubsub/hosts', 'GET /v1.0/metadata', 'POST /v1.0/bindings/x'])
      expect(statusOf(await send(first, `${own}Host: evil.example\r\n`))).toBe(400);
    const { total } = (await stand.running.call('messages.list', { filter: 'topic:hosts' })) as {
      total: number;
    };
    expect(total).toBe(0);
  });

  test('the sidecar refuses a publish from a page of such a name', async () => {
    const publish = 'POST /v1.0/publish/pubsub/rebinding HTTP/1.1';
    const lines = [
      publish,
      `Host: evil.example:${stand.sidecarPort}`,
      `Origin: http://evil.example:${stand.sidecarPort}`,
      'Content-Length: 2',
      'Connection: close',
      '',
      '{}',
    ];
    expect(statusOf(await stand.raw(stand.sidecarPort, lines.join('\r\n')))).toBe(403);
    const { total } = (await stand.running.call('messages.list', { filter: 'topic:rebinding' })) as {
      total: number;
    };
    expect(total).toBe(0);
  });
});

describe('foreign pages', () => {
  const own = (): string => `Host: 127.0.0.1:${stand.consolePort}`;

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'file://', 'app://sidelight'])(
    'a call with the Origin %s gets 403, and no permission to read the answer',
    async (origin) => {
      const given = [own(), `Origin: ${origin}`, bearer(), JSON_TYPE];
      const answer = await stand.console('POST /rpc HTTP/1.1', given, CALL);
      expect(statusOf(answer)).toBe(403);
      expect(answer.toLowerCase()).not.toContain('access-control-');
    },
  );

  test('a preflight is answered without a permission', async () => {
    const asked = [own(), 'Origin: https://evil.example', 'Access-Control-Request-Method: POST'];
    const answer = await stand.console('OPTIONS /rpc HTTP/1.1', asked);
    expect(statusOf(answer)).toBeGreaterThanOrEqual(400);
    expect(answer.toLowerCase()).not.toContain('access-control-');
  });

  const upgrade = [
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];

  test.each([
    ['a foreign Origin', () => [own(), 'Origin: https://evil.example', bearer()]],
    ['a foreign Host', () => [`Host: evil.example:${stand.consolePort}`, bearer()]],
    ['no token', () => [own()]],
    ['a foreign host in its target', () => [own(), bearer()], 'http://evil.example'],
  ])('a WebSocket with %s carries nothing', async (_, headers, origin = '') => {
    const frame = maskedText('{"jsonrpc":"2.0","id":1,"method":"stream.open","params":{}}');
    const lines = [
      `GET ${origin}/stream HTTP/1.1`,
      ...headers(),
      'Connection: Upgrade',
      ...upgrade,
      '',
      frame,
    ];
    const answer = await stand.raw(stand.consolePort, lines.join('\r\n'));
    expect(answer).not.toContain('epoch');
    expect(answer).not.toContain('snapshot');
    // Turned away as HTTP, or with the close code that says why.
    expect(answer).toMatch(/^HTTP\/1\.1 40[134]|\x88.{0,2}\x11[\x31\x33]/s);
  });
});

describe('access', () => {
  test('the link of the ready line sets a cookie that opens no method, on its own or as a token', async () => {
    const { pathname, search } = new URL(stand.running.open);
    const host = `Host: 127.0.0.1:${stand.consolePort}`;
    const answer = await stand.console(`GET ${pathname}${search} HTTP/1.1`, [host]);
    expect(statusOf(answer)).toBe(303);
    const cookie = /^set-cookie: (.*)$/im.exec(answer)?.[1] ?? '';
    expect(cookie).toMatch(/^sidelight-\d+=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict\r?$/);
    const [pair = ''] = cookie.split(';', 1);
    expect(pair).not.toContain(stand.running.token);
    for (const tried of [`Cookie: ${pair}`, `Authorization: Bearer ${pair.split('=')[1]}`])
      expect(statusOf(await stand.console('POST /rpc HTTP/1.1', [host, tried, JSON_TYPE], CALL))).toBe(401);
    // A path of a method that is written otherwise is no file of the page.
    for (const target of ['/mcp', '/%6dcp', `http://127.0.0.1:${stand.consolePort}/mcp`])
      expect(statusOf(await stand.console(`GET ${target} HTTP/1.1`, [host, `Cookie: ${pair}`]))).toBe(401);
    expect(statusOf(await stand.console(`GET ${pathname}${search} HTTP/1.1`, [host]))).toBe(401);
  });

  test('the page may run no script but its own file', async () => {
    const given = [`Host: 127.0.0.1:${stand.consolePort}`, bearer()];
    const answer = await stand.console('GET / HTTP/1.1', given);
    const policy = /^content-security-policy: (.*)$/im.exec(answer)?.[1] ?? '';
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|script-src[^;]*(nonce|https?:|\*)/);
    expect(answer).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/i);
  });

  test('logs and history do not contain the token', async () => {
    const { running } = stand;
    await fetch(`${running.sidecar}/v1.0/publish/pubsub/orders`, { method: 'POST', body: '{"n":1}' });
    await stand.console('POST /rpc HTTP/1.1', ['Host: evil.example', bearer(), JSON_TYPE], CALL);
    const wrong = [`Host: 127.0.0.1:${stand.consolePort}`, `Authorization: Bearer ${running.token}x`];
    await stand.console('POST /rpc HTTP/1.1', [...wrong, JSON_TYPE], CALL);
    const shown = await stand.shown();
    expect(shown.length).toBeGreaterThan(1000);
    expect(shown).not.toContain(running.token);
  });
});

/** A text frame as a client has to send it, with a mask of zeros. */
function maskedText(text: string): string {
  return `\x81${String.fromCharCode(0x80 | text.length)}\0\0\0\0${text}`;
}
