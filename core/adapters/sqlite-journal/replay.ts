/** Writes records into the tables that a killed process left in the file of the newest records. */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

import { errorText } from '../../contract/error-text.ts';
import { KEPT, keepNewest } from './kept-newest.ts';
import { readLeft, slicesOf } from './newest-frames.ts';
import type { Frame, Found } from './newest-frames.ts';
import { NEWEST } from './newest-file.ts';
import type { Group } from './records.ts';
import { isOfOneCall } from './tables.ts';
import type { Tables } from './tables.ts';

/**
 * Applies frames in their order, in a transaction that stays open. Throws what concerns the whole file; then none is applied.
 * @returns calls that were refused
 */
function replay(tables: Tables, frames: readonly Frame[]): number {
  let refused = 0;
  // Joined frames cost the tables less, as in fold.ts.
  for (const slice of slicesOf(frames)) {
    const errors = tables.apply(slice.flatMap(({ group }) => group)).filter((error) => error !== undefined);
    const fatal = errors.find((error) => !isOfOneCall(error));
    if (fatal !== undefined) {
      tables.rollBack();
      throw asError(fatal);
    }
    refused += errors.length;
  }
  return refused;
}

/** Makes an Error of anything that was thrown. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(errorText(thrown));
}

/**
 * Takes the newest records into the tables. Each frame is applied once, even if this is interrupted and repeated.
 * @param file of the database
 * @param time becomes a part of the name of the file that is set aside
 * @param mayRemove asked once the tables have them; false: the log that holds them may still be lost, so they are kept for now
 * @returns sentences for a person. Throws what SQLite or the system says, and JournalError for the file of a newer version.
 */
export function takeNewest(
  file: string,
  tables: Tables,
  time: string,
  mayRemove: () => boolean = () => true,
): string[] {
  const notes: string[] = [];
  let isOwn = false;
  // What was kept is older.
  for (const path of [file + KEPT, file + NEWEST]) {
    const taken = takenFrom(path, tables, time);
    notes.push(...taken.notes);
    if (taken.isOwn) isOwn = true;
  }
  if (tables.name === '') tables.continueFrom(newName(), tables.folded);
  if (!isOwn) return notes;
  if (mayRemove()) for (const ending of [KEPT, NEWEST]) rmSync(file + ending, { force: true });
  else keepNewest(file);
  return notes;
}

/** Takes the records of one file into the tables; `isOwn`: it belongs to this database, and is still there. */
function takenFrom(
  path: string,
  tables: Tables,
  time: string,
): { readonly notes: readonly string[]; readonly isOwn: boolean } {
  const isKnown = tables.name !== '';
  const left = isKnown ? readLeft(path, tables.name, tables.folded) : readLeft(path, undefined, undefined);
  if (left.kind === 'none') return { notes: [], isOwn: false };
  if (left.kind === 'foreign') {
    renameSync(path, `${path}.replaced-${time}`);
    const name = basename(path);
    return {
      notes: [`${name} belonged to another history; it is kept as ${name}.replaced-${time}.`],
      isOwn: false,
    };
  }
  const frames = isKnown ? left.frames : left.frames.map(apart);
  const refused = replay(tables, frames);
  // The name comes with the frames: by it a start after a kill knows that the tables have them, and that the file is their own.
  const name = isKnown ? tables.name : (left.name ?? newName());
  tables.commit(Math.max(tables.folded, frames.at(-1)?.number ?? 0), name);
  // Without a name the tables may have had some of it, which is refused.
  return { notes: notesOf(left, isKnown ? refused : 0), isOwn: true };
}

function newName(): string {
  return randomBytes(16).toString('hex');
}

/** Calls of one operation each: the tables may have a part of the group. */
function apart(frame: Frame): Frame {
  const { number, bytes } = frame;
  return {
    number,
    bytes,
    get group(): Group {
      return frame.group.flatMap((ops) => ops.map((op) => [op]));
    },
  };
}

function notesOf({ missing, isTorn }: Found, refused: number): string[] {
  const gone = missing + refused;
  if (gone > 0)
    return [
      `Sidelight could not read ${gone} of the newest groups of records, and something in them is lost. The other groups were saved.`,
    ];
  if (!isTorn) return [];
  return ['The last write of the previous process was cut off on the disk. Everything before it was saved.'];
}
