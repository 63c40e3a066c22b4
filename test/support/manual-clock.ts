/** A clock that moves when a test says so. */
import type { Cancel, Clock } from '../../core/ports/clock.ts';

interface Due {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

export class ManualClock implements Clock {
  #now = Date.parse('2026-01-02T03:04:05.000Z');
  #order = 0;
  #due: Due[] = [];

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  /** Timers that have not run and were not cancelled. */
  get waiting(): number {
    return this.#due.length;
  }

  /** When the next timer is due, ms since 1970; undefined: none waits. */
  get nextDue(): number | undefined {
    return this.#due.reduce<number | undefined>(
      (least, { dueMs }) => (least === undefined || dueMs < least ? dueMs : least),
      undefined,
    );
  }

  at(dueMs: number, run: () => void): Cancel {
    const due: Due = { dueMs, order: (this.#order += 1), run };
    this.#due.push(due);
    return () => {
      this.#due = this.#due.filter((other) => other !== due);
    };
  }

  /** Runs what becomes due on the way, in the order of its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#due
        .filter(({ dueMs }) => dueMs <= end)
        .toSorted((a, b) => a.dueMs - b.dueMs || a.order - b.order);
      if (next === undefined) break;
      this.#due = this.#due.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.dueMs);
      next.run();
    }
    this.#now = end;
  }
}
