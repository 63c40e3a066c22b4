/** Notices that the journal's file is no longer where it was: SQLite goes on writing into a file that nobody will find again. */
import { stat } from 'node:fs/promises';

const EVERY_MS = 2000;

export class FileWatch {
  readonly #file: string;
  readonly #taken: () => Promise<void>;
  #id: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param taken makes the file again; then the new one is watched */
  constructor(file: string, taken: () => Promise<void>) {
    this.#file = file;
    this.#taken = taken;
  }

  start(): void {
    this.#looking = this.#idOf().then((id) => {
      this.#id = id;
      this.#later();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #later(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, EVERY_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if ((await this.#idOf()) !== this.#id) {
      await this.#taken();
      this.#id = await this.#idOf();
    }
    this.#later();
  }

  /** Undefined: there is no file. */
  async #idOf(): Promise<string | undefined> {
    try {
      const { dev, ino } = await stat(this.#file, { bigint: true });
      return `${dev}.${ino}`;
    } catch (error) {
      // Gone, or its folder cannot be looked into: both mean that it is not where it was.
      if (error instanceof Error && 'syscall' in error) return undefined;
      throw error;
    }
  }
}
