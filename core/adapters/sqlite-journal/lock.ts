/** One process for each data folder: a lock that the system lets go when its holder dies, however it dies. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { tryParse } from '../../domain/json.ts';
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
  /** Idempotent. */
  release(): void;
}

/**
 * Takes the folder for this process. A folder that cannot be written needs no lock.
 * The lock file is never opened by anything but SQLite: closing any other descriptor would drop the lock.
 * Throws FolderInUse.
 */
export function lockFolder(folder: string): FolderLock {
  const holder = join(folder, 'holder.json');
  const { DatabaseSync } = needSqlite();
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 });
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    const code = codeOf(error);
    if (code === CODES.busy) throw new FolderInUse(folder, pidIn(holder));
    if (code === undefined && !isFileError(error)) throw error;
    return { release: () => undefined };
  }
  // It only helps to say who holds the lock; a full disk may have no room for it.
  ignoringFiles(() => writeFileSync(holder, JSON.stringify({ pid: process.pid }), { mode: 0o600 }));
  let isHeld = true;
  return {
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      ignoringFiles(() => rmSync(holder, { force: true }));
      db.close();
    },
  };
}

function pidIn(file: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // The holder may not have written it yet, or has just removed it.
    if (isFileError(error)) return undefined;
    throw error;
  }
  const value = tryParse(text)?.value;
  if (typeof value !== 'object' || value === null || !('pid' in value)) return undefined;
  return typeof value.pid === 'number' ? value.pid : undefined;
}

/** Goes on where the system refuses it. */
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
