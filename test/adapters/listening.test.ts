/** Where somebody listens beside the address that was given: programs that listen on one family of addresses alone. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createGrpcAppChannel } from '../../core/adapters/grpc-app-channel/channel.ts';
import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import { createTurnableChannel } from '../../core/adapters/http-app-channel/turnable.ts';
import { accepts } from '../../core/adapters/listening.ts';

async function portOf(host: string): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a port accepts connections at the address on which it listens, and at no other', async () => {
  const port = await portOf('::1');
  expect(await accepts({ host: '::1', port }, 1000)).toBe(true);
  expect(await accepts({ host: '127.0.0.1', port }, 1000)).toBe(false);
});

test('an app on ::1 alone is found beside 127.0.0.1, with the path of the address', async () => {
  const port = await portOf('::1');
  const channel = createTurnableChannel(`http://127.0.0.1:${port}/api`, (url) =>
    createHttpAppChannel({ url }),
  );
  expect(await channel.openBeside?.(1000)).toBe(`http://[::1]:${port}/api`);
  await channel.close();
});

test('an app on 127.0.0.1 alone is found beside ::1 over gRPC', async () => {
  const port = await portOf('127.0.0.1');
  const channel = createGrpcAppChannel({ url: `grpc://[::1]:${port}` });
  expect(await channel.openBeside?.(1000)).toBe(`grpc://127.0.0.1:${port}`);
  await channel.close();
});

test('other addresses are not tried for a host on another machine', async () => {
  const port = await portOf('127.0.0.1');
  const channel = createHttpAppChannel({ url: `http://app.invalid:${port}` });
  expect(await channel.openBeside?.(1000)).toBeUndefined();
  await channel.close();
});
