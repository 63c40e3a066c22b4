/** Column values of a message: the members that filters compare, and how far SQL may judge its payload. */
import type { MessageRow } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import { readEvent } from '../../domain/inbound.ts';
import { isObject } from '../../domain/json.ts';
import { bufferCodec } from '../buffer-codec.ts';
import { AGREES } from './schema.ts';

export type SqlValue = string | number | null | Uint8Array;

/** Columns that follow from the row and the wire, in the order of `columnValues`. */
export const VALUE_COLUMNS = [
  'at',
  'pubsub',
  'topic',
  'app',
  'origin',
  'size',
  'raw',
  'pinned',
  'unread',
  'event_id',
  'event_type',
  'event_source',
  'subject',
  'trace',
  'batch',
  'replay_of',
  'stage',
  'waiting',
  'agrees',
] as const;

export function columnValues(row: MessageRow, wire: Wire): SqlValue[] {
  const event = row.raw ? undefined : eventOf(wire);
  const source = event?.['source'];
  const atMs = Date.parse(row.at);
  return [
    Number.isNaN(atMs) ? null : atMs,
    columnText(row.pubsubname),
    columnText(row.topic),
    columnText(row.appId),
    row.source,
    row.sizeBytes,
    Number(row.raw),
    Number(row.pinned === true),
    Number(row.unread === true),
    orNull(row.eventId),
    orNull(row.eventType),
    typeof source === 'string' ? columnText(source) : null,
    orNull(row.subject),
    orNull(row.traceId),
    orNull(row.batchId),
    orNull(row.replayOf),
    row.stage ?? null,
    Number(row.waitingFor !== undefined),
    event === undefined || typeof wire !== 'string' ? 0 : agreement(row, wire, event),
  ];
}

/**
 * A text as columns hold it and filters ask for it: SQLite ends a text at NUL when it compares with `*`.
 * The row itself is kept as JSON, exactly.
 */
export function columnText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u2400') : text;
}

function orNull(text: string | undefined): string | null {
  return text === undefined ? null : columnText(text);
}

function eventOf(wire: Wire): Readonly<Record<string, unknown>> | undefined {
  const read = readEvent(wire, bufferCodec);
  return read.ok ? read.event : undefined;
}

/** Maximum number of characters of a payload that SQL may judge; checking every token of a longer one is not worth it. */
const MAX_LENGTH = 64 * 1024;

const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const KEYS = /"\s*:/g;
/** Numbers that are written differently once they were read: many digits, exponents, very small ones. */
const ODD_NUMBER = /\d[\d.]{15}|\d[eE]|0\.000000/;
/** Escapes that SQLite reads in its own way: NUL, and halves of a pair. */
const ODD_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;
/** Letters that become ASCII letters in lower case, which SQLite does not know. */
const ODD_LETTER = /[\u0130\u212a]/;

/**
 * How far SQL reads this payload as the program does. SQLite takes the first of two members of the same name, the program
 * the last; numbers may be written in several ways; escapes and some letters make texts look different.
 */
function agreement(row: MessageRow, wire: string, event: Readonly<Record<string, unknown>>): number {
  if (wire.length > MAX_LENGTH || typeof event['data_base64'] === 'string') return 0;
  if (ODD_ESCAPE.test(wire)) return 0;
  const bare = wire.replaceAll(STRINGS, '"');
  if (ODD_NUMBER.test(bare) || countKeys(event) !== (bare.match(KEYS)?.length ?? 0)) return 0;
  const ids = `${row.messageId}${row.eventId ?? ''}${row.batchId ?? ''}${row.replayOf ?? ''}`;
  const readsText = !wire.includes('\\') && !ODD_LETTER.test(wire) && !ODD_LETTER.test(ids);
  return AGREES.data | (readsText ? AGREES.text : 0);
}

/** Deepest payload that SQL may judge, safely below SQLite's own limit. */
const DEEPEST = 200;

/** Number of keys in a value; NaN: it is nested too deep. */
function countKeys(value: unknown, depth = 0): number {
  if (depth > DEEPEST) return Number.NaN;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + countKeys(each, depth + 1), 0);
  if (!isObject(value)) return 0;
  let keys = 0;
  for (const member of Object.values(value)) keys += 1 + countKeys(member, depth + 1);
  return keys;
}
