/** Opens an unwritable file for reading only: the file itself, or a copy if it has to be brought up to date. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { ReportStep } from './requests.ts';
import { migrate, STEPS, versionOf } from './schema.ts';
import { needSqlite } from './sqlite.ts';

export interface ReadOnlyFile {
  readonly db: DatabaseSync;
  close(): void;
}

/**
 * Opens the file for reading. If it is missing or unreadable for this version, an empty one replaces it: the writing side has reported the
 * reason.
 */
export function openReadOnly(file: string, reportStep: ReportStep): ReadOnlyFile {
  const { DatabaseSync } = needSqlite();
  try {
    const db = openedWithLog(file) ?? openedAlone(file);
    const version = versionOf(db);
    if (version === STEPS.length) return { db, close: () => db.close() };
    if (version > 0 && version < STEPS.length) return broughtUpToDate(db, file, reportStep);
    db.close();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  const db = new DatabaseSync(':memory:');
  migrate(db, file, () => undefined);
  return { db, close: () => db.close() };
}

/**
 * The file with what is only in its log; undefined: it has no log, or the two cannot be opened. Without the log the file is damaged where the
 * attempt to move the log into it has found no room.
 */
function openedWithLog(file: string): DatabaseSync | undefined {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  const { DatabaseSync } = needSqlite();
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file);
    // The index of the log is in memory then: for the file of it there may be no room.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('PRAGMA query_only = 1');
    versionOf(db);
    return db;
  } catch (error) {
    db?.close();
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

function openedAlone(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return new (needSqlite().DatabaseSync)(url, { readOnly: true });
}

function broughtUpToDate(old: DatabaseSync, file: string, reportStep: ReportStep): ReadOnlyFile {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-'));
  try {
    const copy = join(folder, 'sidelight.db');
    reportStep({
      kind: 'copy',
      bytes: statSync(file).size,
      copy,
      from: versionOf(old),
      to: STEPS.length,
      aside: true,
    });
    // A connection that may only ask writes no copy either. The copy leaves the file itself as it is.
    old.exec('PRAGMA query_only = 0');
    old.prepare('VACUUM INTO ?').run(copy);
    old.close();
    const db = new (needSqlite().DatabaseSync)(copy);
    migrate(
      db,
      file,
      () => undefined,
      STEPS,
      (to) => reportStep({ kind: 'migrate', to }),
    );
    return {
      db,
      close: () => {
        db.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
