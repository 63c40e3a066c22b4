/**
 * Removes old messages from the history while people act on messages in it. A message in use stays: each removal gets the list of them. A
 * message that was read during a removal may be removed, so the caller looks it up again.
 */
import type { Pruned, RemovalGuard } from '../../ports/journal.ts';
import type { LiveMessage } from './live.ts';

export class HistoryRemoval implements RemovalGuard {
  readonly #inUse = new Set<number>();
  #begun = 0;
  /** One above the highest number that was removed. */
  #removedBefore = 0;
  #running: Promise<unknown> | undefined;

  /** Number of removals that have begun. */
  get begun(): number {
    return this.#begun;
  }

  /** Whether a removal is running, or has begun since `begun` had this value. */
  mayHaveTaken(begunBefore: number): boolean {
    return this.#running !== undefined || this.#begun !== begunBefore;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether a removal that has ended may have taken the message with this number. */
  mayLack(number: number): boolean {
    return number < this.#removedBefore;
  }

  /** Notes whether an act uses the message. */
  noteUse({ row, inUse }: Pick<LiveMessage, 'row' | 'inUse'>): void {
    if (inUse > 0) this.#inUse.add(row.number);
    else this.#inUse.delete(row.number);
  }

  isInUse(number: number): boolean {
    return this.#inUse.has(number);
  }

  /** Called when the journal removes messages by itself, at once. */
  removing(): void {
    this.#begun += 1;
  }

  removed(beforeNumber: number): void {
    this.#removedBefore = Math.max(this.#removedBefore, beforeNumber);
  }

  /**
   * Runs a removal.
   * @param remove gets the numbers of the messages that must stay
   */
  async run(remove: (spared: readonly number[]) => Promise<Pruned>): Promise<Pruned> {
    this.#begun += 1;
    const removing = remove([...this.#inUse]);
    this.#running = removing;
    try {
      const pruned = await removing;
      this.removed(pruned.beforeNumber);
      return pruned;
    } finally {
      this.#running = undefined;
    }
  }

  /** Resolves when no removal is running, even if the last one failed. */
  async over(): Promise<void> {
    while (this.#running !== undefined) await Promise.allSettled([this.#running]);
  }
}
