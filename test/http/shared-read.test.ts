/** The connections of a server read into one piece of memory, and no connection keeps bytes of another one. */
import { once } from 'node:events';
import { connect, createServer, Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { shareReads } from '../../core/http/shared-read.ts';
import type { SharedRead } from '../../core/http/shared-read.ts';

/** A connection to a server, both of its ends. */
async function pair(): Promise<{
  readonly client: Socket;
  readonly read: SharedRead;
  readonly left: () => Promise<number>;
}> {
  const server = createServer({ allowHalfOpen: true });
  const taken = new Promise<SharedRead>((resolve) =>
    server.once('connection', (socket) => resolve(shareReads(socket))),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const left = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  return { client, read: await taken, left };
}

async function next({ socket }: SharedRead): Promise<Buffer> {
  return new Promise((resolve) => socket.once('data', resolve));
}

/** Sends a text over a connection and gives what its server's end has read. */
async function sent({ client, read }: Awaited<ReturnType<typeof pair>>, text: string): Promise<Buffer> {
  const bytes = next(read);
  client.write(text);
  return bytes;
}

test('two connections read into the same memory', async () => {
  const first = await sent(await pair(), 'from the first');
  expect(first.toString()).toBe('from the first');
  const second = await sent(await pair(), 'THE OTHER');
  expect(second.toString()).toBe('THE OTHER');
  expect(second.buffer).toBe(first.buffer);
});

test('a connection that goes on elsewhere keeps its bytes', async () => {
  const one = await pair();
  await sent(one, 'read here');
  one.read.end();
  const kept = await sent(one, 'read elsewhere');
  await sent(await pair(), 'THE OTHER');
  expect(kept.toString()).toBe('read elsewhere');
});

test('a paused connection reads nothing, and goes on where it was', async () => {
  const one = await pair();
  await sent(one, 'before');
  one.read.socket.pause();
  one.client.write('meanwhile');
  const got = next(one.read);
  await sent(await pair(), 'THE OTHER');
  one.read.socket.resume();
  expect((await got).toString()).toBe('meanwhile');
});

test('the server counts the connection until it is closed', async () => {
  const { client, read, left } = await pair();
  expect(await left()).toBe(1);
  const closed = once(read.socket, 'close');
  client.destroy();
  read.socket.resume().end();
  await closed;
  expect(await left()).toBe(0);
});

test('a socket without the members of this Node stays as it is', () => {
  const socket = new Socket();
  expect(shareReads(socket).socket).toBe(socket);
});
