/** One kept message with its deliveries: what its row shows, whether something of it is open, how much room it takes. */
import type { Attempt, MessageRow, Transition } from '../../contract/message.ts';
import type { Mutable } from '../../contract/mutable.ts';
import { memoryOf } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import { hasEnded } from '../../domain/delivery-end.ts';
import { deliveryRow } from '../../domain/delivery-row.ts';
import { editedWire } from '../../domain/preview.ts';
import { metadataMemory } from '../../domain/metadata.ts';
import { rowMemory } from '../../domain/row-memory.ts';
import type {
  JournalRecord,
  MessageContent,
  MessageDetailSource,
  MessagePatch,
  StoredDelivery,
  StoredMessage,
} from '../../ports/journal.ts';
import { patchedRow } from '../stored/rows.ts';
import { isMessageOpen, KEPT_ATTEMPTS, KEPT_TRANSITIONS } from '../stored/standing.ts';
import type { Batches } from './batches.ts';

/** Room for the objects themselves, next to their texts: estimates on the safe side. */
const MESSAGE_BYTES = 2500;
const DELIVERY_BYTES = 1500;
const ATTEMPT_BYTES = 1500;
const TRANSITION_BYTES = 400;

/** Deliveries of a message that are searched one by one. */
const FEW_DELIVERIES = 16;
/** Empty list that all entries share, as these lists are replaced, never changed. */
const NONE: readonly never[] = [];

export interface DeliveryEntry {
  readonly delivery: StoredDelivery;
  readonly attempts: readonly Attempt[];
  readonly transitions: readonly Transition[];
}

/** What counting and removing a delivery needs. */
export type CountedDelivery = Pick<StoredDelivery, 'deliveryId' | 'appId' | 'state' | 'subscription'>;

/** A kept message as everybody reads it, packed or not. */
export interface Entry {
  /** `deliveries` is []. */
  readonly row: MessageRow;
  readonly wire: Wire;
  readonly metadata: Readonly<Record<string, string>>;
  readonly givenContentType: string;
  readonly releasedFrom: readonly string[] | undefined;
  readonly published: boolean;
  readonly deliveries: readonly DeliveryEntry[];
  /** Whether a person edited the payload of a delivery. */
  readonly hasEdited: boolean;
  /** Deliveries that have not ended. */
  readonly open: number;
  readonly bytes: number;
}

export type LooseDelivery = Mutable<DeliveryEntry>;

/** A packed entry has these without being decoded: each removal from a full history needs them. */
export function countedIn(
  entry: Entry & { readonly counted?: readonly CountedDelivery[] },
): readonly CountedDelivery[] {
  return entry.counted ?? entry.deliveries.map(({ delivery }) => delivery);
}

/** An entry as objects, not packed: something of it is open, or was until now. */
export interface LooseEntry extends Mutable<Omit<Entry, 'deliveries'>> {
  /** Grows where it is long. */
  deliveries: LooseDelivery[];
  /** The deliveries by id; undefined: they are few, or none was looked for yet. */
  byId: Map<string, LooseDelivery> | undefined;
  /** Row with its deliveries, built at first use. */
  shown: MessageRow | undefined;
}

export function newEntry(message: StoredMessage, codec: Codec): LooseEntry {
  return {
    row: message.row.deliveries.length === 0 ? message.row : { ...message.row, deliveries: [] },
    shown: undefined,
    byId: undefined,
    wire: message.wire,
    metadata: message.metadata,
    givenContentType: message.givenContentType,
    releasedFrom: message.releasedFrom,
    published: false,
    deliveries: [],
    hasEdited: false,
    open: 0,
    bytes: sizeOf(message, codec),
  };
}

/** Unpacks a message, so that it can be changed. */
export function loosened(entry: Entry): LooseEntry {
  const { row, wire, metadata, givenContentType, releasedFrom, published, hasEdited, open, bytes } = entry;
  const deliveries = entry.deliveries.map(({ delivery, attempts, transitions }) => ({
    delivery,
    attempts,
    transitions,
  }));
  const message = { row, wire, metadata, givenContentType, releasedFrom };
  return { ...message, shown: undefined, byId: undefined, published, deliveries, hasEdited, open, bytes };
}

/** Estimated bytes of a message without its deliveries. */
export function sizeOf(message: Pick<StoredMessage, 'row' | 'wire' | 'metadata'>, codec: Codec): number {
  return rowMemory(message.row) + contentSize(message, codec);
}

function contentSize({ wire, metadata }: Pick<StoredMessage, 'wire' | 'metadata'>, codec: Codec): number {
  return MESSAGE_BYTES + memoryOf(wire, codec) + metadataMemory(metadata);
}

export function isOpen({ row, published, open }: Entry): boolean {
  return isMessageOpen(row, published, open);
}

export function isPrunable(entry: Entry): boolean {
  return entry.row.pinned !== true && !isOpen(entry);
}

/** The row as lists show it. */
export function shownRow(entry: Entry | LooseEntry): MessageRow {
  if (!('shown' in entry)) return withDeliveries(entry);
  return (entry.shown ??= withDeliveries(entry));
}

/** The bytes that lists show instead of the published ones (`editedWire`). Deliveries of a packed message are decoded only if one has such bytes. */
export function editedIn(entry: Entry): Wire | undefined {
  return entry.hasEdited ? editedWire(entry.deliveries.map(({ delivery }) => delivery)) : undefined;
}

function withDeliveries({ row, deliveries }: Entry): MessageRow {
  return { ...row, deliveries: deliveries.map(({ delivery }) => deliveryRow(delivery)) };
}

/** A copy of what is kept; later records do not change it. */
export function detailOf(entry: Entry): MessageDetailSource {
  const { row, wire, metadata, givenContentType, releasedFrom, deliveries } = entry;
  return {
    message: {
      row,
      wire,
      metadata,
      givenContentType,
      ...(releasedFrom === undefined ? {} : { releasedFrom }),
    },
    row: shownRow(entry),
    deliveries: deliveries.map(({ delivery, attempts, transitions }) => ({
      delivery,
      attempts,
      transitions,
    })),
  };
}

export function patchEntry(
  entry: LooseEntry,
  patch: MessagePatch,
  content: MessageContent | undefined,
  codec: Codec,
): void {
  const before = rowMemory(entry.row);
  entry.row = patchedRow(entry.row, patch);
  entry.bytes += rowMemory(entry.row) - before;
  if (content !== undefined) {
    entry.bytes += contentSize(content, codec) - contentSize(entry, codec);
    entry.wire = content.wire;
    entry.metadata = content.metadata;
    entry.givenContentType = content.givenContentType;
  }
  if (patch.releasedFrom !== undefined) entry.releasedFrom = patch.releasedFrom;
  entry.shown = undefined;
}

export interface RecordTools {
  readonly batches: Batches;
  readonly codec: Codec;
}

/**
 * First or later state of a delivery, with what it adds to its history.
 * @returns whether the delivery was not known before
 */
export function recordDelivery(
  entry: LooseEntry,
  record: Extract<JournalRecord, { kind: 'delivery' }>,
  { batches, codec }: RecordTools,
): boolean {
  const { transition, attempt } = record;
  const known = deliveryIn(entry, record.delivery.deliveryId);
  const delivery = withChanged(record.delivery, known?.delivery.changedWire);
  const kept: LooseDelivery = known ?? { delivery, attempts: NONE, transitions: NONE };
  if (known === undefined) {
    addDelivery(entry, kept);
    entry.bytes += DELIVERY_BYTES;
  } else if (!hasEnded(known.delivery)) entry.open--;
  if (!hasEnded(delivery)) entry.open++;
  if (delivery.changedWire !== undefined) entry.hasEdited = true;
  entry.bytes += wireSize(delivery, codec) - (known === undefined ? 0 : wireSize(known.delivery, codec));
  kept.delivery = delivery;
  if (transition !== undefined) {
    if (kept.transitions.length < KEPT_TRANSITIONS) entry.bytes += TRANSITION_BYTES;
    const all = added(kept.transitions, transition);
    kept.transitions = all.length > KEPT_TRANSITIONS ? all.slice(1) : all;
  }
  if (attempt !== undefined) entry.bytes += addAttempt(kept, batches.enter(attempt), batches);
  entry.shown = undefined;
  return known === undefined;
}

function deliveryIn(entry: LooseEntry, deliveryId: string): LooseDelivery | undefined {
  const { deliveries } = entry;
  if (deliveries.length < FEW_DELIVERIES)
    return deliveries.find(({ delivery }) => delivery.deliveryId === deliveryId);
  entry.byId ??= new Map(deliveries.map((one) => [one.delivery.deliveryId, one]));
  return entry.byId.get(deliveryId);
}

function addDelivery(entry: LooseEntry, kept: LooseDelivery): void {
  entry.byId?.set(kept.delivery.deliveryId, kept);
  if (entry.deliveries.length < FEW_DELIVERIES) entry.deliveries = [...entry.deliveries, kept];
  else entry.deliveries.push(kept);
}

/** Gives the bytes that this adds. */
function addAttempt(kept: LooseDelivery, attempt: Attempt, batches: Batches): number {
  const bytes = ATTEMPT_BYTES + batches.ownBytes(attempt);
  const all = added(kept.attempts, attempt);
  const [oldest] = all;
  if (all.length <= KEPT_ATTEMPTS || oldest === undefined) {
    kept.attempts = all;
    return bytes;
  }
  kept.attempts = all.slice(1);
  const own = batches.ownBytes(oldest);
  batches.leave(oldest);
  return bytes - ATTEMPT_BYTES - own;
}

/** A longer copy of a list, of exact length: an array that grows by `push` has room for seventeen. */
function added<T>(list: readonly T[], item: T): readonly T[] {
  return list.length === 0 ? [item] : [...list, item];
}

/** Bytes that a person changed stay where a later record does not bring others. */
function withChanged(delivery: StoredDelivery, before: Wire | undefined): StoredDelivery {
  if (before === undefined || delivery.changedWire !== undefined) return delivery;
  return { ...delivery, changedWire: before };
}

function wireSize({ changedWire }: StoredDelivery, codec: Codec): number {
  return changedWire === undefined ? 0 : memoryOf(changedWire, codec);
}
