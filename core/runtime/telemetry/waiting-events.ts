/**
 * Rows of messages and changes of deliveries that have no slot of the ring yet. Each message comes here several times, on paths that the engine
 * compiles as one piece: filling a slot there would take the room of what the message needs. So they wait, and a loop of its own fills the slots.
 */
import type { MessageRow, Transition } from '../../contract/message.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import type { EventSlot } from './event-slot.ts';

/** Maximum number of events that wait: few enough that the records which they point at are still in the processor's cache. */
const MAX_WAITING = 64;

export class WaitingEvents {
  /** Members of an event stand at its place in each of these lists, which are written over. */
  readonly #sequences: number[] = Array.from({ length: MAX_WAITING }, () => 0);
  readonly #rows: (MessageRow | undefined)[] = Array.from({ length: MAX_WAITING });
  readonly #numbers: number[] = Array.from({ length: MAX_WAITING }, () => 0);
  readonly #deliveries: (StoredDelivery | undefined)[] = Array.from({ length: MAX_WAITING });
  readonly #transitions: (Transition | undefined)[] = Array.from({ length: MAX_WAITING });
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === MAX_WAITING;
  }

  addRow(sequence: number, row: MessageRow): void {
    this.#sequences[this.#count] = sequence;
    this.#rows[this.#count] = row;
    this.#count += 1;
  }

  /** @param number number of the delivery's message */
  addChange(number: number, delivery: StoredDelivery, transition: Transition): void {
    this.#sequences[this.#count] = transition.sequence;
    this.#numbers[this.#count] = number;
    this.#deliveries[this.#count] = delivery;
    this.#transitions[this.#count] = transition;
    this.#count += 1;
  }

  /** Forgets all events. Their records stay until others take their places: there are few of them. */
  clear(): void {
    this.#count = 0;
  }

  /** Number of the event at a place. */
  sequenceAt(place: number): number {
    return this.#sequences[place] ?? 0;
  }

  /** Fills a slot with the event at a place, and lets go of its records. */
  fill(slot: EventSlot, place: number): EventSlot {
    const row = this.#rows[place];
    if (row !== undefined) {
      this.#rows[place] = undefined;
      return slot.row(row);
    }
    const [delivery, transition] = [this.#deliveries[place], this.#transitions[place]];
    if (delivery === undefined || transition === undefined) throw new Error('no event waits at this place');
    this.#deliveries[place] = undefined;
    this.#transitions[place] = undefined;
    return slot.change(this.#numbers[place] ?? 0, delivery, transition);
  }
}
