/** The command of `sidelight run`, as the console sees it: state, output, and an address that is missing. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { CommandOfApp, noAddressText } from '../../core/host/command-of-app.ts';
import { startGroup } from '../../core/host/process-group.ts';

const WITHOUT =
  'The app was started without --app-port, so it has no address: it gets messages only through a stream that it opens. If it is to be called, start it with --app-port and the port on which it listens.';
const NAMED =
  'The app was started without --app-port, so it has no address: it gets messages only through a stream that it opens. It listens on port 28777: if it is to be called there, start it with --app-port 28777.';

/** A command of which nothing runs, and what it has told. */
function commandOf(isUnaddressed: boolean, ports: () => readonly number[] = () => []) {
  const said: string[] = [];
  const command = new CommandOfApp({
    appId: 'app',
    command: ['node', 'app.mjs'],
    isUnaddressed,
    link: {
      attach: () => undefined,
      changed: (appId, notRunning) => void said.push(`${appId}: ${notRunning ?? 'runs'}`),
      log: (level, text) => void said.push(`${level} ${text}`),
      output: (_appId, stream, line) => void said.push(`${stream} ${line}`),
    },
    now: () => 0,
    portsOf: ports,
  });
  return { command, said };
}

test('the command is the process of its app, until it ends', () => {
  const { command, said } = commandOf(false);
  command.began(12);
  const common = {
    appId: 'app',
    command: ['node', 'app.mjs'],
    startedAt: '1970-01-01T00:00:00.000Z',
    restarts: 0,
    endsRun: true,
  };
  expect(command.rows()).toEqual([{ ...common, pid: 12, state: 'running' }]);
  command.ended(3, { signal: undefined, isAsked: false });
  expect(command.rows()).toEqual([{ ...common, state: 'failed', exitCode: 3 }]);
  expect(said).toEqual(['app: runs', 'error The app ended with status 3.', 'app: it ended with status 3']);
  expect(command.banners()).toEqual([]);
});

test.each([
  [0, undefined, false, 'info The app ended with status 0.'],
  [143, 'SIGTERM', false, 'error The app ended with signal SIGTERM.'],
  [130, 'SIGINT', true, 'info The app ended with signal SIGINT.'],
] as const)('an end with %i (%s, asked for: %s) is a line of the log', (status, signal, isAsked, line) => {
  const { command, said } = commandOf(false);
  command.began(12);
  command.ended(status, { signal, isAsked });
  expect(said[1]).toBe(line);
});

test('a person cannot stop it apart from its run', async () => {
  const { command } = commandOf(true);
  await expect(command.stop('app')).rejects.toThrow('This run ends with the process of the app');
  expect(command.stop('other')).toBeUndefined();
});

test('an app without an address is told so once, and its port once it listens', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let ports: readonly number[] = [];
  const { command, said } = commandOf(true, () => ports);
  command.began(12);
  vi.advanceTimersByTime(4_000);
  expect(said).toEqual(['app: runs', `info ${WITHOUT}`]);
  ports = [28777];
  vi.advanceTimersByTime(100_000);
  expect(said).toEqual(['app: runs', `info ${WITHOUT}`, `warn ${NAMED}`]);
  expect(command.banners()).toEqual([{ id: 'no-app-address', level: 'warn', text: NAMED, appId: 'app' }]);
  command.ended(0, { signal: undefined, isAsked: false });
  expect(command.banners()).toEqual([]);
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
