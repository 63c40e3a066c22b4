// Whether a process of a group is still running, and how long its end is waited for.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { groupRuns, runningGroups, signalGroup, startGroup } from '../../core/host/process-group.ts';

test.skipIf(process.platform === 'win32')(
  'a group lives with a process that its command has left behind, and ends with it',
  async () => {
    // The shell ends at once; what it started lives on in its group, and keeps its output open.
    const shell = spawn('sh', ['-c', 'sleep 60 & echo started'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const group = shell.pid ?? 0;
    await Promise.all([once(createInterface({ input: shell.stdout }), 'line'), once(shell, 'exit')]);
    expect(groupRuns(group)).toBe(true);
    expect(signalGroup(group, 'SIGKILL')).toBe(true);
    await vi.waitFor(() => expect(groupRuns(group)).toBe(false));
  },
);

test.skipIf(process.platform !== 'linux')(
  'the end of a command does not wait for a process that has ended and that its parent does not collect',
  async () => {
    // The parent of the ended process stays, and leaves the group.
    const leaves = `
      my $left = fork; exit 0 if $left;
      exit 0 unless fork;
      setpgrp 0, 0; open my $file, '>', $ARGV[0]; print $file $$; close $file; sleep 60;`;
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-group-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'pid');
    const group = startGroup('perl', ['-e', leaves, file], process.env);
    expect(await group.status).toBe(0);
    const parent = await vi.waitFor(() => {
      const pid = Number(readFileSync(file, 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    });
    onTestFinished(() => void process.kill(parent, 'SIGKILL'));
    await vi.waitFor(() => expect(groupRuns(group.pid ?? 0)).toBe(false));
    expect(signalGroup(group.pid ?? 0, 0)).toBe(true);
    const waits = vi.spyOn(performance, 'now');
    onTestFinished(() => waits.mockRestore());
    await group.end(60_000);
    // The time is looked at once to know when to stop waiting.
    expect(waits.mock.calls.length).toBe(1);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a group is alive where the system does not list its processes',
  async () => {
    const sleeper = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    onTestFinished(() => void sleeper.kill('SIGKILL'));
    await once(sleeper, 'spawn');
    const empty = mkdtempSync(join(tmpdir(), 'sidelight-proc-'));
    onTestFinished(() => rmSync(empty, { recursive: true, force: true }));
    expect(groupRuns(sleeper.pid ?? 0, empty)).toBe(true);
    expect(groupRuns(sleeper.pid ?? 0, join(empty, 'missing'))).toBe(true);
    sleeper.kill('SIGKILL');
    await once(sleeper, 'exit');
    expect(groupRuns(sleeper.pid ?? 0, empty)).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')('of several groups those are found that still run', async () => {
  const sleepers = [1, 2, 3].map(() => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }));
  for (const one of sleepers) onTestFinished(() => void one.kill('SIGKILL'));
  const groups = sleepers.map(({ pid }) => pid ?? 0);
  expect([...runningGroups(groups)]).toEqual(groups);
  const [first, ...others] = sleepers;
  first?.kill('SIGKILL');
  await vi.waitFor(() => expect([...runningGroups(groups)]).toEqual(others.map(({ pid }) => pid)));
});

test('a group whose processes may not be signalled is alive', () => {
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  onTestFinished(() => kill.mockRestore());
  expect(signalGroup(4_194_305, 'SIGTERM')).toBe(true);
});

test('a group that does not exist has no process', () => {
  expect(signalGroup(2 ** 22 + 1, 0)).toBe(false);
  expect(groupRuns(2 ** 22 + 1)).toBe(false);
});
