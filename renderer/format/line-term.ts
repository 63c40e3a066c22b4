/** Turns the place of a payload's line that a person points at into a term of the filter language. */
import { quotedValue } from '../../core/contract/filter-value.ts';
import { filterKey, jsonPositionAt } from './json-cursor.ts';

/** A place in the line of a payload, as `messages.values` gives it. */
export interface LineSpot {
  readonly line: string;
  /** Index of the character. */
  readonly at: number;
}

/** A line of bytes: no search finds them. */
const BYTES = /^[0-9a-f]{2}(?: [0-9a-f]{2})*…?$/;
/** Escapes of JSON, which a search may have in another form. */
const ESCAPE = /\\(?:u[\da-f]{4}|.)/gi;
/** Half of a character, which no address of a page holds. */
const HALF = /\p{Cs}/u;
/** A text that is searched as one word, between white space and the signs of JSON. */
const WORD = /[^\s"'`(){}[\],;:…\u2400]+/gu;

/** The value under the pointer by its path, otherwise the word there; undefined: there is nothing to search for. */
export function lineTerm({ line, at }: LineSpot): string | undefined {
  if (BYTES.test(line)) return undefined;
  // A cursor is between two letters: before the bracket that opens a value, and behind any other letter.
  const cursor = /[{[]/.test(line.charAt(at)) ? at : at + 1;
  const position = isJson(line) ? jsonPositionAt(line, cursor) : undefined;
  const key = position && filterKey(position.path);
  if (position?.scalar === undefined) return key === undefined ? wordTerm(line, at) : `${key}:*`;
  const value = valueOf(position.scalar);
  if (value === undefined) return wordTerm(line, at);
  if (typeof value === 'string') {
    if (key === undefined || HALF.test(value)) return wordTerm(line, at);
    return `${key}:${quotedValue(value)}`;
  }
  // A search has each number in one form, whichever it was written in.
  const isTooLarge = typeof value === 'number' && !Number.isFinite(value);
  if (key === undefined || isTooLarge) return quotedValue(JSON.stringify(value));
  return `${key}:${position.scalar}`;
}

/** Whether a line is JSON; of one that is cut its beginning says so. */
function isJson(line: string): boolean {
  return /^[{["]/.test(line) && (line.endsWith('…') || valueOf(line) !== undefined);
}

/** A value of JSON; undefined: it is cut. */
function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The line has only its beginning.
    return undefined;
  }
}

function wordTerm(line: string, at: number): string | undefined {
  const plain = /^[{["]/.test(line) ? line.replaceAll(ESCAPE, (escape) => ' '.repeat(escape.length)) : line;
  const words = [...plain.matchAll(WORD)];
  const [word] = words.find(({ index, 0: each }) => at >= index && at < index + each.length) ?? [];
  return word === undefined ? undefined : quotedValue(word);
}
