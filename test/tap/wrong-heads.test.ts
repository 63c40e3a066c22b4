// Heads that are no HTTP/1.1: a server answers them before they are complete, so the tap does not wait for their end.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestHead } from '../../core/tap/head.ts';
import { tapBefore } from './open-listener.ts';
import { sideThat } from './pass-through.ts';

const ANSWER = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n';

/** A client of a tap before a server that answers once it has these bytes, and the heads that the tap reads. */
async function clientOf(bytes: string): Promise<{ client: Socket; heads: readonly RequestHead[] }> {
  const heads: RequestHead[] = [];
  const side = sideThat('passes');
  const server = createServer((socket) => {
    let got = '';
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      got += part.toString('latin1');
      if (got === bytes) socket.write(ANSWER);
    });
  });
  const port = await tapBefore(server, {
    ...side,
    begin: (head, ...others) => {
      heads.push(head);
      return side.begin(head, ...others);
    },
  });
  const client = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void client.destroy());
  return { client, heads };
}

test.each([
  ['a line that names no version', 'GET /\r\n'],
  ['a line of another protocol', 'EHLO tap\r\n'],
  ['a line that is no header', 'GET / HTTP/1.1\r\nHost: a\r\nnothing\n'],
  ['a first byte that begins no line', '\0\0\0\x08ping'],
  ['the beginning of a line of another protocol', 'QUIT'],
  ['a method that is none', 'FETCH /'],
  ['the beginning of another version', 'GET / HTP'],
  ['the beginning of a line that is no header', 'GET / HTTP/1.1\r\nHost: a\r\nno header'],
  ['a control character in a header', 'GET / HTTP/1.1\r\nHost: a\0'],
])('%s passes before the head is complete', async (_, bytes) => {
  const { client, heads } = await clientOf(bytes);
  client.write(bytes, 'latin1');
  expect(String((await once(client, 'data'))[0])).toBe(ANSWER);
  expect(heads).toEqual([]);
});

test.each([
  ['a line', '220 ready\r\n'],
  ['the beginning of a line', 'SSH-2.0'],
])('%s of another protocol that a server says first reaches the client', async (_, greeting) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(greeting);
  });
  const client = connect({ port: await tapBefore(server, 'reads'), host: '127.0.0.1' });
  onTestFinished(() => void client.destroy());
  expect(String((await once(client, 'data'))[0])).toBe(greeting);
});

test('an answer whose head comes in pieces is one answer', async () => {
  const side = sideThat('reads');
  const statuses: number[] = [];
  const parts = ['HTTP/1', '.1 2', '04 No', ' Content\r', '\nX: y', '\r\n', '\r\n'];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const answer = async (): Promise<void> => {
      for (const part of parts) {
        socket.write(part);
        await nextTurn();
      }
    };
    socket.once('data', () => void answer());
  });
  const port = await tapBefore(server, {
    ...side,
    begin: (...given) => ({
      ...side.begin(...given),
      responded: ({ status }) => void statuses.push(status),
    }),
  });
  const client = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void client.destroy());
  client.write('GET / HTTP/1.1\r\n\r\n');
  expect(String((await once(client, 'data'))[0])).toBe(parts.join(''));
  expect(statuses).toEqual([204]);
});

test('a head whose lines come in pieces is one head', async () => {
  const parts = ['GE', 'T /a HTTP/1.1\r', '\nHost: a\r\nX-Long: b', '\r\n\tc\r\n', '\r', '\n'];
  const { client, heads } = await clientOf(parts.join(''));
  for (const part of parts) {
    client.write(part);
    await new Promise((next) => setImmediate(next));
  }
  expect(String((await once(client, 'data'))[0])).toBe(ANSWER);
  const headers = [
    ['Host', 'a', 'host'],
    ['X-Long', 'b c', 'x-long'],
  ];
  expect(heads).toEqual([{ startLine: 'GET /a HTTP/1.1', method: 'GET', target: '/a', headers }]);
});
