/**
 * Slot of the event ring, overwritten when the ring comes round. Under load no client reads most events, so new objects for each would only
 * be work for the garbage collector.
 */
import type { ConsoleEvent } from '../../contract/console.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { MessageRow, Transition } from '../../contract/message.ts';
import { shownDelivery } from '../../domain/shown-delivery.ts';
import type { DeliveryFacts } from '../../domain/shown-delivery.ts';
import type { NotedEvent } from '../api.ts';
import { iso } from '../time/time.ts';

type Unnumbered<E> = E extends unknown ? Omit<E, 'sequence'> : never;
export type NewEvent = Unnumbered<ConsoleEvent>;

/** A delivery after its change. */
export interface ChangedDelivery extends DeliveryFacts {
  readonly message: { readonly messageId: string; readonly row: { readonly number: number } };
}

/** Estimated size of an event without its texts, in bytes; an exact size would cost a serialisation per event. */
const ROUGH_BYTES = 400;
const DELIVERY_BYTES = 250;
const NO_ROUTE: DeliveryFacts['route'] = { path: '' };
const NO_SUBSCRIPTION: DeliveryFacts['subscription'] = { pubsubname: '', topic: '' };

/** One slot of the ring. All events have a number and a subject; the other members are valid only for events of their type. */
export class EventSlot implements NotedEvent, DeliveryFacts {
  /** One slot that is never freed, as `Delivery.kept`: the ring has none while no client listens. */
  static readonly kept = new EventSlot(0);

  sequence: number;
  type: ConsoleEvent['type'] = 'message.added';
  size = 0;
  number: number | undefined;
  messageId: string | undefined;
  /** Event other than a row and a change of a delivery. */
  #event: NewEvent | undefined;
  #row: MessageRow | undefined;
  // The changed delivery, and its transition.
  deliveryId = '';
  appId = '';
  state: DeliveryState | null = null;
  attemptCount = 0;
  route: DeliveryFacts['route'] = NO_ROUTE;
  dueMs: number | undefined;
  lastDurationMs: number | undefined;
  span: DeliveryFacts['span'];
  lastAnswer: DeliveryFacts['lastAnswer'];
  waitsForSubscription = false;
  subscription: DeliveryFacts['subscription'] = NO_SUBSCRIPTION;
  heldAt: DeliveryFacts['heldAt'];
  #from: Transition['from'] = null;
  #at = '';
  #cause: Transition['cause'] = 'policy';
  #rule: Transition['rule'] = 'policy.accepted';
  #lastText: string | undefined;

  constructor(sequence: number) {
    this.sequence = sequence;
  }

  event(event: NewEvent): this {
    if (event.type === 'message.added') return this.row(event.row);
    const isChange = event.type === 'delivery.changed';
    this.type = event.type;
    this.number = isChange ? event.number : undefined;
    this.messageId = isChange ? event.messageId : undefined;
    this.#event = event;
    this.#row = undefined;
    this.size = sizeOf(event);
    return this;
  }

  row(row: MessageRow): this {
    this.type = 'message.added';
    this.number = row.number;
    this.messageId = row.messageId;
    this.#event = undefined;
    this.#row = row;
    this.size = sizeOfRow(row);
    return this;
  }

  change(d: ChangedDelivery, { from, at, cause, rule, note }: Transition): this {
    this.type = 'delivery.changed';
    this.number = d.message.row.number;
    this.messageId = d.message.messageId;
    this.#event = undefined;
    this.#row = undefined;
    this.deliveryId = d.deliveryId;
    this.appId = d.appId;
    this.state = d.state;
    this.attemptCount = d.attemptCount;
    this.route = d.route;
    this.dueMs = d.dueMs;
    this.lastDurationMs = d.lastDurationMs;
    this.span = d.span;
    this.lastAnswer = d.lastAnswer;
    this.waitsForSubscription = d.waitsForSubscription;
    this.subscription = d.subscription;
    this.heldAt = d.heldAt;
    this.#from = from;
    this.#at = at;
    this.#cause = cause;
    this.#rule = rule;
    this.#lastText = note;
    this.size = ROUGH_BYTES + DELIVERY_BYTES + lengthOf(note);
    return this;
  }

  read(): ConsoleEvent {
    const { sequence } = this;
    if (this.#event !== undefined) return { ...this.#event, sequence };
    return this.#row === undefined ? this.#change() : { type: 'message.added', row: this.#row, sequence };
  }

  #change(): ConsoleEvent {
    const { sequence, number, messageId = '', deliveryId } = this;
    const delivery = shownDelivery(this, this.#rule, iso);
    const note = this.#lastText;
    return {
      type: 'delivery.changed',
      sequence,
      messageId,
      deliveryId,
      transition: {
        from: this.#from,
        to: delivery.state,
        at: this.#at,
        sequence,
        cause: this.#cause,
        rule: this.#rule,
        ...(note === undefined ? {} : { note }),
      },
      attempts: this.attemptCount,
      ...(delivery.nextAttemptAt === undefined ? {} : { nextAttemptAt: delivery.nextAttemptAt }),
      delivery,
      ...(number === undefined ? {} : { number }),
    };
  }
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
