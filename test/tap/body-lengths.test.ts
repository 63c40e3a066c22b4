// Lengths of a body that each end may read in another way: all bytes pass, and no part of a body is taken for a call.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { requestBodyLength } from '../../core/tap/body-length.ts';
import { readHead, requestOf } from '../../core/tap/head.ts';
import { wholeRequest } from '../../core/tap/whole-message.ts';
import { tapBefore } from './open-listener.ts';
import { sideThat } from './pass-through.ts';

const ANSWER = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n';
const HIDDEN = 'POST /v1.0/publish/pubsub/hidden HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';

function lengthOfBody(...headers: readonly string[]) {
  const head = readHead(Buffer.from(['POST / HTTP/1.1', ...headers, '', ''].join('\r\n')));
  const request = head && requestOf(head);
  return request && requestBodyLength(request);
}

test.each([
  [['Content-Length: 5'], { kind: 'length', bytes: 5 }],
  [['Content-Length: 5', 'content-length: 5'], { kind: 'length', bytes: 5 }],
  [['Content-Length:', ' 5'], { kind: 'length', bytes: 5 }],
  [['Content-Length: 5', 'Content-Length: 50'], { kind: 'opaque' }],
  [['Content-Length: 5, 5'], { kind: 'opaque' }],
  [['Content-Length: +5'], { kind: 'opaque' }],
  [['Content-Length: 0x5'], { kind: 'opaque' }],
  [['Content-Length: -1'], { kind: 'opaque' }],
  [['Content-Length:'], { kind: 'opaque' }],
  // A server that takes both follows the chunks.
  [['Content-Length: 5', 'Transfer-Encoding: chunked'], { kind: 'chunked' }],
  [['Transfer-Encoding: chunked, gzip'], { kind: 'opaque' }],
  [['Transfer-Encoding: xchunked'], { kind: 'opaque' }],
  [[], { kind: 'none' }],
] as const)('a request with %j is %j', (headers, length) => {
  expect(lengthOfBody(...headers)).toEqual(length);
});

test('a request behind an empty line that ends with LF alone is none of the request before', () => {
  const first = 'POST /a HTTP/1.1\r\nHost: a\n\n';
  expect(wholeRequest(Buffer.from(`${first}${HIDDEN}`))).toBeUndefined();
  expect(wholeRequest(Buffer.from(`${first.replaceAll('\n', '\r\n\r\n')}`))).toBeUndefined();
  expect(wholeRequest(Buffer.from(HIDDEN))).toBeDefined();
});

test.each([
  ['two lengths', 'Content-Length: 0\r\nContent-Length: 500\r\n', ['/a']],
  ['a length that is no number', 'Content-Length: +500\r\n', ['/a']],
  ['a length and chunks', 'Content-Length: 0\r\nTransfer-Encoding: chunked\r\n', ['/a']],
  ['an empty line of LF alone', 'X: y\n\n', ['/a', '/v1.0/publish/pubsub/hidden']],
])(
  'of a request with %s all bytes pass, and only what its server reads is a call',
  async (_, headers, calls) => {
    const bytes = `POST /a HTTP/1.1\r\nHost: a\r\n${headers}\r\n${HIDDEN}`;
    const given = headers.endsWith('\n\n') ? bytes.replace('\n\n\r\n', '\n\n') : bytes;
    const side = sideThat('reads');
    const targets: string[] = [];
    let got = '';
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (part: Buffer) => {
        got += part.toString('latin1');
        if (got === given) socket.end(ANSWER);
      });
    });
    const port = await tapBefore(server, {
      ...side,
      begin: (head, ...others) => {
        targets.push(head.target);
        return side.begin(head, ...others);
      },
    });
    const client = connect({ port, host: '127.0.0.1', noDelay: true });
    onTestFinished(() => void client.destroy());
    client.write(given, 'latin1');
    expect(String((await once(client, 'data'))[0])).toBe(ANSWER);
    await once(client, 'end');
    expect(got).toBe(given);
    expect(targets).toEqual(calls);
  },
);

test('a chunk whose size has zeros before it is read, and so is what follows', async () => {
  const side = sideThat('reads');
  const bodies: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(ANSWER));
  });
  const port = await tapBefore(server, {
    ...side,
    begin: (...given) => ({ ...side.begin(...given), requested: (body) => void bodies.push(String(body)) }),
  });
  const client = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void client.destroy());
  const chunks = '0000000000000007;a=b\r\n{"n":1}\r\n000\r\n\r\n';
  client.write(`POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
  await once(client, 'data');
  expect(bodies).toEqual(['{"n":1}']);
});
