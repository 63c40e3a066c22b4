/** Watched files of an app, and when their change is reported. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FileWatch } from '../../../core/host/multi-run/file-watch.ts';
import { globTest, mayHold } from '../../../core/host/multi-run/globs.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { folderWith } from './plan-of.ts';

test.each<[string, string, boolean]>([
  ['*.js', 'a.js', true],
  ['*.js', 'src/a.js', false],
  ['./*.js', 'a.js', true],
  ['**/*.js', 'a.js', true],
  ['**/*.js', 'src/deep/a.js', true],
  ['src/**', 'src/a/b.css', true],
  ['src/**', 'other/a', false],
  ['src/**/test/*.t?', 'src/a/b/test/x.ts', true],
  ['src/**/test/*.t?', 'src/a/b/x.ts', false],
  ['a*b*c', 'aXbXXc', true],
  ['a*b*c', 'aXcXb', false],
  ['a.js', 'axjs', false],
])('%s and %s: %s', (glob, path, expected) => {
  expect(globTest(glob)(path)).toBe(expected);
});

test('a pattern that backtracks is matched quickly', () => {
  expect(globTest(`${'*a'.repeat(40)}b`)('a'.repeat(4000))).toBe(false);
  expect(globTest(`${'**/a/'.repeat(40)}b`)('a/'.repeat(1000))).toBe(false);
});

test.each<[string, string, boolean]>([
  ['*.js', '', true],
  ['*.js', 'src', false],
  ['src/*.js', 'src', true],
  ['src/*.js', 'src/deep', false],
  ['**/*.js', 'src/deep', true],
  ['s*/**', 'other', false],
])('a file of %s may be in %j: %s', (glob, folder, expected) => {
  expect(mayHold(glob, folder)).toBe(expected);
});

const PLAIN = 'only *, ? and ** stand for other characters, and braces, brackets and ! for themselves';

test.each([
  ['nowhere/**/*.js', ['nowhere/**/*.js finds nothing: there is no folder FOLDER/nowhere yet']],
  ['src/nowhere/a.js', ['src/nowhere/a.js finds nothing: there is no folder FOLDER/src/nowhere yet']],
  ['../beside/*.js', ['../beside/*.js finds nothing: only what is below FOLDER is watched']],
  ['/etc/*.js', ['/etc/*.js finds nothing: only what is below FOLDER is watched']],
  ['node_modules/**', ['node_modules/** finds nothing: node_modules is never watched']],
  ['src', ['src finds nothing: it is a folder; src/** finds the files in it']],
  ['./src/', ['./src/ finds nothing: it is a folder; src/** finds the files in it']],
  ['.', ['. finds nothing: it is a folder; ** finds the files in it']],
  ['', ['"" finds nothing: it is a folder; ** finds the files in it']],
  ['linked/*.js', ['linked/*.js finds nothing: linked is a link, and links to folders are not followed']],
  ['*.{js,ts}', [`*.{js,ts} finds nothing: ${PLAIN}`]],
  ['src/[a-c].js', [`src/[a-c].js finds nothing: ${PLAIN}`]],
  ['!*.md', [`!*.md finds nothing: ${PLAIN}`]],
  ['src/*.js', []],
  ['src/[id].js', []],
  ['[slug]/*.js', []],
  ['src/later.js', []],
  ['**/later/*.js', []],
  ['./*.js', []],
])('a pattern that can match no file has the reason: %s', (glob, why) => {
  const folder = folderWith({ 'src/b.js': '1', 'src/[id].js': '1', '[slug]/a.js': '1' });
  symlinkSync(join(folder, 'src'), join(folder, 'linked'));
  expect(troubleOf(glob, folder)).toEqual(why);
});

/** Complaint about a pattern, without the path of the folder. */
function troubleOf(glob: string, folder: string): readonly string[] {
  const trouble: string[] = [];
  const options = {
    folder,
    globs: [glob],
    clock: new ManualClock(),
    onChange: () => undefined,
    onMissed: () => undefined,
  };
  const watch = new FileWatch({ ...options, onTrouble: (text) => trouble.push(text) });
  watch.close();
  return trouble.map((text) => text.replace(folder, 'FOLDER'));
}

test('a pattern that the system cannot look up is reported, and does not end the run', () => {
  const folder = folderWith({ 'src/b.js': '1' });
  const long = 'x'.repeat(256);
  const nothing = 'finds nothing: no name of a file has';
  expect(troubleOf('a\0.js', folder)).toEqual([String.raw`"a\u0000.js" ${nothing} a NUL character`]);
  expect(troubleOf(`src/${long}*`, folder)).toEqual([`src/${long}* ${nothing} more than 255 characters`]);
  expect(troubleOf(`${long}/*.js`, folder)).toEqual([`${long}/*.js ${nothing} more than 255 characters`]);
  // Stars may stand for nothing, letters may have several bytes, and a path may be too long as a whole.
  for (const glob of ['a*'.repeat(130), 'ä'.repeat(200), '*/'.repeat(3000)])
    expect(troubleOf(glob, folder)).toEqual([]);
});

test('R43: several writes are one change, installed packages are none, and a new folder is watched too', async () => {
  const folder = folderWith({ 'a.js': '1', 'node_modules/x.js': '1', 'src/b.js': '1' });
  const clock = new ManualClock();
  let changes = 0;
  const trouble: string[] = [];
  const watch = new FileWatch({
    folder,
    globs: ['*.js', '**/*.js'],
    clock,
    onChange: () => (changes += 1),
    onTrouble: (text) => trouble.push(text),
    onMissed: () => undefined,
  });
  onTestFinished(() => watch.close());
  writeFileSync(join(folder, 'node_modules/x.js'), '2');
  writeFileSync(join(folder, 'notes.txt'), '2');
  for (let i = 0; i < 5; i += 1) writeFileSync(join(folder, 'a.js'), String(i));
  await vi.waitFor(() => expect(clock.waiting).toBe(1));
  clock.advance(299);
  expect(changes).toBe(0);
  clock.advance(1);
  expect(changes).toBe(1);
  mkdirSync(join(folder, 'lib'));
  await vi.waitFor(() => {
    writeFileSync(join(folder, 'lib/c.js'), String(Math.random()));
    expect(clock.waiting).toBe(1);
  });
  clock.advance(300);
  expect(changes).toBe(2);
  expect(trouble).toEqual([]);
});

test('files of a folder that is new, or that was replaced, are changes, and are watched', async () => {
  const folder = folderWith({ 'dist/a.js': '1' });
  const clock = new ManualClock();
  let changes = 0;
  const watch = new FileWatch({
    folder,
    globs: ['dist/**/*.js'],
    clock,
    onChange: () => (changes += 1),
    onTrouble: () => undefined,
    onMissed: () => undefined,
  });
  onTestFinished(() => watch.close());
  const isChanged = async (act: () => void): Promise<void> => {
    const before = changes;
    act();
    await vi.waitFor(() => {
      clock.advance(300);
      expect(changes).toBeGreaterThan(before);
    });
  };
  await isChanged(() => {
    mkdirSync(join(folder, 'dist/x/y'), { recursive: true });
    writeFileSync(join(folder, 'dist/x/y/z.js'), '1');
  });
  await isChanged(() => writeFileSync(join(folder, 'dist/x/y/z.js'), '2'));
  // A tool that builds removes its folder and makes it again.
  await isChanged(() => {
    rmSync(join(folder, 'dist'), { recursive: true });
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/a.js'), '2');
  });
  await isChanged(() => writeFileSync(join(folder, 'dist/a.js'), '3'));
});

test.each([
  ['nothing uses it', false],
  ['a process runs in it', true],
])('an app folder that is removed and made again is watched again when %s', async (_, isUsed) => {
  const folder = folderWith({ 'a.js': '1', 'src/deep/b.js': '1' });
  const clock = new ManualClock();
  let changes = 0;
  const watch = new FileWatch({
    folder,
    globs: ['**/*.js'],
    clock,
    onChange: () => (changes += 1),
    onTrouble: () => undefined,
    onMissed: () => undefined,
  });
  onTestFinished(() => watch.close());
  if (isUsed) {
    const user = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { cwd: folder });
    onTestFinished(() => void user.kill());
    await once(user, 'spawn');
  }
  rmSync(folder, { recursive: true });
  await vi.waitFor(() => expect(clock.waiting).toBe(1));
  clock.advance(300);
  // The app could not start without its folder.
  expect(changes).toBe(0);
  const isChanged = async (act: () => void): Promise<void> => {
    const before = changes;
    act();
    await vi.waitFor(
      () => {
        clock.advance(300);
        expect(changes).toBeGreaterThan(before);
      },
      { timeout: 10_000 },
    );
  };
  await isChanged(() => {
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    writeFileSync(join(folder, 'src/deep/b.js'), '2');
  });
  await isChanged(() => writeFileSync(join(folder, 'src/deep/b.js'), '3'));
  await isChanged(() => writeFileSync(join(folder, 'a.js'), '3'));
});

test('a change in installed packages alone is no change', async () => {
  const folder = folderWith({ 'a.js': '1', 'node_modules/x.js': '1' });
  const clock = new ManualClock();
  const watch = new FileWatch({
    folder,
    globs: ['**/*.js'],
    clock,
    onChange: () => undefined,
    onTrouble: () => undefined,
    onMissed: () => undefined,
  });
  onTestFinished(() => watch.close());
  writeFileSync(join(folder, 'node_modules/x.js'), '2');
  // The next change proves that the watch was there for the one before.
  writeFileSync(join(folder, 'a.js'), '2');
  await vi.waitFor(() => expect(clock.waiting).toBe(1));
  expect(clock.waiting).toBe(1);
});
