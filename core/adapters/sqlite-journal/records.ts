/** Journal records as flat lists: what the writing thread binds to its statements, cheap to hand over. */
import type { Attempt } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import type { JournalRecord, StoredDelivery } from '../../ports/journal.ts';

/** JSON text. */
type Json = string;

export type AcceptedOp = readonly [
  op: 'accepted',
  row: Json,
  wire: Wire,
  given: string,
  metadata: Json | null,
  released: Json | null,
];

export type DeliveryOp = readonly [
  op: 'delivery',
  deliveryId: string,
  messageId: string,
  state: string,
  appId: string,
  route: string | null,
  attempts: number,
  record: Json,
  changed: Wire | null,
  pubsub: string,
  /** Topic of its subscription. */
  subscribed: string,
  transition: TransitionOp | null,
  attempt: AttemptOp | null,
];

export type TransitionOp = readonly [
  was: string | null,
  state: string,
  at: string,
  sequence: number,
  cause: string,
  rule: string,
  note: string | null,
];

export type AttemptOp = readonly [
  record: Json,
  status: number | null,
  errorCode: string | null,
  error: string | null,
  /** 1: its request's body is the message's wire, and left out of the record. */
  sentWire: 0 | 1,
];

export type Op =
  | AcceptedOp
  | DeliveryOp
  | readonly [op: 'changed', messageId: string, patch: Json]
  | readonly [op: 'published', messageId: string]
  | readonly [op: 'removed', messageIds: readonly string[]]
  | readonly [op: 'sequence', sequence: number]
  | readonly [op: 'kept', key: string, value: Json | null];

/** Texts of the newest messages, to see that an attempt sends one of them. */
export class RecentWires {
  readonly #wires = new Map<string, string>();
  readonly #most: number;
  #length = 0;

  /** @param most characters that are remembered */
  constructor(most: number) {
    this.#most = most;
  }

  add(messageId: string, wire: Wire): void {
    if (typeof wire !== 'string' || this.#wires.has(messageId)) return;
    this.#wires.set(messageId, wire);
    this.#length += wire.length;
    for (const [oldest, { length }] of this.#wires) {
      if (this.#length <= this.#most) return;
      this.#wires.delete(oldest);
      this.#length -= length;
    }
  }

  has(messageId: string, body: string): boolean {
    return this.#wires.get(messageId) === body;
  }
}

/** Throws TypeError for a value that JSON cannot hold. */
export function opOf(record: JournalRecord, recent: RecentWires): Op {
  switch (record.kind) {
    case 'message.accepted': {
      const { row, wire, metadata, givenContentType, releasedFrom } = record.message;
      recent.add(row.messageId, wire);
      return [
        'accepted',
        JSON.stringify(row.deliveries.length === 0 ? row : { ...row, deliveries: [] }),
        toSend(wire),
        givenContentType,
        isEmpty(metadata) ? null : JSON.stringify(metadata),
        releasedFrom === undefined ? null : JSON.stringify(releasedFrom),
      ];
    }
    case 'message.changed':
      return ['changed', record.messageId, JSON.stringify(record.patch)];
    case 'message.published':
      return ['published', record.messageId];
    case 'delivery':
      return deliveryOp(record, recent);
    case 'message.removed':
      return ['removed', [...record.messageIds]];
    case 'sequence':
      return ['sequence', record.sequence];
    case 'kept':
      return ['kept', record.key, JSON.stringify(record.value) ?? null];
  }
}

function deliveryOp(
  { delivery, transition, attempt }: Extract<JournalRecord, { kind: 'delivery' }>,
  recent: RecentWires,
): DeliveryOp {
  const { changedWire } = delivery;
  return [
    'delivery',
    delivery.deliveryId,
    delivery.messageId,
    delivery.state,
    delivery.appId,
    delivery.route.path === '' ? null : delivery.route.path,
    delivery.attemptCount,
    JSON.stringify(changedWire === undefined ? delivery : withoutWire(delivery)),
    changedWire === undefined ? null : toSend(changedWire),
    delivery.subscription.pubsubname,
    delivery.subscription.topic,
    transition === undefined
      ? null
      : [
          transition.from,
          transition.to,
          transition.at,
          transition.sequence,
          transition.cause,
          transition.rule,
          transition.note ?? null,
        ],
    attempt === undefined ? null : attemptOp(attempt, recent.has(delivery.messageId, attempt.request.body)),
  ];
}

function attemptOp(attempt: Attempt, sentWire: boolean): AttemptOp {
  const { request, response, error } = attempt;
  return [
    JSON.stringify(sentWire ? { ...attempt, request: { ...request, body: '' } } : attempt),
    response?.status ?? null,
    error?.code ?? null,
    error?.message ?? null,
    sentWire ? 1 : 0,
  ];
}

function withoutWire({ changedWire: _wire, ...delivery }: StoredDelivery): StoredDelivery {
  return delivery;
}

/** A view of a larger buffer would take the whole of it along. */
function toSend(wire: Wire): Wire {
  if (typeof wire === 'string' || wire.byteLength === wire.buffer.byteLength) return wire;
  return new Uint8Array(wire);
}

function isEmpty(metadata: Readonly<Record<string, string>>): boolean {
  for (const _key in metadata) return false;
  return true;
}
