/**
 * Numbers every event, keeps the newest in a ring, notifies listeners (sequence and epoch: see docs/architecture.md). If no client has
 * listened or asked for a whole ring of events, none can resume from it, so events are only numbered.
 */
import { STREAM } from '../../contract/stream-bounds.ts';
import type { MessageRow, Transition } from '../../contract/message.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import type { EventSource, EventWatch, NotedEvent } from '../api.ts';
import { EventSlot } from './event-slot.ts';
import type { NewEvent } from './event-slot.ts';
import { WaitingEvents } from './waiting-events.ts';

export class EventRing implements EventSource {
  readonly epoch: string;
  #sequence: number;
  readonly #ring: (EventSlot | undefined)[] = Array.from({ length: STREAM.ringEvents });
  #ringBytes = 0;
  /** Number of the oldest event in the ring. */
  #oldest: number;
  /** Number of the last event when a client last listened or asked for missed events. */
  #wantedAt: number;
  readonly #listeners = new Set<(event: NotedEvent) => void>();
  readonly #watches: EventWatch[] = [];
  /** Bytes of all events that the ring took. */
  #taken = 0;
  /** Events that have no slot yet: they get one when someone reads, or wants to know of them. */
  readonly #waiting = new WaitingEvents();

  /** @param sequence last number before this start; 0 = none */
  constructor(epoch: string, sequence: number) {
    this.epoch = epoch;
    this.#sequence = sequence;
    this.#oldest = sequence + 1;
    this.#wantedAt = sequence;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get oldest(): number {
    this.#settle();
    return this.#oldest;
  }

  /** Continues after the journal's last number; only before the first event. */
  continueFrom(sequence: number): void {
    if (sequence <= this.#sequence) return;
    this.#sequence = sequence;
    this.#oldest = sequence + 1;
    this.#wantedAt = sequence;
  }

  /** Reserves the next number for a transition; `emit` must follow with exactly this event. */
  reserve(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Numbers and publishes an event. */
  add(event: NewEvent): void {
    const sequence = this.reserve();
    if (!this.#isWanted) {
      this.#empty();
      return;
    }
    this.#settle();
    const slot = this.#slot(sequence).event(event);
    this.#keep(slot);
    this.#publish(slot);
  }

  /**
   * Numbers and publishes a message's new row.
   * @param rowOf called if a client may read the event
   */
  addRow(rowOf: () => MessageRow): void {
    const sequence = this.reserve();
    if (!this.#isWanted) {
      this.#empty();
      return;
    }
    this.#waiting.addRow(sequence, rowOf());
    if (this.#waiting.isFull || this.#isDue(sequence)) this.#settle();
  }

  /**
   * Publishes a change of a delivery.
   * @param number number of its message
   * @param delivery its record after the change
   * @param transition has the reserved number
   */
  addChange(number: number, delivery: StoredDelivery, transition: Transition): void {
    if (!this.#isWanted) {
      this.#empty();
      return;
    }
    this.#waiting.addChange(number, delivery, transition);
    if (this.#waiting.isFull || this.#isDue(transition.sequence)) this.#settle();
  }

  /** Whether someone wants to know of the event with this number at once. */
  #isDue(sequence: number): boolean {
    if (this.#listeners.size > 0) return true;
    for (let at = 0; at < this.#watches.length; at += 1)
      if (sequence >= (this.#watches[at]?.dueAt ?? Infinity)) return true;
    return false;
  }

  /** Gives waiting events their slots, and calls those that listen or are due: while someone listens, no event waits for another one. */
  #settle(): void {
    const waiting = this.#waiting;
    const { count } = waiting;
    if (count === 0) return;
    let last: EventSlot | undefined;
    for (let place = 0; place < count; place += 1) {
      last = waiting.fill(this.#slot(waiting.sequenceAt(place)), place);
      this.#keep(last);
    }
    waiting.clear();
    if (last !== undefined) this.#publish(last);
  }

  /** The ring's slot for an event of this number, to be overwritten. */
  #slot(sequence: number): EventSlot {
    const slot = this.#ring[sequence % STREAM.ringEvents];
    if (slot === undefined) return new EventSlot(sequence);
    this.#ringBytes -= slot.size;
    slot.sequence = sequence;
    return slot;
  }

  #publish(slot: EventSlot): void {
    if (this.#listeners.size > 0) for (const take of this.#listeners) take(slot);
    for (let at = 0; at < this.#watches.length; at += 1) {
      const watch = this.#watches[at];
      if (watch !== undefined && (slot.sequence >= watch.dueAt || this.#taken >= watch.dueBytes))
        watch.due(slot.sequence, this.#taken);
    }
  }

  /** Whether a client listens, or may return with a number that the ring still has. */
  get #isWanted(): boolean {
    return (
      this.#listeners.size + this.#watches.length > 0 || this.#sequence - this.#wantedAt <= STREAM.ringEvents
    );
  }

  #empty(): void {
    this.#oldest = this.#sequence + 1;
    this.#waiting.clear();
    if (this.#ringBytes === 0) return;
    this.#ring.fill(undefined);
    this.#ringBytes = 0;
  }

  /** Keeps the newest events, limited in number and bytes. */
  #keep(slot: EventSlot): void {
    const { ringEvents, ringBytes } = STREAM;
    this.#ring[slot.sequence % ringEvents] = slot;
    this.#ringBytes += slot.size;
    this.#taken += slot.size;
    if (this.#oldest <= slot.sequence - ringEvents) this.#oldest = slot.sequence - ringEvents + 1;
    while (this.#ringBytes > ringBytes && this.#oldest < slot.sequence) {
      const out = this.#oldest % ringEvents;
      this.#ringBytes -= this.#ring[out]?.size ?? 0;
      this.#ring[out] = undefined;
      this.#oldest += 1;
    }
  }

  at(sequence: number): NotedEvent | undefined {
    this.#settle();
    const event = this.#ring[sequence % this.#ring.length];
    return event?.sequence === sequence ? event : undefined;
  }

  since(since: number, limit: number): readonly NotedEvent[] | undefined {
    this.#settle();
    this.#wantedAt = this.#sequence;
    if (since > this.#sequence || since < 0) return undefined;
    const last = Math.min(this.#sequence, since + limit);
    const events: NotedEvent[] = [];
    for (let n = since + 1; n <= last; n += 1) {
      const event = this.#ring[n % this.#ring.length];
      if (event === undefined || event.sequence !== n) return undefined;
      events.push(event);
    }
    return events;
  }

  onEvent(take: (event: NotedEvent) => void): () => void {
    this.#settle();
    this.#listeners.add(take);
    return () => {
      this.#wantedAt = this.#sequence;
      this.#listeners.delete(take);
    };
  }

  watch(watch: EventWatch): () => void {
    this.#settle();
    this.#watches.push(watch);
    return () => {
      const at = this.#watches.indexOf(watch);
      if (at === -1) return;
      this.#wantedAt = this.#sequence;
      this.#watches.splice(at, 1);
    };
  }

  /** Number of listeners and watches, for the leak test. */
  get listeners(): number {
    return this.#listeners.size + this.#watches.length;
  }
}
