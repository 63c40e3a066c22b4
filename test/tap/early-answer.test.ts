// A server that answers before it has the whole request, and then closes: its answer reaches the client.
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { tapBefore } from './open-listener.ts';

const ANSWER = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 9\r\n\r\ntoo large';
const BODY = Buffer.alloc(2 * 1024 * 1024, 120);
const HEAD = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY.length}\r\n\r\n`);

/** Answer that a client gets which sends the whole request, also if its connection breaks then. */
async function answerTo(port: number): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const client = connect({ host: '127.0.0.1', port });
    client.on('connect', () => client.write(Buffer.concat([HEAD, BODY])));
    client.on('data', (part: Buffer) => {
      got += part.toString();
      if (got.length >= ANSWER.length) client.destroy();
    });
    // A reset may follow the answer.
    client.on('error', () => undefined);
    client.on('close', () => resolve(got));
  });
}

test.each(['passes', 'reads'] as const)('an early answer arrives whole if the tap %s', async (manner) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.pause();
      // Bytes that nobody reads make the system reset the connection.
      socket.write(ANSWER, () => socket.destroy());
    });
  });
  const port = await tapBefore(server, manner);
  for (let n = 0; n < 10; n += 1) expect(await answerTo(port), `try ${n}`).toBe(ANSWER);
});
