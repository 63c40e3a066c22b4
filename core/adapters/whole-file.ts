/** Writes a file completely or not at all, even after a crash, or a power loss if the disk keeps what it has acknowledged. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Name of the temporary file; nothing loads it if a crash leaves it behind. */
function besideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
}

/**
 * Writes the new text to a temporary file, syncs it, and renames it over the old one. Rejects with the system's error; then the old file is
 * unchanged.
 * @param mode permissions of a new file, for example 0o644
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

/** Synchronous `writeWhole`. Throws the system's error. */
export function writeWholeSync(path: string, text: string | Uint8Array, mode: number): void {
  const beside = besideOf(path);
  try {
    const file = openSync(beside, 'wx', mode);
    try {
      writeFileSync(file, text);
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

/** Syncs a folder to disk, so that created, renamed and removed files in it stay so. Throws the system's error. */
export function syncFolder(path: string): void {
  if (!keepsNames) return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Whether a folder has to be synced for new names to be on disk; Windows has no such call and does it itself. */
const keepsNames = process.platform !== 'win32';
