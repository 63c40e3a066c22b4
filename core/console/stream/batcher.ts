/** Collects the runtime's events into batches: 33 ms after the first unsent event, at 500 events (1,500 while they are counted), or at 256 KiB. */
import { STREAM } from '../../contract/stream-bounds.ts';
import type { EventSource, EventWatch, NotedEvent } from '../../runtime/api.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';

/** Numbers of events, both inclusive. */
export interface EventRange {
  readonly from: number;
  readonly to: number;
}

/** A range of unread events: most are about rows that no client shows. They must be read before `take` returns. */
export interface Batch extends EventRange {
  /** Messages that are new or have other rows, of events in this range that were counted and not kept. */
  readonly counted: readonly number[];
}

/** In a flood whose events are only counted, a batch may have more of them: there is little to do for each. */
const COUNTED_A_BATCH = 3 * STREAM.batchEvents;

export type TakeBatch = (batch: Batch) => void;

/** Watches the runtime only while it has listeners itself. The events stay in the ring, where each listener reads those that it needs. */
export class Batcher {
  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #takers: TakeBatch[] = [];
  #sentTo = 0;
  #timer: Cancel | undefined;
  #stopWatching: (() => void) | undefined;
  /** Messages of the next batch whose events were only counted. */
  #counted: number[] = [];
  #isCounting = false;
  readonly #watch: EventWatch = {
    dueAt: 0,
    dueBytes: 0,
    due: (number, bytes) => this.#due(number, bytes),
    counted: (message) => this.#counted.push(message),
  };

  constructor(source: EventSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /** Number of the last batched event. */
  get sentTo(): number {
    return this.#stopWatching === undefined ? this.#source.published : this.#sentTo;
  }

  /**
   * Calls `visit` with the events that the ring still has, newest first, batched or not.
   * @param visit returns false to end the visit
   */
  visitNewestFirst(visit: (event: NotedEvent) => boolean): void {
    const { oldest, sequence } = this.#source;
    for (let number = sequence; number >= oldest; number -= 1) {
      const event = this.#source.at(number);
      if (event !== undefined && !visit(event)) return;
    }
  }

  /** Number of the oldest event that can still be visited. */
  get oldest(): number {
    return this.#source.oldest;
  }

  /** Calls `visit` with the events of a range that the ring still has, oldest first. */
  visit({ from, to }: EventRange, visit: (event: NotedEvent) => void): void {
    for (let number = Math.max(from, this.oldest); number <= to; number += 1) {
      const event = this.#source.at(number);
      if (event !== undefined) visit(event);
    }
  }

  /** Gives up what events say about messages with a number below `least`, as the ring's `giveUp`. */
  giveUp(least: number): void {
    this.#source.giveUp(least);
  }

  /** Number of the last event, batched or not. */
  get newest(): number {
    return this.#source.sequence;
  }

  /** Lets events about messages with this number or a higher one only be counted, until the next batch; returns whether they are. */
  countFrom(least: number): boolean {
    this.#isCounting = this.#source.countFrom(least);
    return this.#isCounting;
  }

  /** Calls `take` with every later batch; it must not throw. Returns a function that removes it. */
  listen(take: TakeBatch): () => void {
    this.#start();
    this.#takers.push(take);
    return () => this.#leave(take);
  }

  /** Adds a listener before all others, because they depend on its result. */
  listenFirst(take: TakeBatch): () => void {
    this.#start();
    this.#takers.unshift(take);
    return () => this.#leave(take);
  }

  /** Sends the waiting events now, so that no later batch contains events from before this moment. */
  flush(): void {
    this.#timer?.();
    this.#timer = undefined;
    if (this.#stopWatching === undefined) return;
    const batch = { from: this.#sentTo + 1, to: this.#source.published, counted: this.#counted };
    this.#waitForNext(Math.max(this.#sentTo, batch.to));
    if (batch.to < batch.from) return;
    this.#counted = [];
    this.countFrom(Infinity);
    for (const take of [...this.#takers]) take(batch);
  }

  #start(): void {
    if (this.#stopWatching !== undefined) return;
    this.#waitForNext(this.#source.published);
    this.#stopWatching = this.#source.watch(this.#watch);
  }

  /** From the number behind `sentTo` on, the source calls; until then no event costs anything here. */
  #waitForNext(sentTo: number): void {
    this.#sentTo = sentTo;
    this.#watch.dueAt = sentTo + 1;
    this.#watch.dueBytes = Infinity;
  }

  /** The first event of a batch has come, or as many or as large ones as a batch may have. */
  #due(number: number, bytes: number): void {
    if (this.#watch.dueBytes === Infinity) {
      const before = bytes - (this.#source.at(number)?.size ?? 0);
      this.#watch.dueAt = this.#sentTo + (this.#isCounting ? COUNTED_A_BATCH : STREAM.batchEvents);
      this.#watch.dueBytes = before + STREAM.batchBytes;
      this.#timer = this.#clock.at(this.#clock.now() + STREAM.batchMs, () => this.flush());
    }
    if (number >= this.#watch.dueAt || bytes >= this.#watch.dueBytes) this.flush();
  }

  #leave(take: TakeBatch): void {
    const at = this.#takers.indexOf(take);
    if (at === -1) return;
    this.#takers.splice(at, 1);
    if (this.#takers.length > 0) return;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#counted = [];
    this.#timer?.();
    this.#timer = undefined;
  }
}
