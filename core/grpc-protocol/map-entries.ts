/**
 * Counts the entries of maps before a message is decoded. The library makes an object of a map, and one with
 * hundreds of thousands of keys takes seconds, in which it blocks the process. The bytes are read by the
 * library's own reader, and by the same table of fields as its decoder: whatever the decoder would take as an
 * entry is counted, also in bytes that no client writes.
 */
import type { Field, Reader, Type } from 'protobufjs';

/** Levels of messages in messages that are looked at; more count as too many parts. The decoder takes no more either. */
const MAX_DEPTH = 100;

/** Makes the library's reader, which this file does not load. */
export type OpenReader = (bytes: Uint8Array) => Reader;

/**
 * Number of entries of the largest map of a message, those of the messages in it included. In broken bytes the
 * entries before the mistake count; the decoder reports the mistake.
 */
export function mostEntries(type: Type, bytes: Uint8Array, open: OpenReader): number {
  const counts = new Map<Field, number>();
  let most = 0;
  for (const { field, start, end } of fieldsOf(type, bytes, open)) {
    if (field === undefined) continue;
    const inner = messageOf(field);
    if (field.map) {
      const count = (counts.get(field) ?? 0) + 1;
      counts.set(field, count);
      most = Math.max(most, count);
    } else if (inner !== undefined && hasMaps(field))
      most = Math.max(most, mostEntries(inner, bytes.subarray(start, end), open));
  }
  return most;
}

/**
 * Number of parts of a message: entries of maps and lists and messages in it, at all levels. Each becomes a value of the decoder.
 * Counting ends at the first one above `most`.
 */
export function partsIn(type: Type, bytes: Uint8Array, most: number, open: OpenReader, depth = 0): number {
  if (depth > MAX_DEPTH) return most + 1;
  let parts = 0;
  for (const { field, start, end } of fieldsOf(type, bytes, open)) {
    const inner = field === undefined ? undefined : messageOf(field);
    if (field === undefined || (inner === undefined && !field.map && !field.repeated)) continue;
    parts += 1;
    if (inner !== undefined && end > start) {
      const content = bytes.subarray(start, end);
      const value = field.map ? valueOf(content, open) : content;
      parts += partsIn(inner, value, most - parts, open, depth + 1);
    }
    if (parts > most) return most + 1;
  }
  return parts;
}

/** Contents of the fields for any bytes, at all levels. */
export function* contentsIn(
  type: Type,
  bytes: Uint8Array,
  open: OpenReader,
  depth = 0,
): Generator<Uint8Array, void> {
  if (depth > MAX_DEPTH) return;
  for (const { field, start, end } of fieldsOf(type, bytes, open)) {
    const inner = field === undefined || field.map ? undefined : messageOf(field);
    if (field?.type === 'bytes' && !field.map) yield bytes.subarray(start, end);
    else if (inner !== undefined) yield* contentsIn(inner, bytes.subarray(start, end), open, depth + 1);
  }
}

/** The value of a map's entry, which is a message with a key (1) and a value (2). */
function valueOf(entry: Uint8Array, open: OpenReader): Uint8Array {
  const reader = open(entry);
  let value = entry.subarray(0, 0);
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag !== VALUE_TAG) reader.skipType(tag & 7);
      else {
        const length = reader.uint32();
        const { pos } = reader;
        reader.skip(length);
        value = entry.subarray(pos, pos + length);
      }
    }
  } catch {
    // The decoder fails at the same place.
    return value;
  }
  return value;
}

/** Field 2 with a length before its content. */
const VALUE_TAG = 2 * 8 + 2;

/** The message without its maps, and without the messages in it that have some. */
export function withoutMaps(type: Type, bytes: Uint8Array, open: OpenReader): Uint8Array {
  const kept: Uint8Array[] = [];
  for (const { field, from, end } of fieldsOf(type, bytes, open))
    if (field === undefined || !hasMaps(field)) kept.push(bytes.subarray(from, end));
  return Buffer.concat(kept);
}

/** The message without a list of messages, as bytes, and the number of messages in that list. */
export function withoutList(
  type: Type,
  bytes: Uint8Array,
  name: string,
  open: OpenReader,
): { readonly bytes: Uint8Array; readonly length: number } {
  const kept: Uint8Array[] = [];
  let length = 0;
  let read = 0;
  for (const { field, from, end } of fieldsOf(type, bytes, open)) {
    read = end;
    if (field?.name === name) length += 1;
    else kept.push(bytes.subarray(from, end));
  }
  // Reading ended early at a mistake, which is left to the decoder.
  kept.push(bytes.subarray(read));
  return { bytes: Buffer.concat(kept), length };
}

/** Decodes the messages of a list one after another, up to a mistake outside of them. Throws what the decoder throws for one that is none. */
export function* listOf(type: Type, bytes: Uint8Array, name: string, open: OpenReader): Generator<unknown> {
  for (const { field, start, end } of fieldsOf(type, bytes, open))
    if (field?.name === name) yield messageOf(field)?.decode(bytes.subarray(start, end));
}

interface ReadField {
  /** Undefined: the type has no such field. */
  readonly field: Field | undefined;
  /** Offsets of the field: its tag, its content, and its end. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** The fields of a message, up to the first one that cannot be read. */
function* fieldsOf(type: Type, bytes: Uint8Array, open: OpenReader): Generator<ReadField> {
  const reader = open(bytes);
  for (;;) {
    const field = nextField(type, reader);
    if (field === undefined) return;
    yield field;
  }
}

/** Undefined: there is none, or it cannot be read. Then the decoder fails at the same place, and says why. */
function nextField(type: Type, reader: Reader): ReadField | undefined {
  const from = reader.pos;
  if (from >= reader.len) return undefined;
  try {
    const tag = reader.uint32();
    const field = type.fieldsById[tag >>> 3];
    const wireType = tag & 7;
    // The decoder reads a known field as what the table says, whatever its tag says.
    const isDelimited = field !== undefined && (hasLength(field) || (field.repeated && wireType === 2));
    const length = isDelimited ? reader.uint32() : undefined;
    const start = reader.pos;
    if (length !== undefined) reader.skip(length);
    else if (field === undefined) reader.skipType(wireType);
    else readNumber(field, reader);
    return { field, from, start, end: reader.pos };
  } catch {
    return undefined;
  }
}

const FOUR_BYTES: ReadonlySet<string> = new Set(['fixed32', 'sfixed32', 'float']);
const EIGHT_BYTES: ReadonlySet<string> = new Set(['fixed64', 'sfixed64', 'double']);
const LONG: ReadonlySet<string> = new Set(['int64', 'uint64', 'sint64']);

/** Whether the content of a field begins with its length: a text, bytes, a message or an entry of a map. */
function hasLength(field: Field): boolean {
  return field.map || field.type === 'string' || field.type === 'bytes' || messageOf(field) !== undefined;
}

function readNumber({ type }: Field, reader: Reader): void {
  if (FOUR_BYTES.has(type)) reader.skip(4);
  else if (EIGHT_BYTES.has(type)) reader.skip(8);
  else if (LONG.has(type)) reader.int64();
  else reader.uint32();
}

/** Type of a field that is a message; undefined: it is none. */
function messageOf({ resolvedType }: Field): Type | undefined {
  return resolvedType !== null && 'fieldsById' in resolvedType ? resolvedType : undefined;
}

/** Whether a field is a map, or a message with maps of its own. */
function hasMaps(field: Field): boolean {
  return field.map || (messageOf(field)?.fieldsArray.some(({ map }) => map) ?? false);
}
