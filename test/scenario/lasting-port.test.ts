/** Ports of apps and of instances that restart: no other program gets them in between. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Instance } from '../../core/testing/instance.ts';
import { lastingPort } from '../../core/testing/lasting-port.ts';

/** Below it no system takes ports for outgoing connections. */
const OUTGOING = 32_768;

test('a lasting port is free, and below the range of outgoing connections', async () => {
  for (let n = 0; n < 20; n += 1) {
    const port = await lastingPort();
    expect(port).toBeLessThan(OUTGOING);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    expect((server.address() as AddressInfo).port).toBe(port);
    await new Promise((resolve) => void server.close(resolve));
  }
});

test('an instance that restarts listens on lasting ports only', { timeout: 60_000 }, async () => {
  const apps = [
    { appId: 'app', to: 'mock' },
    { appId: 'second', to: 'mock' },
  ];
  const instance = await Instance.start({ apps, flags: [], restarts: true });
  const { console, apps: at } = instance.at;
  await instance.stop();
  const ports = [console, ...at.flatMap(({ sidecar, grpc = '' }) => [sidecar, grpc]), at[0]?.app ?? ''].map(
    (address) => Number(address.slice(address.lastIndexOf(':') + 1)),
  );
  expect(ports.filter((port) => !(port < OUTGOING))).toEqual([]);
});
