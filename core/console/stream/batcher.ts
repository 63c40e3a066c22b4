/** Collects the runtime's events into batches: 33 ms after the first unsent event, at 500 events, or at 256 KiB. */
import { STREAM } from '../../contract/stream-bounds.ts';
import type { EventSource, NotedEvent } from '../../runtime/api.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';

/** A range of unread events: most are about rows that no client shows. They must be read before `take` returns. */
export interface Batch {
  readonly from: number;
  readonly to: number;
  readonly events: readonly NotedEvent[];
}

export type TakeBatch = (batch: Batch) => void;

/** Listens to the runtime only while it has listeners itself. Batches are created once for all of them. */
export class Batcher {
  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #takers: TakeBatch[] = [];
  #pending: NotedEvent[] = [];
  #bytes = 0;
  #sentTo = 0;
  #timer: Cancel | undefined;
  #stopListening: (() => void) | undefined;
  /** One function for every subscription, so that the engine keeps its call site optimised. */
  readonly #collects = (event: NotedEvent): void => this.#collect(event);

  constructor(source: EventSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /** Number of the last batched event. */
  get sentTo(): number {
    return this.#stopListening === undefined ? this.#source.sequence : this.#sentTo;
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

  /**
   * Calls `visit` with the batched events behind a number, oldest first.
   * @returns false: the ring has lost some of them, and none was visited
   */
  visitBatchedAfter(number: number, visit: (event: NotedEvent) => void): boolean {
    const { sentTo } = this;
    if (number + 1 < this.#source.oldest) return false;
    for (let next = number + 1; next <= sentTo; next += 1) {
      const event = this.#source.at(next);
      if (event !== undefined) visit(event);
    }
    return true;
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
    if (this.#pending.length === 0) return;
    const from = this.#sentTo + 1;
    const to = this.#pending.at(-1)?.sequence ?? this.#sentTo;
    const batch = { from, to, events: this.#pending };
    this.#pending = [];
    this.#bytes = 0;
    this.#sentTo = to;
    for (const take of [...this.#takers]) take(batch);
  }

  #start(): void {
    if (this.#stopListening !== undefined) return;
    this.#sentTo = this.#source.sequence;
    this.#stopListening = this.#source.onEvent(this.#collects);
  }

  #collect(event: NotedEvent): void {
    this.#pending.push(event);
    this.#bytes += event.size;
    if (this.#pending.length >= STREAM.batchEvents || this.#bytes >= STREAM.batchBytes) this.flush();
    else this.#timer ??= this.#clock.at(this.#clock.now() + STREAM.batchMs, () => this.flush());
  }

  #leave(take: TakeBatch): void {
    const at = this.#takers.indexOf(take);
    if (at === -1) return;
    this.#takers.splice(at, 1);
    if (this.#takers.length > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#timer?.();
    this.#timer = undefined;
    this.#pending = [];
    this.#bytes = 0;
  }
}
