/** Journal records as flat lists: what the writing thread binds to its statements, cheap to hand over. */
import { filterStatus } from '../../contract/grpc.ts';
import type { Attempt } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import type { JournalRecord, MessageContent, StoredDelivery } from '../../ports/journal.ts';
import { isOfBatch, isSameCall } from '../stored/batch-call.ts';
import type { BatchCall } from '../stored/batch-call.ts';
import { batchKey } from './checksums.ts';

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
  /** 1: the delivery counts as finished, whatever its state. Older versions did not write this member. */
  silent: 0 | 1,
];

/** New content of a message. */
export type ContentOp = readonly [wire: Wire, given: string, metadata: Json | null];

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
  /** Key of the call that it shares with others of its batch: neither request nor response are in the record. */
  batch: string | null,
];

/** Call of a batch. It comes before its first attempt, in each append again, as an earlier append may have been refused. */
export type BatchOp = readonly [op: 'batch', key: string, request: Json, response: Json | null];

export type Op =
  | AcceptedOp
  | BatchOp
  | DeliveryOp
  | readonly [op: 'changed', messageId: string, patch: Json, content: ContentOp | null]
  | readonly [op: 'published', messageId: string]
  | readonly [op: 'removed', messageIds: readonly string[]]
  | readonly [op: 'sequence', sequence: number]
  | readonly [op: 'kept', key: string, value: Json | null];

/** Calls of one group, in their order. */
export type Group = readonly (readonly Op[])[];

/** Characters and bytes of an operation, without those of lists in it. */
export function lengthOf(op: Op): number {
  let length = 0;
  for (const part of op) if (typeof part === 'string' || part instanceof Uint8Array) length += part.length;
  return length;
}

/** Texts of the newest messages, to see that an attempt sends one of them. */
export class RecentWires {
  /**
   * Texts by message id: the latest, and those before them, which are dropped all at once. To drop the oldest text of a single map each
   * time would be slow, because finding its first key takes longer with each key that was removed before it.
   */
  #newer = new Map<string, string>();
  #older = new Map<string, string>();
  /** Characters of the texts in each of them. */
  #newerLength = 0;
  #olderLength = 0;
  readonly #most: number;

  /** @param most characters that are remembered; the newest half of them for certain */
  constructor(most: number) {
    this.#most = most;
  }

  add(messageId: string, wire: Wire): void {
    if (typeof wire !== 'string' || this.#newer.has(messageId) || this.#older.has(messageId)) return;
    if (wire.length > this.#most) return;
    if (this.#newerLength + wire.length > this.#most / 2) this.#turn();
    if (this.#olderLength + this.#newerLength + wire.length > this.#most) this.#turn();
    this.#newer.set(messageId, wire);
    this.#newerLength += wire.length;
  }

  /** Forgets a message whose body changes: its attempts are then stored with the body that they sent. */
  forget(messageId: string): void {
    this.#newerLength -= this.#newer.get(messageId)?.length ?? 0;
    this.#olderLength -= this.#older.get(messageId)?.length ?? 0;
    this.#newer.delete(messageId);
    this.#older.delete(messageId);
  }

  has(messageId: string, body: string): boolean {
    return (this.#newer.get(messageId) ?? this.#older.get(messageId)) === body;
  }

  /** Drops the older texts; the latest ones take their place. */
  #turn(): void {
    this.#older = this.#newer;
    this.#olderLength = this.#newerLength;
    this.#newer = new Map();
    this.#newerLength = 0;
  }
}

/** Operations of one call. Throws TypeError for a value that JSON cannot hold. */
export function opsOf(records: readonly JournalRecord[], recent: RecentWires): Op[] {
  const ops: Op[] = [];
  const batches = new Map<string, BatchCall & { readonly key: string }>();
  const keyOf = (attempt: Attempt): string => {
    const known = batches.get(attempt.attemptId);
    if (known !== undefined && isSameCall(known, attempt)) return known.key;
    const [request, response] = [JSON.stringify(attempt.request), JSON.stringify(attempt.response)];
    const key = batchKey(attempt.attemptId, request, response ?? '');
    batches.set(attempt.attemptId, { request: attempt.request, response: attempt.response, key });
    ops.push(['batch', key, request, response ?? null]);
    return key;
  };
  const last = lastOfDeliveries(records);
  for (const record of records) {
    ops.push(opOf(record, recent, keyOf, last));
    // A removal takes calls of batches with it that no attempt has any more, so what comes later brings its call again.
    if (record.kind === 'message.removed') batches.clear();
  }
  return ops;
}

/**
 * The last record of each delivery. An append is atomic, so earlier states in it are never visible, except for a removal, which needs the
 * state before it.
 */
function lastOfDeliveries(records: readonly JournalRecord[]): ReadonlySet<JournalRecord> {
  const last = new Set<JournalRecord>();
  const since = new Map<string, JournalRecord>();
  const end = (): void => {
    for (const record of since.values()) last.add(record);
    since.clear();
  };
  for (const record of records) {
    if (record.kind === 'delivery') since.set(record.delivery.deliveryId, record);
    else if (record.kind === 'message.removed') end();
  }
  end();
  return last;
}

function opOf(
  record: JournalRecord,
  recent: RecentWires,
  keyOf: (attempt: Attempt) => string,
  last: ReadonlySet<JournalRecord>,
): Op {
  switch (record.kind) {
    case 'message.accepted': {
      const { row, wire, metadata, givenContentType, releasedFrom } = record.message;
      recent.add(row.messageId, wire);
      return [
        'accepted',
        JSON.stringify(row.deliveries.length === 0 ? row : { ...row, deliveries: [] }),
        toSend(wire),
        givenContentType,
        metadataOf(metadata),
        releasedFrom === undefined ? null : JSON.stringify(releasedFrom),
      ];
    }
    case 'message.changed': {
      const { messageId, patch, content } = record;
      if (content !== undefined) recent.forget(messageId);
      return ['changed', messageId, JSON.stringify(patch), content === undefined ? null : contentOp(content)];
    }
    case 'message.published':
      return ['published', record.messageId];
    case 'delivery':
      return deliveryOp(record, recent, keyOf, last.has(record));
    case 'message.removed':
      return ['removed', [...record.messageIds]];
    case 'sequence':
      return ['sequence', record.sequence];
    case 'kept':
      return ['kept', record.key, JSON.stringify(record.value) ?? null];
  }
}

function contentOp({ wire, givenContentType, metadata }: MessageContent): ContentOp {
  return [toSend(wire), givenContentType, metadataOf(metadata)];
}

function deliveryOp(
  { delivery, transition, attempt }: Extract<JournalRecord, { kind: 'delivery' }>,
  recent: RecentWires,
  keyOf: (attempt: Attempt) => string,
  isLast: boolean,
): DeliveryOp {
  const { changedWire } = delivery;
  const json = (): Json => JSON.stringify(changedWire === undefined ? delivery : withoutWire(delivery));
  return [
    'delivery',
    delivery.deliveryId,
    delivery.messageId,
    delivery.state,
    delivery.appId,
    delivery.route.path === '' ? null : delivery.route.path,
    delivery.attemptCount,
    isLast ? json() : '{}',
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
    attempt === undefined ? null : attemptOp(attempt, delivery.messageId, recent, keyOf),
    delivery.silent === true ? 1 : 0,
  ];
}

function attemptOp(
  attempt: Attempt,
  messageId: string,
  recent: RecentWires,
  keyOf: (attempt: Attempt) => string,
): AttemptOp {
  const { request, response, error, ...own } = attempt;
  const status = response === undefined ? null : filterStatus(response.status, attempt.protocol);
  const result = [status, error?.code ?? null, error?.message ?? null] as const;
  if (isOfBatch(attempt)) {
    const record = error === undefined ? own : { ...own, error };
    return [JSON.stringify(record), ...result, 0, keyOf(attempt)];
  }
  const sentWire = recent.has(messageId, request.body);
  const record = sentWire ? { ...attempt, request: { ...request, body: '' } } : attempt;
  return [JSON.stringify(record), ...result, sentWire ? 1 : 0, null];
}

function withoutWire({ changedWire: _wire, ...delivery }: StoredDelivery): StoredDelivery {
  return delivery;
}

/** Copies a view of a larger buffer, because sending the view would send the whole buffer. */
function toSend(wire: Wire): Wire {
  if (typeof wire === 'string' || wire.byteLength === wire.buffer.byteLength) return wire;
  return new Uint8Array(wire);
}

function metadataOf(metadata: Readonly<Record<string, string>>): Json | null {
  for (const _key in metadata) return JSON.stringify(metadata);
  return null;
}
