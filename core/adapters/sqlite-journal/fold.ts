/**
 * How records come into the file: a group is applied in a transaction that stays open, appended to the file of the newest records,
 * and counts from then on. Many groups later the transaction is committed and the place of the newest records is used again.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { NEWEST, NewestFile } from './newest.ts';
import type { Group, NewestCounts } from './newest.ts';
import { replay } from './replay.ts';
import type { SyncLevel, WriteCounts } from './requests.ts';
import type { SqliteStore } from './store.ts';
import { numberIn } from './statements.ts';

/** Commits between two checkpoints at most: the log grows by what each of them changed. */
const MOST_COMMITS = 50;
/** Groups that go into the database itself after the file of the newest records could not be written. */
const GROUPS_WITHOUT = 100;
/** Syncs of one checkpoint: the log, the database, and the log once more when it begins anew. */
const CHECKPOINT_SYNCS = 3;

export class Fold {
  readonly #db: DatabaseSync;
  readonly #store: SqliteStore;
  readonly #newest: NewestFile;
  readonly #log: LogPages;
  readonly #counts: NewestCounts & { groups: number } = { writes: 0, syncs: 0, bytes: 0, groups: 0 };
  #sync: SyncLevel;
  /** Number of the last group that counts. */
  #last: number;
  /** Groups that count were taken back with their transaction: only the file of the newest records has them. */
  #isBehind = false;
  #commits = 0;
  /** Groups that are not to be tried there any more. */
  #without = 0;

  /**
   * @param db nobody else writes it
   * @param file its name; nothing is left in the one of its newest records
   */
  constructor(db: DatabaseSync, store: SqliteStore, file: string, sync: SyncLevel) {
    this.#db = db;
    this.#store = store;
    this.#sync = sync;
    this.#last = store.folded;
    this.#newest = new NewestFile(file + NEWEST, store.name, this.#counts);
    this.#log = new LogPages(`${file}-wal`);
    // The file of the newest records makes commits safe. What a part of a transaction may take back stays in memory.
    this.#db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY');
  }

  get counts(): WriteCounts {
    const { groups, writes, syncs, bytes } = this.#counts;
    return { groups, syncs, pageWrites: writes + this.#log.pages, newestBytes: bytes };
  }

  /** From the next group on; those before it are made as safe as the old level says. Throws what SQLite says. */
  setSync(level: SyncLevel): void {
    if (level === this.#sync) return;
    this.settle();
    // Made anew for this level.
    this.#newest.remove();
    this.#sync = level;
    // Where fsync alone does not reach the platter; elsewhere it does nothing.
    this.#db.exec(`PRAGMA fullfsync = ${level === 'full' ? 1 : 0}`);
  }

  /**
   * Takes calls in their order; a call whose records are refused is left out alone.
   * @returns what each call failed with, undefined where it counts
   */
  write(calls: Group): unknown[] {
    try {
      this.#catchUp();
      const body = NewestFile.bodyOf(calls);
      if (!this.#newest.hasRoomFor(body)) this.settle();
      if (!this.#newest.hasRoomFor(body) || this.#without > 0) return this.#direct(calls);
      const errors = this.#apply(calls);
      const taken = calls.filter((_, at) => errors[at] === undefined);
      if (taken.length === 0) return errors;
      if (this.#appended(taken.length === calls.length ? body : NewestFile.bodyOf(taken))) return errors;
      this.#takeBack();
      this.#catchUp();
      return this.#direct(calls);
    } catch (error) {
      return calls.map(() => error);
    }
  }

  /** Whoever reads sees every group that counts. Throws what SQLite says; then they are safe, but not seen. */
  commit(): void {
    this.#catchUp();
    if (this.#store.isOpen) this.#commit(this.#last);
    if (this.#commits >= MOST_COMMITS || !this.#newest.isInPlace()) this.settle();
  }

  /** Everything is in the database, as safe as it has to be. Throws what SQLite says. */
  settle(): void {
    this.#catchUp();
    if (this.#store.isOpen) this.#commit(this.#last);
    this.#makeSafe();
    if (this.#newest.isInPlace()) this.#newest.rewind();
    else this.#newest.close();
  }

  /** After `settle`: nothing is left beside the database. */
  remove(): void {
    this.#newest.remove();
  }

  /** What is in the file of the newest records stays there for the next start. */
  close(): void {
    this.#newest.close();
  }

  #apply(calls: Group): unknown[] {
    const errors = this.#store.apply(calls);
    if (!this.#store.isOpen) this.#lookBehind();
    return errors;
  }

  /** False: it has to go into the database itself. */
  #appended(body: Buffer): boolean {
    try {
      this.#newest.append(this.#last + 1, body, this.#sync);
      this.#counted();
      return true;
    } catch (error) {
      // The disk refuses it: the database says whether the group can be kept.
      if (!(error instanceof Error && 'code' in error)) throw error;
      this.#without = GROUPS_WITHOUT;
      return false;
    }
  }

  /** A group that is too large for the file of the newest records, or that this file did not take. */
  #direct(calls: Group): unknown[] {
    this.settle();
    this.#without = Math.max(0, this.#without - 1);
    return this.#safely(() => {
      const errors = this.#apply(calls);
      if (errors.every((error) => error !== undefined)) {
        this.#takeBack();
      } else {
        this.#commit(this.#last + 1);
        this.#counted();
      }
      return errors;
    });
  }

  #counted(): void {
    this.#last++;
    this.#counts.groups++;
  }

  #commit(folded: number): void {
    try {
      this.#store.commit(folded);
      this.#commits++;
    } catch (error) {
      this.#lookBehind();
      throw error;
    }
  }

  #takeBack(): void {
    this.#store.rollBack();
    this.#lookBehind();
  }

  #lookBehind(): void {
    this.#isBehind = this.#last > this.#store.folded;
  }

  /** What was taken back with its transaction is applied again. */
  #catchUp(): void {
    if (!this.#isBehind) return;
    const { frames } = this.#newest.read(this.#store.folded);
    // One beyond the last was not taken.
    replay(
      this.#store,
      frames.filter(({ number }) => number <= this.#last),
    );
    this.#commit(this.#last);
    this.#isBehind = false;
  }

  /** A checkpoint syncs the log and the database; where somebody reads an older state, a last commit syncs the log. */
  #makeSafe(): void {
    this.#commits = 0;
    if (this.#isCheckpointed() || this.#sync !== 'full') return;
    this.#safely(() => this.#commit(this.#last));
  }

  /** What is committed meanwhile is on the disk when it is. */
  #safely<T>(act: () => T): T {
    if (this.#sync !== 'full') return act();
    this.#db.exec('PRAGMA synchronous = FULL');
    try {
      return act();
    } finally {
      this.#counts.syncs++;
      this.#db.exec('PRAGMA synchronous = NORMAL');
    }
  }

  /** True: all of the log is in the database, and synced. */
  #isCheckpointed(): boolean {
    const row = this.#db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
    const [log, moved] = [numberIn(row, 'log'), numberIn(row, 'checkpointed')];
    if (this.#log.checkpointed(log, moved)) this.#counts.syncs += CHECKPOINT_SYNCS;
    return log >= 0 && log === moved;
  }
}

/** Pages that went into the log and from there into the database. */
class LogPages {
  pages = 0;
  readonly #file: string;
  /** Identifies the log in the file: a checkpoint lets SQLite start a new log in the same file. */
  #log = '';
  #written = 0;
  #moved = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** What a checkpoint says: pages in the log, and those of them that are in the database. False: nothing was new. */
  checkpointed(written: number, moved: number): boolean {
    const log = headOf(this.#file);
    if (log !== this.#log) {
      this.#log = log;
      this.#written = 0;
      this.#moved = 0;
    }
    const before = this.pages;
    this.pages += Math.max(0, written - this.#written) + Math.max(0, moved - this.#moved);
    this.#written = written;
    this.#moved = moved;
    return this.pages > before;
  }
}

/** The head of a log, another one each time that it begins anew (https://sqlite.org/fileformat.html#the_write_ahead_log). */
function headOf(log: string): string {
  let fd: number;
  try {
    fd = openSync(log, 'r');
  } catch (error) {
    // A file that was taken away: what is counted counts on.
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
  try {
    const head = Buffer.alloc(32);
    readSync(fd, head, 0, head.length, 0);
    return head.toString('hex');
  } finally {
    closeSync(fd);
  }
}
