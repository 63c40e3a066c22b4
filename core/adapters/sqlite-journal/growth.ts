/**
 * How large the file of the newest records is. In a burst that nobody reads it grows, so that the tables can wait until that is over; after a
 * long rest it gives the room back.
 */
import { JournalError } from '../../ports/journal.ts';
import { freeBytes } from './ballast.ts';
import { NewestFile } from './newest-file.ts';
import type { AsksWriter, Piece } from './requests.ts';

/** Idle time after which the file gives back what it has grown by. To grow costs a sync for each MiB. */
const SHRINK_MS = 10 * 60_000;

export interface GrowthDependencies {
  readonly writer: AsksWriter;
  readonly folder: string;
  /** Size of the file until it grows. */
  readonly bytes: number;
  /** Bytes that the tables take in at a time. */
  readonly partBytes: number;
  /** The file in use. */
  readonly file: () => NewestFile;
  /** Whether new room has to be on the disk before it is used. */
  readonly isSynced: () => boolean;
  /** Whether the file must not change now. */
  readonly isAlone: () => boolean;
  /** Has the tables take in what is in the file. */
  readonly settle: () => Promise<void>;
}

export class Growth {
  readonly #deps: GrowthDependencies;
  /** Size up to which the file grows before the tables take everything in. */
  #hold: number;
  #growing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: GrowthDependencies) {
    this.#deps = deps;
    this.#hold = deps.bytes;
  }

  /** Where the tables follow at once, little is in the file. */
  paced(isAtOnce: boolean): void {
    const { bytes, folder } = this.#deps;
    this.#hold = isAtOnce ? bytes : Math.max(bytes, NewestFile.bytesIn(freeBytes(folder)));
  }

  /** Undefined: the file does not grow now. */
  get underWay(): Promise<void> | undefined {
    return this.#growing;
  }

  /** A group was appended. */
  appended(): void {
    this.#timer?.refresh();
    this.shrinkLater();
  }

  /** Whether the tables have to take in what is in the file. Where it may still grow, that begins beside other work. */
  isFull(): boolean {
    const { used, bytes } = this.#deps.file();
    return used > this.#mayWaitIn(this.#hold) || (used > this.#mayWaitIn(bytes) && !this.#grows());
  }

  /** Only a write begins this time again: somebody may read, or look for messages to remove, several times a second. */
  shrinkLater(): void {
    if (this.#deps.file().bytes > this.#deps.bytes)
      this.#timer ??= setTimeout(() => void this.#shrink(), SHRINK_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Bytes of a file of this size that may be used before the tables take them in: the rest is room for what comes meanwhile. */
  #mayWaitIn(bytes: number): number {
    return Math.max(bytes / 2, bytes - this.#deps.partBytes);
  }

  /** Makes the file larger, beside other work; false: it cannot grow now. */
  #grows(): boolean {
    if (this.#growing !== undefined) return true;
    const { file: current, isSynced, isAlone } = this.#deps;
    const file = current();
    const from = file.bytes;
    const to = Math.min(this.#hold, file.nextBytes ?? 0);
    if (to <= from || isAlone()) return false;
    const fd = isSynced() ? file.fd : undefined;
    if (fd === undefined) file.grow(to);
    else this.#growing = this.#prepared({ fd, from, to }).finally(() => (this.#growing = undefined));
    return true;
  }

  /** Never rejects: where the disk refuses it, the file stays as large as it is. */
  async #prepared(piece: Piece): Promise<void> {
    try {
      if (await this.#deps.writer.ask('prepare', piece)) this.#deps.file().grow(piece.to);
      else this.#hold = this.#deps.bytes;
    } catch (error) {
      // A dead thread is reported to the next caller who writes.
      if (!(error instanceof JournalError)) throw error;
    }
  }

  async #shrink(): Promise<void> {
    this.#timer = undefined;
    const { file, isAlone, settle } = this.#deps;
    // Only a file without groups shrinks, and while somebody reads all the time no pause has emptied it.
    if (file().end > file().first) await settle();
    if (!isAlone() && this.#growing === undefined) file().shrink();
  }
}
