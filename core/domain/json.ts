/**
 * Reads JSON by the rules of the interface: the first value counts, text after it is ignored, and no digit is
 * lost.
 */

import { endOfNested, endOfString, skipSpace } from '../contract/json-scan.ts';
import { endOfJson } from './json-extent.ts';

export { isObject } from '../contract/is-object.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Where the first value of a text is. */
export interface FirstText {
  /** The value's text, without the white space around it. */
  readonly text: string;
  /** True if something other than white space follows the value. */
  readonly trailing: boolean;
}

export interface FirstValue extends FirstText {
  readonly value: unknown;
}

/** Depth beyond which a text counts as "not JSON", so that later readers do not exhaust the stack. */
export const MAX_DEPTH = 1000;

/** Deepest event: its data may be as deep as the limit. */
export const EVENT_DEPTH = MAX_DEPTH + 1;

/**
 * The first JSON value of a text; undefined: it is missing, broken, cut off, or nested deeper than `deepest`.
 */
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

/** What `firstValue` says of a text, without the value: nothing is parsed, which takes far longer for many names. */
export function firstText(text: string, deepest: number = MAX_DEPTH): FirstText | undefined {
  if (nestsTooDeep(text, deepest)) return undefined;
  const start = skipSpace(text, 0);
  const end = endOfJson(text, start);
  if (end === undefined) return undefined;
  return { text: text.slice(start, end), trailing: skipSpace(text, end) < text.length };
}

/** Whether a text is exactly one JSON value, of any depth. Nothing is parsed. */
export function isJson(text: string): boolean {
  const end = endOfJson(text, skipSpace(text, 0));
  return end !== undefined && skipSpace(text, end) === text.length;
}

/** Parses JSON; undefined: the text is not exactly one value. */
export function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // JSON.parse throws only for text that is not JSON, which undefined reports.
    return undefined;
  }
}

const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Whether a body may become many values once it is parsed: it begins like an object or a list. Any other is one value, whatever is in it. */
export function mayHoldValues(body: string | Uint8Array): boolean {
  const codeAt = (at: number): number | undefined =>
    typeof body === 'string' ? body.charCodeAt(at) : body[at];
  let start = 0;
  while (start < body.length && SPACES.has(codeAt(start) ?? 0)) start += 1;
  const first = codeAt(start);
  return first === 0x5b || first === 0x7b;
}

/** Most values of a call that passes a tap: millions of small ones take seconds to read, and many times the memory of their bytes. */
export const MAX_PASSING_VALUES = 400_000;

/** What the name of a member counts as: a new one takes longer to parse than three numbers. */
const NAME_VALUES = 3;

/**
 * Whether a text has more values, lists and objects than a limit, counted without a parse: by its commas, colons and opening brackets. A
 * text is one value, whatever is in it.
 */
export function hasMoreValues(text: string, most: number): boolean {
  // No JSON text has more values than characters.
  if (text.length <= most) return false;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const after = endOfString(text, at);
      if (after === undefined) return false;
      at = after - 1;
    } else {
      if (code === 0x2c || code === 0x5b || code === 0x7b) values += 1;
      else if (code === 0x3a) values += NAME_VALUES;
      if (values > most) return true;
    }
  }
  return false;
}

/** Whether a text is nested deeper than a limit. */
export function nestsTooDeep(text: string, deepest: number = MAX_DEPTH): boolean {
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

/**
 * Whether a text has no more opening brackets than the depth allows. This search is far faster than checking
 * each character.
 */
function hasFewBrackets(text: string): boolean {
  let found = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++found > MAX_DEPTH) return false;
    }
  }
  return true;
}

/**
 * Index after the value that begins at `start`; undefined: it does not end. The parser has to check the
 * inside.
 */
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

/**
 * Index after a number. It ends where its grammar ends (`12abc` is 12), but a dot or an `e` right after
 * digits has to continue correctly.
 */
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
