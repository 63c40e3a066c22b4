/** Writes a file whole or not at all: after a crash, and after a power loss where the disk keeps what it says it wrote. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A name that nobody loads, should a crash leave it behind. */
function besideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
}

/**
 * The new text is kept beside the old one until it is on disk, then takes its place. Rejects with the system's error; then the old
 * file is as it was. @param mode permissions of a new file, for example 0o644
 */
export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const beside = besideOf(path);
  try {
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  if (!keepsNames) return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** As `writeWhole`, at once. Throws the system's error. */
export function writeWholeSync(path: string, text: string, mode: number): void {
  const beside = besideOf(path);
  try {
    const file = openSync(beside, 'wx', mode);
    try {
      writeFileSync(file, text, 'utf8');
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** Puts the names in a folder on disk: a file that was made, renamed or removed there stays so. Throws the system's error. */
export function syncFolder(path: string): void {
  if (!keepsNames) return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** A new name is on disk once its folder is; Windows has no such call and writes names by itself. */
const keepsNames = process.platform !== 'win32';
