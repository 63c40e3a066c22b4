/**
 * Counts the entries of maps before a message is decoded. The library makes an object of a map, and one with
 * hundreds of thousands of keys takes seconds, in which it blocks the process.
 */

/** Numbers of the fields that lead to a map: `[5]`, or `[3, 4]` for field 4 of each message in field 3. */
export type MapPath = readonly number[];

const LENGTH_DELIMITED = 2;
/** Bytes of a field with a fixed length, by wire type. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [1, 8],
  [5, 4],
]);

/**
 * Number of entries of the largest of these maps. In broken bytes the entries before the mistake count; the
 * decoder reports the mistake.
 */
export function mostEntries(bytes: Uint8Array, paths: readonly MapPath[]): number {
  let most = 0;
  for (const [field, ...rest] of paths) {
    let count = 0;
    for (const { number, start, end } of fieldsOf(bytes)) {
      if (number !== field) continue;
      if (rest.length === 0) count += 1;
      else most = Math.max(most, mostEntries(bytes.subarray(start, end), [rest]));
    }
    most = Math.max(most, count);
  }
  return most;
}

/** The message without the top-level fields that these paths start with. */
export function withoutMaps(bytes: Uint8Array, paths: readonly MapPath[]): Uint8Array {
  const kept: Uint8Array[] = [];
  for (const { number, from, end } of fieldsOf(bytes))
    if (!paths.some(([field]) => field === number)) kept.push(bytes.subarray(from, end));
  return Buffer.concat(kept);
}

interface Field {
  readonly number: number;
  /** Offsets of the field: its tag, its content, and its end. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** The fields of a message, up to the first one that cannot be read. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  for (let from = 0; from < bytes.length;) {
    const tag = varint(bytes, from);
    if (tag === undefined) return;
    const type = tag.value % 8;
    const content = contentOf(bytes, tag.end, type);
    if (content === undefined || content.end > bytes.length) return;
    yield { number: Math.floor(tag.value / 8), from, ...content };
    from = content.end;
  }
}

function contentOf(
  bytes: Uint8Array,
  at: number,
  type: number,
): { readonly start: number; readonly end: number } | undefined {
  const fixed = FIXED.get(type);
  if (fixed !== undefined) return { start: at, end: at + fixed };
  if (type !== 0 && type !== LENGTH_DELIMITED) return undefined;
  const read = varint(bytes, at);
  if (read === undefined) return undefined;
  return type === 0 ? { start: at, end: read.end } : { start: read.end, end: read.end + read.value };
}

const MAX_VARINT_LENGTH = 10;

function varint(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let i = 0; i < MAX_VARINT_LENGTH; i += 1) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    value += (byte % 128) * 128 ** i;
    if (byte < 128) return { value, end: at + i + 1 };
  }
  return undefined;
}
