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

export class EventRing implements EventSource {
  readonly epoch: string;
  #sequence: number;
  readonly #ring: (EventSlot | undefined)[] = Array.from({ length: STREAM.ringEvents });
  /** Numbers of the events in the ring, by their places; 0: none. A look at ten thousand events costs much less than at the events themselves. */
  readonly #numbers = new Float64Array(STREAM.ringEvents);
  #ringBytes = 0;
  /** Number of the oldest event in the ring. */
  #oldest: number;
  /** Number of the last event when a client last listened or asked for missed events. */
  #wantedAt: number;
  /** Number of the first message whose events are only counted; Infinity: all are kept. */
  #countedFrom = Infinity;
  /** Number of the newest event that `giveUp` has looked at. */
  #givenUpTo = 0;
  readonly #listeners = new Set<(event: NotedEvent) => void>();
  readonly #watches: EventWatch[] = [];
  /** Bytes of all events that the ring took. */
  #taken = 0;
  /** Number of the transition that is reserved and not published yet; 0: none. */
  #reserved = 0;

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

  get published(): number {
    return this.#reserved === 0 ? this.#sequence : this.#reserved - 1;
  }

  get oldest(): number {
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
    this.#reserved = this.#number();
    return this.#reserved;
  }

  /** Numbers and publishes an event. */
  add(event: NewEvent): void {
    const slot = this.#next(this.#number());
    if (slot !== undefined) this.#publish(slot.event(event));
  }

  /**
   * Numbers and publishes a message's new row.
   * @param number number of the message
   * @param rowOf called if a client may read the event
   */
  addRow(number: number, rowOf: () => MessageRow): void {
    const sequence = this.#number();
    if (number >= this.#countedFrom) {
      this.#watches[0]?.counted(number);
      this.#count(sequence);
      return;
    }
    const slot = this.#next(sequence);
    if (slot !== undefined) this.#publish(slot.row(rowOf()));
  }

  /**
   * Publishes a change of a delivery.
   * @param number number of its message
   * @param delivery its record after the change
   * @param transition has the reserved number
   */
  addChange(number: number, delivery: StoredDelivery, transition: Transition): void {
    this.#reserved = 0;
    if (number >= this.#countedFrom) {
      this.#count(transition.sequence);
      return;
    }
    const slot = this.#next(transition.sequence);
    if (slot !== undefined) this.#publish(slot.change(number, delivery, transition));
  }

  /** Counts an event: what is at its place of the ring stays until an event that is kept overwrites it. */
  #count(sequence: number): void {
    this.#moveTo(sequence);
    const [watch] = this.#watches;
    if (watch !== undefined && sequence >= watch.dueAt) watch.due(sequence, this.#taken);
  }

  /** The ring has room for this many events, kept or counted. */
  #moveTo(sequence: number): void {
    const { ringEvents } = STREAM;
    if (this.#oldest <= sequence - ringEvents) this.#oldest = sequence - ringEvents + 1;
  }

  #number(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** The ring's slot for an event of this number, to be overwritten; undefined: no client can read the event. */
  #next(sequence: number): EventSlot | undefined {
    if (!this.#isWanted) {
      this.#empty();
      return undefined;
    }
    const slot = this.#ring[sequence % STREAM.ringEvents];
    if (slot === undefined) return new EventSlot(sequence);
    this.#ringBytes -= slot.size;
    this.#numbers[sequence % STREAM.ringEvents] = 0;
    slot.sequence = sequence;
    return slot;
  }

  #publish(slot: EventSlot): void {
    this.#keep(slot);
    if (this.#listeners.size > 0) for (const take of this.#listeners) take(slot);
    for (let at = 0; at < this.#watches.length; at += 1) {
      const watch = this.#watches[at];
      if (watch !== undefined && (slot.sequence >= watch.dueAt || this.#taken >= watch.dueBytes))
        watch.due(slot.sequence, this.#taken);
    }
  }

  /** Whether a client listens, or may return with a number that the ring still has. */
  get #isWanted(): boolean {
    return this.#listeners.size + this.#watches.length > 0 || this.#mayBeAsked;
  }

  #empty(): void {
    this.#oldest = this.#sequence + 1;
    if (this.#ringBytes === 0) return;
    this.#ring.fill(undefined);
    this.#numbers.fill(0);
    this.#ringBytes = 0;
  }

  /** Keeps the newest events, limited in number and bytes. */
  #keep(slot: EventSlot): void {
    const { ringEvents, ringBytes } = STREAM;
    const place = slot.sequence % ringEvents;
    this.#ring[place] = slot;
    this.#numbers[place] = slot.sequence;
    this.#ringBytes += slot.size;
    this.#taken += slot.size;
    this.#moveTo(slot.sequence);
    while (this.#ringBytes > ringBytes && this.#oldest < slot.sequence) {
      const out = this.#oldest % ringEvents;
      this.#ringBytes -= this.#ring[out]?.size ?? 0;
      this.#ring[out] = undefined;
      this.#numbers[out] = 0;
      this.#oldest += 1;
    }
  }

  at(sequence: number): EventSlot | undefined {
    const place = sequence % STREAM.ringEvents;
    return this.#numbers[place] === sequence ? this.#ring[place] : undefined;
  }

  since(since: number, limit: number): readonly NotedEvent[] | undefined {
    this.#wantedAt = this.#sequence;
    this.#countedFrom = Infinity;
    if (since > this.#sequence || since < 0 || since < this.#givenUpTo) return undefined;
    const last = Math.min(this.#sequence, since + limit);
    const events: NotedEvent[] = [];
    for (let n = since + 1; n <= last; n += 1) {
      const event = this.at(n);
      if (event === undefined) return undefined;
      events.push(event);
    }
    return events;
  }

  countFrom(least: number): boolean {
    const isOnlyWatched = this.#listeners.size === 0 && this.#watches.length === 1;
    this.#countedFrom = isOnlyWatched && !this.#mayBeAsked ? least : Infinity;
    return this.#countedFrom !== Infinity;
  }

  /** Whether a client that was away may return and ask for what it missed. */
  get #mayBeAsked(): boolean {
    return this.#sequence - this.#wantedAt <= STREAM.ringEvents;
  }

  giveUp(least: number): void {
    if (this.#mayBeAsked) return;
    const last = this.published;
    let number = Math.max(this.#givenUpTo + 1, this.#oldest);
    for (; number <= last; number += 1) {
      const slot = this.at(number);
      if (slot?.number === undefined) continue;
      if (slot.number >= least) break;
      slot.giveUp();
    }
    this.#givenUpTo = number - 1;
  }

  onEvent(take: (event: NotedEvent) => void): () => void {
    this.#countedFrom = Infinity;
    this.#listeners.add(take);
    return () => {
      this.#wantedAt = this.#sequence;
      this.#listeners.delete(take);
    };
  }

  watch(watch: EventWatch): () => void {
    this.#countedFrom = Infinity;
    this.#watches.push(watch);
    return () => {
      const at = this.#watches.indexOf(watch);
      if (at === -1) return;
      this.#wantedAt = this.#sequence;
      this.#countedFrom = Infinity;
      this.#watches.splice(at, 1);
    };
  }

  /** Number of listeners and watches, for the leak test. */
  get listeners(): number {
    return this.#listeners.size + this.#watches.length;
  }
}
