/** Uses one timer of the clock for the earliest due time; a heap by due time holds the rest. */
import { Heap } from '../../domain/heap.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';

interface Entry {
  readonly dueMs: number;
  readonly order: number;
  /** undefined: cancelled; it leaves the heap later. */
  run: (() => void) | undefined;
}

/** Number of cancelled entries after which the heap is cleaned. */
const CANCELLED_KEPT = 1000;

/** Number of timers that run in one turn of the event loop. */
const MAX_IN_A_TURN = 500;

export class Timers {
  readonly #clock: Clock;
  readonly #heap = new Heap<Entry>(isBefore);
  #order = 0;
  #cancelled = 0;
  #armed: { readonly dueMs: number; readonly cancel: Cancel } | undefined;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `run` once at or after `dueMs`, unless it is cancelled before. A cancel also releases what `run` refers to. */
  at(dueMs: number, run: () => void): Cancel {
    if (this.#closed) return () => undefined;
    this.#order += 1;
    const entry: Entry = { dueMs, order: this.#order, run };
    this.#heap.push(entry);
    this.#arm();
    return () => this.#cancel(entry);
  }

  close(): void {
    this.#closed = true;
    this.#armed?.cancel();
    this.#armed = undefined;
    this.#heap.clear();
    this.#cancelled = 0;
  }

  /** Timers that have neither run nor been cancelled. */
  get size(): number {
    return this.#heap.size - this.#cancelled;
  }

  #cancel(entry: Entry): void {
    if (entry.run === undefined) return;
    entry.run = undefined;
    this.#cancelled += 1;
    if (this.#cancelled > CANCELLED_KEPT && this.#cancelled * 2 > this.#heap.size) {
      this.#heap.keep(({ run }) => run !== undefined);
      this.#cancelled = 0;
    }
    this.#arm();
  }

  #arm(): void {
    const first = this.#first();
    if (this.#armed !== undefined) {
      if (first !== undefined && this.#armed.dueMs <= first.dueMs) return;
      this.#armed.cancel();
      this.#armed = undefined;
    }
    if (first === undefined || this.#closed) return;
    this.#armed = { dueMs: first.dueMs, cancel: this.#clock.at(first.dueMs, () => this.#fire()) };
  }

  /** The earliest entry that still counts. */
  #first(): Entry | undefined {
    for (;;) {
      const { first } = this.#heap;
      if (first === undefined || first.run !== undefined) return first;
      this.#heap.pop();
      this.#cancelled -= 1;
    }
  }

  #fire(): void {
    this.#armed = undefined;
    const now = this.#clock.now();
    // After a jump of the clock everything may be due at the same moment: the rest runs in the next turns of the event loop.
    for (let left = MAX_IN_A_TURN; left > 0; left -= 1) {
      const first = this.#first();
      if (first === undefined || first.dueMs > now) break;
      this.#heap.pop();
      const { run } = first;
      first.run = undefined;
      run?.();
    }
    this.#arm();
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}
