/** One timer of the clock for the earliest of all due moments; a heap by due time holds the rest. */
import type { Cancel, Clock } from '../ports/clock.ts';

interface Entry {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

export class Timers {
  readonly #clock: Clock;
  readonly #heap: Entry[] = [];
  #order = 0;
  #armed: { readonly dueMs: number; readonly cancel: Cancel } | undefined;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `run` once at or after `dueMs`. There is no cancel: `run` checks whether it is still wanted. */
  at(dueMs: number, run: () => void): void {
    if (this.#closed) return;
    this.#order += 1;
    this.#push({ dueMs, order: this.#order, run });
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#armed?.cancel();
    this.#heap.length = 0;
  }

  get size(): number {
    return this.#heap.length;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (first === undefined || this.#closed) return;
    if (this.#armed !== undefined) {
      if (this.#armed.dueMs <= first.dueMs) return;
      this.#armed.cancel();
    }
    this.#armed = { dueMs: first.dueMs, cancel: this.#clock.at(first.dueMs, () => this.#fire()) };
  }

  #fire(): void {
    this.#armed = undefined;
    const now = this.#clock.now();
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.dueMs > now || this.#closed) break;
      this.#pop();
      first.run();
    }
    this.#arm();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let i = heap.push(entry) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !before(entry, above)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      let below = heap[child];
      if (below === undefined) break;
      const right = heap[child + 1];
      if (right !== undefined && before(right, below)) {
        child += 1;
        below = right;
      }
      if (!before(below, last)) break;
      heap[i] = below;
      i = child;
    }
    heap[i] = last;
  }
}

function before(a: Entry, b: Entry): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}
