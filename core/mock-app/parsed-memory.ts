/** Estimates how much memory a JSON body takes once it is parsed: small values take many times their own length. */
import { mayHoldValues } from '../domain/json.ts';

/** Bytes of memory for one value of an object or a list, without its characters. */
const VALUE_MEMORY = 64;
/** Values for which room is taken together. */
const VALUES_AT_ONCE = 10_000;
/** Bodies up to this length are not looked through: what they become is little more than what counts for each request. */
const SMALL_BYTES = 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPENING_OBJECT = 0x7b;

/**
 * Takes room for the values of a body, next to that for the body itself.
 * @param take counts bytes; a text says why there is no room for them, and then the rest of the body is not looked through
 */
export function takeForValues(
  body: Uint8Array,
  take: (bytes: number) => string | undefined,
): string | undefined {
  return body.length <= SMALL_BYTES ? undefined : takeForEach(body, take);
}

/** Bytes of memory that the JSON among these contents takes next to them once it is parsed. */
export function memoryOfValuesIn(contents: Iterable<Uint8Array>): number {
  let memory = 0;
  for (const content of contents)
    takeForEach(content, (bytes) => {
      memory += bytes;
      return undefined;
    });
  return memory;
}

/** Takes room for each value of JSON. A text is one value, whatever is in it. */
function takeForEach(body: Uint8Array, take: (bytes: number) => string | undefined): string | undefined {
  if (!mayHoldValues(body)) return take(VALUE_MEMORY);
  let values = 1;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA || byte === COLON || byte === OPENING_LIST || byte === OPENING_OBJECT)
      values += 1;
    if (values < VALUES_AT_ONCE) continue;
    const noRoom = take(values * VALUE_MEMORY);
    if (noRoom !== undefined) return noRoom;
    values = 0;
  }
  return take(values * VALUE_MEMORY);
}

/** Index of the quote that ends a text, or of the end of the body. */
function endOfText(body: Uint8Array, start: number): number {
  let at = body.indexOf(QUOTE, start + 1);
  while (at !== -1 && isEscaped(body, at)) at = body.indexOf(QUOTE, at + 1);
  return at === -1 ? body.length : at;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(body: Uint8Array, at: number): boolean {
  let before = at;
  while (before > 0 && body[before - 1] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 1;
}
