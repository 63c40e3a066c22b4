/** Copies an open file to a path: what another program has removed is still there for those who have it open. */
import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

const BLOCK_BYTES = 1024 * 1024;

/** Makes the file at the path, in place of whatever is there, and syncs it. Throws the system's error; then nothing is at the path. */
export function copyOf(fd: number, path: string): void {
  rmSync(path, { recursive: true, force: true });
  const copy = openSync(path, 'wx', 0o600);
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    for (let at = 0; ;) {
      const read = readSync(fd, block, 0, block.length, at);
      if (read === 0) break;
      for (let done = 0; done < read;) done += writeSync(copy, block, done, read - done, at + done);
      at += read;
    }
    fsyncSync(copy);
  } catch (error) {
    // A copy in part would be taken for the whole.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(copy);
  }
}
