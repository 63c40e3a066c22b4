/**
 * Sentences that say where a filter is wrong, what stands there and what is expected. Positions count from 1.
 */
import { shortened } from '../../contract/cut-place.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { FilterError } from './ast.ts';

export { nearest } from '../../contract/nearest.ts';

/** Longest part of a filter that a sentence repeats. */
const QUOTED_LENGTH = 60;

/**
 * Mistake: an unknown key.
 * @param start index of the first character of the word
 * @param key text before its colon
 */
export function unknownKey(word: string, start: number, key: string, suggestion?: string): FilterError {
  const at = { position: start + 1, length: Math.max(key.length, 1), found: key, expected: 'a known key' };
  const inQuotes = `To search the text, write ${quoted(searchable(word, key))} in quotes.`;
  if (key === '')
    return { ...at, found: ':', message: `Expected a key before ":" at ${start + 1}. ${inQuotes}` };
  const says = `Unknown key ${quoted(key)} at ${span(start, key.length)}.`;
  // Whether payloads have such a member is not known here, so both readings are named, and neither is called the one that is meant.
  if (suggestion === `data.${key}`)
    return { ...at, suggestion, message: `${says}${ofMember(suggestion)} ${inQuotes}` };
  if (suggestion !== undefined) return { ...at, suggestion, message: says + guessOf(suggestion) };
  return { ...at, message: `${says} ${inQuotes}` };
}

/**
 * Mistake: a term with a key that the language does not have, of which it is known what is meant.
 * @param term the term that is meant
 */
export function wrongTerm(word: string, start: number, key: string, term: string): FilterError {
  return {
    position: start + 1,
    length: word.length,
    found: word,
    expected: 'a known key',
    suggestion: term,
    message: `Unknown key ${quoted(key)} at ${span(start, key.length)}.${guessOf(term)}`,
  };
}

/**
 * Mistake: a `data` or `meta` key whose path cannot be read.
 * @param searched text that would be searched in the whole message instead; undefined, "": none
 */
export function unreadablePath(key: string, start: number, example: string, searched = ''): FilterError {
  const instead = searched === '' ? '' : ` To search the text, write ${quoted(searched)} alone.`;
  return {
    position: start + 1,
    length: key.length,
    found: key,
    expected: `a path like ${quoted(example)}`,
    message: `Unknown key ${quoted(key)} at ${span(start, key.length)}. Expected a path like ${quoted(example)}.${instead}`,
  };
}

/** A mistake without its suggestion, where something else is suggested for the whole filter. */
export function withoutGuess({ suggestion, message, ...rest }: FilterError): FilterError {
  if (suggestion === undefined) return { ...rest, message };
  const without = message.replace(guessOf(suggestion), '').replace(ofMember(suggestion), '');
  // The guess of a value stands behind its key, at the end.
  return { ...rest, message: without === message ? message.replace(/ Did you mean ".*"\?$/s, '') : without };
}

/**
 * A mistake whose sentence ends with the whole filter that is meant.
 * @param isOfMember it is meant only if payloads have a member of that name, which is not known
 */
export function withGuess(error: FilterError, meant: string, isOfMember: boolean): FilterError {
  if (isOfMember) return { ...error, message: error.message + ofMember(meant, WHOLE_LENGTH) };
  const isOneText = /^"[^"]*"$/.test(meant);
  const said = isOneText ? guessOf(meant) : ` Did you mean "${shortened(meant, WHOLE_LENGTH)}"?`;
  return { ...error, message: error.message + said };
}

/** Characters of a whole filter in a sentence: it is to be copied from there. */
const WHOLE_LENGTH = 300;

/** What to write where a member of payloads is meant. */
function ofMember(filter: string, most = QUOTED_LENGTH): string {
  return ` For a member of the payload, write "${shortened(filter, most)}".`;
}

function guessOf(suggestion: string): string {
  if (suggestion.startsWith('"')) return ` Did you mean ${shortened(suggestion, QUOTED_LENGTH)} in quotes?`;
  return ` Did you mean ${quoted(suggestion)}?`;
}

export interface Misfit {
  /** Expected value: "a number", "a state". */
  readonly expected: string;
  /** Text before the mistake: key and operator, an opening parenthesis; "" at the very beginning. */
  readonly after: string;
  /** Index from 0. */
  readonly start: number;
  /** Text at the mistake; "" = nothing. */
  readonly found: string;
  /** Number of wrong characters, if it differs from the length of `found`. */
  readonly length?: number;
  readonly suggestion?: string | undefined;
}

export function expected({ expected: what, after, start, found, length, suggestion }: Misfit): FilterError {
  const where = after === '' ? `at ${start + 1}` : `after ${quoted(after)} at ${start + 1}`;
  const stands = found === '' ? 'nothing' : quoted(found);
  // A word alone says something else to a reader who copies it: `failed` is also a term.
  const meant = suggestion === undefined ? '' : guessOf(after + suggestion);
  return {
    position: start + 1,
    length: length ?? found.length,
    found,
    expected: what,
    ...withoutUndefined({ suggestion }),
    message: `Expected ${what} ${where}, found ${stands}.${meant}`,
  };
}

/** `found`: what is on that side instead; "" = nothing. */
export function nothingBeside(
  word: string,
  start: number,
  side: 'left' | 'right',
  found: string,
): FilterError {
  return {
    position: start + 1,
    length: word.length,
    found,
    expected: 'a term',
    message: `${quoted(word)} at ${start + 1} has nothing on its ${side}.`,
  };
}

export function openParenthesis(start: number): FilterError {
  return {
    position: start + 1,
    length: 1,
    found: '',
    expected: ')',
    message: `Closing parenthesis missing; the one at ${start + 1} is open.`,
  };
}

export function strayParenthesis(start: number): FilterError {
  return {
    position: start + 1,
    length: 1,
    found: ')',
    expected: '(',
    message: `Opening parenthesis missing; the one at ${start + 1} closes nothing.`,
  };
}

export function openQuote(start: number): FilterError {
  return {
    position: start + 1,
    length: 1,
    found: '',
    expected: '"',
    message: `Closing quote missing; the one at ${start + 1} is open.`,
  };
}

export function tooLong(length: number, most: number): FilterError {
  return {
    position: most + 1,
    length: length - most,
    found: `${length} characters`,
    expected: `at most ${most} characters`,
    message: `The filter has ${length} characters; at most ${most} are read.`,
  };
}

export function tooDeep(start: number, length: number, most: number): FilterError {
  return {
    position: start + 1,
    length,
    found: 'one level more',
    expected: `at most ${most} levels`,
    message: `Too deeply nested at ${start + 1}: at most ${most} levels are read.`,
  };
}

/** Mistake: too many values. `what` is their name: "values", "conditions on the payload". */
export function tooMany(start: number, length: number, most: number, what: string): FilterError {
  const limit = most.toLocaleString('en-US');
  return {
    position: start + 1,
    length,
    found: 'one more',
    expected: `at most ${limit} ${what}`,
    message: `Too many at ${start + 1}: a filter has at most ${limit} ${what}.`,
  };
}

function span(start: number, length: number): string {
  return length < 2 ? `${start + 1}` : `${start + 1}–${start + length}`;
}

function quoted(text: string): string {
  return `"${shortened(text, QUOTED_LENGTH)}"`;
}

/** The part of a word that a person would put into quotes: an address shortened, anything else unchanged. */
function searchable(word: string, key: string): string {
  return word.startsWith(`${key}://`) ? `${key}://…` : word;
}
