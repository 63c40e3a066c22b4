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
import { setAside } from './set-aside.ts';

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
 * @param isMixed the tables may have a part of the frames that they do not know of: what they refuse is there
 * @returns sentences for a person. Throws what SQLite or the system says, and JournalError for the file of a newer version.
 */
export function takeNewest(
  file: string,
  tables: Tables,
  time: string,
  mayRemove: () => boolean = () => true,
  isMixed = false,
): string[] {
  const notes: string[] = [];
  // A database that has lost its name may have a part of both files.
  const before = tables.name === '' ? undefined : tables.folded;
  const taken: Taken[] = [];
  // What was kept is older.
  for (const path of [file + KEPT, file + NEWEST]) {
    const tie = { isKnown: before !== undefined, isMixed, last: taken.at(-1)?.last };
    const found = takenFrom(path, tables, time, tie);
    notes.push(...(found?.notes ?? []));
    if (found?.last !== undefined) taken.push(found);
  }
  if (tables.name === '') tables.continueFrom(newName(), tables.folded);
  if (taken.length === 0) return notes;
  if (mayRemove()) for (const ending of [KEPT, NEWEST]) rmSync(file + ending, { force: true });
  else keepNewest(file, tables.name, taken.some(({ isWhole }) => !isWhole) ? before : undefined);
  return notes;
}

/** What the tables took from a file. */
interface Taken {
  readonly notes: readonly string[];
  /** Number of the last frame, 0 where there was none; undefined: the file belongs to another database and was set aside. */
  readonly last: number | undefined;
  /** False: some frames could not be read. */
  readonly isWhole: boolean;
}

interface Tie {
  /** The tables know which frames they have. */
  readonly isKnown: boolean;
  /** As of `takeNewest`. */
  readonly isMixed: boolean;
  /** Number of the last frame of the file before; undefined: there was none. */
  readonly last: number | undefined;
}

/** Takes the records of one file into the tables; undefined: there is none. */
function takenFrom(
  path: string,
  tables: Tables,
  time: string,
  { isKnown, isMixed, last = 0 }: Tie,
): Taken | undefined {
  const name = tables.name === '' ? undefined : tables.name;
  const left = readLeft(path, name, isKnown ? tables.folded : undefined);
  if (left.kind === 'none') {
    // A folder, or whatever else another program put there, would be in the way of the removal.
    const aside = setAside(path, time);
    if (aside === undefined) return undefined;
    const note = `${basename(path)} was not a file; what was there is kept as ${aside}.`;
    return { notes: [note], last: undefined, isWhole: true };
  }
  if (left.kind === 'foreign') {
    renameSync(path, `${path}.replaced-${time}`);
    const base = basename(path);
    const note = `${base} belonged to another history; it is kept as ${base}.replaced-${time}.`;
    return { notes: [note], last: undefined, isWhole: true };
  }
  const frames = left.frames.filter(({ number }) => number > last);
  const refused = replay(tables, isKnown ? frames : frames.map(apart));
  const end = Math.max(last, frames.at(-1)?.number ?? 0);
  // The name comes with the frames: by it a start after a kill knows that the tables have them, and that the file is their own.
  tables.commit(Math.max(tables.folded, end), name ?? left.name ?? newName());
  // Without a name the tables may have had some of it, which is refused.
  return { notes: notesOf(left, isKnown && !isMixed ? refused : 0), last: end, isWhole: left.missing === 0 };
}

function newName(): string {
  return randomBytes(16).toString('hex');
}

/** Calls of one operation each: the tables may have a part of the group. */
function apart(frame: Frame): Frame {
  const { number, body } = frame;
  return {
    number,
    body,
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
