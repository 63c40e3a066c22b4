/**
 * Numbers every event, keeps the newest in a ring, tells listeners (sequence and epoch: see docs/architecture.md). Where nobody
 * listens or asks for as long as the ring is, nobody can come back to it: then events are only numbered.
 */
import { STREAM } from '../../contract/stream-bounds.ts';
import type { ConsoleEvent } from '../../contract/console.ts';
import type { EventSource } from '../api.ts';

type Unnumbered<E> = E extends unknown ? Omit<E, 'sequence'> : never;
export type NewEvent = Unnumbered<ConsoleEvent>;

/** Bytes of an event without its texts; exact sizes are not worth a serialisation per event. */
const ROUGH_BYTES = 400;
const DELIVERY_BYTES = 250;

export class Recorder implements EventSource {
  readonly epoch: string;
  #sequence: number;
  readonly #ring: (ConsoleEvent | undefined)[] = Array.from({ length: STREAM.ringEvents });
  readonly #sizes = new Uint32Array(STREAM.ringEvents);
  #ringBytes = 0;
  /** Every event before this one has left the ring. */
  #oldest: number;
  /** The last event when somebody listened or asked for what was missed. */
  #wantedAt: number;
  readonly #listeners = new Set<(event: ConsoleEvent) => void>();

  /** @param sequence the last number given before this start; 0 = none */
  constructor(epoch: string, sequence: number) {
    this.epoch = epoch;
    this.#sequence = sequence;
    this.#oldest = sequence + 1;
    this.#wantedAt = sequence;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Goes on after the journal's last number; only before the first event. */
  continueFrom(sequence: number): void {
    if (sequence <= this.#sequence) return;
    this.#sequence = sequence;
    this.#oldest = sequence + 1;
    this.#wantedAt = sequence;
  }

  /** The next number, for a transition that has to carry it; `emit` must follow with exactly this event. */
  reserve(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Numbers and publishes an event. */
  add(event: NewEvent): void {
    const sequence = this.reserve();
    this.emit(() => ({ ...event, sequence }));
  }

  /** Publishes an event whose number was reserved. @param make called where somebody may read it */
  emit(make: () => ConsoleEvent): void {
    if (!this.#isWanted) {
      this.#empty();
      return;
    }
    const event = make();
    this.#keep(event);
    for (const take of this.#listeners) take(event);
  }

  /** Somebody listens, or may come back with a number that the ring still has. */
  get #isWanted(): boolean {
    return this.#listeners.size > 0 || this.#sequence - this.#wantedAt <= STREAM.ringEvents;
  }

  #empty(): void {
    if (this.#ringBytes === 0) return;
    this.#ring.fill(undefined);
    this.#sizes.fill(0);
    this.#ringBytes = 0;
    this.#oldest = this.#sequence + 1;
  }

  /** The newest events, at most so many and so many bytes of them. */
  #keep(event: ConsoleEvent): void {
    const { ringEvents, ringBytes } = STREAM;
    const at = event.sequence % ringEvents;
    const size = roughSize(event);
    this.#ringBytes += size - (this.#sizes[at] ?? 0);
    this.#ring[at] = event;
    this.#sizes[at] = size;
    if (this.#oldest <= event.sequence - ringEvents) this.#oldest = event.sequence - ringEvents + 1;
    while (this.#ringBytes > ringBytes && this.#oldest < event.sequence) {
      const out = this.#oldest % ringEvents;
      this.#ringBytes -= this.#sizes[out] ?? 0;
      this.#sizes[out] = 0;
      this.#ring[out] = undefined;
      this.#oldest += 1;
    }
  }

  since(since: number, limit: number): readonly ConsoleEvent[] | undefined {
    this.#wantedAt = this.#sequence;
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
    return () => {
      this.#wantedAt = this.#sequence;
      this.#listeners.delete(take);
    };
  }

  /** For the leak test. */
  get listeners(): number {
    return this.#listeners.size;
  }
}

/** Bytes it takes as JSON, about. */
function roughSize(event: ConsoleEvent): number {
  switch (event.type) {
    case 'message.added': {
      const { topic, contentType, eventId, eventType, subject, note, flags, deliveries } = event.row;
      // Each message passes here once or more often: no list is made for its sum.
      let length = topic.length + lengthOf(contentType) + lengthOf(eventId) + lengthOf(eventType);
      length += lengthOf(subject) + lengthOf(note);
      for (const flag of flags ?? []) length += flag.length;
      return ROUGH_BYTES + length + deliveries.length * DELIVERY_BYTES;
    }
    case 'delivery.changed':
      return ROUGH_BYTES + DELIVERY_BYTES + (event.transition.note?.length ?? 0);
    case 'log.added':
      return ROUGH_BYTES + event.entry.text.length;
    case 'process.output':
      return event.entries.reduce((sum, { text }) => sum + ROUGH_BYTES + text.length, ROUGH_BYTES);
    case 'process.changed':
    case 'topology.changed':
    case 'hold.changed':
    case 'messages.pruned':
      return ROUGH_BYTES;
  }
}

function lengthOf(text: string | undefined): number {
  return text?.length ?? 0;
}
