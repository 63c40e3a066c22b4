/** The console's key survives a restart with a data folder, and only its owner can read it. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  truncateSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeWholeSync } from '../../core/adapters/whole-file.ts';
import { consoleKey, keeperOf, watchConsoleKey } from '../../core/host/console-key.ts';

let folder = '';
const lines: string[] = [];
const notice = (_level: string, text: string): void => void lines.push(text);
const log = { write: (_level: string, _part: string, text: string): void => void lines.push(text) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelight-key-'));
  lines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('there is no key without a folder', () => expect(consoleKey(undefined, log)).toBeUndefined());

test('the key is created once and found again', () => {
  const made = consoleKey(folder, log);
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(consoleKey(folder, log)).toBe(made);
  expect(readFileSync(join(folder, 'console-key'), 'utf8')).toBe(`v2 ${made}\n`);
});

test.skipIf(process.platform === 'win32')('only the owner may read the key', () => {
  consoleKey(folder, log);
  expect(statSync(join(folder, 'console-key')).mode & 0o777).toBe(0o600);
});

test('an invalid key is replaced', () => {
  writeFileSync(join(folder, 'console-key'), 'short');
  expect(consoleKey(folder, log)).toMatch(/^[\w-]{43}$/);
});

test('a key of an earlier version is replaced, because a cookie sent it to every port of this host', () => {
  const sent = 'x'.repeat(43);
  writeFileSync(join(folder, 'console-key'), `${sent}\n`);
  const made = consoleKey(folder, log);
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(made).not.toBe(sent);
});

test('another key is found at the next start, and no other file is left', () => {
  consoleKey(folder, log);
  keeperOf(folder, () => undefined)('y'.repeat(43));
  expect(consoleKey(folder, log)).toBe('y'.repeat(43));
  expect(readdirSync(folder)).toEqual(['console-key']);
});

test('another key that cannot be stored is refused with the reason', () => {
  expect(() => keeperOf(join(folder, 'not', 'there'), () => undefined)('y'.repeat(43))).toThrow(
    /Nothing was revoked.*console-key/,
  );
});

test('without a writable folder there is no key, and the log says so', () => {
  expect(consoleKey(join(folder, 'not', 'there'), log)).toBeUndefined();
  expect(existsSync(join(folder, 'not'))).toBe(false);
  expect(lines.join()).toContain('could not save');
  chmodSync(folder, 0o700);
});

test.each([
  ['cut to nothing', (file: string) => truncateSync(file, 0)],
  ['cut in the middle', (file: string) => truncateSync(file, 20)],
  ['written over', (file: string) => writeFileSync(file, 'something else')],
])('a key that is %s while it is in use is written again, and the log says so', async (_name, spoil) => {
  const key = consoleKey(folder, log) ?? '';
  const file = join(folder, 'console-key');
  const end = watchConsoleKey(folder, () => key, notice, 10);
  try {
    await expect
      .poll(
        () => {
          // Until the watch has looked at it for the first time it knows no other content.
          if (lines.length === 0) spoil(file);
          return lines;
        },
        { timeout: 15_000 },
      )
      .toEqual([
        'console-key no longer held a key while Sidelight was using it. Sidelight has written it again. You need not do anything.',
      ]);
    expect(readFileSync(file, 'utf8')).toBe(`v2 ${key}\n`);
    expect(statSync(file).mode & 0o077).toBe(0);
  } finally {
    await end();
  }
});

test('a key that is removed while it is in use is written again with a log line, and another key is left alone', async () => {
  const key = consoleKey(folder, log) ?? '';
  const file = join(folder, 'console-key');
  const end = watchConsoleKey(folder, () => key, notice, 10);
  try {
    rmSync(file);
    await expect
      .poll(() => lines, { timeout: 15_000 })
      .toEqual([
        'console-key was removed from the data folder while Sidelight was using it. Sidelight has written it again. You need not do anything.',
      ]);
    expect(readFileSync(file, 'utf8')).toBe(`v2 ${key}\n`);
    expect(statSync(file).mode & 0o077).toBe(0);
    writeWholeSync(file, `v2 ${'k'.repeat(43)}\n`, 0o600);
    await expect
      .poll(() => lines, { timeout: 15_000 })
      .toContainEqual(expect.stringContaining('another key'));
    expect(readFileSync(file, 'utf8')).toBe(`v2 ${'k'.repeat(43)}\n`);
  } finally {
    await end();
  }
});

test.skipIf(process.platform === 'win32').each([
  ['a folder', (file: string) => mkdirSync(file), 'it is a folder', false],
  [
    'a link that leads back to itself',
    (file: string) => symlinkSync(file, file),
    'it is a link that leads back to itself',
    true,
  ],
])(
  'in the place of the key %s is named in one line of the log, at the start and later',
  async (_name, place, reason, isReplaced) => {
    const file = join(folder, 'console-key');
    place(file);
    const made = consoleKey(folder, log);
    expect(made !== undefined).toBe(isReplaced);
    expect(lines).toEqual([
      isReplaced
        ? `Sidelight could not read the console's key in ${file} and has put a new one there: ${reason}`
        : `Sidelight could not save the console's key in ${file}, so each start makes a new one: ${reason}`,
    ]);
    rmSync(file, { recursive: true });
    const key = consoleKey(folder, log) ?? '';
    lines.length = 0;
    const end = watchConsoleKey(folder, () => key, notice, 10);
    // What stands there at the first look of the watch is no change. Looks that are asked for later end later.
    for (let looks = 0; looks < 50; looks += 1) await stat(file);
    rmSync(file);
    place(file);
    try {
      await expect
        .poll(() => lines, { timeout: 15_000 })
        .toEqual([expect.stringContaining(`Sidelight could not write it again: ${reason}`)]);
    } finally {
      await end();
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'a named pipe in the place of the key holds nothing up',
  async () => {
    const file = join(folder, 'console-key');
    execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
    const key = consoleKey(folder, log) ?? '';
    expect(readFileSync(file, 'utf8')).toBe(`v2 ${key}\n`);
    expect(lines).toEqual([expect.stringContaining('could not read')]);
    lines.length = 0;
    const end = watchConsoleKey(folder, () => key, notice, 10);
    try {
      await expect
        .poll(
          () => {
            // Until the watch has looked at it for the first time it knows no other content.
            if (lines.length === 0) {
              rmSync(file);
              execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
            }
            return lines;
          },
          { timeout: 15_000 },
        )
        .toEqual([expect.stringContaining('Sidelight could not write it again: it is not a file')]);
      rmSync(file);
      await expect
        .poll(() => statSync(file, { throwIfNoEntry: false })?.isFile(), { timeout: 15_000 })
        .toBe(true);
    } finally {
      await end();
    }
  },
);
