/** What the writing thread does with a request, in a class that runs anywhere. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { JournalError } from '../../ports/journal.ts';
import { openFile, refusingReport, setSync } from './open.ts';
import type { Op } from './records.ts';
import type { Failure, OpenFile, OpenReport, TellStep, WriterRequests } from './requests.ts';
import { Room } from './room.ts';
import { failureOf } from './serve.ts';
import type { Handlers } from './serve.ts';
import { codeOf, fullText, isDamage, isFull, isUnwritable } from './sqlite.ts';
import { numberIn } from './statements.ts';
import type { SqliteStore } from './store.ts';

/** Pages given back to the disk at a time, when so many are free. */
const VACUUM_PAGES = 200;
const FREE_PAGES = 4000;
const GIVE_BACK_STEPS = 10;

export class Writer implements Handlers<WriterRequests> {
  #how: OpenFile | undefined;
  #db: DatabaseSync | undefined;
  #store: SqliteStore | undefined;
  #room: Room | undefined;
  #file = '';
  /** Damage was seen: the next start looks for it. */
  #isDamaged = false;
  readonly #now: () => number;
  readonly #tell: TellStep;

  /** @param tell of what may take long when the file is opened */
  constructor(now: () => number, tell: TellStep) {
    this.#now = now;
    this.#tell = tell;
  }

  get folder(): string {
    return this.#how?.folder ?? '';
  }

  open = (how: OpenFile): OpenReport => {
    this.#how = how;
    try {
      const { db, store, report } = openFile({ ...how, now: this.#now, tell: this.#tell });
      this.#db = db;
      this.#store = store;
      this.#file = report.file;
      this.#room = new Room(how.folder, how.ballastBytes);
      return report;
    } catch (error) {
      // The product starts, shows what it can, and refuses publishes.
      if (isUnwritable(error) || isFull(error)) return refusingReport(how.folder, error);
      throw error;
    }
  };

  write = (calls: readonly (readonly Op[])[]): readonly (Failure | null)[] => {
    const store = this.#needStore();
    const refusesNew = this.#room?.isFull(this.#now()) === true;
    const taken = refusesNew ? calls.filter((ops) => !isNew(ops)) : calls;
    const failures = new Map(store.write(taken).map((error, index) => [taken[index], error]));
    const errors = calls.map((ops) => {
      if (!failures.has(ops)) return new JournalError('full', fullText(this.folder));
      return failures.get(ops);
    });
    this.#look(errors);
    return errors.map((error) => (error === undefined ? null : failureOf(error, this.folder)));
  };

  prune: Handlers<WriterRequests>['prune'] = ({ keep, slice }) => {
    try {
      const pruned = this.#needStore().prune(keep, slice);
      if (this.#room?.isFull(this.#now()) === true) this.#giveBack(this.#needDb());
      return pruned;
    } catch (error) {
      this.#look([error]);
      throw error;
    }
  };

  sync: Handlers<WriterRequests>['sync'] = (level) => {
    if (this.#db !== undefined) setSync(this.#db, level);
    return null;
  };

  takesNew = (): boolean => {
    if (this.#room?.isFull(this.#now()) === true) return false;
    try {
      this.#needStore().tryToWrite();
      return true;
    } catch (error) {
      this.#look([error]);
      // What it says is said to the next one who wants to write.
      if (codeOf(error) !== undefined) return false;
      throw error;
    }
  };

  rescue = (): null => {
    const db = this.#needDb();
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const fresh = `${this.#file}.new`;
    rmSync(fresh, { force: true });
    db.prepare('VACUUM INTO ?').run(fresh);
    // The old connection removes the log of its own file by name: it must be closed before there is a new one.
    db.close();
    for (const ending of ['-wal', '-shm']) rmSync(this.#file + ending, { force: true });
    renameSync(fresh, this.#file);
    const how = this.#how;
    if (how !== undefined) this.open(how);
    return null;
  };

  /** A moment without work: moves what was written into the file itself, and gives free pages back. */
  idle(): void {
    const db = this.#db;
    if (db === undefined || this.#room?.isFull(this.#now()) === true) return;
    try {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      if (freePages(db) > FREE_PAGES) db.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
    } catch (error) {
      // Nobody asked for it; the next write says it to somebody who did.
      this.#look([error]);
    }
  }

  close = (): null => {
    const db = this.#db;
    this.#db = undefined;
    if (db === undefined) return null;
    try {
      if (!this.#isDamaged) this.#store?.markClean(true);
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // Everything is in the log already; the next start looks at the file once more.
      if (codeOf(error) === undefined) throw error;
    } finally {
      db.close();
    }
    return null;
  };

  /** On a full disk what was pruned is given back to it, a little at a time: moving pages takes room too. */
  #giveBack(db: DatabaseSync): void {
    for (let step = 0; step < GIVE_BACK_STEPS && freePages(db) > 0; step++) {
      db.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
    this.#room?.lookAgain();
  }

  #look(errors: readonly unknown[]): void {
    if (errors.some(isDamage)) this.#isDamaged = true;
    if (errors.some(isFull)) this.#room?.filled(this.#now());
  }

  #needDb(): DatabaseSync {
    if (this.#db === undefined) throw new JournalError('closed', 'the journal is closed');
    return this.#db;
  }

  #needStore(): SqliteStore {
    this.#needDb();
    if (this.#store === undefined) throw new JournalError('closed', 'the journal is closed');
    return this.#store;
  }
}

function freePages(db: DatabaseSync): number {
  return numberIn(db.prepare('PRAGMA freelist_count').get(), 'freelist_count');
}

function isNew(ops: readonly Op[]): boolean {
  return ops.some(([op]) => op === 'accepted');
}
