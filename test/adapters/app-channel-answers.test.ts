/** The HTTP app channel: what goes out to the app, and what comes back as an answer. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { lastMade } from '../../core/domain/last-made.ts';
import { bodyText, channelTo, deliver, OK, replies, response } from '../support/channel-to.ts';

test('the last call with a large answer is not kept', async () => {
  const { channel } = await channelTo(replies(OK));
  await deliver(channel);
  const { call, answer } = lastMade;
  expect(answer).toMatchObject({ status: 200 });
  const large = 'x'.repeat(100_000);
  for (const body of [response([], large), response(['content-encoding: gzip'], gzipSync(large))]) {
    const other = await channelTo(replies(body));
    expect(bodyText(await deliver(other.channel))).toBe(large);
    expect(lastMade.answer).toBe(answer);
    expect(lastMade.call).toBe(call);
  }
});

describe('a request', () => {
  test('has method, path, the given header names, a content length and the body', async () => {
    const { app, channel } = await channelTo(replies(OK));
    const headers = { 'Content-Type': 'application/cloudevents+json', pubsubname: 'pubsub', 'X-Any': 'grün' };
    await deliver(channel, { headers, body: '{"ü":1}' });
    const [request] = app.requests;
    expect(request?.line).toBe('POST /orders HTTP/1.1');
    expect(request?.headers).toEqual(
      expect.arrayContaining([
        'Content-Type: application/cloudevents+json',
        'pubsubname: pubsub',
        `X-Any: ${Buffer.from('grün').toString('latin1')}`,
        'content-length: 8',
        'accept-encoding: gzip',
      ]),
    );
    expect(request?.headers.some((line) => /transfer-encoding/i.test(line))).toBe(false);
    expect(Buffer.from(request?.body ?? '', 'latin1').toString()).toBe('{"ü":1}');
  });

  test.each([
    ['bytes', new Uint8Array([0, 1, 0xff]), '\u0000\u0001\u00ff'],
    ['a view into a larger buffer', new Uint8Array([9, 104, 105, 9]).subarray(1, 3), 'hi'],
    ['nothing', '', ''],
    ['an empty view', new Uint8Array([1, 2]).subarray(2), ''],
  ])('sends a body of %s', async (_name, body, received) => {
    const { app, channel } = await channelTo(replies(OK));
    await deliver(channel, { body });
    expect(app.requests[0]?.body).toBe(received);
    expect(app.requests[0]?.headers).toContain(`content-length: ${received.length}`);
  });

  test.each([
    ['/a b', '', '/a%20b'],
    ['/größe?x=ü', '', '/gr%C3%B6%C3%9Fe?x=%C3%BC'],
    ['/a%20b/c', '', '/a%20b/c'],
    ['/a#part', '', '/a'],
    ['orders', '', '/orders'],
    ['/orders', '/base/', '/base/orders'],
    ['/', '/base', '/base/'],
  ])('sends path %s under "%s" as %s', async (path, base, target) => {
    const { app, channel } = await channelTo(replies(OK), { path: base });
    await deliver(channel, { path });
    expect(app.requests[0]?.line).toBe(`POST ${target} HTTP/1.1`);
  });

  test('headers of the connection and headers that HTTP cannot carry are left out', async () => {
    const { app, channel } = await channelTo(replies(OK));
    const headers = {
      'Content-Length': '999',
      connection: 'close',
      'transfer-encoding': 'chunked',
      host: 'evil',
      expect: '100-continue',
      'a b': '1',
      'x-break': 'a\r\nb: c',
      'x-ok': 'yes',
    };
    const answer = await deliver(channel, { headers });
    expect(answer.kind).toBe('response');
    const lines = app.requests[0]?.headers ?? [];
    expect(lines).toContain('x-ok: yes');
    expect(lines).toContain(`host: 127.0.0.1:${app.port}`);
    expect(lines).toContain('content-length: 2');
    expect(lines.some((line) => /^(a b|x-break|expect|transfer-encoding):/i.test(line))).toBe(false);
  });

  test('can be OPTIONS or GET', async () => {
    const { app, channel } = await channelTo(replies(OK));
    await deliver(channel, { method: 'OPTIONS', body: '' });
    const answer = await channel.get('/sidecar/subscribe', { 'x-a': '1' }, 1000);
    expect(bodyText(answer)).toBe('ok');
    expect(app.requests.map(({ line }) => line)).toEqual([
      'OPTIONS /orders HTTP/1.1',
      'GET /sidecar/subscribe HTTP/1.1',
    ]);
  });
});

describe('an answer', () => {
  test('has status, headers, body and the times of its phases', async () => {
    const text = response(
      ['X-One: 1', 'set-cookie: a=1', 'set-cookie: b=2'],
      '{"status":"DROP"}',
      '503 Busy',
    );
    const { channel } = await channelTo(replies(text));
    const answer = await deliver(channel);
    expect(answer).toMatchObject({
      kind: 'response',
      status: 503,
      headers: { 'x-one': '1', 'set-cookie': 'a=1, b=2' },
      timing: {
        connectMs: expect.any(Number),
        sendMs: expect.any(Number),
        waitMs: expect.any(Number),
        readMs: expect.any(Number),
      },
    });
    expect(bodyText(answer)).toBe('{"status":"DROP"}');
  });

  test('without a body has an empty body', async () => {
    const { channel } = await channelTo(replies('HTTP/1.1 204 No Content\r\n\r\n'));
    const answer = await deliver(channel);
    expect(answer).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  });

  test.each([301, 302, 303, 307, 308])(
    'a %i is an answer like any other, because redirects are not followed',
    async (status) => {
      const { app, channel } = await channelTo(
        replies(`HTTP/1.1 ${status} There\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n`),
      );
      expect(await deliver(channel)).toMatchObject({ kind: 'response', status });
      expect(app.requests).toHaveLength(1);
    },
  );

  test('is the final one, whatever interim answers came before', async () => {
    const { channel } = await channelTo(replies(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${OK}`));
    expect(await deliver(channel)).toMatchObject({ kind: 'response', status: 200 });
  });

  test('without a length ends with the connection', async () => {
    const { channel } = await channelTo((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'));
    expect(bodyText(await deliver(channel))).toBe('until the end');
  });

  test('can come in small chunks', async () => {
    const parts = [
      'HTTP/1.1 200 OK\r\n',
      'transfer-encoding: chunked\r\n\r\n',
      '3\r\nabc\r\n',
      '2\r\nde\r\n',
      '0\r\n\r\n',
    ];
    const { channel } = await channelTo((socket) => {
      const drop = (): void => {
        const part = parts.shift();
        if (part !== undefined) socket.write(part, () => setImmediate(drop));
      };
      drop();
    });
    expect(bodyText(await deliver(channel))).toBe('abcde');
  });

  const JSON_TEXT = JSON.stringify({ status: 'RETRY', pad: 'x'.repeat(1000) });
  test.each([
    ['gzip', gzipSync(JSON_TEXT)],
    ['GZIP', gzipSync(JSON_TEXT)],
    ['identity', Buffer.from(JSON_TEXT)],
  ])('content-encoding %s is undone', async (encoding, bytes) => {
    const { channel } = await channelTo(replies(response([`content-encoding: ${encoding}`], bytes)));
    expect(bodyText(await deliver(channel))).toBe(JSON_TEXT);
  });

  test.each(['utf-8', 'br', 'deflate', 'x-gzip', 'zstd', 'gzip, br'])(
    'a text under content-encoding %s, which was not asked for, is read as it is',
    async (encoding) => {
      const { channel } = await channelTo(replies(response([`content-encoding: ${encoding}`], JSON_TEXT)));
      expect(bodyText(await deliver(channel))).toBe(JSON_TEXT);
    },
  );

  test.each([
    ['gzip', Buffer.from('{"status":"RETRY"}'), /^The body is not gzip as its header says: ./],
    ['br', brotliCompressSync(JSON_TEXT), /^The body is br, which nobody asked for: only gzip is undone\.$/],
    ['deflate', deflateSync(JSON_TEXT), /^The body is deflate, which nobody asked for/],
    ['deflate', deflateRawSync(JSON_TEXT), /^The body is deflate, which nobody asked for/],
    ['x-gzip', gzipSync(JSON_TEXT), /^The body is x-gzip, which nobody asked for/],
    ['gzip, br', brotliCompressSync(gzipSync(JSON_TEXT)), /^The body is gzip, br, which nobody asked for/],
  ])(
    'an answer whose body is in %s and cannot be read has its status, no body, and the reason',
    async (encoding, bytes, message) => {
      const { channel } = await channelTo(replies(response([`content-encoding: ${encoding}`], bytes)));
      expect(await deliver(channel)).toMatchObject({
        kind: 'response',
        status: 200,
        body: undefined,
        bodyStart: bytes,
        unread: { reason: 'encoding', message: expect.stringMatching(message) },
      });
    },
  );
});

describe('a body in gzip that ends too early', () => {
  const TEXT = `[${Array.from({ length: 2000 }, (_, n) => n).join()}]`;
  const GZIP = gzipSync(TEXT);
  const why = /^The body is not gzip as its header says: ./;
  const cutTo = (bytes: number, more = 0): string =>
    response(['content-encoding: gzip'], GZIP.subarray(0, bytes))
      .toString('latin1')
      .replace(/content-length: \d+/, `content-length: ${bytes + more}`);

  test.each([
    ['without its trailer', GZIP.length - 8, 0, why, TEXT.length],
    ['without the last byte of its trailer', GZIP.length - 1, 0, why, TEXT.length],
    ['in the middle of its content', GZIP.length - 900, 0, why, 'a part'],
    ['within its head', 9, 0, why, 0],
    ['without its trailer, with the connection', GZIP.length - 8, 8, /^The body ended after /, TEXT.length],
    ['within its head, with the connection', 9, 8, /^The body ended after /, 0],
  ])('%s is cut off, with what can be decoded of it', async (_, bytes, more, message, length) => {
    const { channel } = await channelTo((socket) => void socket.end(cutTo(bytes, more), 'latin1'));
    const answer = await deliver(channel);
    expect(answer).toMatchObject({ status: 200, body: undefined });
    const { bodyStart, unread } = answer.kind === 'response' ? answer : {};
    expect(unread).toMatchObject({ reason: 'cut-off', message: expect.stringMatching(message) });
    const start = Buffer.from(bodyStart ?? '').toString();
    expect(TEXT.startsWith(start)).toBe(true);
    expect(start.length > 100 && start.length < TEXT.length ? 'a part' : start.length).toBe(length);
  });
});

describe('a body in gzip that is wrong from some place on', () => {
  const TEXT = `[${Array.from({ length: 2000 }, (_, n) => n).join()}]`;
  const GZIP = gzipSync(TEXT);
  const changed = (place: number): Buffer => {
    const bytes = Buffer.from(GZIP);
    bytes.writeUInt8(bytes.readUInt8(place) ^ 0xff, place);
    return bytes;
  };

  test.each([
    ['its checksum', changed(GZIP.length - 6), TEXT.length],
    ['its length', changed(GZIP.length - 1), TEXT.length],
    ['other bytes behind it', Buffer.concat([GZIP, Buffer.from('other bytes')]), TEXT.length],
    [
      'a second part that is none',
      Buffer.concat([GZIP, GZIP.subarray(0, 10), Buffer.alloc(999, 1)]),
      TEXT.length,
    ],
    ['its content', Buffer.concat([GZIP.subarray(0, -900), Buffer.alloc(999, 0xff)]), 'a part'],
  ])('%s: it has what can be decoded before', async (_, bytes, length) => {
    const { channel } = await channelTo(replies(response(['content-encoding: gzip'], bytes)));
    const answer = await deliver(channel);
    expect(answer).toMatchObject({ status: 200, body: undefined, unread: { reason: 'cut-off' } });
    const start = Buffer.from((answer.kind === 'response' && answer.bodyStart) || '').toString();
    expect(start.slice(0, 100)).toBe(TEXT.slice(0, 100));
    expect(start.length < TEXT.length ? 'a part' : start.length).toBe(length);
  });
});

describe('bodies without bound', () => {
  test('a body over the limit leaves only its beginning, and the connection is closed', async () => {
    const { app, channel } = await channelTo(
      (socket) => {
        const pour = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024, 'x')));
        };
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n');
        socket.on('drain', pour);
        pour();
      },
      { startBytes: 1000 },
    );
    const answer = await deliver(channel);
    expect(answer).toMatchObject({ kind: 'response', status: 200, body: undefined });
    expect(answer.kind === 'response' && answer.bodyStart?.byteLength).toBe(1000);
    expect(answer.kind === 'response' && answer.unread).toEqual({
      reason: 'too-large',
      message: 'The body is larger than 4 MiB.',
    });
    await Promise.all(
      [...app.sockets].map(async (socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
    expect(app.sockets.size).toBe(0);
  });

  test.each([
    [0, 'body'],
    [1, 'bodyStart'],
  ])('a body of the limit plus %i bytes is kept whole or in part', async (more, member) => {
    const { channel } = await channelTo(replies(response([], 'x'.repeat(5000 + more))), {
      maxBodyBytes: 5000,
    });
    const answer = await deliver(channel);
    expect(answer.kind === 'response' && answer.body?.byteLength).toBe(more === 0 ? 5000 : undefined);
    expect(Object.keys(answer)).toContain(member);
  });

  test('a small body that unpacks to a large one leaves only its beginning', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const { channel } = await channelTo(replies(response(['content-encoding: gzip'], bomb)), {
      startBytes: 10,
    });
    const answer = await deliver(channel);
    expect(answer).toMatchObject({ kind: 'response', status: 200, body: undefined });
    expect(answer.kind === 'response' && answer.bodyStart).toEqual(Buffer.alloc(10));
  });
});
