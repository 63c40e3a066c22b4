/** The command of `sidelight run`, as the console sees it: state, output, and an address that is missing. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { CommandOfApp, noAddressText } from '../../core/host/command-of-app.ts';
import { CommandProcess } from '../../core/host/command-process.ts';
import { startGroup } from '../../core/host/process-group.ts';
import type { ProcessGroup } from '../../core/host/process-group.ts';

const WITHOUT =
  'The app was started without --app-port, so it has no address: it gets messages only through a stream that it opens. If it is to be called, start it with --app-port and the port on which it listens.';
const NAMED =
  'The app was started without --app-port, so it has no address: it gets messages only through a stream that it opens. It listens on port 28777: if it is to be called there, start it with --app-port 28777.';

/** The end of a command that a test decides. */
function fakeGroup(pid: number) {
  let isOver = false;
  let end!: (status: number) => void;
  const status = new Promise<number>((resolve) => {
    end = (code) => {
      isOver = true;
      resolve(code);
    };
  });
  const signals: string[] = [];
  const group: ProcessGroup = {
    pid,
    status,
    endedBy: () => undefined,
    runs: () => !isOver,
    signal: (signal) => {
      signals.push(signal);
      end(0);
    },
    end: async () => undefined,
  };
  return { group, end, signals };
}

/** A command of which nothing runs, and what it has told. */
function commandOf(isUnaddressed: boolean, ports: () => readonly number[] = () => []) {
  const said: string[] = [];
  const follower = new CommandOfApp({
    appId: 'app',
    isUnaddressed,
    link: {
      attach: () => undefined,
      changed: (appId, notRunning) => void said.push(`${appId}: ${notRunning ?? 'runs'}`),
      log: (level, text) => void said.push(`${level} ${text}`),
      output: (_appId, stream, line) => void said.push(`${stream} ${line}`),
      pauseDeliveries: async () => void said.push('paused'),
      resumeDeliveries: async () => void said.push('resumed'),
    },
    portsOf: ports,
  });
  const groups: ReturnType<typeof fakeGroup>[] = [];
  const command = new CommandProcess({
    appId: 'app',
    command: ['node', 'app.mjs'],
    url: undefined,
    start() {
      const fake = fakeGroup(12 + groups.length);
      groups.push(fake);
      return fake.group;
    },
    changed: () => undefined,
    follower,
  });
  // A start that is as good as at once is said twice.
  const distinct = (): readonly string[] => said.filter((line, at) => line !== said[at - 1]);
  return { command, follower, said: distinct, groups };
}

test('the command is the process of its app, until it ends', async () => {
  const { command, follower, said, groups } = commandOf(false);
  const common = { appId: 'app', command: ['node', 'app.mjs'], restarts: 0, endsRun: true };
  expect(follower.rows()).toMatchObject([{ ...common, pid: 12, state: 'running' }]);
  groups[0]?.end(3);
  expect(await command.over).toBe(3);
  expect(follower.rows()).toMatchObject([{ ...common, state: 'failed', exitCode: 3 }]);
  expect(said()).toEqual(['app: runs', 'error The app ended with status 3.', 'app: it ended with status 3']);
  expect(follower.banners()).toEqual([]);
});

test('a signal for the run makes any end of the command one that was asked for', async () => {
  const { command, said, groups } = commandOf(false);
  command.end('SIGINT');
  expect(groups[0]?.signals).toEqual(['SIGINT']);
  await command.over;
  expect(said()[1]).toBe('info The app ended with status 0.');
});

test('a person restarts it, and the run goes on with its deliveries paused meanwhile', async () => {
  const { command, follower, said, groups } = commandOf(false);
  await follower.restart('app');
  expect(groups).toHaveLength(2);
  expect(follower.rows()).toMatchObject([{ pid: 13, state: 'running', restarts: 1 }]);
  expect(said()).toContain('paused');
  expect(said()).toContain('resumed');
  expect(said().filter((line) => /ended|restarted/.test(line))).toEqual([
    'info The app ended with status 0, because a person restarted it.',
    'app: it ended with status 0, because a person restarted it',
    'info The app was restarted.',
  ]);
  groups[1]?.end(4);
  expect(await command.over).toBe(4);
});

test('a person stops it: the run goes on, says so, and ends with 0 at a signal', async () => {
  const { command, follower, said } = commandOf(false);
  expect(follower.stop('other')).toBeUndefined();
  await follower.stop('app');
  expect(follower.rows()).toMatchObject([{ state: 'exited', endsRun: true }]);
  expect(said()).toContain('info The app ended with status 0, because a person stopped it.');
  expect(said()).toContain('app: it ended with status 0, because a person stopped it');
  expect(said().at(-1)).toBe(
    'info The app was stopped, and the run goes on: choose Start on the Apps screen, or end the run.',
  );
  command.end('SIGTERM');
  expect(await command.over).toBe(0);
  await follower.start('app');
  expect(follower.rows()).toMatchObject([{ state: 'exited' }]);
});

test('what ended it names a script or an agent that asked for it, and no person', async () => {
  const { follower, said } = commandOf(false);
  await follower.restart('app', 'agent');
  await follower.stop('app', 'script');
  expect(said().filter((line) => line.includes('because'))).toEqual([
    'info The app ended with status 0, because an agent restarted it.',
    'app: it ended with status 0, because an agent restarted it',
    'info The app ended with status 0, because a script stopped it.',
    'app: it ended with status 0, because a script stopped it',
  ]);
});

test('one that a person stopped starts again', async () => {
  const { follower, said } = commandOf(false);
  await follower.stop('app');
  await follower.start('app');
  expect(said()).toContain('info The app was restarted.');
  expect(follower.rows()).toMatchObject([{ pid: 13, state: 'running' }]);
});

test('an app without an address is told so once, and its port once it listens', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let ports: readonly number[] = [];
  const { command, follower, said, groups } = commandOf(true, () => ports);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(said()).toEqual(['app: runs', `info ${WITHOUT}`]);
  ports = [28777];
  await vi.advanceTimersByTimeAsync(100_000);
  expect(said()).toEqual(['app: runs', `info ${WITHOUT}`, `warn ${NAMED}`]);
  expect(follower.banners()).toEqual([{ id: 'no-app-address', level: 'warn', text: NAMED, appId: 'app' }]);
  groups[0]?.end(0);
  await command.over;
  expect(follower.banners()).toEqual([]);
});

test('several ports are named, and the first is proposed', () => {
  expect(noAddressText('mail', [3000, 9229])).toBe(
    'App mail was started without --app-port, so it has no address: it gets messages only through a stream that it opens. It listens on ports 3000, 9229: if it is to be called there, start it with --app-port 3000.',
  );
});

test('each line of a command is read, and its status comes after its last line', async () => {
  const lines: string[] = [];
  const writes = `process.stdout.write('one\\ntwo'); process.stderr.write('three\\n'); process.exitCode = 4`;
  const group = startGroup(process.execPath, ['-e', writes], process.env, (stream, line) => {
    lines.push(`${stream} ${line}`);
  });
  expect(await group.status).toBe(4);
  expect(group.endedBy()).toBeUndefined();
  expect(lines.toSorted()).toEqual(['stderr three', 'stdout one', 'stdout two']);
});
