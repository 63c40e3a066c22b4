/**
 * Rules of bulk delivery: when a batch is cut, and the body of its call (behaviour 6.1, 6.2). Bulk publish is
 * in bulk-publish.ts.
 */
import type { Protocol } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import type { BulkSubscribe } from '../contract/subscription.ts';
import { bytesOf, textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { BINARY_CONTENT_TYPE, CLOUDEVENT_CONTENT_TYPE } from './content-type.ts';

export interface Waiting {
  /** When the entry was queued, in milliseconds of `Clock.now`. */
  readonly enqueuedAt: number;
  readonly path: string;
}

export interface Cut<W> {
  /** Entries to send now; [] = not yet. */
  readonly entries: readonly W[];
  /** Time (ms) at which to ask again; absent: when a new entry waits. */
  readonly askAgainAt?: number;
}

/**
 * Cuts waiting entries of one subscription into one batch. Interface: "Bulk subscribe batching". Paths are ignored: `splitByPath` makes the
 * calls of a batch.
 * @param waiting oldest first; `enqueuedAt` in ms of `Clock.now`
 * @param limits `maxMessagesCount` >= 1; `maxAwaitDurationMs` >= 1 counted from the oldest entry (0 and less became the default)
 * @returns the entries to send now ([] = not yet) and the time of the next call (ms), if any
 */
export function cutBatch<W extends Waiting>(
  waiting: readonly W[],
  limits: BulkSubscribe,
  nowMs: number,
): Cut<W> {
  const oldest = waiting[0];
  if (oldest === undefined) return { entries: [] };
  const full = waiting.length >= limits.maxMessagesCount;
  const dueAt = oldest.enqueuedAt + limits.maxAwaitDurationMs;
  if (!full && nowMs < dueAt) return { entries: [], askAgainAt: dueAt };
  const entries = waiting.slice(0, limits.maxMessagesCount);
  const next = waiting[entries.length];
  if (next === undefined) return { entries };
  const enough = waiting.length - entries.length >= limits.maxMessagesCount;
  return {
    entries,
    askAgainAt: enough ? nowMs : Math.max(nowMs, next.enqueuedAt + limits.maxAwaitDurationMs),
  };
}

/** Groups entries by route path, in the order of each path's first entry. Each group is a call of its own. */
export function splitByPath<W extends Pick<Waiting, 'path'>>(
  entries: readonly W[],
): readonly (readonly W[])[] {
  const byPath = new Map<string, W[]>();
  for (const entry of entries) {
    const group = byPath.get(entry.path);
    if (group === undefined) byPath.set(entry.path, [entry]);
    else group.push(entry);
  }
  return [...byPath.values()];
}

/** Largest message that a gRPC app accepts by its library's default. */
const GRPC_MAX_BYTES = 4 * 1024 * 1024;

/** Bytes of a body without its entries and names: ids, member names, brackets. */
const ENVELOPE_BYTES = 512;

/**
 * Limit for the body of one call.
 * @param set by the setting, for HTTP; over gRPC apps take less.
 */
export function mostBulkBytes(set: number, protocol: Protocol): number {
  return protocol === 'grpc' ? Math.min(set, GRPC_MAX_BYTES) : set;
}

/** Upper bound for the bytes of a call's body without its entries. */
export function envelopeBytes({
  pubsubname,
  topic,
  path,
}: Pick<BulkBodyInput, 'pubsubname' | 'topic'> & Pick<Waiting, 'path'>): number {
  // JSON takes up to six bytes for a character, and the component is named twice. Over gRPC the path is in the body too.
  return ENVELOPE_BYTES + 6 * (2 * pubsubname.length + topic.length) + 3 * path.length;
}

/** Bytes of an entry in the body without its event and metadata: ids, names, commas. */
const ENTRY_BYTES = 200;

/**
 * Upper bound for the bytes of an entry in the body of a call.
 * @param eventBytes bytes of the message as it is stored
 */
export function entryBytes(
  eventBytes: number,
  metadata: Readonly<Record<string, string>>,
  raw: boolean,
): number {
  let bytes = ENTRY_BYTES + (raw ? Math.ceil(eventBytes / 3) * 4 : eventBytes);
  // JSON takes up to six bytes for a character.
  for (const [name, value] of Object.entries(metadata)) bytes += 6 * (name.length + value.length) + 6;
  return bytes;
}

/**
 * Splits entries into calls of at most this many bytes, in order. An entry that is larger gets a call of its
 * own.
 */
export function splitBySize<E>(
  entries: readonly E[],
  sizeOf: (entry: E) => number,
  mostBytes: number,
): readonly (readonly E[])[] {
  const calls: E[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    const call = calls.at(-1);
    if (call === undefined || bytes + size > mostBytes) {
      calls.push([entry]);
      bytes = size;
    } else {
      call.push(entry);
      bytes += size;
    }
  }
  return calls;
}

export interface BulkBodyEntry {
  readonly entryId: string;
  /** Stored bytes: the envelope's JSON text; for a raw subscription any bytes. */
  readonly wire: Wire;
  /** Delivery metadata of the message; absent or empty is sent as null. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface BulkBodyInput {
  /** UUID of this call. */
  readonly id: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** True if the subscription takes raw payloads: its events are sent as base64. */
  readonly raw: boolean;
  readonly entries: readonly BulkBodyEntry[];
  readonly profile: Profile;
  readonly codec: Codec;
}

/**
 * JSON text of a bulk delivery. The text of an envelope is inserted unchanged, so that long numbers keep
 * their digits.
 */
export function bulkBody(input: BulkBodyInput): string {
  const entries = input.entries.map((entry) => entryText(entry, input.raw, input.codec)).join(',');
  const pubsubname = JSON.stringify(input.pubsubname);
  return (
    `{"entries":[${entries}],"id":${JSON.stringify(input.id)},"metadata":{"pubsubName":${pubsubname}}` +
    `,"pubsubname":${pubsubname},"topic":${JSON.stringify(input.topic)},"type":${JSON.stringify(input.profile.bulkEventType)}}`
  );
}

function entryText(entry: BulkBodyEntry, raw: boolean, codec: Codec): string {
  const event = raw ? `"${codec.toBase64(bytesOf(entry.wire, codec))}"` : textOf(entry.wire, codec);
  const metadata =
    entry.metadata === undefined || Object.keys(entry.metadata).length === 0
      ? 'null'
      : JSON.stringify(entry.metadata);
  const contentType = raw ? BINARY_CONTENT_TYPE : CLOUDEVENT_CONTENT_TYPE;
  return `{"entryId":${JSON.stringify(entry.entryId)},"event":${event},"metadata":${metadata},"contentType":"${contentType}"}`;
}
