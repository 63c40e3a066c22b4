/** The last lines that an app of a scenario wrote, for its story. */
import { expect, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { startProgram } from '../../core/host/multi-run/child.ts';
import { AppProcess } from '../../core/testing/app-process.ts';
import { LastLines } from '../../core/testing/last-lines.ts';

test('the last lines are kept, in the order in which they came', () => {
  const lines = new LastLines(3);
  for (const line of ['one', 'two']) lines.add(line);
  expect(lines.all).toEqual(['one', 'two']);
  for (const line of ['three', 'four', 'five']) lines.add(line);
  expect(lines.all).toEqual(['three', 'four', 'five']);
});

test('an app that ends says its last lines, not its first ones', async () => {
  const program = `for (let n = 1; n <= 200; n += 1) console.log('line ' + n); process.exitCode = 3;`;
  const run = [process.execPath, '-e', program];
  const app = new AppProcess(
    { appId: 'shop', run, port: 0, cwd: process.cwd(), env: {} },
    { startProgram, clock: systemClock() },
  );
  await expect.poll(() => app.trouble, { timeout: 20_000 }).toBeDefined();
  const last = Array.from({ length: 20 }, (_, n) => `line ${n + 181}`);
  expect(app.trouble?.split('\n')).toEqual(['app shop ended with 3', ...last]);
});
