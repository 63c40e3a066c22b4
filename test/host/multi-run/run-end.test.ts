/** The end of a run: open work is finished, no process is left, and a second signal does not wait. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signalGroup } from '../../../core/host/process-group.ts';
import { folderWith } from './plan-of.ts';
import { freePort } from '../../support/free-port.ts';
import { MOVES_TIME, TIME_MOVED } from '../../support/moved-time.ts';
import { PATIENCE_MS, SUBSCRIBER, run, until } from './run-stand.ts';
import type { Run } from './run-stand.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

async function pidOf(one: Run, appId: string): Promise<number> {
  const { items } = (await one.call('processes.list')) as { items: { appId: string; pid: number }[] };
  return items.find((row) => row.appId === appId)?.pid ?? 0;
}

/** Whether a process is running; a zombie that its new parent has not collected is not. */
function lives(pid: number): boolean {
  const listed = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return listed !== '' && !listed.startsWith('Z');
}

test('R38: a delivery that is open at the end is answered, and the answer counts', async () => {
  const port = await freePort();
  const folder = folderWith({
    'dapr.yaml': `version: 1\napps:\n  - {appDirPath: a, appPort: ${port}, command: [node, a.js], env: {ANSWERS_AFTER: 300}}\n`,
    'a/a.js': SUBSCRIBER,
  });
  const data = folderWith({ 'data/': '' });
  const one = run(folder, [], {}, ['--data-dir', `${data}/data`]);
  await one.call('messages.publish', { pubsubname: 'pubsub', topic: 'orders', data: 1 });
  await until(() => one.out.includes('== APP - a == got 1'));
  one.signal('SIGTERM');
  expect(await one.over).toBe(0);
  expect(one.out).toContain('== APP - a == answered 1');
  const next = run(folder, [], {}, ['--data-dir', `${data}/data`]);
  expect(await next.call('messages.list')).toMatchObject({
    items: [{ deliveries: [{ state: 'processed', attempts: 1 }] }],
  });
});

test('R39: a second signal ends an app that ignores the first, and its child processes', async () => {
  const folder = folderWith({
    'dapr.yaml': 'version: 1\napps:\n  - {appDirPath: a, command: [node, deaf.js]}\n',
    'a/deaf.js': `
      process.on('SIGTERM', () => console.log('no'));
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => 0); setInterval(() => 0, 1000)']);
      console.log('child ' + child.pid);
      setInterval(() => 0, 1000);`,
  });
  const one = run(folder, [], { NODE_OPTIONS: MOVES_TIME });
  await until(() => one.out.some((line) => line.includes('child')));
  const pids = [await pidOf(one, 'a'), Number(/child (\d+)/.exec(one.out.join('\n'))?.[1])];
  one.signal('SIGTERM');
  await until(() => one.out.includes('== APP - a == no'));
  one.signal('SIGUSR2');
  await until(() => one.said.includes(TIME_MOVED));
  one.signal('SIGTERM');
  expect(await one.over).toBe(130);
  await until(() => !pids.some(lives));
});

test('a forced shutdown ends the run with 1, and does not wait for an app that ignores SIGTERM', async () => {
  const folder = folderWith({
    'dapr.yaml': 'version: 1\napps:\n  - {appDirPath: a, command: [node, deaf.js]}\n',
    'a/deaf.js': `
      process.on('SIGTERM', () => console.log('no'));
      console.log('here');
      setInterval(() => 0, 1000);`,
  });
  const one = run(folder);
  await until(() => one.out.includes('== APP - a == here'));
  const pid = await pidOf(one, 'a');
  const headers = { 'dapr-force-shutdown': 'true' };
  const { sidecar = '' } = (await one.ready).apps[0] ?? {};
  const { status } = await fetch(`${sidecar}/v1.0/shutdown`, { method: 'POST', headers });
  expect(status).toBe(204);
  expect(await one.over).toBe(1);
  expect(one.out).not.toContain('== APP - a == no');
  expect(lives(pid)).toBe(false);
});

test('a forced shutdown that comes after another one ends the run with 1, and does not wait any longer', async () => {
  const folder = folderWith({
    'dapr.yaml': 'version: 1\napps:\n  - {appDirPath: a, command: [node, deaf.js]}\n',
    'a/deaf.js': `
      process.on('SIGTERM', () => console.log('no'));
      console.log('here');
      setInterval(() => 0, 1000);`,
  });
  const one = run(folder);
  await until(() => one.out.includes('== APP - a == here'));
  const { sidecar = '' } = (await one.ready).apps[0] ?? {};
  const shutdown = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${sidecar}/v1.0/shutdown`, { method: 'POST', headers });
  expect((await shutdown({})).status).toBe(204);
  await until(() => one.out.includes('== APP - a == no'));
  expect((await shutdown({ 'dapr-force-shutdown': 'true' })).status).toBe(204);
  expect(await one.over).toBe(1);
  expect(one.said.join('\n')).not.toContain('did not end within');
});

test('R40: an app that fails does not end the others, and gives the status of the run', async () => {
  const folder = folderWith({
    'dapr.yaml':
      'version: 1\napps:\n  - {appDirPath: a, command: [sh, -c, "exit 3"]}\n  - {appDirPath: b, command: [sleep, 60]}\n',
    'a/': '',
    'b/': '',
  });
  const one = run(folder);
  await until(async () => {
    const { items } = (await one.call('processes.list')) as { items: { state: string; exitCode?: number }[] };
    return items[0]?.state === 'failed' && items[0].exitCode === 3 && items[1]?.state === 'running';
  });
  one.signal('SIGTERM');
  expect(await one.over).toBe(1);
});

test.skipIf(process.platform === 'win32')(
  'an unexpected error ends the run with 1, and all apps with their child processes',
  async () => {
    const folder = folderWith({
      'dapr.yaml': 'version: 1\napps:\n  - {appDirPath: a, command: [node, a.js]}\n',
      'a/a.js': `
        const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
        console.log('child ' + child.pid);
        setInterval(() => 0, 1000);`,
    });
    const bug = encodeURIComponent(`process.once('SIGUSR2', () => { throw new Error('a bug'); });`);
    const one = run(folder, [], { NODE_OPTIONS: `--import=data:text/javascript,${bug}` });
    await until(() => one.out.some((line) => line.includes('child')));
    const pids = [await pidOf(one, 'a'), Number(/child (\d+)/.exec(one.out.join('\n'))?.[1])];
    one.signal('SIGUSR2');
    expect(await one.over).toBe(1);
    await until(() => !pids.some(lives));
  },
);

test.skipIf(process.platform === 'win32')(
  "a daemon that left its app's process group and holds its output does not delay the end",
  async () => {
    const folder = folderWith({
      'dapr.yaml': 'version: 1\napps:\n  - {appDirPath: a, command: [node, a.js]}\n',
      'a/a.js': `
        const program = ['-e', 'setInterval(() => 0, 1000)'];
        const child = require('node:child_process').spawn(process.execPath, program, { detached: true, stdio: 'inherit' });
        console.log('daemon ' + child.pid);
        setInterval(() => 0, 1000);`,
    });
    const one = run(folder);
    await until(() => one.out.some((line) => line.includes('daemon')));
    const daemon = Number(/daemon (\d+)/.exec(one.out.join('\n'))?.[1]);
    onTestFinished(() => void process.kill(daemon, 'SIGKILL'));
    one.signal('SIGTERM');
    expect(await one.over).toBe(0);
    expect(lives(daemon)).toBe(true);
  },
);

test.skipIf(process.platform === 'win32')('a signal while the sidecars open starts no app', async () => {
  const folder = folderWith({
    'dapr.yaml': 'version: 1\napps:\n  - {appDirPath: a, command: [touch, started]}\n',
    'a/': '',
  });
  const signalling = encodeURIComponent(`
    import { Server } from 'node:net';
    const { listen } = Server.prototype;
    Server.prototype.listen = function (...given) {
      Server.prototype.listen = listen;
      process.kill(process.pid, 'SIGTERM');
      return listen.apply(this, given);
    };`);
  const one = run(folder, [], { NODE_OPTIONS: `--import=data:text/javascript,${signalling}` });
  expect(await one.over).toBe(0);
  await expect(one.ready).rejects.toThrow('it ended with 0');
  expect(existsSync(`${folder}/a/started`)).toBe(false);
});

describe.skipIf(process.platform === 'win32')('a signal while leftovers of an earlier run are ended', () => {
  /** The folder of a run that was killed, with an app that ends only by SIGKILL. */
  async function leftover(): Promise<string> {
    const folder = folderWith({
      'dapr.yaml': 'version: 1\napps:\n  - {appDirPath: a, command: [node, deaf.js]}\n',
      'a/deaf.js': `
        require('node:fs').appendFileSync('started', 'x');
        process.on('SIGTERM', () => undefined);
        setInterval(() => 0, 1000);`,
    });
    const first = run(folder, [], {}, ['--data-dir', `${folder}/data`]);
    await first.ready;
    await until(() => existsSync(`${folder}/a/started`));
    const pid = await pidOf(first, 'a');
    onTestFinished(() => void signalGroup(pid, 'SIGKILL'));
    first.signal('SIGKILL');
    await first.over;
    return folder;
  }

  const isEnding = (one: Run): boolean => one.said.some((line) => line.includes('are still running: a (pid'));

  test('starts nothing', async () => {
    const folder = await leftover();
    const next = run(folder, [], {}, ['--data-dir', `${folder}/data`]);
    await until(() => isEnding(next));
    next.signal('SIGTERM');
    expect(await next.over).toBe(0);
    await expect(next.ready).rejects.toThrow('it ended with 0');
    expect(readFileSync(`${folder}/a/started`, 'utf8')).toBe('x');
  });

  test('ends the program at once if another one follows', async () => {
    const folder = await leftover();
    const next = run(folder, [], {}, ['--data-dir', `${folder}/data`]);
    await until(() => isEnding(next));
    // The first of them that comes later than the same wish would is the second one.
    const again = setInterval(() => next.signal('SIGTERM'), 100);
    onTestFinished(() => clearInterval(again));
    expect(await next.over).toBe(130);
  });
});
