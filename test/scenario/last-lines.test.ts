/** The last lines that an app of a scenario wrote, for its story. */
import { expect, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { startProgram } from '../../core/host/multi-run/child.ts';
import { AppProcess } from '../../core/testing/app-process.ts';
import { LastLines } from '../../core/testing/last-lines.ts';
import { SecretValues } from '../../core/domain/secret-values.ts';
import { outputLine, secretsOfEnvironment } from '../../core/testing/output-line.ts';

test('the last lines are kept, in the order in which they came', () => {
  const lines = new LastLines(3);
  for (const line of ['one', 'two']) lines.add(line);
  expect(lines.all).toEqual(['one', 'two']);
  for (const line of ['three', 'four', 'five']) lines.add(line);
  expect(lines.all).toEqual(['three', 'four', 'five']);
});

test('a line is told without colours and secrets, in a bounded length and with the blanks before it', () => {
  const env = { LEDGER_PASSWORD: 'open-sesame', MODE: 'ledger' };
  const secrets = new SecretValues(secretsOfEnvironment(env));
  const told = (line: string): string => outputLine(line, secrets);
  expect(told('\t\u001b[31mledger\u001b[0m locked \r')).toBe('  ledger locked');
  expect(told('    at open (ledger.js:1)')).toBe('    at open (ledger.js:1)');
  expect(told('with open-sesame at redis://me:pw@host')).toBe('with *** at redis://***@host');
  expect(told('x'.repeat(100_000))).toBe(`${'x'.repeat(200)}…`);
  expect(told('a\u202eb')).toBe('a\\u{202e}b');
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
