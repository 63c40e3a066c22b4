/** One process of an app: signals reach only what it started, and a start that fails has a plain reason. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startChild } from '../../../core/host/multi-run/child.ts';
import type { Child } from '../../../core/host/multi-run/child.ts';
import { whyNotStarted } from '../../../core/host/missing-program.ts';
import { folderWith } from './plan-of.ts';

const PATH = process.env['PATH'] ?? '';

function start(
  command: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Child {
  const { platform } = process;
  return startChild({ command, folder, env: { PATH, ...env }, platform, onLine: () => undefined });
}

test('a later group with the number of one that is gone gets no signal', async () => {
  const child = start(['true'], '/');
  expect(await child.ended).toMatchObject({ kind: 'exited', code: 0 });
  await vi.waitFor(() => expect(child.lives()).toBe(false));
  const sent: unknown[] = [];
  const kill = vi.spyOn(process, 'kill').mockImplementation((...signal) => {
    sent.push(signal);
    return true;
  });
  onTestFinished(() => kill.mockRestore());
  expect(child.lives()).toBe(false);
  child.signal('SIGKILL');
  expect(sent).toEqual([]);
});

test('a variable that the system does not take is named', async () => {
  const child = start(['true'], '/', { SMALL: 'x', HUGE: 'x'.repeat(1_000_000) });
  expect(await child.ended).toEqual({
    kind: 'not started',
    reason: 'the system takes no command with this much text: the variable HUGE has 1,000,000 characters',
  });
});

test('a folder that was removed, or that is a file now, is the reason', async () => {
  const folder = folderWith({ 'a/': '' });
  rmSync(join(folder, 'a'), { recursive: true });
  expect(await start(['true'], join(folder, 'a')).ended).toEqual({
    kind: 'not started',
    reason: `the folder ${folder}/a is gone`,
  });
  writeFileSync(join(folder, 'a'), '');
  expect(await start(['true'], join(folder, 'a')).ended).toEqual({
    kind: 'not started',
    reason: `${folder}/a is not a folder`,
  });
});

test('a file that may not be started is the reason', async () => {
  const folder = folderWith({ 'run.sh': 'true\n' });
  chmodSync(join(folder, 'run.sh'), 0o644);
  expect(await start(['./run.sh'], folder).ended).toEqual({
    kind: 'not started',
    reason: './run.sh is not a program that may be started',
  });
});

test.each([
  ['EMFILE', 'too many files are open: raise ulimit -n, or start fewer apps'],
  ['EAGAIN', 'the system starts no further process for this user: raise ulimit -u, or end others'],
  ['ENOMEM', 'the system has no memory left for a further process'],
  ['EWHAT', undefined],
])('a limit of the system is named: %s', (code, reason) => {
  expect(whyNotStarted(code, { command: ['tool'], folder: '/', env: {}, searched: undefined })).toBe(reason);
});
