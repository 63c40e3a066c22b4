/** Which ports answer the beginning of an HTTP/2 connection. */
import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { createServer as createNet } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';

async function asked(server: Server): Promise<boolean> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Sockets of a server that never answers are ended by the one who asks.
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const channel = createHttpAppChannel({ url: `http://127.0.0.1:${port}` });
  try {
    return (await channel.speaksHttp2?.(500)) === true;
  } finally {
    await channel.close();
  }
}

test('a port of HTTP/2 does', async () => {
  expect(await asked(createHttp2())).toBe(true);
});

test.each([
  ['HTTP/1', () => createHttp((_request, response) => response.end())],
  ['one that says something else', () => createNet((socket) => socket.end('220 mail.test ready\r\n'))],
  ['one that says nothing', () => createNet()],
  ['one that hangs up', () => createNet((socket) => socket.destroy())],
])('a port of %s does not', async (_, make) => {
  expect(await asked(make())).toBe(false);
});
