/**
 * Changes the state of the router's deliveries: counts, stores and reports each change. No other file changes
 * states.
 */
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Changes } from '../changes.ts';
import { LIVE_STATES, iso } from './entry.ts';
import type { Entry, Why } from './entry.ts';
import type { Records } from './records.ts';

type Counts = Partial<Record<DeliveryState, number>>;

export class Ledger {
  readonly #records: Records;
  readonly #clock: Clock;
  readonly #changes: Changes;
  readonly #live = new Map<string, Entry>();
  #counts: Map<string, Counts>;

  constructor(records: Records, clock: Clock, changes: Changes) {
    this.#records = records;
    this.#clock = clock;
    this.#changes = changes;
    this.#counts = records.counts();
  }

  /** Number of deliveries that will change by themselves. */
  get open(): number {
    return this.#live.size;
  }

  live(): IterableIterator<Entry> {
    return this.#live.values();
  }

  /** The delivery in memory, else the one in the store. */
  find(id: string): Entry | undefined {
    return this.#live.get(id) ?? this.#records.get(id);
  }

  /** Adds a delivery that is in the store already. */
  enter(entry: Entry, isNew: boolean): void {
    if (LIVE_STATES.includes(entry.state)) this.#live.set(entry.id, entry);
    if (isNew) this.#count(entry.lane, entry.state, 1);
    this.#changes.notify('delivery', entry.id);
  }

  move(entry: Entry, to: DeliveryState, why: Why): void {
    const from = entry.state;
    const now = this.#clock.now();
    entry.state = to;
    entry.rule = why.rule;
    if (LIVE_STATES.includes(to)) this.#live.set(entry.id, entry);
    else this.#live.delete(entry.id);
    this.#count(entry.lane, from, -1);
    this.#count(entry.lane, to, 1);
    this.#records.change(entry, { from, to, at: iso(now), ...why }, now);
    this.#changes.notify('delivery', entry.id);
  }

  /**
   * Notes that a breakpoint held a new delivery. The store has the state, and its history gets the reason.
   */
  held(entry: Entry, why: Why): void {
    const now = this.#clock.now();
    this.#records.change(entry, { from: 'queued', to: 'held', at: iso(now), ...why }, now);
  }

  /** Notes a change of the due time, with the state unchanged. */
  touch(entry: Entry): void {
    this.#records.change(entry, undefined, this.#clock.now());
    this.#changes.notify('delivery', entry.id);
  }

  counts(lane?: string): Counts {
    if (lane !== undefined) return { ...this.#counts.get(lane) };
    const all: Counts = {};
    for (const counts of this.#counts.values()) {
      for (const state of DELIVERY_STATES) {
        const count = counts[state];
        if (count !== undefined) all[state] = (all[state] ?? 0) + count;
      }
    }
    return all;
  }

  /** Counts again after records were pruned. */
  recount(): void {
    this.#counts = this.#records.counts();
  }

  #count(lane: string, state: DeliveryState, by: number): void {
    const counts = this.#counts.get(lane) ?? {};
    counts[state] = Math.max((counts[state] ?? 0) + by, 0);
    this.#counts.set(lane, counts);
  }
}
