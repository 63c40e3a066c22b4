/** One kept message with its deliveries: what its row shows, whether something of it is open, how much room it takes. */
import type { Attempt, MessageRow, Transition } from '../../contract/message.ts';
import { memoryOf } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import type {
  JournalRecord,
  MessageContent,
  MessageDetailSource,
  MessagePatch,
  StoredDelivery,
  StoredMessage,
} from '../../ports/journal.ts';
import { deliveryRow, patchedRow } from '../stored/rows.ts';
import { hasEnded, isMessageOpen, KEPT_ATTEMPTS, KEPT_TRANSITIONS } from '../stored/standing.ts';
import type { Batches } from './batches.ts';

/** Room for the objects themselves, next to their texts: estimates on the safe side. */
const MESSAGE_BYTES = 2500;
const DELIVERY_BYTES = 1500;
const ATTEMPT_BYTES = 1500;
const TRANSITION_BYTES = 400;

export interface DeliveryEntry {
  readonly of: Entry;
  delivery: StoredDelivery;
  readonly attempts: Attempt[];
  readonly transitions: Transition[];
}

export interface Entry {
  /** `deliveries` is []. */
  row: MessageRow;
  /** With its deliveries; made when somebody asks. */
  shown: MessageRow | undefined;
  wire: Wire;
  metadata: Readonly<Record<string, string>>;
  givenContentType: string;
  releasedFrom: readonly string[] | undefined;
  published: boolean;
  readonly deliveries: DeliveryEntry[];
  /** Deliveries that have not ended. */
  open: number;
  bytes: number;
  /** Waits among those that pruning passed by before they could go. */
  isPassedBy: boolean;
}

export function newEntry(message: StoredMessage, codec: Codec): Entry {
  return {
    row: { ...message.row, deliveries: [] },
    shown: undefined,
    wire: message.wire,
    metadata: message.metadata,
    givenContentType: message.givenContentType,
    releasedFrom: message.releasedFrom,
    published: false,
    deliveries: [],
    open: 0,
    bytes: sizeOf(message, codec),
    isPassedBy: false,
  };
}

/** Estimated bytes of a message without its deliveries. */
export function sizeOf({ wire, metadata }: Pick<StoredMessage, 'wire' | 'metadata'>, codec: Codec): number {
  let bytes = MESSAGE_BYTES + memoryOf(wire, codec);
  for (const [key, value] of Object.entries(metadata)) bytes += 2 * (key.length + value.length);
  return bytes;
}

export function isOpen({ row, published, open }: Entry): boolean {
  return isMessageOpen(row, published, open);
}

export function isPrunable(entry: Entry): boolean {
  return entry.row.pinned !== true && !isOpen(entry);
}

/** The row as lists show it. The same object until something of the message changes. */
export function shownRow(entry: Entry): MessageRow {
  entry.shown ??= { ...entry.row, deliveries: entry.deliveries.map(({ delivery }) => deliveryRow(delivery)) };
  return entry.shown;
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
      attempts: [...attempts],
      transitions: [...transitions],
    })),
  };
}

export function patchEntry(
  entry: Entry,
  patch: MessagePatch,
  content: MessageContent | undefined,
  codec: Codec,
): void {
  entry.row = patchedRow(entry.row, patch);
  if (content !== undefined) {
    entry.bytes += sizeOf(content, codec) - sizeOf(entry, codec);
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

/** First or later state of a delivery, with what it adds to its history. Gives back a delivery that is new. */
export function recordDelivery(
  entry: Entry,
  known: DeliveryEntry | undefined,
  { delivery, transition, attempt }: Extract<JournalRecord, { kind: 'delivery' }>,
  { batches, codec }: RecordTools,
): DeliveryEntry {
  const kept = known ?? { of: entry, delivery, attempts: [], transitions: [] };
  if (known === undefined) {
    entry.deliveries.push(kept);
    entry.bytes += DELIVERY_BYTES;
  } else if (!hasEnded(known.delivery.state)) entry.open--;
  if (!hasEnded(delivery.state)) entry.open++;
  entry.bytes += wireSize(delivery, codec) - (known === undefined ? 0 : wireSize(known.delivery, codec));
  kept.delivery = delivery;
  if (transition !== undefined && grow(kept.transitions, transition, KEPT_TRANSITIONS) === undefined)
    entry.bytes += TRANSITION_BYTES;
  if (attempt !== undefined) entry.bytes += addAttempt(kept.attempts, batches.enter(attempt), batches);
  entry.shown = undefined;
  return kept;
}

/** Gives the bytes that this adds. */
function addAttempt(attempts: Attempt[], attempt: Attempt, batches: Batches): number {
  const added = ATTEMPT_BYTES + batches.ownBytes(attempt);
  const dropped = grow(attempts, attempt, KEPT_ATTEMPTS);
  if (dropped === undefined) return added;
  const own = batches.ownBytes(dropped);
  batches.leave(dropped);
  return added - ATTEMPT_BYTES - own;
}

/** Adds at the end; drops at the front what is too many, and gives it. */
function grow<T>(list: T[], item: T, most: number): T | undefined {
  list.push(item);
  return list.length > most ? list.shift() : undefined;
}

function wireSize({ changedWire }: StoredDelivery, codec: Codec): number {
  return changedWire === undefined ? 0 : memoryOf(changedWire, codec);
}
