/**
 * Brings groups from the file of the newest records into the tables, in the writing thread. It follows with them in a transaction that
 * stays open; it commits for a reader; it settles many groups later, and their place in the file is used again.
 */
import type { DatabaseSync } from 'node:sqlite';

import { JournalError } from '../../ports/journal.ts';
import { DatabaseLog } from './database-log.ts';
import { dropKept, hasKept } from './kept-newest.ts';
import { framesAfter, framesOf, slicesOf } from './newest-frames.ts';
import type { Frame } from './newest-frames.ts';
import { prepare } from './newest-file.ts';
import type { Group } from './records.ts';
import { asError } from './replay.ts';
import { codeOf, needSqlite } from './sqlite.ts';
import type { Piece, SyncLevel, WriteCounts } from './requests.ts';
import { isOfOneCall } from './tables.ts';
import type { Tables } from './tables.ts';
import { checkpoint, numberIn, pagesInLog } from './statements.ts';

/** Commits between two checkpoints at most: the log grows by what each of them changed. */
const MAX_COMMITS = 50;
/** Groups that one commit applies when a backlog is caught up. */
const FRAMES_AT_ONCE = 20;
/** Number of syncs of one checkpoint: the log, the database, and the log again when it is restarted. */
const CHECKPOINT_SYNCS = 3;

export interface Followed {
  /** Errors of single calls, which are left out. */
  readonly refused: unknown[];
  /** New messages in the groups that could be read; absent: all could. */
  readonly readMessages?: number;
}

export class Fold {
  readonly #db: DatabaseSync;
  readonly #tables: Tables;
  readonly #log: DatabaseLog;
  readonly #file: string;
  /** Records that were brought back after a cut of the log are kept in a file of their own too. */
  #hasKept: boolean;
  readonly #counts = { groups: 0, syncs: 0 };
  #sync: SyncLevel;
  /** Number of the last valid group that this thread knows of. */
  #last: number;
  /** Number of the last group that the open transaction has. */
  #applied: number;
  /** File of the newest records, from which groups are read again. */
  #fd: number | undefined;
  #commits = 0;

  /**
   * @param db database without other writers
   * @param file its name
   * @param isPart as of `DatabaseLog`
   */
  constructor(
    db: DatabaseSync,
    tables: Tables,
    file: string,
    { sync, isPart = false }: { readonly sync: SyncLevel; readonly isPart?: boolean },
  ) {
    this.#db = db;
    this.#tables = tables;
    this.#sync = sync;
    this.#last = tables.folded;
    this.#applied = tables.folded;
    this.#file = file;
    this.#log = new DatabaseLog(file, () => this.#hasAll(), isPart);
    this.#hasKept = hasKept(file);
    // The file of the newest records makes commits safe. What a part of a transaction may take back stays in memory.
    this.#db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY');
  }

  /** Writes of this thread, without those to the file of the newest records. */
  get counts(): WriteCounts {
    const { groups, syncs } = this.#counts;
    return { groups, syncs, pageWrites: this.#log.pages, newestBytes: 0 };
  }

  /** True when groups that count are missing in the tables: there was no room for them, or the disk refused it. */
  get isBehind(): boolean {
    return this.#applied < this.#last;
  }

  /** Sets the level from the next group on; earlier groups are made as safe as the old level says. Throws what SQLite says. */
  setSync(level: SyncLevel): void {
    if (level === this.#sync) return;
    this.settle();
    this.#sync = level;
    // On macOS fsync alone does not reach the platter; on other systems this setting does nothing.
    this.#db.exec(`PRAGMA fullfsync = ${level === 'full' ? 1 : 0}`);
  }

  /**
   * Applies valid groups to the tables, in order. Throws an error that concerns the whole file; the groups are then applied later.
   */
  follow(piece: Piece): Followed {
    const { frames, isWhole } = framesOf(piece, this.#tables.name);
    const refused = this.#follow(piece, frames);
    return isWhole ? { refused } : { refused, readMessages: messagesIn(frames) };
  }

  #follow(piece: Piece, frames: readonly Frame[]): unknown[] {
    this.#fd = piece.fd;
    const isBehind = this.isBehind;
    this.#last = frames.at(-1)?.number ?? this.#last;
    if (isBehind) return this.#catchUp();
    const refused: unknown[] = [];
    for (const slice of slicesOf(frames)) refused.push(...this.#takeIn(slice));
    return refused;
  }

  /**
   * Writes calls into the database directly, because they do not fit into the file of the newest records, or may have to be refused. Only
   * refused calls are left out. Until they are settled the log alone has them.
   * @param number number of the group; it is valid if one of its calls is
   * @returns error of each call; undefined: it is valid
   */
  write(calls: Group, number: number): unknown[] {
    try {
      this.commit();
      return this.#safely(() => {
        const errors = this.#apply(calls);
        if (errors.every((error) => error !== undefined)) this.#takeBack();
        else {
          this.#commit(number);
          this.#last = number;
          this.#counts.groups++;
        }
        return errors;
      });
    } catch (error) {
      return calls.map(() => error);
    }
  }

  /** Prepares a part of the file of the newest records. Throws what the system says. */
  prepare(piece: Piece): void {
    this.#counts.syncs += prepare(piece);
  }

  /** Commits all groups that this thread knows, so that readers see them. Throws what SQLite says; they are then safe, but not visible. */
  commit(): void {
    this.#catchUp();
    if (this.#tables.isOpen) this.#commit(this.#last);
    if (this.#commits >= MAX_COMMITS) this.settle();
  }

  /** Writes all groups that this thread knows into the database, as safe as the sync level demands. Throws what SQLite says. */
  settle(): void {
    this.#catchUp();
    if (this.#tables.isOpen) this.#commit(this.#last);
    this.#makeSafe();
  }

  /** True when another program cut the log of the database. */
  isLogCut(): boolean {
    return this.#log.isCut();
  }

  /**
   * Takes away what the next opening must not use of a cut log. Nobody in this process may have the database open.
   * @returns true: the database has a part of the pages of the log, and nothing has the others
   */
  dropCutLog(): boolean {
    return this.#log.dropCut(this.#file);
  }

  /**
   * Copies what a copy of the database may use of a cut log. Throws the system's error.
   * @returns as `dropCutLog`, of the copy
   */
  copyCutLog(to: string): boolean {
    return this.#log.copyCut(this.#file, to);
  }

  /** Called when the database is closed. */
  close(): void {
    this.#log.close();
  }

  /** Moves all of the log into the database, and cuts it to nothing. Throws what SQLite says. */
  emptyLog(): void {
    this.lookThrough();
    this.mustHaveLog();
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#log.emptied();
  }

  /** Throws JournalError where the log was cut: a checkpoint would bring the zeros that stand in the place of its pages into the database. */
  mustHaveLog(): void {
    if (this.isLogCut()) throw new JournalError('broken', 'another program cut sidelight.db-wal');
  }

  /** Looks at what was written to the log since the last time. One that was cut while this thread wrote to it is known by that alone. */
  lookThrough(): void {
    const pages = pagesInLog(this.#db);
    if (pages !== undefined) this.#log.lookThrough(pages);
  }

  /** Does something that commits to the log. A log that is cut becomes as long again by it, with a hole. Throws as `mustHaveLog`. */
  writingToLog<T>(act: () => T): T {
    this.mustHaveLog();
    const done = act();
    this.#log.committed();
    return done;
  }

  /** Applies calls to the tables, without a commit. Pages for which the cache has no room go into the log before it. */
  #apply(calls: Group): unknown[] {
    this.mustHaveLog();
    const errors = this.#tables.apply(calls);
    this.#log.look();
    return errors;
  }

  /** Applies frames, which are in the tables together or not at all. */
  #takeIn(frames: readonly Frame[]): unknown[] {
    const [first] = frames;
    if (first === undefined) return [];
    const last = frames.at(-1)?.number ?? this.#applied;
    // Joined frames cost the tables less, because most messages come and end within a few frames.
    const group = frames.flatMap((frame) => frame.group);
    const outcomes = this.#apply(group);
    const errors = outcomes.filter((error) => error !== undefined);
    const fatal = errors.find((error) => !isOfOneCall(error));
    if (fatal === undefined) {
      this.#applied = last;
      return errors;
    }
    const { isOpen } = this.#tables;
    if (isOpen && errors.length < outcomes.length) {
      // After a refused call the others were applied one by one, so a part of them is in the tables. Applied again, these would be
      // refused, or count twice.
      this.#takeBack();
      this.#takeInEach(first.number - 1);
    }
    if (isOpen && frames.length > 1) return this.#takeInEach(last);
    if (this.#tables.isOpen) this.#commit(this.#applied);
    else this.#applied = this.#tables.folded;
    throw asError(fatal);
  }

  /** Applies frames up to this one, one by one: where one cannot be applied those before it are committed. */
  #takeInEach(last: number): unknown[] {
    const refused: unknown[] = [];
    for (const frame of this.#framesUpTo(last)) {
      refused.push(...this.#takeIn([frame]));
      // A frame of which a part has to be taken back takes no other with it.
      this.#commit(frame.number);
    }
    return refused;
  }

  /** Frames that the tables do not have, up to this one. */
  #framesUpTo(last: number): readonly Frame[] {
    if (this.#fd === undefined) return [];
    return framesAfter(this.#fd, this.#applied, this.#tables.name).filter(({ number }) => number <= last);
  }

  #commit(folded: number): void {
    try {
      this.writingToLog(() => this.#tables.commit(folded));
      this.#applied = folded;
      this.#commits++;
    } catch (error) {
      // Calls that are refused with this error must not come with a later commit.
      if (this.#tables.isOpen) this.#takeBack();
      else this.#applied = this.#tables.folded;
      throw error;
    }
  }

  #takeBack(): void {
    this.#tables.rollBack();
    this.#applied = this.#tables.folded;
  }

  /** Applies groups again that were rolled back, or for which there was no room. */
  #catchUp(): unknown[] {
    if (!this.isBehind) return [];
    const frames = this.#framesUpTo(this.#last);
    const refused: unknown[] = [];
    // Groups are applied in small parts: when room is short, each part that fits is stored for good.
    for (let at = 0; at < frames.length; at += FRAMES_AT_ONCE) {
      const some = frames.slice(at, at + FRAMES_AT_ONCE);
      refused.push(...this.#takeIn(some));
      this.#commit(some.at(-1)?.number ?? this.#last);
    }
    this.#applied = this.#last;
    return refused;
  }

  /**
   * Makes written groups safe. A checkpoint syncs the log and the database; if a reader uses an older state, a last commit syncs the log.
   */
  #makeSafe(): void {
    this.lookThrough();
    this.mustHaveLog();
    this.#commits = 0;
    if (this.#isCheckpointed() || this.#sync !== 'full') return;
    this.#safely(() => this.#commit(this.#last));
  }

  /** Whether the database has what was committed last: each commit changes its totals. A page that only a log had cannot be read. */
  #hasAll(): boolean {
    try {
      const db = new (needSqlite().DatabaseSync)(this.#file, { readOnly: true });
      try {
        return numberIn(db.prepare('SELECT folded FROM totals').get(), 'folded') === this.#tables.folded;
      } finally {
        db.close();
      }
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return false;
    }
  }

  /** Has each commit that `act` makes synced to the disk. */
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
    const { pages, moved, isWhole } = checkpoint(this.#db);
    this.#log.look();
    if (this.#log.checkpointed(pages, moved)) this.#counts.syncs += CHECKPOINT_SYNCS;
    if (isWhole && this.#hasKept) {
      dropKept(this.#file);
      this.#hasKept = false;
    }
    return isWhole;
  }
}

function messagesIn(frames: readonly Frame[]): number {
  let messages = 0;
  for (const { group } of frames)
    for (const ops of group) for (const [op] of ops) if (op === 'accepted') messages++;
  return messages;
}
