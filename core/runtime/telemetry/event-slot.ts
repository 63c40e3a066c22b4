/**
 * Slot of the event ring, overwritten when the ring comes round. Under load no client reads most events, so a slot only points at the
 * records that the runtime makes of a message and of a delivery anyway: events of their own, or copies of what they say, would be work for
 * each message.
 */
import type { ConsoleEvent } from '../../contract/console.ts';
import type { MessageRow, Transition } from '../../contract/message.ts';
import { deliveryRow } from '../../domain/delivery-row.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import type { NotedEvent } from '../api.ts';

type Unnumbered<E> = E extends unknown ? Omit<E, 'sequence'> : never;
export type NewEvent = Unnumbered<ConsoleEvent>;

/** Estimated size of an event without its texts, in bytes; an exact size would cost a serialisation per event. */
const ROUGH_BYTES = 400;
const DELIVERY_BYTES = 250;

/** One slot of the ring. */
export class EventSlot implements NotedEvent {
  /** One slot that is never freed, as `Delivery.kept`: the ring has none while no client listens. */
  static readonly kept = new EventSlot(0);

  sequence: number;
  type: ConsoleEvent['type'] = 'message.added';
  size = 0;
  number: number | undefined;
  messageId: string | undefined;
  isGivenUp = false;
  /** Event other than a row and a change of a delivery. */
  #event: NewEvent | undefined;
  #row: MessageRow | undefined;
  /** The changed delivery, and its transition. */
  #delivery: StoredDelivery | undefined;
  #transition: Transition | undefined;

  constructor(sequence: number) {
    this.sequence = sequence;
  }

  event(event: NewEvent): this {
    if (event.type === 'message.added') return this.row(event.row);
    const isChange = event.type === 'delivery.changed';
    this.isGivenUp = false;
    this.type = event.type;
    this.number = isChange ? event.number : undefined;
    this.messageId = isChange ? event.messageId : undefined;
    this.#event = event;
    this.#row = undefined;
    this.#delivery = undefined;
    this.#transition = undefined;
    this.size = sizeOf(event);
    return this;
  }

  row(row: MessageRow): this {
    this.isGivenUp = false;
    this.type = 'message.added';
    this.number = row.number;
    this.messageId = row.messageId;
    this.#event = undefined;
    this.#row = row;
    this.#delivery = undefined;
    this.#transition = undefined;
    this.size = sizeOfRow(row);
    return this;
  }

  /** @param number number of the delivery's message */
  change(number: number, delivery: StoredDelivery, transition: Transition): this {
    this.isGivenUp = false;
    this.type = 'delivery.changed';
    this.number = number;
    this.messageId = delivery.messageId;
    this.#event = undefined;
    this.#row = undefined;
    this.#delivery = withoutUnread(delivery);
    this.#transition = transition;
    this.size = ROUGH_BYTES + DELIVERY_BYTES + lengthOf(transition.note);
    return this;
  }

  /** Drops the records. Whoever keeps ten thousand of them keeps the garbage collector busy: it copies them at each collection. */
  giveUp(): void {
    this.isGivenUp = true;
    this.#event = undefined;
    this.#row = undefined;
    this.#delivery = undefined;
    this.#transition = undefined;
  }

  read(): ConsoleEvent {
    const { sequence } = this;
    if (this.#row !== undefined) return { type: 'message.added', row: this.#row, sequence };
    if (this.#delivery !== undefined && this.#transition !== undefined)
      return this.#change(this.#delivery, this.#transition);
    if (this.#event === undefined) throw new Error('a slot of the ring is read that has no event');
    return { ...this.#event, sequence };
  }

  #change(stored: StoredDelivery, transition: Transition): ConsoleEvent {
    const { sequence, number } = this;
    const { messageId, deliveryId, attemptCount, nextAttemptAt } = stored;
    return {
      type: 'delivery.changed',
      sequence,
      messageId,
      deliveryId,
      transition,
      attempts: attemptCount,
      ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
      delivery: deliveryRow(stored),
      ...(number === undefined ? {} : { number }),
    };
  }
}

/** The record without what no event tells and the ring would keep: bytes that a person changed, and headers of the component. */
function withoutUnread(delivery: StoredDelivery): StoredDelivery {
  if (delivery.changedWire === undefined && delivery.headers === undefined) return delivery;
  const { changedWire: _wire, headers: _headers, ...rest } = delivery;
  return rest;
}

/** Approximate size as JSON, in bytes. */
function sizeOf(event: NewEvent): number {
  switch (event.type) {
    case 'message.added':
      return sizeOfRow(event.row);
    case 'delivery.changed':
      return ROUGH_BYTES + DELIVERY_BYTES + lengthOf(event.transition.note);
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

/** Approximate size of a row, added up without a list, because each message passes here. */
function sizeOfRow(row: MessageRow): number {
  const { topic, contentType, eventId, eventType, subject, note, flags, deliveries } = row;
  let length = topic.length + lengthOf(contentType) + lengthOf(eventId) + lengthOf(eventType);
  length += lengthOf(subject) + lengthOf(note);
  if (flags !== undefined) for (const flag of flags) length += flag.length;
  return ROUGH_BYTES + length + deliveries.length * DELIVERY_BYTES;
}

function lengthOf(text: string | undefined): number {
  return text?.length ?? 0;
}
