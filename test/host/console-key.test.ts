/** The console's key outlives a restart where there is a data folder, and is nobody else's to read. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { consoleKey } from '../../core/host/console-key.ts';

let folder = '';
const lines: string[] = [];
const log = { write: (_level: string, _part: string, text: string): void => void lines.push(text) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelight-key-'));
  lines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('without a folder there is none', () => expect(consoleKey(undefined, log)).toBeUndefined());

test('is made once and found again', () => {
  const made = consoleKey(folder, log);
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(consoleKey(folder, log)).toBe(made);
  expect(readFileSync(join(folder, 'console-key'), 'utf8')).toBe(`${made}\n`);
});

test.skipIf(process.platform === 'win32')('only its owner may read it', () => {
  consoleKey(folder, log);
  expect(statSync(join(folder, 'console-key')).mode & 0o777).toBe(0o600);
});

test('what is no key is replaced', () => {
  writeFileSync(join(folder, 'console-key'), 'short');
  expect(consoleKey(folder, log)).toMatch(/^[\w-]{43}$/);
});

test('a folder that cannot be written costs only the keeping, and is told', () => {
  expect(consoleKey(join(folder, 'not', 'there'), log)).toBeUndefined();
  expect(existsSync(join(folder, 'not'))).toBe(false);
  expect(lines.join()).toContain('could not be kept');
  chmodSync(folder, 0o700);
});
