/** Handles requests of the writing thread, in a class that runs in any thread. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { JournalError } from '../../ports/journal.ts';
import { copyOf } from './copy-of.ts';
import { fileId } from './file-id.ts';
import { Fold } from './fold.ts';
import type { Followed } from './fold.ts';
import { ENDINGS, move, openFile, refusingReport, remove, RESCUED } from './open.ts';
import type { OpenHow } from './open.ts';
import type { Op } from './records.ts';
import type {
  Answered,
  Asked,
  OpenFile,
  LogState,
  OpenReport,
  Piece,
  Reopened,
  Rescued,
  Size,
  SyncLevel,
  ReportStep,
  WriterRequests,
} from './requests.ts';
import { NEWEST } from './newest-file.ts';
import { PutBack } from './put-back.ts';
import { dropBallast, Ballast } from './ballast.ts';
import { failureOf } from './failure.ts';
import type { Handlers } from './serve.ts';
import { timeInName } from './set-aside.ts';
import { codeOf, fullText, isDamage, isFull, isOutOfRoom, isUnwritable, needSqlite } from './sqlite.ts';
import { numberIn } from './statements.ts';
import type { Tables } from './tables.ts';

/** Pages given back to the disk at a time, when this many are free. */
const VACUUM_PAGES = 200;
const FREE_PAGES = 4000;
const GIVE_BACK_STEPS = 10;

export class Writer implements Handlers<WriterRequests> {
  #how: OpenFile | undefined;
  #db: DatabaseSync | undefined;
  #tables: Tables | undefined;
  #fold: Fold | undefined;
  #ballast: Ballast | undefined;
  #file = '';
  /** Which files that and its log are: others in their place have others. */
  #ids: readonly (string | undefined)[] = [];
  /** Changes that were in the copy when it was made; undefined: there is no copy. */
  #copied: number | undefined;
  /** What was done with the copy, until the file in its place is open; undefined: there was no copy. */
  #placed: Pick<Rescued, 'setAside'> | undefined;
  /** Why the database is being opened again, until that has succeeded. */
  #reopening: Reopened['why'] | undefined;
  /** The database that is opened next has a part of the pages of a log, and nothing has the others. */
  #isMixed = false;
  readonly #newest = new PutBack();
  /** Damage was seen: the next start looks for it. */
  #isDamaged = false;
  readonly #now: () => number;
  readonly #reportStep: ReportStep;

  /** @param reportStep of what may take long when the file is opened */
  constructor(now: () => number, reportStep: ReportStep) {
    this.#now = now;
    this.#reportStep = reportStep;
  }

  get folder(): string {
    return this.#how?.folder ?? '';
  }

  open = (how: OpenFile): OpenReport => {
    this.#how = how;
    try {
      return this.#take({ ...how, reportStep: this.#reportStep });
    } catch (error) {
      // The ballast is removed to make room for opening the file.
      if (isOutOfRoom(error, how.folder) && dropBallast(how.folder)) return this.open(how);
      // The program starts without writing: it shows what it can read, and refuses publishes.
      if (isUnwritable(error) || isOutOfRoom(error, how.folder)) return refusingReport(how.folder, error);
      throw error;
    }
  };

  follow = (piece: Piece): Answered<WriterRequests, 'follow'> => {
    const fold = this.#needFold();
    let followed: Followed = { refused: [] };
    try {
      this.#looked(() => {
        followed = fold.follow(piece);
        return [];
      });
      if (fold.isBehind) this.#seenInBallast();
    } catch (error) {
      // The groups are taken in where the history is opened again.
      if (fold.isLogCut()) return { mayAppend: false, refused: [] };
      throw error;
    }
    const { refused, ...read } = followed;
    return {
      mayAppend: this.#mayAppend(),
      refused: refused.map((error) => failureOf(error, this.folder)),
      ...read,
    };
  };

  write = ({ calls, number }: Asked<WriterRequests, 'write'>): Answered<WriterRequests, 'write'> => {
    const fold = this.#needFold();
    if (fold.isBehind) this.#seen();
    const refusesNew = this.#ballast?.isFull(this.#now()) === true;
    const taken = refusesNew ? calls.filter((ops) => !isNew(ops)) : calls;
    const failed = taken.length === 0 ? [] : fold.write(taken, number);
    // Nothing but the log has such a group, and another program may cut the log: the database has it before the answer, unless a read holds it up.
    if (failed.includes(undefined)) this.settle();
    const failures = new Map(failed.map((error, index) => [taken[index], error]));
    const errors = calls.map((ops) => {
      if (!failures.has(ops)) return new JournalError('full', fullText(this.folder));
      return failures.get(ops);
    });
    this.#look(errors);
    return {
      mayAppend: this.#mayAppend(),
      failures: errors.map((error) => (error === undefined ? null : failureOf(error, this.folder))),
    };
  };

  settle = (): boolean => {
    let isSafe = false;
    this.#looked(() => {
      this.#needFold().settle();
      isSafe = true;
      return [];
    });
    return isSafe;
  };

  prepare = (piece: Piece): boolean => {
    try {
      this.#needFold().prepare(piece);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return false;
      throw error;
    }
  };

  size = (): Size => this.#needTables().size;

  prune = (asked: Asked<WriterRequests, 'prune'>): Answered<WriterRequests, 'prune'> => {
    try {
      this.#seen();
      const tables = this.#needTables();
      const pruned = this.#needFold().writingToLog(() => tables.prune(asked));
      if (this.#ballast?.isFull(this.#now()) === true) this.#giveBack(this.#needDb());
      return pruned;
    } catch (error) {
      this.#look([error]);
      throw error;
    }
  };

  sync = (level: SyncLevel): null => {
    if (this.#db !== undefined) this.#fold?.setSync(level);
    // A file that is opened or made again later has this level too.
    if (this.#how !== undefined) this.#how = { ...this.#how, sync: level };
    return null;
  };

  commit = (): boolean => {
    this.#seen();
    return !this.#needFold().isBehind;
  };

  takesNew = (): boolean => {
    try {
      if (this.#ballast?.isFull(this.#now()) === true) return false;
      const fold = this.#needFold();
      fold.commit();
      const tables = this.#needTables();
      fold.writingToLog(() => tables.tryToWrite());
      return true;
    } catch (error) {
      this.#look([error]);
      // The next write reports this error.
      if (codeOf(error) !== undefined) return false;
      throw error;
    }
  };

  copyAway = ({ held }: Asked<WriterRequests, 'copyAway'>): boolean => {
    const isAway = !this.#isInPlace();
    if (this.#db !== undefined && isAway) this.#copy(this.#db, held);
    return isAway;
  };

  rescue = ({ held, newest }: Asked<WriterRequests, 'rescue'>): Rescued | null => {
    const db = this.#db;
    const how = this.#how;
    if (how === undefined || this.#isInPlace()) return null;
    this.#newest.put(newest, this.#file + NEWEST, timeInName(this.#now()));
    if (db !== undefined) {
      const fold = this.#needFold();
      if (fold.isLogCut()) this.#reopening = 'cut';
      else fold.commit();
      if (changesOf(db) !== this.#copied) this.#copy(db, held);
      // A closing connection removes its log by name, so it must be closed before the new file has a log of that name.
      this.#shut(db, fold);
    } else if (this.#copied === undefined && held !== undefined && !existsSync(this.#file)) {
      // The database was closed for a mending and could not be opened again; then its file was removed.
      copyOf(held, this.#file);
      this.#placed ??= { setAside: null };
    }
    if (this.#copied !== undefined) this.#placed = { setAside: this.#putInPlace() };
    this.#copied = undefined;
    // Slow steps are reported at a start only.
    const report = this.#take(how);
    const { setAside = null } = this.#placed ?? {};
    const isSaved = this.#placed !== undefined;
    this.#placed = undefined;
    return { setAside, isSaved, report };
  };

  log = (): LogState => {
    // A history whose file is missing is not opened again: `rescue` makes another one, and says so.
    if (this.#reopening !== undefined) return existsSync(this.#file) ? this.#reopening : 'unknown';
    if (!this.#isInPlace()) return 'unknown';
    this.#fold?.lookThrough();
    if (this.#fold?.isLogCut() === true) return 'cut';
    const isWhole = ENDINGS.every((ending, at) => fileId(this.#file + ending) === this.#ids[at]);
    return isWhole ? 'whole' : 'removed';
  };

  reopen = ({ held, newest }: Asked<WriterRequests, 'reopen'>): Reopened | null => {
    const why = this.log();
    const how = this.#how;
    if (how === undefined || why === 'whole' || why === 'unknown') return null;
    this.#newest.put(newest, this.#file + NEWEST, timeInName(this.#now()));
    this.#reopening = why;
    const fold = this.#fold;
    if (this.#db !== undefined && fold !== undefined) {
      if (why === 'cut') this.#closeWithoutLog(this.#db);
      else this.#closeWithLog(this.#db, fold);
    }
    if (why === 'cut') this.#isMixed = fold?.dropCutLog() === true;
    // One that another program made in the place of a removed one may say less than the log has.
    if (why !== 'cut') rmSync(`${this.#file}-shm`, { force: true });
    fold?.close();
    // The file may have been removed since the question what became of its log.
    if (held !== undefined && !existsSync(this.#file)) copyOf(held, this.#file);
    return { why, report: this.#take(how) };
  };

  idle = (): boolean => {
    const db = this.#db;
    if (db === undefined || this.#ballast?.isFull(this.#now()) === true || !this.settle()) return false;
    this.#looked(() => {
      if (freePages(db) > FREE_PAGES) this.#vacuum(db);
      return [];
    });
    return true;
  };

  close = (): Answered<WriterRequests, 'close'> => {
    const db = this.#db;
    const fold = this.#fold;
    const isInPlace = this.#isInPlace();
    this.#db = undefined;
    if (db === undefined || fold === undefined) return null;
    let isSettled = false;
    try {
      isSettled = !fold.isLogCut() && this.#isSettledForGood(fold);
    } finally {
      // The log may also be cut while the rest is written.
      const isCut = fold.isLogCut();
      if (isCut) isSettled = false;
      if (isCut && isInPlace) {
        this.#closeWithoutLog(db);
        fold.dropCutLog();
        fold.close();
      } else this.#shut(db, fold);
    }
    return { counts: fold.counts, isSettled };
  };

  /** False: everything is in the log or among the newest records, and the next start checks the file again. */
  #isSettledForGood(fold: Fold): boolean {
    let isSettled = false;
    try {
      fold.settle();
      isSettled = true;
      if (!this.#isDamaged) this.#tables?.markClean(true);
      fold.emptyLog();
    } catch (error) {
      if (codeOf(error) === undefined && !fold.isLogCut()) throw error;
    }
    return isSettled;
  }

  /** True when groups that are appended from now on will fit into the tables. */
  #mayAppend(): boolean {
    return this.#ballast?.isFull(this.#now()) !== true && !this.#needFold().isBehind;
  }

  /** Runs `act` and notes what an error of SQLite means; the next write reports it. */
  #looked(act: () => unknown[]): unknown[] {
    try {
      return act();
    } catch (error) {
      this.#look([error]);
      if (codeOf(error) === undefined) throw error;
      return [];
    }
  }

  /** Makes written records readable; if the disk refuses that for now, they are readable later. */
  #seen(): void {
    try {
      this.#needFold().commit();
    } catch (error) {
      this.#look([error]);
      if (codeOf(error) === undefined) throw error;
      // A page that cannot be read may be one that only a cut log had.
      this.#needFold().lookThrough();
      this.#needFold().mustHaveLog();
      if (isFull(error)) this.#seenInBallast();
    }
  }

  /** Repeats the commit in the room of the ballast. */
  #seenInBallast(): void {
    try {
      this.#needFold().commit();
    } catch (error) {
      // The next write reports the error to its caller.
      if (codeOf(error) === undefined) throw error;
    }
  }

  /** On a full disk what was pruned is given back to it, a little at a time: moving pages takes room too. */
  #giveBack(db: DatabaseSync): void {
    for (let step = 0; step < GIVE_BACK_STEPS && freePages(db) > 0; step++) {
      this.#vacuum(db);
      this.#needFold().emptyLog();
    }
    this.#ballast?.lookAgain();
  }

  #vacuum(db: DatabaseSync): void {
    this.#needFold().writingToLog(() => db.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`));
  }

  #take(how: Omit<OpenHow, 'now' | 'isMixed'>): OpenReport {
    const { db, tables, report, isPart } = openFile({ ...how, now: this.#now, isMixed: this.#isMixed });
    this.#reopening = undefined;
    this.#isMixed = false;
    this.#db = db;
    this.#tables = tables;
    this.#fold = new Fold(db, tables, report.file, { sync: how.sync, isPart });
    this.#file = report.file;
    this.#ids = ENDINGS.map((ending) => fileId(report.file + ending));
    this.#ballast = new Ballast(how.folder, how.ballastBytes);
    const { name, folded: group, lastNumber: message } = tables;
    return { ...report, notes: [...this.#newest.notes(), ...report.notes], goesOn: { name, group, message } };
  }

  #shut(db: DatabaseSync, fold: Fold): void {
    this.#db = undefined;
    fold.close();
    db.close();
  }

  /** Closes the database whose log was removed: SQLite has it open still, and moves it into the database. */
  #closeWithLog(db: DatabaseSync, fold: Fold): void {
    fold.settle();
    if (!this.#isDamaged) this.#needTables().markClean(true);
    this.#shut(db, fold);
  }

  /**
   * Closes the database as a kill would: what is left of its log stays, for the next one that opens it. SQLite moves the log into the
   * database only for the last connection that closes, and not for one that cannot write.
   */
  #closeWithoutLog(db: DatabaseSync): void {
    const last = new (needSqlite().DatabaseSync)(this.#file, { readOnly: true });
    try {
      // A read locks the file. What it reads may be missing in the log.
      last.prepare('SELECT count(*) FROM sqlite_schema').get();
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
    }
    this.#db = undefined;
    db.close();
    last.close();
  }

  #isInPlace(): boolean {
    const [id] = this.#ids;
    // Undefined: the file was removed while it was opened.
    return this.#db !== undefined && id !== undefined && fileId(this.#file) === id;
  }

  /** @param held the open file, which SQLite cannot read any more once its log was cut */
  #copy(db: DatabaseSync, held: number | undefined): void {
    const fold = this.#needFold();
    const isCut = fold.isLogCut() && held !== undefined;
    if (!isCut) fold.commit();
    const fresh = this.#file + RESCUED;
    mkdirSync(dirname(fresh), { recursive: true, mode: 0o700 });
    remove(fresh);
    try {
      if (isCut) {
        copyOf(held, fresh);
        this.#isMixed = fold.copyCutLog(fresh);
      } else db.prepare('VACUUM INTO ?').run(fresh);
      this.#copied = changesOf(db);
    } catch (error) {
      // An incomplete copy would take the room that the next try needs.
      remove(fresh);
      this.#look([error]);
      throw error;
    }
  }

  /** Puts the copy in place; gives the new name of another file that was there; null: there was none. */
  #putInPlace(): string | null {
    const setAside = existsSync(this.#file) ? `${this.#file}.replaced-${timeInName(this.#now())}` : null;
    for (const [index, ending] of ENDINGS.entries()) {
      const found = this.#file + ending;
      const id = fileId(found);
      if (id === undefined) continue;
      // SQLite would read this file's own log as the log of the file that is set aside.
      if (setAside === null || id === this.#ids[index]) rmSync(found, { force: true });
      else renameSync(found, setAside + ending);
    }
    move(this.#file + RESCUED, this.#file);
    return setAside === null ? null : basename(setAside);
  }

  #look(errors: readonly unknown[]): void {
    if (errors.some(isDamage)) this.#isDamaged = true;
    if (errors.some(isFull)) this.#ballast?.filled(this.#now());
  }

  #needDb(): DatabaseSync {
    if (this.#db === undefined) throw new JournalError('closed', 'the history is closed');
    return this.#db;
  }

  #needFold(): Fold {
    this.#needDb();
    if (this.#fold === undefined) throw new JournalError('closed', 'the history is closed');
    return this.#fold;
  }

  #needTables(): Tables {
    this.#needDb();
    if (this.#tables === undefined) throw new JournalError('closed', 'the history is closed');
    return this.#tables;
  }
}

function freePages(db: DatabaseSync): number {
  return numberIn(db.prepare('PRAGMA freelist_count').get(), 'freelist_count');
}

function changesOf(db: DatabaseSync): number {
  return numberIn(db.prepare('SELECT total_changes() AS n').get(), 'n');
}

function isNew(ops: readonly Op[]): boolean {
  return ops.some(([op]) => op === 'accepted');
}
