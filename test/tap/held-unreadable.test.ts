// A message that is held until it is complete, and of which no end can be found: all its bytes pass, in their order.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { NoReply } from '../../core/tap/exchange.ts';
import { ServerSocket } from '../../core/tap/server-socket.ts';
import { tapBefore } from './open-listener.ts';
import { sideThat } from './pass-through.ts';
import { writeParts } from './write-parts.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const LARGE = 24 * 1024 * 1024;
const LARGE_HEAD = `HTTP/1.1 200 OK\r\nContent-Length: ${LARGE}\r\n\r\n`;
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

function serverThat(serve: (socket: Socket) => void): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
}

/** Bytes that a socket has received so far. */
function received(socket: Socket): () => string {
  let got = '';
  socket.on('data', (part: Buffer) => (got += part.toString('latin1')));
  return () => got;
}

async function clientOf(server: Server, given: Parameters<typeof tapBefore>[1]): Promise<Socket> {
  const client = connect({ port: await tapBefore(server, given), host: '127.0.0.1', noDelay: true });
  client.on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  return client;
}

test.each([
  ['a wrong chunk', 'Transfer-Encoding: chunked\r\n', ['2\r\nab\r\n', 'zz\r\n', 'rest']],
  ['a transfer encoding without chunks', 'Transfer-Encoding: gzip\r\n', ['body', 'rest']],
])('a held request with %s passes whole', async (_, header, parts) => {
  let got = (): string => '';
  const server = serverThat((socket) => (got = received(socket)));
  const client = await clientOf(server, 'stops');
  const head = `POST / HTTP/1.1\r\nHost: a\r\n${header}\r\n`;
  await writeParts(client, [head, ...parts]);
  await expect.poll(() => got()).toBe(head + parts.join(''));
});

test('a held answer with a wrong chunk passes whole', async () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const parts = [head, '2\r\nab\r\n', 'zz\r\n', 'rest'];
  const server = serverThat((socket) => socket.once('data', () => void writeParts(socket, parts)));
  const client = await clientOf(server, 'stops');
  const got = received(client);
  client.write(REQUEST);
  await expect.poll(() => got()).toBe(parts.join(''));
});

test('a held answer that is cut off passes as far as it came, and is reported as lost', async () => {
  const side = sideThat('stops');
  const lost: NoReply[] = [];
  const part = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!';
  const server = serverThat((socket) => socket.once('data', () => socket.end(part)));
  const client = await clientOf(server, {
    ...side,
    begin: (...given) => ({ ...side.begin(...given), lost: (why) => void lost.push(why) }),
  });
  const got = received(client);
  client.write(REQUEST);
  await once(client, 'end');
  expect(got()).toBe(part);
  expect(lost).toMatchObject([{ message: 'the connection ended before the answer was complete' }]);
});

test('requests whose answer turns out to be no HTTP are reported as lost while the connection is open', async () => {
  const side = sideThat('reads');
  const lost: string[] = [];
  const bytes = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nrest';
  const server = serverThat((socket) => socket.once('data', () => socket.write(bytes)));
  const client = await clientOf(server, {
    ...side,
    begin: (...given) => ({ ...side.begin(...given), lost: ({ message }) => void lost.push(message) }),
  });
  const got = received(client);
  client.write(REQUEST);
  await expect.poll(() => got()).toBe(bytes);
  expect(lost).toEqual(['what passes here is not HTTP/1.1']);
});

test.each([
  ['alone', 1, Buffer.from(ANSWER)],
  // More than the system takes at once, so that a part still waits in the tap when the connection ends.
  ['with a request behind it', 2, Buffer.from(`${LARGE_HEAD}${'x'.repeat(LARGE)}`)],
])(
  'an answer that is held %s while its server resets the connection reaches the client',
  async (_, requests, answer) => {
    const side = sideThat('passes');
    let release: () => void = () => undefined;
    const released = new Promise<void>((done) => (release = done));
    const lost: NoReply[] = [];
    const server = serverThat((socket) => socket.once('data', () => socket.write(answer)));
    const connected = once(server, 'connection');
    const connections = vi.spyOn(ServerSocket.prototype, 'connect');
    onTestFinished(() => connections.mockRestore());
    let isHeld = false;
    const client = await clientOf(server, {
      ...side,
      begin: (...given) => ({
        ...side.begin(...given),
        stopsResponse: true,
        responded: () => {
          isHeld = true;
          return released.then(() => undefined);
        },
        lost: (why) => void lost.push(why),
      }),
    });
    client.write(REQUEST.repeat(requests));
    await expect.poll(() => isHeld).toBe(true);
    const [socket] = (await connected) as [Socket];
    const real = connections.mock.results[0]?.value as Socket;
    const isReset = new Promise((done) => real.once('close', done));
    socket.resetAndDestroy();
    await isReset;
    release();
    await expect.poll(() => lost.length).toBe(requests - 1);
    const got = received(client);
    await once(client, 'close');
    expect(got().length).toBe(answer.length);
    expect(got()).toBe(answer.toString());
    expect(lost.map(({ message }) => message)).toEqual(
      requests === 1 ? [] : ['the connection ended before the answer was complete'],
    );
  },
);
