/** JSON as the interface reads it: the first value counts, text after it is ignored, digits are never lost. */

import { endOfNested, endOfString, skipSpace } from '../contract/json-scan.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface FirstValue {
  readonly value: unknown;
  /** The value's own text, without what stood around it. */
  readonly text: string;
  /** Something other than white space stood after the value. */
  readonly trailing: boolean;
}

/** Deeper than this is "not JSON": what reads the text later must not run out of stack. */
const MAX_DEPTH = 1000;

/** Depth of an event whose data is as deep as data may be. */
export const EVENT_DEPTH = MAX_DEPTH + 1;

/** The first JSON value of a text; undefined: there is none, or it is broken, cut off or nested deeper than `deepest`. */
export function firstValue(text: string, deepest: number = MAX_DEPTH): FirstValue | undefined {
  if (nestsTooDeep(text, deepest)) return undefined;
  const whole = tryParse(text);
  if (whole !== undefined) return { value: whole.value, text: text.trim(), trailing: false };
  const start = skipSpace(text, 0);
  const end = endOfFirst(text, start);
  if (end === undefined) return undefined;
  const slice = text.slice(start, end);
  const first = tryParse(slice);
  if (first === undefined) return undefined;
  return { value: first.value, text: slice, trailing: skipSpace(text, end) < text.length };
}

/** Parsed JSON, or undefined. The whole text must be one value. */
export function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // The only thing JSON.parse throws is "not JSON", which is this function's answer.
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member under its exact name, else under the same letters in another case; the last one where several are there. */
export function memberInAnyCase(
  of: JsonObject,
  name: string,
): { readonly name: string; readonly value: unknown } | undefined {
  if (Object.hasOwn(of, name)) return { name, value: of[name] };
  const lower = name.toLowerCase();
  let found: { name: string; value: unknown } | undefined;
  for (const key of Object.keys(of)) {
    if (key.toLowerCase() === lower) found = { name: key, value: of[key] };
  }
  return found;
}

function nestsTooDeep(text: string, deepest: number): boolean {
  if (text.length <= deepest || hasFewBrackets(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const after = endOfString(text, at);
      if (after === undefined) return false;
      at = after - 1;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** No more opening brackets than the depth allows: the search for them is far quicker than a look at each character. */
function hasFewBrackets(text: string): boolean {
  let found = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++found > MAX_DEPTH) return false;
    }
  }
  return true;
}

/** Index after the value that begins at `start`; undefined: it does not end. Whether the inside is well-formed is for the parser. */
function endOfFirst(text: string, start: number): number | undefined {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === '{' || first === '[') return endOfNested(text, start);
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, start)) return start + word.length;
  return endOfNumber(text, start);
}

const INTEGER = /-?(?:0|[1-9][0-9]*)/y;
const FRACTION = /\.[0-9]+/y;
const EXPONENT = /[eE][+-]?[0-9]+/y;

/** A number ends where its grammar ends (`12abc` is 12), but a dot or an `e` directly after digits has to go on properly. */
function endOfNumber(text: string, start: number): number | undefined {
  let at = matchAt(INTEGER, text, start);
  if (at === undefined) return undefined;
  if (text[at] === '.') {
    at = matchAt(FRACTION, text, at);
    if (at === undefined) return undefined;
  }
  if (text[at] === 'e' || text[at] === 'E') at = matchAt(EXPONENT, text, at);
  return at;
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
