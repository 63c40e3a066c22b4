// Heads that are no HTTP/1.1: a server answers them before they are complete, so the tap does not wait for their end.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { tapBefore } from './open-listener.ts';

const ANSWER = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n';

/** A client of a tap before a server that answers once it has these bytes. */
async function clientOf(bytes: string): Promise<Socket> {
  const server = createServer((socket) => {
    let got = '';
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      got += part.toString();
      if (got === bytes) socket.write(ANSWER);
    });
  });
  const client = connect({ port: await tapBefore(server, 'passes'), host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void client.destroy());
  return client;
}

test.each([
  ['a line that names no version', 'GET /\r\n'],
  ['a line of another protocol', 'EHLO tap\r\n'],
  ['a line that is no header', 'GET / HTTP/1.1\r\nHost: a\r\nnothing\n'],
])('%s passes before the head is complete', async (_, bytes) => {
  const client = await clientOf(bytes);
  client.write(bytes);
  expect(String((await once(client, 'data'))[0])).toBe(ANSWER);
});

test('a head whose lines come in pieces is one head', async () => {
  const parts = ['GE', 'T /a HTTP/1.1\r', '\nHost: a\r\nX-Long: b', '\r\n\tc\r\n', '\r', '\n'];
  const client = await clientOf(parts.join(''));
  for (const part of parts) {
    client.write(part);
    await new Promise((next) => setImmediate(next));
  }
  expect(String((await once(client, 'data'))[0])).toBe(ANSWER);
});
