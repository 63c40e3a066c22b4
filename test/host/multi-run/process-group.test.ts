/** Whether a process of a group is still running. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import { groupRuns, signalGroup } from '../../../core/host/multi-run/process-group.ts';

test.skipIf(process.platform === 'win32')(
  'a group has the processes that a command left behind, and no ended ones',
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

test('a missing process group has no processes', () => {
  expect(signalGroup(2 ** 22 + 1, 0)).toBe(false);
  expect(groupRuns(2 ** 22 + 1)).toBe(false);
});
