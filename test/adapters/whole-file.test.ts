/** Files are on disk, with their names, before the save resolves. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeWhole, writeWholeSync } from '../../core/adapters/whole-file.ts';

const isPosix = process.platform !== 'win32';
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-whole-'));
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

/** The syncs of an act, each with the names in the folder at that time. */
async function syncs(act: () => Promise<void>): Promise<string[]> {
  const any = await open(folder, 'r');
  const kind = Object.getPrototypeOf(any) as Pick<FileHandle, 'sync' | 'stat'>;
  await any.close();
  const seen: string[] = [];
  const sync = kind.sync;
  const spy = vi.spyOn(kind, 'sync').mockImplementation(async function (this: FileHandle) {
    const what = (await this.stat()).isDirectory() ? 'folder' : 'file';
    seen.push(
      `${what} beside ${readdirSync(folder)
        .filter((name) => !name.startsWith('.'))
        .join()}`,
    );
    await sync.call(this);
  });
  await act();
  spy.mockRestore();
  return seen;
}

test.skipIf(!isPosix)('a write syncs the file first, and then the folder with its new name', async () => {
  expect(await syncs(() => writeWhole(join(folder, 'a.txt'), 'new', 0o640))).toEqual([
    'file beside ',
    'folder beside a.txt',
  ]);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new');
});

test.each([
  ['awaited', writeWhole],
  ['at once', async (...given: Parameters<typeof writeWholeSync>) => writeWholeSync(...given)],
])('%s replaces a file, keeps its permissions, and leaves no other file', async (_, write) => {
  const path = join(folder, 'a.txt');
  await write(path, 'old', 0o600);
  await write(path, 'new', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(isPosix ? statSync(path).mode & 0o777 : 0o600).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.txt']);
});

test.each([
  ['awaited', writeWhole],
  ['at once', async (...given: Parameters<typeof writeWholeSync>) => writeWholeSync(...given)],
])('%s leaves nothing behind if it fails', async (_, write) => {
  await writeWhole(join(folder, 'kept'), 'x', 0o600);
  await expect(write(join(folder, 'not', 'there'), 'x', 0o600)).rejects.toThrow('ENOENT');
  await expect(write(folder, 'x', 0o600)).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['kept']);
});
