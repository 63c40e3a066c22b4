/** Ports that other programs have at a start: all are named at once, and another Sidelight by its pid and console. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readOptions } from '../../core/host/options.ts';
import type { RunningInstance } from '../../core/host/running-file.ts';
import { refuseTakenPorts } from '../../core/host/taken-ports.ts';

async function takenPort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const instance = (sidecar: number, app: number): RunningInstance => ({
  version: '0.1.0',
  pid: 4711,
  startedAt: '2026-03-01T10:00:00.000Z',
  console: 'http://127.0.0.1:3580',
  rpc: 'http://127.0.0.1:3580/rpc',
  token: 'T',
  apps: [
    {
      appId: 'app',
      sidecar: `http://127.0.0.1:${sidecar}`,
      app: `http://127.0.0.1:${app}`,
      protocol: 'http',
      mock: true,
    },
  ],
  taps: [],
  processes: [],
});

const start = (args: readonly string[], running: readonly RunningInstance[] = []) => {
  const all = ['--headless', '--console-port', '0', '--grpc-port', '0', ...args];
  return refuseTakenPorts(readOptions(all, {}), () => running);
};

test('two ports of another Sidelight are one sentence with its pid, its console and both flags', async () => {
  const [sidecar, app] = [await takenPort(), await takenPort()];
  await expect(
    start(['--sidecar-port', `${sidecar}`, '--app-port', `${app}`], [instance(sidecar, app)]),
  ).rejects.toThrow(
    `ports ${sidecar} (sidecar) and ${app} (mock app) are in use by another Sidelight (pid 4711, its console is at http://127.0.0.1:3580); ` +
      'stop that Sidelight, or choose other ports with --sidecar-port and --app-port (0 = any free port)',
  );
});

test('one port of another Sidelight is not taken for the port of an app', async () => {
  const app = await takenPort();
  const refused = start(['--sidecar-port', '0', '--app-port', `${app}`], [instance(1, app)]);
  await expect(refused).rejects.toThrow(
    `port ${app} (mock app) is in use by another Sidelight (pid 4711, its console is at http://127.0.0.1:3580); ` +
      'stop that Sidelight, or choose another port with --app-port (0 = any free port)',
  );
});

test('two ports of other programs are named at once', async () => {
  const [sidecar, app] = [await takenPort(), await takenPort()];
  await expect(start(['--sidecar-port', `${sidecar}`, '--app-port', `${app}`])).rejects.toThrow(
    /^ports \d+ \(sidecar\) and \d+ \(mock app\) are in use.*; choose other ports with --sidecar-port and --app-port/,
  );
});

test('one port of another program is left to its listener, and free ones are no matter', async () => {
  const port = await takenPort();
  await expect(
    start(['--sidecar-port', '0', '--app-port', `${port}`], [instance(1, 2)]),
  ).resolves.toBeUndefined();
  await expect(start(['--sidecar-port', '0', '--app-port', '0'])).resolves.toBeUndefined();
});
