/** Apps of scenarios: what they start as well ends with them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { startProgram } from '../../core/host/multi-run/child.ts';
import { isRunning } from '../../core/host/process-start.ts';
import { AppProcess } from '../../core/testing/app-process.ts';

test.skipIf(process.platform === 'win32')(
  'a process that the app started, and that keeps its output open, ends with the app',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-app-process-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // As a script of a package manager does: the server is a child of a child.
    const run = ['sh', '-c', 'sleep 600 & echo $! > pid.tmp && mv pid.tmp pid; wait'];
    const app = new AppProcess(
      { appId: 'shop', run, port: 0, cwd: folder, env: { PATH: process.env['PATH'] ?? '' } },
      { startProgram, clock: systemClock() },
    );
    const file = join(folder, 'pid');
    await expect.poll(() => existsSync(file)).toBe(true);
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isRunning(pid, undefined)).toBe(true);
    await app.stop();
    expect(isRunning(pid, undefined)).toBe(false);
  },
);
