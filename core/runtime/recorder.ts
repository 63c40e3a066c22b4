/** Numbers every event, keeps the newest in a ring, tells listeners (sequence and epoch: see docs/architecture.md). */
import { STREAM } from '../contract/console.ts';
import type { ConsoleEvent } from '../contract/console.ts';
import type { EventSource } from './api.ts';

type Unnumbered<E> = E extends unknown ? Omit<E, 'sequence'> : never;
export type NewEvent = Unnumbered<ConsoleEvent>;

/** Rough size of an event as JSON; exact sizes are not worth a serialisation per event. */
const ROUGH_BYTES = 400;

export class Recorder implements EventSource {
  readonly epoch: string;
  #sequence: number;
  readonly #ring: (ConsoleEvent | undefined)[];
  readonly #listeners = new Set<(event: ConsoleEvent) => void>();

  /** @param sequence the last number given before this start; 0 = none */
  constructor(epoch: string, sequence: number) {
    this.epoch = epoch;
    this.#sequence = sequence;
    const capacity = Math.min(STREAM.ringEvents, Math.floor(STREAM.ringBytes / ROUGH_BYTES));
    this.#ring = Array.from({ length: capacity });
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Goes on after the journal's last number; only before the first event. */
  continueFrom(sequence: number): void {
    if (sequence > this.#sequence) this.#sequence = sequence;
  }

  /** The next number, for a transition that has to carry it; `emit` must follow with exactly this event. */
  reserve(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Numbers and publishes an event. */
  add(event: NewEvent): void {
    this.emit({ ...event, sequence: this.reserve() });
  }

  /** Publishes an event whose number was reserved. */
  emit(event: ConsoleEvent): void {
    this.#ring[event.sequence % this.#ring.length] = event;
    for (const take of this.#listeners) take(event);
  }

  since(since: number, limit: number): readonly ConsoleEvent[] | undefined {
    if (since > this.#sequence || since < 0) return undefined;
    const last = Math.min(this.#sequence, since + limit);
    const events: ConsoleEvent[] = [];
    for (let n = since + 1; n <= last; n += 1) {
      const event = this.#ring[n % this.#ring.length];
      if (event === undefined || event.sequence !== n) return undefined;
      events.push(event);
    }
    return events;
  }

  onEvent(take: (event: ConsoleEvent) => void): () => void {
    this.#listeners.add(take);
    return () => this.#listeners.delete(take);
  }

  /** For the leak test. */
  get listeners(): number {
    return this.#listeners.size;
  }
}
