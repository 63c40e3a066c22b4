/**
 * The queue of one event subscription: waiting entries, running calls, and the limits of rate and probation.
 */
import { DueHeap } from './due-heap.ts';
import type { Entry } from './entry.ts';

const MINUTE_MS = 60_000;

export class Lane {
  readonly #waiting = new DueHeap<Entry>();
  /** Times of the newest calls, oldest first. */
  #calls: number[] = [];
  running = 0;
  /** End of the probation; nothing is sent before. */
  pausedUntilMs = 0;
  /** Failed calls since the last successful one. */
  failuresInRow = 0;

  /** Queues an entry for its due time; an older position of the entry no longer counts. */
  add(entry: Entry): void {
    this.#waiting.push({ dueMs: entry.dueMs, no: entry.no, item: entry });
  }

  /** The next entry that is due, which stays in the lane; undefined: none yet. */
  peek(nowMs: number): Entry | undefined {
    const next = this.#next();
    return next !== undefined && next.dueMs <= nowMs ? next : undefined;
  }

  /** Takes the entry that `peek` returned. */
  take(): void {
    this.#waiting.pop();
  }

  /**
   * Time of the next check; undefined: nothing waits.
   * @param rate calls per minute that the endpoint allows
   */
  nextMs(nowMs: number, rate: number | undefined): number | undefined {
    const next = this.#next();
    if (next === undefined) return undefined;
    return Math.max(next.dueMs, this.pausedUntilMs, this.#freeMs(nowMs, rate));
  }

  /** Whether probation and rate allow a call now. */
  isOpen(nowMs: number, rate: number | undefined): boolean {
    return this.pausedUntilMs <= nowMs && this.#freeMs(nowMs, rate) <= nowMs;
  }

  called(nowMs: number, rate: number | undefined): void {
    if (rate === undefined) return;
    this.#calls = [...this.#calls.filter((at) => at > nowMs - MINUTE_MS), nowMs].slice(-rate);
  }

  #freeMs(nowMs: number, rate: number | undefined): number {
    if (rate === undefined) return 0;
    const recent = this.#calls.filter((at) => at > nowMs - MINUTE_MS);
    const first = recent.at(-rate);
    return recent.length < rate || first === undefined ? 0 : first + MINUTE_MS;
  }

  /** The next valid position. Entries that ended, are held, or have another due time by now are skipped. */
  #next(): Entry | undefined {
    for (;;) {
      const top = this.#waiting.first;
      if (top === undefined) return undefined;
      const { item, dueMs } = top;
      if ((item.state === 'queued' || item.state === 'retrying') && item.dueMs === dueMs) return item;
      this.#waiting.pop();
    }
  }
}
