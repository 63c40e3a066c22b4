/** Where a running instance is written, and which one a command finds. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorText } from '../../core/contract/error-text.ts';
import type { ShellAddresses } from '../../core/contract/shell.ts';
import { defaultDataDir } from '../../core/host/data-dir.ts';
import { UsageError } from '../../core/host/flags.ts';
import { isRunning, processStart } from '../../core/host/process-start.ts';
import { openRunningFile, runningInstances } from '../../core/host/running-file.ts';
import type { RunningFile } from '../../core/host/running-file.ts';
import { whereOf } from '../../core/host/running-instance.ts';

const AT: ShellAddresses = {
  console: 'http://127.0.0.1:1',
  open: 'http://127.0.0.1:1/open?key=once',
  rpc: 'http://127.0.0.1:1/rpc',
  token: 'T',
  apps: [
    { appId: 'shop', sidecar: 'http://127.0.0.1:2', grpc: '127.0.0.1:3', protocol: 'http', mock: false },
  ],
};
const warnings: string[] = [];
const log = { write: (_level: string, _part: string, text: string) => void warnings.push(text) };
let env: Record<string, string>;
let standard: string;

beforeEach(() => {
  warnings.length = 0;
  const home = mkdtempSync(join(tmpdir(), 'sidelight-running-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  env = { XDG_DATA_HOME: home, LOCALAPPDATA: home };
  standard = defaultDataDir(env, process.platform) ?? '';
  mkdirSync(standard, { recursive: true });
});

function opened(folder?: string): RunningFile {
  const file = openRunningFile({ folder, env, version: '1.2.3', at: AT, log, everyMs: 10 });
  onTestFinished(() => file.remove());
  return file;
}

/** Makes a file whose size takes no room on the disk. */
function sparse(path: string): void {
  writeFileSync(path, '');
  truncateSync(path, 600 * 1024 ** 2);
}

function pipe(path: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
}

describe('the file', () => {
  const inItsPlace: readonly (readonly [what: string, put: (path: string) => void])[] = [
    ['a file of 600 MiB', sparse],
    ['a folder', (path) => mkdirSync(path)],
    ...(process.platform === 'win32' ? [] : [['a named pipe', pipe] as const]),
  ];
  test.each(inItsPlace)('is not read where %s is in its place', (_what, put) => {
    put(join(standard, 'running.json'));
    expect(runningInstances(standard, env)).toEqual([]);
  });

  test('is written for its owner alone, without the link, and removed at the end', async () => {
    const file = opened(standard);
    const path = join(standard, 'running.json');
    const { born, ...written } = JSON.parse(readFileSync(path, 'utf8'));
    expect(String(born)).toMatch(process.platform === 'linux' ? /^[\da-f-]{36}\.\d+$/ : /^undefined$/);
    expect(written).toEqual({
      version: '1.2.3',
      pid: process.pid,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      console: AT.console,
      rpc: AT.rpc,
      token: 'T',
      apps: AT.apps,
      taps: [],
      processes: [],
    });
    expect(statSync(path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    file.setProcesses([{ appId: 'shop', pid: process.pid }]);
    expect(runningInstances(standard, env)[0]?.processes).toMatchObject([
      { appId: 'shop', pid: process.pid },
    ]);
    await file.remove();
    expect(readdirSync(standard)).toEqual([]);
  });

  test('is written only when a process has changed, and not after its removal', async () => {
    const file = opened(standard);
    const path = join(standard, 'running.json');
    const one = { appId: 'shop', pid: process.pid };
    file.setProcesses([one]);
    const before = statSync(path).ino;
    // A file beside it keeps its number from being given to the next one.
    writeFileSync(join(standard, 'beside'), '');
    file.setProcesses([{ ...one }]);
    expect(statSync(path).ino).toBe(before);
    file.setProcesses([{ ...one, group: 1 }]);
    expect(runningInstances(standard, env)[0]?.processes).toMatchObject([{ ...one, group: 1 }]);
    await file.remove();
    file.setProcesses([one]);
    expect(existsSync(path)).toBe(false);
  });

  test('is in the default folder for an ephemeral instance, which removes those of killed ones', async () => {
    const folder = join(standard, 'ephemeral');
    mkdirSync(folder);
    const killed = {
      ...AT,
      version: '1',
      pid: process.pid,
      startedAt: '2001-01-01T00:00:00.000Z',
      processes: [],
    };
    writeFileSync(join(folder, '1.json'), JSON.stringify(killed));
    const file = opened();
    expect(readdirSync(folder)).toEqual([`${process.pid}.json`]);
    await file.remove();
    expect(existsSync(folder)).toBe(false);
  });

  test('leaves the folder of ephemeral instances to another one that still runs', async () => {
    const file = opened();
    const other = join(standard, 'ephemeral', '1.json');
    writeFileSync(other, '{}');
    await file.remove();
    expect(existsSync(other)).toBe(true);
  });

  test('names a command that an earlier run left behind', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60000)']);
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    const { pid = 0 } = child;
    opened(standard).setProcesses([{ appId: 'shop', pid }]);
    const next = opened(standard);
    expect(next.leftBehind).toMatchObject([{ appId: 'shop', pid }]);
    expect(warnings).toEqual([`The command of app shop from an earlier run is still running: pid ${pid}.`]);
  });

  test.each([
    ['that is removed', (path: string) => rmSync(path, { force: true })],
    ['that another hand writes over', (path: string) => writeFileSync(`${path}.new`, '{}')],
    ['that another hand writes into', (path: string) => writeFileSync(path, '{}')],
  ])('%s is written again with its commands, and the log says so', async (_, spoil) => {
    const file = opened(standard);
    const path = join(standard, 'running.json');
    file.setProcesses([{ appId: 'shop', pid: process.pid }]);
    await expect
      .poll(
        () => {
          // Until the watch has looked for the first time it knows no other file.
          if (warnings.length === 0) {
            spoil(path);
            if (existsSync(`${path}.new`)) renameSync(`${path}.new`, path);
          }
          return warnings;
        },
        { timeout: 15_000 },
      )
      .toEqual([
        `${path} was removed or changed while Sidelight was running. Sidelight has written it again.`,
      ]);
    expect(runningInstances(standard, env)).toMatchObject([
      { token: 'T', processes: [{ appId: 'shop', pid: process.pid }] },
    ]);
    await file.remove();
    expect(readdirSync(standard)).toEqual([]);
  });

  test('that cannot be written leaves nothing beside it', () => {
    mkdirSync(join(standard, 'running.json'));
    opened(standard);
    expect(warnings).toEqual([expect.stringContaining('could not be written, so other commands need --rpc')]);
    expect(readdirSync(standard)).toEqual(['running.json']);
  });

  test('is reported if its folder cannot be written, and nothing else fails', async () => {
    const path = join(standard, 'gone');
    await opened(path).remove();
    expect(warnings).toEqual([expect.stringContaining('could not be written, so other commands need --rpc')]);
    expect(existsSync(path)).toBe(false);
  });
});

/** The text of the error that it throws. */
function saidOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return errorText(error);
  }
  throw new Error('it threw nothing');
}

describe('which instance a command asks', () => {
  test('is that of the flags, else of the environment, else the running one', () => {
    opened(standard);
    const flags = { rpc: 'http://f/rpc', token: 'F' };
    const more = { ...env, SIDELIGHT_RPC: 'http://e/rpc', SIDELIGHT_TOKEN: 'E' };
    expect(whereOf(flags, more)).toEqual(flags);
    expect(whereOf({}, more)).toEqual({ rpc: 'http://e/rpc', token: 'E' });
    expect(whereOf({}, env)).toMatchObject({ rpc: AT.rpc, token: 'T' });
    expect(whereOf({ 'data-dir': standard }, env)).toMatchObject({ token: 'T' });
    // Whoever names none is told which it is.
    expect(whereOf({}, env).chosen).toMatch(/^pid \d+, started .*: --data-dir /);
    expect(whereOf({ 'data-dir': standard }, env).chosen).toBeUndefined();
    expect(whereOf({}, { ...env, SIDELIGHT_RPC: '', SIDELIGHT_TOKEN: '' })).toMatchObject({ token: 'T' });
  });

  test('is missing if none runs, also with files of dead ones', () => {
    const dead = {
      ...AT,
      version: '1',
      pid: 2 ** 22 - 1,
      startedAt: '2001-01-01T00:00:00.000Z',
      processes: [],
    };
    writeFileSync(join(standard, 'running.json'), JSON.stringify(dead));
    writeFileSync(join(standard, 'other.json'), '{');
    expect(() => whereOf({}, env)).toThrow(/^no running instance was found; start Sidelight/);
  });

  // Where the kernel counts the start from the boot, its time of day moves with every change of the clock.
  test.skipIf(process.platform !== 'linux')(
    'is found with its commands after the clock was set by an hour',
    () => {
      opened(standard).setProcesses([{ appId: 'shop', pid: process.pid }]);
      const path = join(standard, 'running.json');
      const file = JSON.parse(readFileSync(path, 'utf8'));
      const startedAt = new Date(Date.parse(file.startedAt) - 3_600_000).toISOString();
      const processes = file.processes.map((one: object) => ({ ...one, startedAt }));
      writeFileSync(path, JSON.stringify({ ...file, startedAt, processes }));
      expect(whereOf({}, env)).toMatchObject({ rpc: AT.rpc, token: 'T' });
      expect(opened(standard).leftBehind).toMatchObject([{ appId: 'shop', pid: process.pid }]);
      expect(isRunning(process.pid, Date.parse(startedAt), 'another-boot.1')).toBe(false);
    },
  );

  test.each(['run-shop', 'tap-shop'])('is found in a folder of its own, %s', (name) => {
    const folder = join(standard, name);
    mkdirSync(folder);
    opened(folder);
    expect(whereOf({}, env)).toMatchObject({ rpc: AT.rpc, token: 'T' });
  });

  test('is a usage error if several run, with the list and the flag that chooses each', () => {
    opened(standard);
    const run = join(standard, 'run-shop');
    mkdirSync(run);
    opened(run);
    opened();
    expect(() => whereOf({}, env)).toThrow(UsageError);
    const [first, ...list] = saidOf(() => whereOf({}, env)).split('\n');
    expect(first).toBe('several instances run; choose one:');
    const started = `  pid ${process.pid}, started `;
    expect(list.map((line) => line.startsWith(started))).toEqual([true, true, true]);
    const own = join(standard, 'ephemeral', `${process.pid}.json`);
    expect(list.map((line) => line.slice(line.indexOf(', apps ')))).toEqual([
      `, apps shop: --data-dir ${standard}`,
      `, apps shop: --data-dir ${run}`,
      `, apps shop: --rpc ${AT.rpc} --token T (T: "token" in ${own})`,
    ]);
    expect(whereOf({ 'data-dir': run }, env)).toMatchObject({ token: 'T' });
  });
});

test('a process id that another process has now is not the process', () => {
  const started = processStart(process.pid);
  expect(isRunning(process.pid, started)).toBe(true);
  // Where the system does not say when a process began, its number alone counts.
  expect(isRunning(process.pid, (started ?? 0) - 60_000)).toBe(started === undefined);
});

test('a process id that a process of another user has now is not the process either', () => {
  const started = processStart(process.pid);
  const refusing = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  onTestFinished(() => refusing.mockRestore());
  expect(isRunning(process.pid, started)).toBe(true);
  expect(isRunning(process.pid, (started ?? 0) - 60_000)).toBe(started === undefined);
});

test.skipIf(process.platform !== 'linux')(
  'a process that ended and was not asked about yet does not run',
  async () => {
    // The program that takes the place of the shell never asks about the one that the shell had started.
    const parent = spawn('sh', ['-c', 'cat <&3 >/dev/null & echo $!; exec sleep 60 3<&-'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    onTestFinished(async () => {
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    });
    if (parent.stdout === null) throw new Error('the output of the shell is no pipe');
    const [line]: unknown[] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    // The shell itself might ask about one that ends before.
    await expect
      .poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim(), { timeout: 10_000 })
      .toBe('sleep');
    parent.stdio[3]?.destroy();
    await expect.poll(() => isRunning(pid, undefined), { timeout: 10_000 }).toBe(false);
    expect(existsSync(`/proc/${pid}`)).toBe(true);
  },
);

test('a file that is being written is no second instance', () => {
  opened();
  const folder = join(standard, 'ephemeral');
  const [own = ''] = readdirSync(folder);
  writeFileSync(join(folder, `${own}.${process.pid}.tmp`), readFileSync(join(folder, own)));
  expect(runningInstances(undefined, env)).toHaveLength(1);
  expect(whereOf({}, env)).toMatchObject({ rpc: AT.rpc, token: AT.token });
});
