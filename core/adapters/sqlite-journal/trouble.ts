/** Why new messages are refused: since one was, until one is taken or the file can be written and has room again. */
import { JournalError } from '../../ports/journal.ts';

/** Between two looks; nothing is looked at so soon after a refusal, so that the reason can be read. */
const LOOK_EVERY_MS = 2000;

export class Trouble {
  readonly #takesNew: () => Promise<boolean>;
  #error: JournalError | undefined;
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param takesNew whether a new message would be taken now */
  constructor(takesNew: () => Promise<boolean>) {
    this.#takesNew = takesNew;
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

  /** What happens to kept messages is written on a full disk too: then only a new one shows that there is room. */
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
    }, LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** A publisher may not come again: the reason goes without one. */
  async #look(): Promise<void> {
    if (this.#error === undefined) return;
    const refusedAtMs = this.#lastMs;
    const isQuiet = performance.now() - refusedAtMs >= LOOK_EVERY_MS;
    const isOver = isQuiet && (await this.#asked());
    // One that was refused meanwhile knows better.
    if (isOver && refusedAtMs === this.#lastMs) this.#error = undefined;
    else this.#later();
  }

  /** Who cannot even be asked takes nothing. */
  async #asked(): Promise<boolean> {
    try {
      return await this.#takesNew();
    } catch (error) {
      if (error instanceof JournalError) return false;
      throw error;
    }
  }
}
