/** A lock that keeps a data folder to one process. The system releases it when its holder dies, in whatever way. */
import { accessSync, closeSync, constants, existsSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { hasCode } from '../../contract/error-text.ts';
import { tryParse } from '../../domain/json.ts';
import { fileId } from './file-id.ts';
import { openRegular } from './open-regular.ts';
import { CODES, codeOf, needSqlite } from './sqlite.ts';

/** Another process has the folder. */
export class FolderInUse extends Error {
  /** Undefined: it is not known. */
  readonly pid: number | undefined;

  constructor(folder: string, pid: number | undefined) {
    const holder = pid === undefined ? 'another process' : `process ${pid}`;
    super(
      `the data folder ${folder} is in use by ${holder}; end it, or choose another folder with --data-dir`,
    );
    this.name = 'FolderInUse';
    this.pid = pid;
  }
}

export interface FolderLock {
  /**
   * Takes the folder again where the lock file was removed or replaced; does nothing where it is still in its place.
   * Throws FolderInUse when another process was first, or the system's error.
   */
  renew(): 'in place' | 'made again';
  /** Idempotent. */
  release(): void;
}

const FILE = 'lock.db';
const HOLDER = 'holder.json';
/** Bytes that are read of it: more than Sidelight writes. */
const HOLDER_BYTES = 1024;
/** File that every process which uses the folder has open. */
const JOURNAL = 'sidelight.db';

/**
 * Takes the folder for this process. A folder that cannot be written needs no lock.
 * The lock file is never opened by anything but SQLite: closing any other descriptor would drop the lock.
 * A folder whose lock file is missing, or is something else, may still be in use, so that its journal is looked at too.
 * Throws FolderInUse.
 */
export function lockFolder(folder: string): FolderLock {
  const wasMissing = !existsSync(join(folder, FILE));
  let taken: Taken;
  try {
    taken = take(folder);
  } catch (error) {
    if (error instanceof FolderInUse || (codeOf(error) === undefined && !isFileError(error))) throw error;
    // The lock cannot be taken, because something else is at its path or the disk is full: the folder may still be in use.
    if (isWritable(folder) && isUsedWithoutLock(folder))
      throw new FolderInUse(folder, pidIn(join(folder, HOLDER)));
    return { renew: () => 'in place', release: () => undefined };
  }
  if (wasMissing ? isUsedWithoutLock(folder) : isUsedWithOtherLock(folder)) {
    // A new lock file that stays behind would make the folder look unused.
    if (wasMissing) ignoringFiles(() => rmSync(join(folder, FILE), { force: true }));
    taken.db.close();
    throw new FolderInUse(folder, pidIn(join(folder, HOLDER)));
  }
  writeHolder(folder);
  let isHeld = true;
  return {
    renew: () => {
      if (!isHeld || fileId(join(folder, FILE)) === taken.id) return 'in place';
      const before = taken;
      taken = take(folder);
      before.db.close();
      writeHolder(folder);
      return 'made again';
    },
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      ignoringFiles(() => rmSync(join(folder, HOLDER), { force: true }));
      taken.db.close();
    },
  };
}

interface Taken {
  readonly db: DatabaseSync;
  /** Which file is locked. */
  readonly id: string | undefined;
}

/** Throws FolderInUse, or the system's error. */
function take(folder: string): Taken {
  const { DatabaseSync } = needSqlite();
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(join(folder, FILE), { timeout: 0 });
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return { db, id: fileId(join(folder, FILE)) };
  } catch (error) {
    db?.close();
    if (codeOf(error) === CODES.busy) throw new FolderInUse(folder, pidIn(join(folder, HOLDER)));
    throw error;
  }
}

/** Writes which process holds the lock. This only helps people, so a full disk is no error. */
function writeHolder(folder: string): void {
  const text = JSON.stringify({ pid: process.pid });
  ignoringFiles(() => {
    // A named pipe in its place would be waited for, so a file is always made anew.
    rmSync(join(folder, HOLDER), { force: true });
    writeFileSync(join(folder, HOLDER), text, { mode: 0o600, flag: 'wx' });
  });
}

/**
 * Whether a folder without a lock file is in use: its journal is open or, if that was removed too, the process named as holder is running.
 */
function isUsedWithoutLock(folder: string): boolean {
  const journal = join(folder, JOURNAL);
  return existsSync(journal) ? isOpenElsewhere(journal) : isHolderAlive(folder);
}

/**
 * Whether a folder whose lock is free is in use all the same, because another file took the place of its lock file. The journal is looked at
 * only if the named holder is running, as this costs time at each start.
 */
function isUsedWithOtherLock(folder: string): boolean {
  const journal = join(folder, JOURNAL);
  return isHolderAlive(folder) && existsSync(journal) && isOpenElsewhere(journal);
}

function isHolderAlive(folder: string): boolean {
  const pid = pidIn(join(folder, HOLDER));
  return pid !== undefined && pid !== process.pid && isAlive(pid);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (isFileError(error)) return false;
    throw error;
  }
}

/**
 * Whether another connection has the file open. Every connection of a journal in WAL mode holds a shared lock, which excludes an exclusive
 * one.
 */
function isOpenElsewhere(file: string): boolean {
  const { DatabaseSync } = needSqlite();
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: 0 });
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined && !isFileError(error)) throw error;
    // Any other problem of the file is reported when it is opened.
    return code === CODES.busy;
  } finally {
    db?.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive too.
    return hasCode(error, 'EPERM');
  }
}

function pidIn(file: string): number | undefined {
  const value = tryParse(beginningOf(file))?.value;
  if (typeof value !== 'object' || value === null || !('pid' in value)) return undefined;
  return typeof value.pid === 'number' ? value.pid : undefined;
}

/** First bytes of a file as text; "" where there is none, or something else: the holder may have just removed it, or not written it yet. */
function beginningOf(file: string): string {
  let fd: number | undefined;
  try {
    fd = openRegular(file);
    if (fd === undefined) return '';
    const bytes = Buffer.alloc(HOLDER_BYTES);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
  } catch (error) {
    if (isFileError(error)) return '';
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Runs `act` and ignores errors of the file system. */
function ignoringFiles(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!isFileError(error)) throw error;
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
