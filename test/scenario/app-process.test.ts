/** Apps of scenarios: what they start as well ends with them. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { startProgram } from '../../core/host/multi-run/child.ts';
import { signalGroup } from '../../core/host/process-group.ts';
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

test.skipIf(process.platform === 'win32')(
  'an app that does not end when it is asked to ends with the test command that is cut short',
  async () => {
    const child = new URL('../../core/host/multi-run/child.ts', import.meta.url).href;
    const stubborn =
      'process.on("SIGTERM", () => undefined); console.log(process.pid); setInterval(() => undefined, 1000)';
    const cutShort = `
      import { startProgram } from ${JSON.stringify(child)};
      startProgram({
        command: [process.execPath, '-e', ${JSON.stringify(stubborn)}],
        folder: process.cwd(),
        env: {},
        onLine: (pid) => process.stdout.write(pid, () => process.exit(130)),
      });`;
    const command = spawn(process.execPath, ['--input-type=module', '-e', cutShort], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = Number(await text(command.stdout));
    expect(pid).toBeGreaterThan(0);
    onTestFinished(() => void signalGroup(pid, 'SIGKILL'));
    await expect.poll(() => isRunning(pid, undefined)).toBe(false);
  },
);
