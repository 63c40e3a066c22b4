/** Copied code is run: the shell command and the Node script make exactly the request that they represent. */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishRequestOf } from '../../renderer/format/repeat-request.ts';
import { curlOf } from '../../renderer/views/event-router/curl.ts';
import { sampleCurl } from '../../renderer/format/curl.ts';
import { asCode } from '../../renderer/format/as-code.ts';

interface Came {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const run = promisify(execFile);
const came: Came[] = [];
let server: Server;
let sidecar = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url, headers } = request;
      came.push({ method, url, headers, body: Buffer.concat(parts) });
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  sidecar = `http://127.0.0.1:${address.port}`;
});

afterAll(() => {
  server.close();
});

const hasCurl = ((): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v curl && command -v base64'], { stdio: 'ignore' });
    return true;
  } catch {
    // A machine without curl cannot run the command; the other tests look at its text.
    return false;
  }
})();

const CASES = [
  { name: 'JSON', publish: { data: { orderId: 1 }, contentType: 'application/json' } },
  {
    name: 'quotes, line ends, dollars, a backslash and other scripts',
    publish: { data: `O'Hara "x" $HOME \`id\` \\ !\r\n\u{1f600} \u2028 é`, contentType: 'text/plain' },
  },
  { name: 'an at sign at the start', publish: { data: '@/etc/hostname', contentType: 'text/plain' } },
  { name: 'an equals sign at the start', publish: { data: '=ls', contentType: 'text/plain' } },
  {
    name: 'keys of a terminal',
    publish: { data: '\x03\x7f\x1b[201~\tb\u009b', contentType: 'text/plain' },
  },
  { name: 'the character zero', publish: { data: 'a\0b', contentType: 'text/plain' } },
  { name: 'bytes', publish: { dataBase64: 'AP+A', contentType: 'application/octet-stream' } },
  { name: 'no content type', publish: { data: 'plain' } },
  {
    name: 'metadata and a topic with a slash',
    publish: {
      topic: 'shop/a b',
      data: [1],
      contentType: 'application/json',
      metadata: { ttlInSeconds: '60', 'cloudevent.type': 'a&b' },
    },
  },
] as const;

async function viaShell(code: string): Promise<void> {
  await run('sh', ['-c', code], { timeout: 20_000 });
}

async function viaNode(code: string): Promise<void> {
  await run(process.execPath, ['--input-type=module', '-e', code], { timeout: 20_000 });
}

describe.each([
  { kind: 'curl', way: viaShell, isThere: hasCurl },
  { kind: 'fetch', way: viaNode, isThere: true },
] as const)('$kind', ({ kind, way, isThere }) => {
  test.skipIf(!isThere).each(CASES)('$name', async ({ publish }) => {
    const request = publishRequestOf(
      { address: sidecar },
      { pubsubname: 'pubsub', topic: 'orders', ...publish },
    );
    came.length = 0;
    await way(asCode(kind, request));
    expect(came).toHaveLength(1);
    expect(`${sidecar}${came[0]?.url}`).toBe(request.url);
    expect(came[0]?.method).toBe('POST');
    expect(came[0]?.headers['content-type']).toBe('contentType' in publish ? publish.contentType : undefined);
    const wanted = request.isBase64 ? Buffer.from(request.body, 'base64') : Buffer.from(request.body);
    expect(came[0]?.body.toString('base64')).toBe(wanted.toString('base64'));
  });
});

test.skipIf(!hasCurl)('curl requests an address with brackets and braces once, unchanged', async () => {
  came.length = 0;
  const url = `${sidecar}/orders/[1-3]?of={a,b}&open=[`;
  await viaShell(asCode('curl', { method: 'POST', url, headers: [], body: '{}', isBase64: false }));
  expect(came.map((one) => one.url)).toEqual(['/orders/[1-3]?of={a,b}&open=[']);
});

test.skipIf(!hasCurl).each([
  ['.', '%2E'],
  ['..', '%2E%2E'],
  ['a/../b', 'a%2F%2E%2E%2Fb'],
  ['a//b', 'a%2F%2Fb'],
  ['/a/', '%2Fa%2F'],
  ['a.b/..c', 'a.b/..c'],
])('curl publishes to the topic %s and no other', async (topic, path) => {
  came.length = 0;
  await viaShell(
    asCode('curl', publishRequestOf({ address: sidecar }, { pubsubname: 'pubsub', topic, data: 'x' })),
  );
  expect(came.map((one) => one.url)).toEqual([`/v1.0/publish/pubsub/${path}`]);
});

const ODD_TOPICS = [
  'a[1-3]{x,y}',
  '100% #1?q=2&r=+',
  'it\'s "quoted" \\ `id` $(id) $HOME ${x} !1',
  'a\nb\tc\r',
  'größe/😀 é',
  '~*;|<>()^@:,',
  '%41%2f%00',
];

test.skipIf(!hasCurl).each(ODD_TOPICS)(
  'both commands publish to the topic %j and no other',
  async (topic) => {
    const to = { pubsubname: 'pubsub', topic };
    for (const code of [
      asCode('curl', publishRequestOf({ address: sidecar }, { ...to, data: { a: 1 } })),
      sampleCurl(sidecar, to, '{"a":1}'),
    ]) {
      came.length = 0;
      await viaShell(code);
      expect(came.map(({ url = '' }) => decodeURIComponent(url))).toEqual([`/v1.0/publish/pubsub/${topic}`]);
      expect(came[0]?.body.toString()).toBe('{"a":1}');
    }
  },
);

test.skipIf(!hasCurl)(
  'a request of the event router is repeated as it was, and no file is read for it',
  async () => {
    came.length = 0;
    const headers = { 'content-type': 'application/json', 'x-empty': '', 'x-odd': "it's `id` $(id)" };
    const url = `${sidecar}/hook/../[1-2]/{a,b}`;
    await viaShell(curlOf({ method: 'POST', url, headers, body: '@/etc/hostname' }));
    await viaShell(curlOf({ method: 'POST', url, headers: {}, body: 'a\0b' }));
    expect(came.map((one) => [one.url, one.body.toString()])).toEqual([
      ['/hook/../[1-2]/{a,b}', '@/etc/hostname'],
      ['/hook/../[1-2]/{a,b}', 'a\0b'],
    ]);
    expect(came[0]?.headers).toMatchObject(headers);
    expect(came[1]?.headers).not.toHaveProperty('content-type');
  },
);

test.skipIf(!hasCurl)(
  'curl requests a path with dots unchanged, and sends a header without a value',
  async () => {
    came.length = 0;
    const request = { method: 'POST', url: `${sidecar}/a/../b/.`, body: '', isBase64: false } as const;
    await viaShell(
      asCode('curl', {
        ...request,
        headers: [
          ['tracestate', ''],
          ['x-a', '1'],
        ],
      }),
    );
    expect(came).toMatchObject([{ url: '/a/../b/.', headers: { tracestate: '', 'x-a': '1' } }]);
  },
);

test.skipIf(!hasCurl)('curl sends a header with a tab as it was', async () => {
  came.length = 0;
  const headers = [['x-a', "a\tb'\tc"]] as const;
  await viaShell(asCode('curl', { method: 'POST', url: sidecar, headers, body: 'x', isBase64: false }));
  expect(came.map((one) => one.headers['x-a'])).toEqual(["a\tb'\tc"]);
});

test.skipIf(!hasCurl)('both commands that publish send the API token of the variable', async () => {
  came.length = 0;
  const to = { pubsubname: 'pubsub', topic: 'orders' };
  const token = { header: 'sidecar-api-token', variable: 'SIDECAR_API_TOKEN' };
  for (const code of [
    asCode('curl', publishRequestOf({ address: sidecar, token }, { ...to, data: { a: 1 } })),
    sampleCurl(sidecar, to, '{"a":1}', token),
  ])
    await viaShell(`SIDECAR_API_TOKEN='s e$c"ret'; ${code}`);
  expect(came.map(({ headers }) => headers['sidecar-api-token'])).toEqual(['s e$c"ret', 's e$c"ret']);
});
