/**
 * Old messages are removed from the history while people act on messages in it. A message that somebody acts on stays: each removal is
 * told which ones do. A message that was read while a removal was under way may be gone, so it has to be looked for again.
 */
import type { RemovalGuard } from '../../ports/journal.ts';
import type { LiveMessage } from './live.ts';

export class HistoryRemoval implements RemovalGuard {
  readonly #inUse = new Set<number>();
  #begun = 0;
  #running: Promise<unknown> | undefined;

  /** How many removals have begun. */
  get begun(): number {
    return this.#begun;
  }

  /** Whether a removal is under way, or has begun since there were so many. */
  mayHaveTaken(begunBefore: number): boolean {
    return this.#running !== undefined || this.#begun !== begunBefore;
  }

  /** Somebody acts on the message from now on, or no longer. */
  noteUse({ row, inUse }: Pick<LiveMessage, 'row' | 'inUse'>): void {
    if (inUse > 0) this.#inUse.add(row.number);
    else this.#inUse.delete(row.number);
  }

  isInUse(number: number): boolean {
    return this.#inUse.has(number);
  }

  /** The journal removes messages by itself, at once. */
  removing(): void {
    this.#begun += 1;
  }

  /** Removes. @param remove is given the numbers of the messages that must stay */
  async run<T>(remove: (spared: readonly number[]) => Promise<T>): Promise<T> {
    this.#begun += 1;
    const removing = remove([...this.#inUse]);
    this.#running = removing;
    try {
      return await removing;
    } finally {
      this.#running = undefined;
    }
  }

  /** Resolves when none is under way, whether it succeeded or not. */
  async over(): Promise<void> {
    while (this.#running !== undefined) await Promise.allSettled([this.#running]);
  }
}
