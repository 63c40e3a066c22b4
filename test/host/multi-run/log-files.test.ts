/** Log files of the apps of a run. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogFiles } from '../../../core/host/multi-run/log-files.ts';

test('lines that come faster than the disk takes them are left out, and the file says how many', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const logs = new LogFiles(0, () => undefined);
  const path = logs.open('shop', folder, 'app');
  const line = 'x'.repeat(1000);
  // The file is not open before the next turn of the event loop, so all of them wait.
  for (let n = 0; n < 20_000; n += 1) logs.write('shop', 'app', line);
  await logs.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const kept = lines.filter((one) => one === line).length;
  expect(kept).toBeLessThan(5000);
  expect(lines.at(-1)).toBe(`${20_000 - kept} lines are left out: the disk is too slow`);
});
