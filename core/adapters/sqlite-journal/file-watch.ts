/**
 * Notices that a file was removed or replaced, as SQLite would go on writing into the lost file; on request also changed content, or another
 * length.
 */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

const POLL_INTERVAL_MS = 2000;

/** Identity of the file at the path; undefined: there is none. */
type Found = { readonly id: string | undefined; readonly bytes: bigint } | 'not-known';

export interface FileWatchOptions {
  /** Replaces the look at the file, for tests. */
  readonly look?: (file: string) => Promise<BigIntStats>;
  /** Ms between two looks; default 2 s. */
  readonly everyMs?: number | undefined;
  /** Whether a file that was written to counts as another one; default false. */
  readonly isContentWatched?: boolean;
  /** Whether a file that has become longer or shorter counts as another one; default false. */
  readonly isLengthWatched?: boolean;
}

/** Errors of a path at which there is no file: nothing, a path through a file, a link that leads back to itself. */
const NO_FILE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** Identity of a missing file: any file that appears differs from it. */
const GONE = 'gone';

export class FileWatch {
  readonly #file: string;
  readonly #taken: () => Promise<boolean>;
  readonly #look: (file: string) => Promise<BigIntStats>;
  readonly #everyMs: number;
  readonly #isContentWatched: boolean;
  /** Identity of the file that is watched; undefined before the first look. */
  #id: string | undefined;
  /** Length at the last look; 0: it is not watched. */
  #bytes = 0n;
  readonly #isLengthWatched: boolean;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  /**
   * @param taken makes the file again; true: it did, and the new one is watched; false: it is asked again at the next look
   */
  constructor(file: string, taken: () => Promise<boolean>, options: FileWatchOptions = {}) {
    this.#file = file;
    this.#taken = taken;
    this.#look = options.look ?? ((path) => stat(path, { bigint: true }));
    this.#everyMs = options.everyMs ?? POLL_INTERVAL_MS;
    this.#isContentWatched = options.isContentWatched ?? false;
    this.#isLengthWatched = options.isLengthWatched ?? false;
  }

  start(): void {
    this.#looking = this.#learn().then(() => this.#later());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #later(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#compare().then(() => this.#later());
    }, this.#everyMs);
    this.#timer.unref();
  }

  async #compare(): Promise<void> {
    const found = await this.#find();
    if (found === 'not-known') return;
    const { id, bytes } = found;
    if (id !== undefined && this.#id === undefined) this.#id = id;
    else if ((id === undefined || id !== this.#id || bytes !== this.#bytes) && (await this.#taken())) {
      // Another program may have written since, so a file with watched content is checked again next time.
      if (this.#isContentWatched) this.#id = id ?? GONE;
      else await this.#learn();
    }
  }

  async #learn(): Promise<void> {
    const found = await this.#find();
    this.#id = found === 'not-known' ? undefined : found.id;
    this.#bytes = found === 'not-known' ? 0n : found.bytes;
  }

  async #find(): Promise<Found> {
    try {
      const { dev, ino, size, mtimeNs } = await this.#look(this.#file);
      const id = this.#isContentWatched ? `${dev}.${ino}.${size}.${mtimeNs}` : `${dev}.${ino}`;
      return { id, bytes: this.#isLengthWatched ? size : 0n };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      // Any other error (too many open files, a folder that is briefly unreadable) says nothing about the file.
      return NO_FILE.includes(error.code) ? { id: undefined, bytes: 0n } : 'not-known';
    }
  }
}
