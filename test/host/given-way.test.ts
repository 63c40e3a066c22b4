/** A default port that gives way: the sentence tells who has it. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkPortsFree } from '../../core/host/multi-run/free-ports.ts';
import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import { choosePort } from '../../core/host/ports.ts';
import { forbidPort } from '../support/forbidden-port.ts';
import { freePort } from '../support/free-port.ts';
import { anApp } from './multi-run/process-stand.ts';

async function listening(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

test.each([
  ['another process', undefined, undefined, /is in use by (another process|\w+, pid \d+); this sidecar$/],
  [
    'an app of this run',
    'shop',
    'the gRPC port of app orders',
    /is the gRPC port of app orders; the sidecar of app shop$/,
  ],
])('the notice names the program on the port of %s', async (_, appId, owner, text) => {
  const standard = await listening();
  const wish = { flag: '--sidecar-port', what: 'sidecar', appId, given: undefined, standard };
  const taken = new Map(owner === undefined ? [] : [[standard, owner]]);
  const { port, notice = '' } = await choosePort(wish, true, taken);
  expect(port).toBeGreaterThan(standard);
  const [before = '', after] = notice.split(' listens on ');
  expect(before).toMatch(text);
  expect([before.startsWith(`${standard} `), after]).toEqual([true, String(port)]);
});

describe('a port that a tap has claimed over UDP', () => {
  async function claimed(): Promise<number> {
    const socket = createSocket('udp4');
    onTestFinished(() => void socket.close());
    await once(socket.bind(await freePort(), '127.0.0.1'), 'listening');
    return socket.address().port;
  }
  const wish = { flag: '--sidecar-port', what: 'sidecar', given: undefined };

  test('a default gives way to it', async () => {
    const standard = await claimed();
    const { port, notice } = await choosePort({ ...wish, standard }, true, new Map());
    expect(port).toBeGreaterThan(standard);
    expect(notice).toBe(
      `${standard} is in use over UDP by another program, such as a tap whose app does not run yet; this sidecar listens on ${port}`,
    );
  });

  test('a port of a flag is used, and so is a default that may not move', async () => {
    const standard = await claimed();
    expect(await choosePort({ ...wish, given: standard, standard: 1 }, true, new Map())).toEqual({
      port: standard,
    });
    expect(await choosePort({ ...wish, standard }, false, new Map())).toEqual({ port: standard });
  });
});

test('a given port that an app of this run has is refused with its owner', async () => {
  const given = 40_123;
  const wish = { flag: '--console-port', what: 'console', given, standard: 3580 };
  await expect(choosePort(wish, true, new Map([[given, 'the port of app shop']]))).rejects.toThrow(
    'port 40123 is the port of app shop; choose another one with --console-port (0 = any free port)',
  );
});

test.each([
  ['a port of a further app', false],
  ['a default that may move', true],
])('%s beyond the last one is refused with its flag', async (_, mayMove) => {
  const wish = { flag: '--app', what: 'sidecar', given: undefined, standard: 65_536 };
  await expect(choosePort(wish, mayMove, new Map())).rejects.toThrow(
    '65536, the port after the one before, is not a port; choose another one with --app (0 = any free port)',
  );
});

test('a console at the port of the sidecar is refused with the owner of the port', async () => {
  const port = String(await freePort());
  const free = ['--grpc-port', '0', '--app-port', '0', '--log-level', 'error'];
  const flags = ['--headless', '--ephemeral', ...free, '--sidecar-port', port, '--console-port', port];
  await expect(startProduct(readOptions(flags, process.env))).rejects.toThrow(
    `port ${port} is the port of the sidecar of the app; choose another one with --console-port`,
  );
});

describe('a port on which the system lets this user not listen', () => {
  const wish = { flag: '--sidecar-port', what: 'sidecar' };

  test('is not said to be in use', async () => {
    forbidPort(80);
    await expect(choosePort({ ...wish, given: 80, standard: 1 }, true, new Map())).rejects.toThrow(
      'port 80 needs more rights than this user has, like every port below 1024; choose another one with --sidecar-port (0 = any free port)',
    );
  });

  test('is no reason for a default to stay', async () => {
    const standard = await freePort();
    forbidPort(standard);
    const { port, notice } = await choosePort({ ...wish, given: undefined, standard }, true, new Map());
    expect(port).toBeGreaterThan(standard);
    expect(notice).toBe(`the system keeps port ${standard} for itself; this sidecar listens on ${port}`);
  });

  test('may be that of an app of a file, which may have the rights', async () => {
    forbidPort(80);
    const apps = [anApp('shop', { url: 'http://127.0.0.1:80' })];
    await expect(checkPortsFree({ apps })).resolves.toBeUndefined();
  });
});

test('a default is refused with its range where all ports after it belong to others', async () => {
  const standard = 40_200;
  const taken = new Map(
    Array.from({ length: 101 }, (_, i) => [standard + i, 'a port of another tap'] as const),
  );
  const wish = { flag: '--app', what: 'sidecar', given: undefined, standard };
  await expect(choosePort(wish, true, taken)).rejects.toThrow(
    'no port from 40200 to 40300 is free; choose another one with --app (0 = any free port)',
  );
});

test('a start that has too many open files says what to do', async () => {
  const port = await freePort();
  forbidPort(port, 'EMFILE');
  const free = ['--grpc-port', '0', '--app-port', '0', '--console-port', '0', '--log-level', 'error'];
  const flags = ['--headless', '--ephemeral', ...free, '--sidecar-port', String(port)];
  await expect(startProduct(readOptions(flags, process.env))).rejects.toThrow(
    'too many files are open: raise ulimit -n, or start fewer apps',
  );
});
