/**
 * The fixtures of docs/testing-languages.md, run with the tools of their language where this machine has them; and red when the app does
 * otherwise.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from './languages.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const SIDELIGHT = `${process.execPath} ${path.join(ROOT, 'core', 'host', 'cli.ts')}`;

interface Fixture {
  readonly id: string;
  /** Asked first; one that is missing or fails means that the fixture is skipped. */
  readonly needs: readonly Command[];
  readonly run: Command;
  /** The file with the test. */
  readonly test: string;
}

const FIXTURES: readonly Fixture[] = [
  { id: 'pytest', needs: [['pytest', '--version']], run: ['pytest', '-q'], test: 'test_orders.py' },
  { id: 'go', needs: [['go', 'version']], run: ['go', 'test', './...'], test: 'orders_test.go' },
  {
    id: 'junit',
    needs: [
      ['javac', '--version'],
      ['mvn', '--version'],
    ],
    run: ['mvn', '--quiet', '--batch-mode', 'test'],
    test: 'src/test/java/OrdersTest.java',
  },
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sidelight-fixtures-'));
  const page = readFileSync(path.join(ROOT, 'docs', 'testing-languages.md'), 'utf8');
  for (const [, name = '', text = ''] of page.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```\n/g)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(
  [program, ...args]: Command,
  cwd: string,
): Promise<{ readonly ok: boolean; readonly said: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: { ...process.env, SIDELIGHT } }, (error, stdout, stderr) =>
      resolve({ ok: error === null, said: `${stdout}${stderr}` }),
    );
  });
}

test.for(FIXTURES)('$id', async ({ id, needs, run: command, test: file }, { skip }) => {
  for (const need of needs) skip(!(await run(need, folder)).ok, `${need[0]} is not on this machine`);
  const own = path.join(folder, id);
  const good = await run(command, own);
  expect(good).toEqual({ ok: true, said: expect.any(String) });
  const text = readFileSync(path.join(own, file), 'utf8');
  writeFileSync(path.join(own, file), text.replace('state:processed', 'state:dropped'));
  const bad = await run(command, own);
  expect(bad.ok).toBe(false);
  expect(bad.said).toContain('nearest, but not state:dropped');
});
