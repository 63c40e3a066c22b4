/**
 * Newest records that were brought back after a cut of the log: they stay in a file of their own until all of the log is in the database,
 * because what is in the log alone would be lost with a second cut. A reader of an older state holds that up for as long as it reads.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';

import { NEWEST } from './newest-file.ts';
import { FIRST } from './newest-frames.ts';

/** Ending of the file's name, after the name of the database. */
export const KEPT = '-newest-kept';

export function hasKept(file: string): boolean {
  return existsSync(file + KEPT);
}

/** Keeps what is in the file of the newest records beside what is kept already; the next append makes a new one. Throws the system's error. */
export function keepNewest(file: string): void {
  const [path, kept] = [file + NEWEST, file + KEPT];
  if (!existsSync(path)) return;
  if (!existsSync(kept)) return renameSync(path, kept);
  const frames = readFileSync(path).subarray(FIRST);
  const fd = openSync(kept, 'a');
  try {
    // Frames are found wherever they are, and one that is there twice after an interruption here counts once.
    for (let at = 0; at < frames.length;) at += writeSync(fd, frames, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  rmSync(path);
}

/** All of the log is in the database. A file that the system does not let us remove stays, and the next start takes it away. */
export function dropKept(file: string): void {
  try {
    rmSync(file + KEPT, { force: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
