/** Why new messages are refused: from the first refusal until one is taken, or the file is writable and has room again. */
import { JournalError } from '../../ports/journal.ts';

/** Time between two checks, and from a refusal to the first check, so that the reason stays long enough to be read. */
const POLL_INTERVAL_MS = 2000;

export class WriteRefusal {
  readonly #takesNew: () => Promise<boolean>;
  readonly #everyMs: number;
  #error: JournalError | undefined;
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  /**
   * @param takesNew whether a new message would be taken now
   * @param everyMs ms between two checks
   */
  constructor(takesNew: () => Promise<boolean>, everyMs = POLL_INTERVAL_MS) {
    this.#takesNew = takesNew;
    this.#everyMs = everyMs;
  }

  /** Undefined: new messages are taken. */
  get reason(): string | undefined {
    return this.#error?.message;
  }

  refused(error: JournalError): void {
    this.#lastMs = performance.now();
    this.#error = error;
    this.#later();
  }

  /** Changes of stored messages are written on a full disk too: only a new message shows that there is room again. */
  written(isNew: boolean): void {
    if (this.#error === undefined || (this.#error.code === 'full' && !isNew)) return;
    this.#error = undefined;
  }

  /** Resolves when it looks no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #later(): void {
    if (this.#isStopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#looking = this.#look();
    }, this.#everyMs);
    this.#timer.unref();
  }

  /** Checks whether the trouble is over, because no publisher may come again to find out. */
  async #look(): Promise<void> {
    if (this.#error === undefined) return;
    const refusedAtMs = this.#lastMs;
    const isQuiet = performance.now() - refusedAtMs >= this.#everyMs;
    const isOver = isQuiet && (await this.#asked());
    // If another message was refused meanwhile, the trouble is not over.
    if (isOver && refusedAtMs === this.#lastMs) this.#error = undefined;
    else this.#later();
  }

  /** Asks whether new messages are taken; a journal that cannot answer takes none. */
  async #asked(): Promise<boolean> {
    try {
      return await this.#takesNew();
    } catch (error) {
      if (error instanceof JournalError) return false;
      throw error;
    }
  }
}
