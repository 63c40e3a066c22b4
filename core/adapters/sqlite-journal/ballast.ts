/** Room on the disk: a file that takes up space until the disk is full, so that what must be written then still can be. */
import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Size of the ballast of a history. */
export const BALLAST_BYTES = 16 * 1024 * 1024;
/** Room that must be free beyond the ballast before new messages are accepted again. */
const MARGIN_BYTES = 8 * 1024 * 1024;
const POLL_INTERVAL_MS = 1000;
const BLOCK_BYTES = 64 * 1024;

const NAME = 'ballast';

/**
 * Room that must be free before new messages are accepted again.
 * @param ballast bytes of the ballast
 */
export function needed(ballast: number): number {
  return ballast + Math.min(MARGIN_BYTES, ballast);
}

/** Removes the ballast, so that a file can be opened on a full disk; true: there was one. */
export function dropBallast(folder: string): boolean {
  const file = join(folder, NAME);
  if (!existsSync(file)) return false;
  rmSync(file, { force: true });
  return true;
}

/** Room on the disk of a folder; 0 where the system does not tell. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 0;
    throw error;
  }
}

export class Ballast {
  readonly #folder: string;
  readonly #file: string;
  readonly #bytes: number;
  #isFull = false;
  #lookedAt = 0;

  /** @param bytes of the ballast; 0 = none */
  constructor(folder: string, bytes: number) {
    this.#folder = folder;
    this.#file = join(folder, NAME);
    this.#bytes = bytes;
    if (bytes > 0 && !this.#isThere()) this.#make();
  }

  /**
   * Whether new messages are refused, because the room that is left is for outcomes of earlier ones, and for removing old ones.
   * Looks for space at most once a second. What cannot be looked at, or cannot be written, is no room.
   */
  isFull(nowMs: number): boolean {
    if (!this.#isFull || Math.abs(nowMs - this.#lookedAt) < POLL_INTERVAL_MS) return this.#isFull;
    this.#lookedAt = nowMs;
    this.#isFull = !this.#hasSpace() || !this.#make();
    return this.#isFull;
  }

  /** Room was freed, so the next `isFull` looks at once. */
  lookAgain(): void {
    this.#lookedAt = -POLL_INTERVAL_MS;
  }

  /** SQLite found no room: removes the ballast. */
  filled(nowMs: number): void {
    this.#isFull = true;
    this.#lookedAt = nowMs;
    this.#remove();
  }

  #isThere(): boolean {
    return succeeds(() => statSync(this.#file).size >= this.#bytes);
  }

  #hasSpace(): boolean {
    return freeBytes(this.#folder) >= needed(this.#bytes);
  }

  /** False: there is no room for it, or it cannot be written. Real bytes: a file with a hole in it would take up nothing. */
  #make(): boolean {
    const isMade = succeeds(() => {
      // Another program may have put a named pipe in its place, and opening that would wait for its other end.
      rmSync(this.#file, { force: true });
      const file = openSync(this.#file, 'wx', 0o600);
      try {
        const block = Buffer.alloc(BLOCK_BYTES, 'sidelight');
        for (let left = this.#bytes; left > 0; left -= block.length)
          writeSync(file, block, 0, Math.min(left, block.length));
        return true;
      } finally {
        closeSync(file);
      }
    });
    if (!isMade) this.#remove();
    return isMade;
  }

  #remove(): boolean {
    return succeeds(() => {
      rmSync(this.#file, { force: true });
      return true;
    });
  }
}

/** False also if the system refuses it: a read-only file system, too many open files, a removed folder. */
function succeeds(act: () => boolean): boolean {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
