/** Opens the journal's file for writing: a new one, one that was closed, one that a killed process left, a damaged one. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '../../contract/error-text.ts';

import { LOG_LIMIT_BYTES } from './database-log.ts';
import type { OpenFile, OpenReport, SalvageReport, SyncLevel, ReportStep } from './requests.ts';
import { KEPT } from './kept-newest.ts';
import { FILE_NAME } from './options.ts';
import { repair } from './repair.ts';
import { NEWEST } from './newest-file.ts';
import { takeNewest } from './replay.ts';
import { NOTHING, salvage } from './salvage.ts';
import type { Salvaged } from './salvage.ts';
import { migrate, STEPS, versionOf } from './schema.ts';
import type { Step } from './schema.ts';
import { failureOf } from './failure.ts';
import { timeInName } from './set-aside.ts';
import { fullUntilStartText, isDamage, needSqlite } from './sqlite.ts';
import { Tables } from './tables.ts';
import { MESSAGE } from './tallies.ts';
import { checkpoint, numberIn } from './statements.ts';

/** Ending of the new file into which a damaged one is saved. Once complete, it takes the place of the damaged file. */
const UNDER_WAY = '.new';
/** Ending of the copy of a file that was removed while it was in use. */
export const RESCUED = '.rescued';
/** Endings of a file's name and of what SQLite keeps beside it while it is open. */
export const ENDINGS = ['', '-wal', '-shm'];

/** Longest wait for a lock of another connection; the reading one never holds a lock for long. */
const BUSY_MS = 2000;
const CACHE_KIB = 8192;
const CHECKPOINT_PAGES = 1000;

export interface Opened {
  readonly db: DatabaseSync;
  readonly tables: Tables;
  readonly report: OpenReport;
  /** A read of another program let only a part of the log into the database. */
  readonly isPart: boolean;
}

export interface OpenHow extends OpenFile {
  /** Time for the name of a damaged file that is set aside. */
  readonly now: () => number;
  /** Called with each step that may take long. */
  readonly reportStep?: ReportStep;
  /** For tests of the way from older files. */
  readonly steps?: readonly Step[] | undefined;
  /** The database has a part of the pages of a log that is gone: a check of its form need not find that. */
  readonly isMixed?: boolean;
}

/**
 * Never refuses for damage: what cannot be read is set aside and reported.
 * Throws JournalError: no SQLite, the file of a newer version, or what SQLite says of the folder.
 */
export function openFile(how: OpenHow): Opened {
  const file = join(how.folder, FILE_NAME);
  // A complete new file may not have taken its place when the last process ended.
  for (const ending of [UNDER_WAY, RESCUED]) {
    if (existsSync(file) || !existsSync(file + ending)) continue;
    // A log beside the missing file belongs to another file.
    remove(file);
    move(file + ending, file);
  }
  const oddity = oddityOf(file);
  if (oddity !== undefined) return openAfterDamage(file, how, oddity);
  if (how.isMixed === true) return openAfterDamage(file, how, new Error('a part of its log was lost'));
  try {
    // An unfinished new file means that this one was damaged, even if it looks sound when it is read.
    const opened = openSound(file, how, existsSync(file + UNDER_WAY));
    remove(file + UNDER_WAY);
    return opened;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return openAfterDamage(file, how, error);
  }
}

/** Error for something that SQLite would take for a new file or an unwritable folder; undefined: neither. */
function oddityOf(file: string): Error | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) return new Error('its place held something other than a file');
  return found.size === 0 ? new Error('the file was empty') : undefined;
}

/** Report for an unwritable folder or a full disk: every append is refused. */
export function refusingReport(folder: string, error: unknown): OpenReport {
  const failure = failureOf(error, folder);
  const file = join(folder, FILE_NAME);
  // A reader does not see records that are only in a log, so writing must not go on past them.
  const isWhole = [`${file}-wal`, file + NEWEST, file + KEPT].every(
    (each) => (statSync(each, { throwIfNoEntry: false })?.size ?? 0) === 0,
  );
  const isFull = failure.code === 'full';
  const waits = isFull && isWhole;
  const refuses = isFull && !isWhole ? { ...failure, message: fullUntilStartText(folder) } : failure;
  return {
    file,
    ...(waits ? { waitsForRoom: true } : {}),
    sqlite: process.versions['sqlite'] ?? '',
    isNew: !existsSync(file),
    wasUnclean: false,
    refuses,
    notes: waits ? [] : [`Nothing can be kept: ${refuses.message}.`],
  };
}

function openSound(file: string, how: OpenHow, isDoubtful = false): Opened {
  const isNew = !existsSync(file);
  // Only its owner may read what was published.
  if (isNew) closeSync(openSync(file, 'a', 0o600));
  const { DatabaseSync } = needSqlite();
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    prepare(db, how);
    const wasUnclean = !isEmpty(db) && !isClean(db);
    const { steps = STEPS, reportStep = () => undefined } = how;
    const { size: bytes } = statSync(file);
    if (wasUnclean || isDoubtful) {
      reportStep({ kind: 'check', bytes });
      check(db);
    }
    const notes: string[] = [];
    const beforeFirst = (from: number): void => {
      const copy = `${file}.version-${from}`;
      reportStep({ kind: 'copy', bytes, copy, from, to: steps.length });
      notes.push(copyBefore(db, copy, from));
    };
    migrate(db, file, beforeFirst, steps, (to) => reportStep({ kind: 'migrate', to }));
    removeUnused(db);
    const tables = new Tables(db);
    // What is taken in may be hours old, and its file is removed: with `normal` too it has to be on the disk before that.
    setSync(db, 'full');
    // Another program may cut the log before the next pause. Where one reads an older state, not all of it can be moved.
    const time = timeInName(how.now());
    let isPart = false;
    const isMoved = (): boolean => {
      const { moved, isWhole } = checkpoint(db);
      isPart = !isWhole && moved > 0;
      return isWhole;
    };
    const untaken = takeNewest(file, tables, time, isMoved, how.isMixed);
    notes.push(...untaken);
    setSync(db, how.sync);
    tables.markClean(false);
    // Only a database that says how it is named can be told from others, whatever becomes of its log.
    if (isNew) checkpoint(db);
    return {
      db,
      tables,
      report: { file, sqlite: sqliteVersion(db), isNew, wasUnclean, mayMiss: untaken.length > 0, notes },
      isPart,
    };
  } catch (error) {
    db.close();
    // The new file is empty; if it stayed, it would look like a file that lost everything.
    if (isNew) remove(file);
    throw error;
  }
}

/** Settings of the connection; the first two last in the file. */
function prepare(db: DatabaseSync, { sync, maxPages }: OpenHow): void {
  if (isEmpty(db)) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  db.exec('PRAGMA journal_mode = WAL');
  setSync(db, sync);
  db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.exec(`PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
}

/** Removes counters of topics without messages, which older versions kept. */
function removeUnused(db: DatabaseSync): void {
  db.exec(`DELETE FROM tally WHERE n = 0 AND (pubsub, topic) IN
    (SELECT pubsub, topic FROM tally WHERE state = '${MESSAGE}' AND n = 0)`);
}

function setSync(db: DatabaseSync, sync: SyncLevel): void {
  db.exec(`PRAGMA synchronous = ${sync.toUpperCase()}`);
  // On macOS fsync alone does not reach the platter; on other systems this setting does nothing.
  db.exec(`PRAGMA fullfsync = ${sync === 'full' ? 1 : 0}`);
}

function isEmpty(db: DatabaseSync): boolean {
  return numberIn(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get(), 'n') === 0;
}

function isClean(db: DatabaseSync): boolean {
  if (versionOf(db) === 0) return false;
  return numberIn(db.prepare('SELECT clean FROM totals').get(), 'clean') === 1;
}

/** Checks the file, and throws the same error as a damaged page. */
function check(db: DatabaseSync): void {
  const found = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (found !== 'ok') throw Object.assign(new Error(`quick_check: ${String(found)}`), { errcode: 11 });
}

function copyBefore(db: DatabaseSync, copy: string, version: number): string {
  rmSync(copy, { force: true });
  db.prepare('VACUUM INTO ?').run(copy);
  return `Sidelight converted the history from format ${version} to the current one; ${basename(copy)} is a copy of the old file.`;
}

/** The damaged file stays where it is until all that can be read of it is in the new one: an end in the middle loses nothing. */
function openAfterDamage(file: string, how: OpenHow, damage: unknown): Opened {
  const setAside = `${file}.broken-${timeInName(how.now())}`;
  const saved = savedFrom(file, how);
  move(file, setAside);
  move(file + UNDER_WAY, file);
  const opened = openSound(file, how);
  const report: SalvageReport = { setAside, ...saved };
  return {
    ...opened,
    report: {
      ...opened.report,
      isNew: false,
      salvage: report,
      notes: [noteOf(report, damage), ...opened.report.notes],
    },
  };
}

function savedFrom(damaged: string, how: OpenHow): Salvaged {
  const fresh = damaged + UNDER_WAY;
  remove(fresh);
  const { db, tables } = openSound(fresh, how);
  try {
    const saved = salvaged(damaged, fresh, { db, tables }, how);
    tables.markClean(true);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    return saved;
  } catch (error) {
    db.close();
    // The next start begins again and needs the room of this part.
    remove(fresh);
    throw error;
  }
}

function salvaged(
  damaged: string,
  fresh: string,
  { db, tables }: Pick<Opened, 'db' | 'tables'>,
  how: OpenHow,
): Salvaged {
  // SQLite would delete the log of an empty file on opening it, so it is not opened.
  if (oddityOf(damaged) !== undefined) {
    // The newest records of the old file go on in this one.
    tables.continueFrom('', 0);
    return NOTHING;
  }
  how.reportStep?.({ kind: 'salvage', bytes: statSync(damaged).size });
  // The checkpoint puts all pages into the file itself.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  // The tables of a file that was written again, because another program had removed it, begin on other pages.
  const written = `${fresh}.written`;
  remove(written);
  try {
    db.prepare('VACUUM INTO ?').run(written);
    const undo = repair(damaged, [fresh, written]);
    try {
      return salvage(damaged, tables);
    } finally {
      undo();
    }
  } finally {
    remove(written);
  }
}

/** With what SQLite keeps beside it; nothing where it is not there. */
export function move(from: string, to: string): void {
  for (const ending of ENDINGS) if (existsSync(from + ending)) renameSync(from + ending, to + ending);
}

/** With what SQLite keeps beside it. */
export function remove(file: string): void {
  for (const ending of ENDINGS) rmSync(file + ending, { recursive: true, force: true });
}

function noteOf({ setAside, messages, partly, lost, keptInPart }: SalvageReport, damage: unknown): string {
  const said = errorText(damage).replaceAll(/\s+/g, ' ');
  const parts = partly === 0 ? '' : ` (${partly} of them in part)`;
  const gone = lost === 0 ? '' : `, ${lost} are lost`;
  const kept = keptInPart
    ? ' Sidelight could not read all of the settings, holds, mock rules and saved things: check them.'
    : '';
  return (
    `The history on disk was damaged (${said}). ${messages} messages were saved${parts}${gone}; ` +
    `the damaged file is kept as ${basename(setAside)}.${kept}`
  );
}

function sqliteVersion(db: DatabaseSync): string {
  return String(db.prepare('SELECT sqlite_version() AS v').get()?.['v'] ?? '');
}
