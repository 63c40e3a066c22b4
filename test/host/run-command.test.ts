/**
 * `sidelight run -- CMD`, and `sidelight tap -- CMD` at a second signal, as a process: its status, what becomes of everything that the
 * command started, and ports that give way.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ReadyLine } from '../e2e/product.ts';
import { runProduct } from '../e2e/product.ts';
import { MOVES_TIME, TIME_MOVED } from '../support/moved-time.ts';
import { freePort } from '../support/free-port.ts';
import { PROGRAM } from '../support/program.ts';

interface Run {
  readonly child: ChildProcess;
  readonly ready: ReadyLine;
  /** The next line of the command. */
  line(): Promise<string>;
  /** Text that the command has written to its error output. */
  log(): string;
  ended(): Promise<number | null>;
}

const KEPT: readonly string[] = ['--headless', '--ephemeral', '--console-port', '0'];

async function run(
  flags: readonly string[],
  command: readonly string[],
  way: 'run' | 'tap' = 'run',
): Promise<Run> {
  const child = spawn(process.execPath, [PROGRAM, way, ...KEPT, ...flags, '--', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const over = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done === true) throw new Error(`no further line: ${log}`);
    return value;
  };
  const ready: ReadyLine = JSON.parse(await line());
  return {
    child,
    ready,
    line,
    log: () => log,
    ended: () => over.then(() => child.exitCode),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether a process is running; false also for a zombie. */
function runs(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

const FREE: readonly string[] = ['--sidecar-port', '0'];
/** Says its own number, and stays. */
const STAYS = 'console.log(process.pid); setInterval(() => {}, 1000)';

test.skipIf(process.platform === 'win32')('a signal ends child processes of the command too', async () => {
  const it = await run(FREE, ['sh', '-c', `'${process.execPath}' -e '${STAYS}' & wait`]);
  const grandchild = Number(await it.line());
  expect(isAlive(grandchild)).toBe(true);
  it.child.kill('SIGTERM');
  await it.ended();
  await expect.poll(() => isAlive(grandchild)).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'at the end of the command its child processes end, and its status is that of the run',
  async () => {
    const leaves = `trap 'exit 7' USR1; echo $$; '${process.execPath}' -e '${STAYS}' & wait`;
    const it = await run(FREE, ['sh', '-c', leaves]);
    const command = Number(await it.line());
    const left = Number(await it.line());
    process.kill(command, 'SIGUSR1');
    expect(await it.ended()).toBe(7);
    await expect.poll(() => isAlive(left)).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')(
  'a command that a signal ended has 128 and the number of the signal as its status',
  async () => {
    const it = await run(FREE, ['sh', '-c', 'kill -ABRT $$']);
    expect(await it.ended()).toBe(134);
  },
);

test.skipIf(process.platform === 'win32')(
  'an unexpected error ends the product, and the command with its child processes',
  async () => {
    const bug = encodeURIComponent(`process.once('SIGUSR2', () => { throw new Error('a bug'); });`);
    vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${bug}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const it = await run(FREE, ['sh', '-c', `'${process.execPath}' -e '${STAYS}' & wait`]);
    const grandchild = Number(await it.line());
    it.child.kill('SIGUSR2');
    expect(await it.ended()).toBe(1);
    await expect.poll(() => runs(grandchild), { timeout: 10_000 }).toBe(false);
  },
);

const FREE_TAP = ['--app-url', 'http://127.0.0.1:1', '--tap-app-port', '0', '--tap-sidecar-port', '0'];

test.skipIf(process.platform === 'win32').each([
  ['run', FREE],
  ['tap', FREE_TAP],
] as const)('a second signal kills a command of %s that takes no notice of the first', async (way, flags) => {
  vi.stubEnv('NODE_OPTIONS', MOVES_TIME);
  onTestFinished(() => void vi.unstubAllEnvs());
  const deaf = `process.on('SIGTERM', () => console.log('no')); ${STAYS}`;
  const it = await run(flags, [process.execPath, '-e', deaf], way);
  const pid = Number(await it.line());
  it.child.kill('SIGTERM');
  expect(await it.line()).toBe('no');
  it.child.kill('SIGUSR2');
  await expect.poll(() => it.log(), { timeout: 10_000 }).toContain(TIME_MOVED);
  it.child.kill('SIGTERM');
  expect(await it.ended()).toBe(130);
  expect(runs(pid)).toBe(false);
});

/** `NODE_OPTIONS` of a process that gets SIGTERM at the very moment at which it prints its ready line. */
const SIGNALLED = `--import=data:text/javascript,${encodeURIComponent(`
const { write } = process.stdout;
process.stdout.write = function (...given) {
  process.stdout.write = write;
  write.apply(this, given);
  process.kill(process.pid, 'SIGTERM');
  return true;
};`)}`;

test.skipIf(process.platform === 'win32').each([
  ['run without a command', 'run', FREE, [], 0],
  ['tap without a command', 'tap', FREE_TAP, [], 0],
  ['run with a command', 'run', FREE, ['sleep', '60'], 143],
  ['tap with a command', 'tap', FREE_TAP, ['sleep', '60'], 143],
] as const)('a signal at the ready line of %s ends it in order', async (_, way, flags, command, status) => {
  vi.stubEnv('NODE_OPTIONS', SIGNALLED);
  onTestFinished(() => void vi.unstubAllEnvs());
  const it = await run(flags, command, way);
  expect(await it.ended()).toBe(status);
});

test('a tap with a command says which sides answer, and at the end what passed it and where that is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const sidecar = createHttpServer((_, response) => response.end('{"id":"shop","runtimeVersion":"1.13.6"}'));
  onTestFinished(() => void sidecar.close());
  await once(sidecar.listen(0, '127.0.0.1'), 'listening');
  const at = `http://127.0.0.1:${(sidecar.address() as AddressInfo).port}`;
  const app = `http://127.0.0.1:${await freePort()}`;
  const flags = ['--app-url', app, '--sidecar-url', at, '--tap-app-port', '0', '--tap-sidecar-port', '0'];
  const ask = `fetch('http://127.0.0.1:{tapSidecarPort}/v1.0/other').then(() => console.log('asked'))`;
  const { status, stdout, stderr } = await runToEnd(
    ['tap', '--console-port', '0', '--data-dir', folder, ...flags],
    [process.execPath, '-e', ask],
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'asked\n' });
  expect(stderr).toContain(`  App       ${app}   (does not answer yet)\n  Sidecar   ${at}   (answers)\n`);
  const last = `0 publishes, 0 delivery calls and 1 other call passed the tap. Sidelight has ended. Its messages and settings are kept in ${folder}.`;
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(last);
});

/** Runs the program until it ends. This process serves what it calls meanwhile. */
async function runToEnd(flags: readonly string[], command: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...flags, '--', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { status: child.exitCode, stdout, stderr };
}

/** Port 3500 is taken from now on: by this test, or by another run of it. */
async function take3500(): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise((resolve) => {
    server.once('listening', resolve).once('error', resolve);
    server.listen(3500, '127.0.0.1');
  });
}

test('default ports are replaced if another instance has them', async () => {
  await take3500();
  const it = await run([], [process.execPath, '-e', 'console.log(JSON.stringify(process.env))']);
  const env: Readonly<Record<string, string>> = JSON.parse(await it.line());
  const port = new URL(it.ready.apps[0]?.sidecar ?? '').port;
  expect(port).not.toBe('3500');
  expect(env['DAPR_HTTP_PORT']).toBe(port);
  expect(env['DAPR_GRPC_PORT']).toBe(it.ready.apps[0]?.grpc?.split(':').at(-1));
  expect(await it.ended()).toBe(0);
});

test.each(['--dapr-http-port', '-H', '--sidecar-port'])(
  'a taken port of %s ends the start, and the line names that flag',
  async (flag) => {
    await take3500();
    const { code, stderr } = await runProduct(['run', ...KEPT, flag, '3500', '--', 'true']);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`port 3500 is in use.*choose another one with ${flag} `));
  },
);

/** An app that speaks HTTP/2 alone, subscribes to `orders`, and names the version and route of each call. */
const H2C_APP = `
const server = require('node:http2').createServer((request, response) => {
  console.log(request.httpVersion, request.url);
  request.resume();
  const routes = [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }];
  response.end(request.method === 'GET' ? JSON.stringify(routes) : '{}');
});
server.listen(process.env.APP_PORT, '127.0.0.1');`;

test('an app of --app-protocol h2c is asked for its subscriptions, and gets a message, over HTTP/2', async () => {
  const flags = [...FREE, '--app-port', String(await freePort()), '--app-protocol', 'h2c'];
  const it = await run(flags, [process.execPath, '-e', H2C_APP]);
  const [app] = it.ready.apps;
  expect(app?.app).toMatch(/^h2c:/);
  expect(await it.line()).toBe('2.0 /sidecar/subscribe');
  const published = await fetch(`${app?.sidecar}/v1.0/publish/pubsub/orders`, { method: 'POST', body: '1' });
  expect(published.status).toBe(204);
  expect(await it.line()).toBe('2.0 /orders');
  it.child.kill('SIGTERM');
  await it.ended();
});

test('the error for a missing program names it and says what to do, without the folders of PATH', async () => {
  const { code, stderr } = await runProduct(['run', ...KEPT, ...FREE, '--', 'nosuchprogram']);
  expect(code).toBe(1);
  expect(stderr).toContain(
    'the command could not be started: the program nosuchprogram was not found in PATH: correct its name, install it, or give its full path',
  );
  expect(stderr).not.toContain(process.env['PATH']);
});

test('the error for a program that the system does not start names it', async () => {
  const { code, stderr } = await runProduct(['run', ...KEPT, ...FREE, '--', import.meta.dirname]);
  expect(code).toBe(1);
  const what = `${import.meta.dirname} is not a program that may be started`;
  expect(stderr).toContain(`the command could not be started: ${what}`);
});

test('the line about a taken port of the mock app says what the flag is for', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { code, stderr } = await runProduct([...KEPT, ...FREE, '--app-port', String(address.port)]);
  expect(code).toBe(1);
  expect(stderr).toContain(`port ${address.port} is in use`);
  expect(stderr).toContain(`--app-url http://127.0.0.1:${address.port}`);
});

test('a forced shutdown ends the run with 1, whatever the command does', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); ${STAYS}`;
  const it = await run([...FREE, '--profile', 'dapr'], [process.execPath, '-e', stubborn]);
  const pid = Number(await it.line());
  const answer = await fetch(`${it.ready.apps[0]?.sidecar}/v1.0/shutdown`, {
    method: 'POST',
    headers: { 'dapr-force-shutdown': 'true' },
  });
  expect(answer.status).toBe(204);
  expect(await it.ended()).toBe(1);
  expect(isAlive(pid)).toBe(false);
});

test('a sidecar does not take the port at which its own app is going to listen', async () => {
  const port = await freePort();
  const flags = ['--sidecar-port', String(port), '-p', String(port)];
  const child = spawn(
    process.execPath,
    [PROGRAM, 'run', ...KEPT, ...flags, '--', process.execPath, '-e', '1'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await once(child, 'close');
  expect([child.exitCode, log]).toEqual([
    1,
    `sidelight: port ${port} is the port of the app; choose another one with --sidecar-port (0 = any free port)\n`,
  ]);
});
