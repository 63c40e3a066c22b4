/** A clock that moves when a test says so. */
import type { Cancel, Clock } from '../../core/ports/clock.ts';

interface Due {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Whether `a` comes before `b`. */
const isBefore = (a: Due, b: Due): boolean => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);

export class ManualClock implements Clock {
  #now = Date.parse('2026-01-02T03:04:05.000Z');
  #order = 0;
  /** The next one first. A test may have thousands, of which each is taken or cancelled alone. */
  readonly #due: Due[] = [];

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
    return this.#due[0]?.dueMs;
  }

  at(dueMs: number, run: () => void): Cancel {
    const due: Due = { dueMs, order: (this.#order += 1), run };
    this.#due.splice(this.#placeOf(due), 0, due);
    return () => {
      const place = this.#placeOf(due);
      if (this.#due[place] === due) this.#due.splice(place, 1);
    };
  }

  /** Runs what becomes due on the way, in the order of its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#due;
      if (next === undefined || next.dueMs > end) break;
      this.#due.shift();
      this.#now = Math.max(this.#now, next.dueMs);
      next.run();
    }
    this.#now = end;
  }

  /** Where a timer is, or belongs. */
  #placeOf(due: Due): number {
    let [from, to] = [0, this.#due.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#due[middle];
      if (other !== undefined && isBefore(other, due)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
