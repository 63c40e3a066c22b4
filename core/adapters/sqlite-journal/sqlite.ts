/** The SQLite built into Node: loaded if the runtime has it; its errors become those of the journal. */
import { sizeLimit } from '../../contract/size-text.ts';
import { BALLAST_BYTES, needed } from './ballast.ts';
import { statfsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { errorText, hasCode } from '../../contract/error-text.ts';

import { JournalError } from '../../ports/journal.ts';

type Sqlite = typeof import('node:sqlite');

/** Result codes, the low byte of an extended one (https://sqlite.org/rescode.html). */
export const CODES = {
  error: 1,
  perm: 3,
  busy: 5,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;

/** Room that SQLite needs beside a file to open it, with a small margin. */
const LITTLE_BYTES = 256 * 1024;

/** Undefined where the runtime was built without it. Loading it prints no warning that it is an experiment. */
export function loadSqlite(): Sqlite | undefined {
  const emit = process.emitWarning;
  // Node 22 warns once, while the module is loaded. All other warnings are emitted as usual.
  const quiet = (warning: string | Error, ...more: unknown[]): void => {
    if (String(warning).startsWith('SQLite is an experimental')) return;
    Reflect.apply(emit, process, [warning, ...more]);
  };
  process.emitWarning = quiet;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emit;
  }
}

/** Throws JournalError broken where there is no SQLite. */
export function needSqlite(): Sqlite {
  const sqlite = loadSqlite();
  if (sqlite !== undefined) return sqlite;
  throw new JournalError('broken', 'this runtime has no built-in SQLite (node:sqlite)');
}

/** The low byte of SQLite's result code; undefined: the error does not come from SQLite. */
export function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** The extended code for a page that should be in the file and lies behind its end: no error of the disk, as the others of that byte. */
const SHORT_READ = 522;

export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  if (code === CODES.corrupt || code === CODES.notADatabase) return true;
  return error instanceof Error && 'errcode' in error && error.errcode === SHORT_READ;
}

/** A payload that SQL was to read as JSON is none any more: it changed on the disk. */
export function isNoJson(error: unknown): boolean {
  return codeOf(error) === CODES.error && error instanceof Error && error.message === 'malformed JSON';
}

/** Why the journal failed, in words that say what to do. `where` is the data folder. A JournalError stays what it is. */
export function journalError(error: unknown, where: string): JournalError {
  if (error instanceof JournalError) return error;
  const said = errorText(error);
  const because = { cause: error };
  if (isOutOfRoom(error, where)) return new JournalError('full', fullText(where), because);
  if (isUnwritable(error)) {
    const text = `Sidelight cannot write to ${where} (${said}); make it writable, choose another folder with --data-dir, or keep nothing with --ephemeral`;
    return new JournalError('readonly', text, because);
  }
  const text = isDamage(error)
    ? `the history in ${where} is damaged; the next start saves what can be read`
    : `the history in ${where} failed: ${said}`;
  return new JournalError(isTrouble(error) ? 'broken' : 'bug', text, because);
}

/** Whether the error comes from SQLite, from the system or from missing memory; false: our own code has thrown what it should not. */
export function isTrouble(error: unknown): boolean {
  if (codeOf(error) !== undefined || hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) return true;
  return error instanceof Error && 'syscall' in error;
}

/** The cause, and what ends it. */
export function fullText(where: string): string {
  return `${noRoomIn(where)}; messages are accepted again when ${sizeLimit(needed(BALLAST_BYTES))} are free there`;
}

/** The cause, and what ends it where only another start can take in what the files beside the history have. */
export function fullUntilStartText(where: string): string {
  return `${noRoomIn(where)}; make room there, then start Sidelight again`;
}

function noRoomIn(where: string): string {
  return `the disk is full, no room in ${where}`;
}

/** SQLite or the system found no room. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === CODES.full || hasCode(error, 'ENOSPC', 'EDQUOT');
}

/** True for a full disk, also where SQLite reports an error of the disk: without room it cannot create the files beside its own. */
export function isOutOfRoom(error: unknown, folder: string): boolean {
  if (error instanceof JournalError) return error.code === 'full';
  return isFull(error) || (codeOf(error) === CODES.ioerr && !hasRoom(folder));
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= LITTLE_BYTES;
  } catch {
    // A path that is no folder says nothing about room.
    return true;
  }
}

/** True when the folder is missing or not writable. */
export function isUnwritable(error: unknown): boolean {
  const code = codeOf(error);
  if (code === CODES.perm || code === CODES.readonly || code === CODES.cantOpen) return true;
  return hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR');
}

/** Runs a change as one transaction: all of it is in the file afterwards, or nothing. Rethrows what the change threw. */
export function inTransaction<T>(db: DatabaseSync, change: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = change();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
