/**
 * The log that SQLite keeps beside the database (`sidelight.db-wal`): what is committed and not in the database yet. How many pages went
 * through it, and whether another program has cut it.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Up to this size SQLite keeps a log that begins again; it cuts what is beyond. */
export const LOG_LIMIT_BYTES = 64 * 1024 * 1024;
/** Length of a log's head, which is another one each time that the log begins again (https://sqlite.org/walformat.html). */
const HEAD_BYTES = 32;
/** The first three bytes of a head; the last bit of the fourth one says in which order its numbers are written. */
const MAGIC = '377f06';

interface Found {
  readonly id: string;
  readonly bytes: number;
  /** As hexadecimal digits; empty for a log that holds nothing. */
  readonly head: string;
}

const NOTHING: Found = { id: '', bytes: 0, head: '' };

export class DatabaseLog {
  /** Pages that went into the log, and from there into the database. */
  pages = 0;
  readonly #file: string;
  /** The log at the last look. */
  #seen: Found;
  /** Head of the log whose pages are counted. */
  #counted = '';
  #written = 0;
  #moved = 0;

  constructor(file: string) {
    this.#file = file;
    this.#seen = findLog(file) ?? NOTHING;
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
    }
    const before = this.pages;
    this.pages += Math.max(0, written - this.#written) + Math.max(0, moved - this.#moved);
    this.#written = written;
    this.#moved = moved;
    return this.pages > before;
  }

  /** Looks at the log after this process wrote to it, or emptied it. */
  look(): void {
    const found = findLog(this.#file);
    if (found?.id === this.#seen.id) this.#seen = found;
  }

  /**
   * True when the log lost something since the last look. SQLite itself makes a log shorter only where it begins again, with another head,
   * or in this process, which looks at it then. A file that is missing, or is another one, says nothing: SQLite still has its own one open.
   */
  isCut(): boolean {
    const found = findLog(this.#file);
    if (found?.id !== this.#seen.id) return false;
    if (found.head === this.#seen.head) return found.bytes < Math.min(this.#seen.bytes, LOG_LIMIT_BYTES);
    const beginsAgain = found.bytes >= HEAD_BYTES && found.head.startsWith(MAGIC);
    return !beginsAgain;
  }
}

/** Undefined: no file is there, or the system does not let us look. */
function findLog(file: string): Found | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const { dev, ino, size } = fstatSync(fd, { bigint: true });
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(fd, head, 0, head.length, 0);
    return { id: `${dev}.${ino}`, bytes: Number(size), head: head.toString('hex', 0, length) };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
