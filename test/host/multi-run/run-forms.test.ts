/** Forms of a run: the origin of its file, apps that a person starts by hand, log files, a sidecar alone, and leftovers of a killed run. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { askOnTerminal, endLeftBehind } from '../../../core/host/multi-run/left-behind.ts';
import { groupRuns } from '../../../core/host/process-group.ts';
import { isRunning, processStart } from '../../../core/host/process-start.ts';
import { folderWith } from './plan-of.ts';
import { freePort } from '../../support/free-port.ts';
import { PATIENCE_MS, SUBSCRIBER, run, sidelight, until } from './run-stand.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

const FLAGS = ['--headless', '--ephemeral', '--sidecar-port', '0', '--console-port', '0'];
/** Says where it runs and under which id, then ends. */
const SAYS = 'console.log(process.env.APP_ID, process.cwd())';

test.each(['dapr.yaml', '.', '-'])('R1: -f %s starts the apps of the file', async (given) => {
  const file = `version: 1\napps:\n  - {appDirPath: ./a, command: [node, says.js]}\n`;
  const folder = folderWith({ 'dapr.yaml': file, 'a/says.js': SAYS });
  const input = given === '-' ? { input: file } : {};
  const one = sidelight(['run', '-f', given, ...FLAGS], { cwd: folder, env: { HOME: folder }, ...input });
  expect(await one.over).toBe(0);
  expect(one.out).toEqual([`== APP - a == a ${realpathSync(join(folder, 'a'))}`]);
});

test('R32: an app without a command has a sidecar and no process, and gets its waiting messages once it runs', async () => {
  const port = await freePort();
  const folder = folderWith({
    'dapr.yaml': `version: 1\napps:\n  - {appDirPath: a}\n  - {appDirPath: b, appPort: ${port}}\n`,
    'a/': '',
    'b/own.js': SUBSCRIBER,
  });
  const one = run(folder);
  const { apps } = await one.ready;
  const [a] = apps;
  const health = await fetch(`${a?.sidecar}/v1.0/healthz`);
  expect([health.status, await one.call('processes.list')]).toMatchObject([204, { items: [] }]);
  const publish = `${a?.sidecar}/v1.0/publish/pubsub/orders`;
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(publish, { method: 'POST', headers, body: '7' })).status).toBe(204);
  const own = spawn(process.execPath, ['own.js'], {
    cwd: join(folder, 'b'),
    env: { ...process.env, APP_PORT: String(port) },
    stdio: 'ignore',
  });
  onTestFinished(() => ended(own));
  await until(async () => {
    const { items } = (await one.call('messages.list')) as { items: { deliveries: { state: string }[] }[] };
    return items[0]?.deliveries[0]?.state === 'processed';
  });
  one.signal('SIGTERM');
  expect(await one.over).toBe(0);
});

test('R50: output of an app goes only to a file if its destination says so, and no other app gets a file', async () => {
  const folder = folderWith({
    'dapr.yaml': `version: 1
apps:
  - {appDirPath: a, appLogDestination: file, command: [node, ../says.js]}
  - {appDirPath: b, command: [node, ../says.js]}
`,
    'says.js': SAYS,
    'a/': '',
    'b/': '',
  });
  const one = run(folder);
  expect(await one.over).toBe(0);
  expect(one.out).toEqual([`== APP - b == b ${realpathSync(join(folder, 'b'))}`]);
  const logs = join(folder, 'a', '.dapr', 'logs');
  const [name = '', ...more] = readdirSync(logs);
  expect(name).toMatch(/^a_app_\d{14}\.log$/);
  expect(more).toEqual([]);
  expect(readFileSync(join(logs, name), 'utf8')).toBe(`a ${realpathSync(join(folder, 'a'))}\n`);
  expect(existsSync(join(folder, 'b', '.dapr'))).toBe(false);
});

test('the log file of a sidecar has the lines from before the apps started', async () => {
  const folder = folderWith({
    'dapr.yaml': `version: 1
apps:
  - {appDirPath: a, daprdLogDestination: file, resourcesPath: ../c, command: [node, -e, "0"]}
`,
    'c/broken.yaml':
      'apiVersion: dapr.io/v1alpha1\nkind: Component\nmetadata: {name: bus}\nspec: {type: no.such, version: v1}\n',
    'a/': '',
  });
  const one = run(folder);
  expect(await one.over).toBe(0);
  const logs = join(folder, 'a', '.dapr', 'logs');
  const [name = ''] = readdirSync(logs);
  expect(name).toMatch(/^a_daprd_\d{14}\.log$/);
  expect(readFileSync(join(logs, name), 'utf8')).toMatch(
    /ERROR components: Component bus \(no\.such\).*\n(.*\n)*.*App a ended with status 0\.\n$/,
  );
});

test('R53, R54, R58: one app runs with the flags of the reference, gets its own flags, and gives the exit status', async () => {
  const [http, grpc] = [await freePort(), await freePort()];
  const folder = folderWith({
    'c/bus.yaml':
      'apiVersion: dapr.io/v1alpha1\nkind: Component\nmetadata: {name: bus}\nspec: {type: pubsub.in-memory, version: v1}\n',
    'conf.yaml': 'apiVersion: dapr.io/v1alpha1\nkind: Configuration\nmetadata: {name: c}\nspec: {}\n',
    'a.js': `
      const { APP_ID, APP_PORT, DAPR_HTTP_PORT, DAPR_GRPC_PORT } = process.env;
      console.log(JSON.stringify([APP_ID, APP_PORT, DAPR_HTTP_PORT, DAPR_GRPC_PORT, ...process.argv.slice(2)]));
      fetch(process.env.DAPR_HTTP_ENDPOINT + '/v1.0/publish/bus/orders', { method: 'POST', body: '1' })
        .then(({ status }) => { console.log(status); process.exit(7); });`,
  });
  const own = ['--headless', '--ephemeral', '--console-port', '0', '--config', 'conf.yaml'];
  const theirs = ['-a', 'x', '-p', '5003', '-H', String(http), '-G', String(grpc), '--resources-path', './c'];
  const one = sidelight(['run', ...own, ...theirs, '--', 'node', 'a.js', '--port', '1'], { cwd: folder });
  expect(await one.over).toBe(7);
  expect(one.out).toEqual([JSON.stringify(['x', '5003', String(http), String(grpc), '--port', '1']), '204']);
});

test('R59: without a command the sidecar runs alone until a signal', async () => {
  const one = sidelight(['run', ...FLAGS]);
  const { apps } = await one.ready;
  expect((await fetch(`${apps[0]?.sidecar}/v1.0/healthz`)).status).toBe(204);
  one.signal('SIGTERM');
  expect(await one.over).toBe(0);
});

test('R64: a signal while an app waits for another one ends the run at once, without a failure', async () => {
  const port = await freePort();
  const folder = folderWith({
    'dapr.yaml': `version: 1
apps:
  - {appDirPath: a, appPort: ${port}, command: [sleep, "60"]}
  - {appDirPath: b, command: [touch, started], dependsOn: [a]}
`,
    'a/': '',
    'b/': '',
  });
  const one = run(folder);
  await until(async () => {
    const { items } = (await one.call('processes.list')) as { items: { state: string; reason?: string }[] };
    return items[0]?.state === 'starting' && items[1]?.reason?.startsWith('it waits for a: ') === true;
  });
  one.signal('SIGTERM');
  expect(await one.over).toBe(0);
  expect(existsSync(join(folder, 'b', 'started'))).toBe(false);
});

test('the next run ends the apps that a killed run left', async () => {
  const port = await freePort();
  const folder = folderWith({
    'dapr.yaml': `version: 1\napps:\n  - {appDirPath: a, appPort: ${port}, command: [node, a.js]}\n`,
    'a/a.js': SUBSCRIBER,
    'data/': '',
  });
  const data = ['--data-dir', join(folder, 'data')];
  const first = run(folder, [], {}, data);
  await until(() => first.out.includes('== APP - a == open'));
  const { items } = (await first.call('processes.list')) as { items: { pid: number }[] };
  const pid = items[0]?.pid ?? 0;
  first.signal('SIGKILL');
  await first.over;
  expect(groupRuns(pid)).toBe(true);
  const second = run(folder, [], {}, data);
  await until(() => second.out.includes('== APP - a == open'));
  expect(second.said.slice(0, 2)).toEqual([
    `sidelight: An earlier run of this file was killed, and its apps are still running: a (pid ${pid}).`,
    `sidelight: Ended: a (pid ${pid}).`,
  ]);
  expect(groupRuns(pid)).toBe(false);
});

/** Leaves a process of its own group, prints its number and ends. */
const LEAVES = `
const { spawn } = require('node:child_process');
const left = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
left.unref();
console.log('left', left.pid);
`;

test('the next run ends what a command left that ended before its run was killed', async () => {
  const port = await freePort();
  const folder = folderWith({
    'dapr.yaml': `version: 1\napps:\n  - {appDirPath: a, command: [node, a.js]}\n  - {appDirPath: b, appPort: ${port}, command: [node, b.js]}\n`,
    'a/a.js': LEAVES,
    'b/b.js': SUBSCRIBER,
    'data/': '',
  });
  const data = ['--data-dir', join(folder, 'data')];
  const first = run(folder, [], {}, data);
  const rows = async () => {
    const { items } = (await first.call('processes.list')) as { items: { pid?: number; state: string }[] };
    return items;
  };
  await until(async () => (await rows()).map(({ state }) => state).join() === 'exited,running');
  const pid = Number(
    first.out
      .find((line) => line.startsWith('== APP - a == left'))
      ?.split(' ')
      .at(-1),
  );
  onTestFinished(() => {
    if (isRunning(pid, undefined)) process.kill(pid, 'SIGKILL');
  });
  const other = (await rows())[1]?.pid ?? 0;
  first.signal('SIGKILL');
  await first.over;
  expect(isRunning(pid, undefined)).toBe(true);
  const second = run(folder, [], {}, data);
  await until(() => second.said.some((line) => line.startsWith('sidelight: Ended:')));
  expect(second.said.slice(0, 2)).toEqual([
    `sidelight: An earlier run of this file was killed, and its apps are still running: a (pid ${pid}), b (pid ${other}).`,
    `sidelight: Ended: a (pid ${pid}), b (pid ${other}).`,
  ]);
  expect(isRunning(pid, undefined)).toBe(false);
});

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A folder as a killed run has left it, with one process that lives. */
async function leftBy(change: { ownerPid?: number; startedMs?: number } = {}): Promise<{
  readonly child: ChildProcess;
  readonly end: (agrees: boolean) => Promise<readonly string[]>;
}> {
  const child = spawn(
    process.execPath,
    ['-e', 'process.on("SIGTERM", () => 0); setInterval(() => 0, 1000); console.log(1)'],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  onTestFinished(() => ended(child));
  if (child.stdout !== null) await once(child.stdout, 'data');
  const { pid = 0 } = child;
  const startedAt = new Date(change.startedMs ?? processStart(pid) ?? 0).toISOString();
  const own = { version: '1', console: '', rpc: '', token: '', apps: [], taps: [] };
  const owner = change.ownerPid ?? 2 ** 30;
  const killed = { pid: owner, startedAt: new Date(processStart(owner) ?? 0).toISOString() };
  const folder = folderWith({});
  writeFileSync(
    join(folder, 'running.json'),
    JSON.stringify({ ...own, ...killed, processes: [{ appId: 'a', pid, startedAt }] }),
  );
  const lines: string[] = [];
  const options = { mode: 'run', apps: [], dataDir: folder, ephemeral: false, env: {} } as const;
  return {
    child,
    end: async (agrees) => {
      const say = (line: string): void => void lines.push(line);
      await endLeftBehind(options, { print: say, agrees: async () => agrees, graceMs: 50 });
      return lines;
    },
  };
}

test('a left process that ignores the signal is killed, but only with consent', async () => {
  const { child, end } = await leftBy();
  expect(await end(false)).toHaveLength(1);
  expect(child.signalCode).toBeNull();
  const gone = once(child, 'exit');
  await end(true);
  expect((await gone)[1]).toBe('SIGKILL');
});

test('a left process that cannot be killed is reported, and the run starts anyway', async () => {
  const { child, end } = await leftBy();
  const kill = process.kill.bind(process);
  const deaf = vi
    .spyOn(process, 'kill')
    .mockImplementation((pid, signal) => (signal === 0 ? kill(pid, signal) : true));
  onTestFinished(() => deaf.mockRestore());
  expect((await end(true)).slice(1)).toEqual([
    `Not ended: a (pid ${child.pid}). Sidelight starts anyway; a port that one of them holds is still taken.`,
  ]);
});

test.each([
  ['a process that has the number of one, and was started at another time', { startedMs: 1_000_000_000_000 }],
  ['the processes of a run that lives', { ownerPid: process.pid }],
])('%s is not reported and not ended', async (_what, change) => {
  const { child, end } = await leftBy(change);
  expect(await end(true)).toEqual([]);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
});

/** Result of `askOnTerminal` for this input. */
function asked(typed: string, isTTY = true): Promise<boolean> {
  const [input, output] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY }),
  );
  if (input === undefined || output === undefined) throw new Error('no streams');
  const answer = askOnTerminal('End them? ', { input, output });
  input.end(typed);
  return answer;
}

test('a person is asked on a terminal, and only there', async () => {
  expect(await asked('\n')).toBe(true);
  expect(await asked('yes\n')).toBe(true);
  expect(await asked('No\n')).toBe(false);
  await expect(asked('')).rejects.toThrow('nothing is started: the question was not answered');
  expect(await asked('n\n', false)).toBe(true);
});
