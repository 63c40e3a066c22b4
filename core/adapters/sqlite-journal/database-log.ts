/**
 * The log that SQLite keeps beside the database (`sidelight.db-wal`): what is committed and not in the database yet. How many pages went
 * through it, and whether another program has cut it.
 */
import { closeSync, fstatSync, readSync, rmSync } from 'node:fs';
import { copyOf } from './copy-of.ts';
import { isAt } from './file-id.ts';
import { LogFrames } from './log-frames.ts';
import { FRAME_HEAD_BYTES, HEAD_BYTES, indexIn, pageSizeOf, saltOf } from './log-index.ts';
import { openRegular } from './open-regular.ts';

/** Up to this size SQLite keeps a log that begins again; it cuts what is beyond. */
export const LOG_LIMIT_BYTES = 64 * 1024 * 1024;
/** The first three bytes of a head; the last bit of the fourth one says in which order its numbers are written. */
const MAGIC = '377f06';

interface Found {
  readonly bytes: number;
  /** As hexadecimal digits; empty for a log that holds nothing. */
  readonly head: string;
}

const NOTHING: Found = { bytes: 0, head: '' };

export class DatabaseLog {
  /** Pages that went into the log, and from there into the database. */
  pages = 0;
  readonly #file: string;
  /** The log that SQLite has open, so that a look costs no opening, and reaches it also after its name was removed. Undefined: there is none. */
  #fd: number | undefined;
  readonly #headBytes = Buffer.alloc(HEAD_BYTES);
  readonly #hasAll: () => boolean;
  /** The log at the last look. */
  #seen: Found;
  /** The log has begun again, and the transaction that began it is not committed yet. */
  #isBeginning = false;
  readonly #frames = new LogFrames();
  /** Length to which another program has cut the log; undefined: none has. */
  #cutTo: number | undefined;
  #isDropped = false;
  /** What was left of the log after a cut could not be used, and the database has only a part of its pages. */
  #isMixed = false;
  /** A read of another program had a checkpoint move a part of the log only. */
  #isPart: boolean;
  /** Head of the log whose pages are counted. */
  #counted = '';
  #written = 0;
  #moved = 0;

  /**
   * @param database the file beside which the log is
   * @param hasAll whether the database has all that was committed, without its log
   * @param isPart whether a read of another program has let only a part of the log into the database already
   */
  constructor(database: string, hasAll: () => boolean, isPart = false) {
    this.#file = `${database}-wal`;
    this.#hasAll = hasAll;
    this.#isPart = isPart;
    this.#fd = opened(this.#file);
    this.#seen = this.#find() ?? NOTHING;
  }

  /** Called when the database is closed. */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /**
   * Notes the result of a checkpoint: pages in the log, and those of them in the database.
   * @returns false: nothing was new
   */
  checkpointed(written: number, moved: number): boolean {
    const { head } = this.#seen;
    if (head !== this.#counted) {
      this.#counted = head;
      this.#written = 0;
      this.#moved = 0;
      this.#isPart = false;
    }
    // SQLite moves a page only if its newest state may be moved: until all are, the database alone is neither of before nor of after.
    this.#isPart = moved < written && (this.#isPart || moved > this.#moved);
    const before = this.pages;
    this.pages += Math.max(0, written - this.#written) + Math.max(0, moved - this.#moved);
    this.#written = written;
    this.#moved = moved;
    return this.pages > before;
  }

  /** Looks at the log after this process wrote to it: pages for which the cache has no room go there before the commit. */
  look(): void {
    this.#look(Infinity, true);
  }

  /** Looks at the log after a commit of this process. With the first commit of a log that began again SQLite takes back room beyond its limit. */
  committed(): void {
    this.#look(this.#isBeginning ? LOG_LIMIT_BYTES : Infinity, false);
  }

  #look(mayEndAt: number, isOpen: boolean): void {
    const found = this.#find();
    if (found === undefined || this.isCut(found, mayEndAt)) return;
    this.#isBeginning = isOpen && (this.#isBeginning || found.head !== this.#seen.head);
    this.#seen = found;
  }

  /**
   * Looks at what this process wrote to the log since it last did: it may have written behind a cut.
   * @param frames that the log has by its index
   */
  lookThrough(frames: number): void {
    const head = this.#find()?.head;
    if (this.#fd === undefined || head === undefined) return;
    const broken = brokenIn(this.#frames, this.#fd, head, frames);
    if (broken !== undefined) this.#cutTo = Math.min(broken, this.#cutTo ?? broken);
  }

  /** Looks at the log after this process emptied it. */
  emptied(): void {
    this.#seen = this.#find() ?? this.#seen;
  }

  /**
   * True once the log has lost something. SQLite itself makes a log shorter only where it begins again, with another head, and where somebody
   * has it emptied, which may be another program. Another file at its path says nothing: SQLite still has its own one open.
   * @param mayEndAt length from which on a shorter log has lost nothing
   */
  isCut(found = this.#find(), mayEndAt = Infinity): boolean {
    if (found !== undefined && !this.#isWhole(found, mayEndAt))
      this.#cutTo = Math.min(found.bytes, this.#cutTo ?? found.bytes);
    return this.#cutTo !== undefined;
  }

  /**
   * Takes away, once, what the next opening of the database must not use after a cut: the index, and a log of which the database has more
   * than is left. SQLite would lay the older pages that are left over the newer ones of the database. What it may use is put back where its
   * name was removed. Nobody in this process may have the database open: closing a file gives up all locks that a process has on it.
   * @returns true: the database has a part of the pages of the log, and nothing has the others
   */
  dropCut(database: string): boolean {
    if (this.#isDropped) return this.#isMixed;
    const mayUse = this.#mayUse(`${database}-shm`);
    this.#isMixed = this.#isPart && !mayUse;
    if (!mayUse) rmSync(this.#file, { force: true });
    else if (this.#fd !== undefined && !isAt(this.#fd, this.#file)) copyOf(this.#fd, this.#file);
    rmSync(`${database}-shm`, { force: true });
    this.#isDropped = true;
    return this.#isMixed;
  }

  /**
   * Copies what the next opening of a copy of the database may use of a log that was cut, if there is anything. The database itself has
   * lost its name, so nobody can come whom a lock that goes with this would keep out. Throws the system's error.
   * @param to file of the copy
   * @returns as `dropCut`, of the copy
   */
  copyCut(database: string, to: string): boolean {
    const mayUse = this.#mayUse(`${database}-shm`);
    if (this.#fd !== undefined && mayUse) copyOf(this.#fd, `${to}-wal`);
    return this.#isPart && !mayUse;
  }

  /** @param index that SQLite keeps beside the log */
  #mayUse(index: string): boolean {
    const found = indexIn(index);
    const { head, bytes } = this.#find() ?? NOTHING;
    const left = Math.min(bytes, this.#cutTo ?? bytes);
    // A log with other numbers than its index has been moved as a whole, or has lost its head.
    const isOld = found !== undefined && found.salt !== saltOf(head);
    const moved = found?.moved ?? (head === this.#counted ? this.#moved : 0);
    return !isOld && left >= HEAD_BYTES + moved * (pageSizeOf(head) + FRAME_HEAD_BYTES);
  }

  /** Undefined: there is none, or the system does not let us look. */
  #find(): Found | undefined {
    if (this.#fd === undefined) return undefined;
    try {
      const { size } = fstatSync(this.#fd);
      const length = readSync(this.#fd, this.#headBytes, 0, HEAD_BYTES, 0);
      return { bytes: size, head: this.#headBytes.toString('hex', 0, length) };
    } catch (error) {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  }

  #isWhole(found: Found, mayEndAt: number): boolean {
    const seen = this.#seen;
    if (found.head === seen.head && found.bytes >= Math.min(seen.bytes, mayEndAt)) return true;
    if (found.head !== seen.head && found.bytes >= HEAD_BYTES && found.head.startsWith(MAGIC)) return true;
    if (found.bytes > 0 || !this.#hasAll()) return false;
    this.#seen = found;
    return true;
  }
}

/** As `firstBroken` of the frames; undefined also where the system does not let us look. */
function brokenIn(frames: LogFrames, fd: number, head: string, count: number): number | undefined {
  try {
    return frames.firstBroken(fd, head, count);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** Undefined: no file is there, or the system does not let us look. */
function opened(file: string): number | undefined {
  try {
    return openRegular(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
