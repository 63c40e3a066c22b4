/** Writes to the journal in order; what is not a new message is never given up, so that memory and disk agree again. */
import type { Clock } from '../ports/clock.ts';
import { JournalError } from '../ports/journal.ts';
import type { Journal, JournalRecord } from '../ports/journal.ts';
import type { LogBook } from './log-book.ts';

const AGAIN_MS = 1000;

interface Owed {
  readonly records: readonly JournalRecord[];
  readonly written: () => void;
}

export class Writer {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #log: LogBook;
  readonly #owed: Owed[] = [];
  #underWay = 0;
  #retrying = false;
  #closed = false;
  /** Why the journal refuses at present; undefined: it takes everything. */
  trouble: string | undefined;

  constructor(journal: Journal, clock: Clock, log: LogBook) {
    this.#journal = journal;
    this.#clock = clock;
    this.#log = log;
  }

  /** A new message: on disk, or refused (JournalError). Refused at once while older records wait for room. */
  async accept(records: readonly JournalRecord[]): Promise<void> {
    if (this.#owed.length > 0)
      throw new JournalError('full', this.trouble ?? 'the journal cannot be written');
    this.#underWay += 1;
    try {
      await this.#journal.append(records);
    } finally {
      this.#underWay -= 1;
    }
  }

  /** What became of accepted messages: resolves when it is on disk, however long that takes. Never rejects. */
  record(records: readonly JournalRecord[]): Promise<void> {
    if (this.#owed.length > 0) return this.#owe(records);
    this.#underWay += 1;
    return this.#journal
      .append(records)
      .catch((error: unknown) => {
        this.#note(error);
        return this.#owe(records);
      })
      .finally(() => {
        this.#underWay -= 1;
      });
  }

  /** Resolves when nothing is under way, or after `waitMs`. */
  async drain(waitMs: number): Promise<void> {
    const until = this.#clock.monotonic() + waitMs;
    while ((this.#underWay > 0 || this.#owed.length > 0) && this.#clock.monotonic() < until) {
      await new Promise<void>((go) => this.#clock.at(this.#clock.now() + 5, go));
    }
    this.#closed = true;
  }

  #owe(records: readonly JournalRecord[]): Promise<void> {
    return new Promise((written) => {
      this.#owed.push({ records, written });
      this.#retryLater();
    });
  }

  #retryLater(): void {
    if (this.#retrying || this.#closed) return;
    this.#retrying = true;
    this.#clock.at(this.#clock.now() + AGAIN_MS, () => {
      this.#retrying = false;
      void this.#settle();
    });
  }

  async #settle(): Promise<void> {
    while (this.#owed.length > 0 && !this.#closed) {
      const next = this.#owed[0];
      if (next === undefined) return;
      try {
        await this.#journal.append(next.records);
      } catch (error) {
        this.#note(error);
        this.#retryLater();
        return;
      }
      this.#owed.shift();
      next.written();
    }
    if (this.trouble !== undefined) {
      this.trouble = undefined;
      this.#log.write('info', 'journal', 'The journal can be written again.');
    }
  }

  #note(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (this.trouble === reason) return;
    this.trouble = reason;
    this.#log.write('error', 'journal', `The journal cannot be written: ${reason}`);
  }
}
