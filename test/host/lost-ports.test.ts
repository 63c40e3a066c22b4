/** A port that was free when it was chosen, and that another program took before it was bound. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import { openAtPort, PortTaken } from '../../core/host/ports.ts';
import { connect } from '../../core/testing/connect.ts';
import { forbidPort } from '../support/forbidden-port.ts';
import { freePort } from '../support/free-port.ts';
import { takeInBetween } from '../support/taken-in-between.ts';

const NOWHERE = 'http://127.0.0.1:9';
const BY_ANOTHER = /is in use by (?:another process|\S+, pid \d+); /;

/** A port after which some more are free. */
async function freeRow(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const servers = await Promise.allSettled(
      Array.from({ length: count - 1 }, (_, i) => listening(first + 1 + i)),
    );
    const open = servers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(open.map((server) => new Promise((closed) => server.close(closed))));
    if (open.length === servers.length) return first;
  }
}

async function listening(port: number): Promise<Server> {
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}

describe('a listener of its own', () => {
  const wish = { flag: '--sidecar-port', what: 'sidecar', given: undefined };
  const open = ({ port, notice }: { readonly port: number; readonly notice?: string }) =>
    listening(port).then((server) => {
      onTestFinished(() => void server.close());
      return { port: (server.address() as AddressInfo).port, notice };
    });

  test('goes on from a default as often as another program is faster, and says where it is', async () => {
    const standard = await freeRow(4);
    takeInBetween([standard, standard + 1, standard + 2], 1);
    const { port, notice } = await openAtPort({ ...wish, standard }, true, new Map(), open);
    expect(port).toBe(standard + 3);
    expect(notice).toMatch(BY_ANOTHER);
    expect(notice).toContain(`this sidecar listens on ${standard + 3}`);
  });

  test.each([
    ['a port of a flag', true],
    ['a default that may not move', false],
  ])('is refused at %s with its flag', async (_, isGiven) => {
    const port = await freePort();
    takeInBetween([port], 1);
    const asked = { ...wish, standard: port, ...(isGiven ? { given: port } : {}) };
    const refused = openAtPort(asked, isGiven, new Map(), open);
    await expect(refused).rejects.toBeInstanceOf(PortTaken);
    await expect(refused).rejects.toThrow(
      /^port \d+ is in use.*; choose another one with --sidecar-port \(0 = any free port\)$/,
    );
  });

  test('is refused where others are faster at each port of the range', async () => {
    const standard = 65_533;
    const lost: number[] = [];
    const refused = openAtPort({ ...wish, standard }, true, new Map(), ({ port }) => {
      lost.push(port);
      return Promise.reject(Object.assign(new Error('lost'), { code: 'EADDRINUSE', port }));
    });
    await expect(refused).rejects.toThrow('no port from 65533 to 65535 is free');
    expect(lost.length).toBeGreaterThan(0);
    expect(new Set(lost).size).toBe(lost.length);
  });

  test('leaves any other error as it is', async () => {
    const standard = await freePort();
    const broken = Object.assign(new Error('the key is unreadable'), { code: 'EADDRINUSE', port: 1 });
    const refused = openAtPort({ ...wish, standard }, true, new Map(), () => Promise.reject(broken));
    await expect(refused).rejects.toBe(broken);
  });
});

/** Starts an instance with a window's rules for ports, in this process. */
async function startHere(...flags: readonly string[]) {
  const options = readOptions(['--ephemeral', '--log-level', 'error', ...flags], {});
  const product = await startProduct({ ...options, writeLog: () => undefined, isListed: false });
  onTestFinished(() => product.stop('at-once'));
  return product;
}

const ANY = ['--sidecar-port', '0', '--app-port', '0', '--grpc-port', '0', '--console-port', '0'];
const TWO_APPS = ['--app', 'two=mock'];
const withoutFlag = (flag: string): readonly string[] => ANY.filter((_, i) => ANY[i - (i % 2)] !== flag);

test.each([
  ['--sidecar-port', 'sidecar', 'the sidecar of app two listens on'],
  ['--grpc-port', 'grpc', 'the gRPC port of app two listens on'],
  ['--app-port', 'app', 'the mock app of app two listens on'],
] as const)('the default that follows from %s goes on to the next one', async (flag, member, text) => {
  const first = await freeRow(3);
  takeInBetween([first + 1], 1);
  const { ready, notes } = await startHere(...withoutFlag(flag), flag, String(first), ...TWO_APPS);
  expect(ready.apps.map((app) => Number(app[member]?.split(':').at(-1)))).toEqual([first, first + 2]);
  expect(notes).toEqual([expect.stringContaining(`${text} ${first + 2}`)]);
  expect(notes[0]).toMatch(BY_ANOTHER);
});

test('the port of the console goes on to the next one, and a banner says so', async () => {
  takeInBetween([3580], 1);
  const { ready } = await startHere(...withoutFlag('--console-port'));
  const rpc = await connect(ready);
  onTestFinished(() => rpc.close());
  const { port } = new URL(ready.console);
  expect(port).not.toBe('3580');
  const { banners } = await rpc.call('system.describe', {});
  expect(banners.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(new RegExp(String.raw`^3580 is in use by .*; this console listens on ${port}$`)),
  );
});

test('the sidecar of an added app goes on to the next one, and leaves no port open', async () => {
  const first = await freeRow(3);
  const product = await startHere(...withoutFlag('--sidecar-port'), '--sidecar-port', String(first));
  const rpc = await connect(product.ready);
  onTestFinished(() => rpc.close());
  takeInBetween([first + 1], 1);
  const { sidecar } = await rpc.call('apps.add', { appId: 'shop' });
  expect(sidecar).toBe(`http://127.0.0.1:${first + 2}`);
});

/** A tap without its ports, with a port that is given in their place. */
const TAP = { appId: 'shop', appUrl: NOWHERE, sidecarUrl: NOWHERE, sidecarGrpc: '127.0.0.1:9' };

test('default ports of a tap go on to the next ones as often as another program is faster', async () => {
  const product = await startHere(...ANY);
  const rpc = await connect(product.ready);
  onTestFinished(() => rpc.close());
  const lost = [3501, 3502, 50_101];
  const { own } = takeInBetween(lost, 0);
  const { sidecarPort, grpcPort } = await rpc.call('taps.add', TAP);
  expect(lost).not.toContain(sidecarPort);
  expect(lost).not.toContain(grpcPort);
  const { items } = await rpc.call('logs.list', { filter: 'part:tap' });
  const texts = items.map(({ text }) => text);
  for (const [standard, port] of [
    [3501, sidecarPort],
    [50_101, grpcPort],
  ])
    expect(texts.filter((text) => text.startsWith(`${standard} is in use `))).toEqual([
      expect.stringContaining(`; the tap of app shop listens on ${port}`),
    ]);
  // Ports that were tried in vain are those of the other program alone. Tests beside this one have taps at default ports too.
  expect(own().toSorted()).toEqual([sidecarPort, grpcPort].toSorted());
  await rpc.call('taps.remove', { appId: 'shop' });
  expect(own()).toEqual([]);
});

test.each(['sidecarPort', 'grpcPort'] as const)('a %s that is given to a tap is refused', async (name) => {
  const product = await startHere(...ANY);
  const rpc = await connect(product.ready);
  onTestFinished(() => rpc.close());
  const port = await freePort();
  takeInBetween([port], 0);
  const wish = { ...TAP, appPort: 0, sidecarPort: 0, grpcPort: 0, [name]: port };
  await expect(rpc.call('taps.add', wish)).rejects.toThrow(`Port ${port} is in use`);
  expect((await rpc.call('taps.list', {})).items).toEqual([]);
});

test('a default port that the system keeps for itself does not keep a tap from the next one', async () => {
  const product = await startHere(...ANY);
  const rpc = await connect(product.ready);
  onTestFinished(() => rpc.close());
  forbidPort(3501);
  const { sidecarPort } = await rpc.call('taps.add', TAP);
  expect(sidecarPort).not.toBe(3501);
});
