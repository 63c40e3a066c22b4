/** Collects the runtime's events into batches: 33 ms after the first unsent event, at 500 events, or at 256 KiB. */
import { STREAM } from '../../contract/stream-bounds.ts';
import type { ConsoleEvent } from '../../contract/console.ts';
import type { EventSource } from '../../runtime/api.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { foldEvents } from './pack.ts';
import type { Batch } from './pack.ts';

export type TakeBatch = (batch: Batch) => void;

/** Listens to the runtime only while somebody listens here. Batches are made once for all. */
export class Batcher {
  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #takers: TakeBatch[] = [];
  #pending: ConsoleEvent[] = [];
  #bytes = 0;
  #sentTo = 0;
  #timer: Cancel | undefined;
  #stopListening: (() => void) | undefined;

  constructor(source: EventSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /** Number of the last event that was batched; what comes next is its successor. */
  get sentTo(): number {
    return this.#stopListening === undefined ? this.#source.sequence : this.#sentTo;
  }

  /** Calls `take` with every batch from now on; it must not throw. Gives the remover. */
  listen(take: TakeBatch): () => void {
    this.#start();
    this.#takers.push(take);
    return () => this.#leave(take);
  }

  /** Adds a listener before all others: what they send depends on what `take` has done. */
  listenFirst(take: TakeBatch): () => void {
    this.#start();
    this.#takers.unshift(take);
    return () => this.#leave(take);
  }

  /** Batches now what waits, so that nothing before the present moment is still to come. */
  flush(): void {
    this.#timer?.();
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const from = this.#sentTo + 1;
    const to = this.#pending.at(-1)?.sequence ?? this.#sentTo;
    const batch = { from, to, events: foldEvents(this.#pending) };
    this.#pending = [];
    this.#bytes = 0;
    this.#sentTo = to;
    for (const take of [...this.#takers]) take(batch);
  }

  #start(): void {
    if (this.#stopListening !== undefined) return;
    this.#sentTo = this.#source.sequence;
    this.#stopListening = this.#source.onEvent((event) => this.#collect(event));
  }

  #collect(event: ConsoleEvent): void {
    this.#pending.push(event);
    this.#bytes += roughBytes(event);
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

/** Close enough to decide when to send; the exact size is known when it is encoded. */
function roughBytes(event: ConsoleEvent): number {
  switch (event.type) {
    case 'log.added':
      return 150 + event.entry.text.length;
    case 'message.added': {
      const { deliveries, note, topic } = event.row;
      return 400 + 150 * deliveries.length + (note?.length ?? 0) + topic.length;
    }
    case 'delivery.changed':
      return 500 + (event.transition.note?.length ?? 0);
    case 'process.output':
      return event.entries.reduce((sum, { text }) => sum + 200 + text.length, 150);
    case 'process.changed':
    case 'topology.changed':
    case 'hold.changed':
    case 'messages.pruned':
      return 100;
  }
}
