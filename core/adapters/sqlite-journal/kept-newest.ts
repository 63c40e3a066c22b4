/**
 * Newest records that were brought back after a cut of the log: they stay in a file of their own until all of the log is in the database,
 * because what is in the log alone would be lost with a second cut. A reader of an older state holds that up for as long as it reads.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';

import { writeWholeSync } from '../whole-file.ts';
import { fileOf, readLeft } from './newest-frames.ts';
import type { Frame } from './newest-frames.ts';
import { NEWEST } from './newest-file.ts';

/** Ending of the file's name, after the name of the database. */
export const KEPT = '-newest-kept';

export function hasKept(file: string): boolean {
  return existsSync(file + KEPT);
}

/**
 * Keeps what is in the file of the newest records, beside what is kept already; the next append makes a new one. Throws the system's error.
 * @param name of the database
 * @param toldAfter number of the frame after which it was told that some are missing; undefined: none are
 */
export function keepNewest(file: string, name: string, toldAfter: number | undefined): void {
  const [path, kept] = [file + NEWEST, file + KEPT];
  if (!existsSync(path)) return;
  if (toldAfter === undefined && !existsSync(kept)) return renameSync(path, kept);
  // Written anew, it has each frame once, and no room that was only prepared: it does not grow by a whole file with each cut.
  writeWholeSync(kept, fileOf([...framesIn(kept, name), ...framesIn(path, name)], name, toldAfter), 0o600);
  rmSync(path);
}

function framesIn(path: string, name: string): readonly Frame[] {
  const left = readLeft(path, name, 0);
  return left.kind === 'own' ? left.frames : [];
}

/** All of the log is in the database. A file that the system does not let us remove stays, and the next start takes it away. */
export function dropKept(file: string): void {
  try {
    rmSync(file + KEPT, { force: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
