/**
 * The filter that is meant by one that does not fit recent messages: a member that stands deeper in their payloads, a key of the language
 * that is also the name of a member, a number where they have a text, a part of a topic.
 */
import type { IToken } from 'chevrotain';
import { isStatusWord } from '../../contract/status-words.ts';
import type { TermKey } from './ast.ts';
import { MESSAGE_LANGUAGE } from './keys.ts';
import { nearest } from './mistakes.ts';
import { keyOf, parseFilter, writtenValue } from './parse.ts';
import { printText } from './print.ts';
import * as token from './tokens.ts';
import { takesValue } from './values.ts';

/** What recent messages had. */
export interface SeenMessages {
  /** Values of a key, the most frequent first. */
  readonly values: Readonly<Partial<Record<TermKey, readonly string[]>>>;
  /** Paths of payloads without `data.`, the most frequent first: `items[0].sku`. */
  readonly paths: readonly string[];
  /** Bodies of recent answers, in lower case. */
  readonly answers?: readonly string[];
  /** Paths at which every payload has a text, or every payload a number or a word of JSON. All others have no entry. */
  readonly kinds?: ReadonlyMap<string, SeenKind>;
}

export type SeenKind = 'text' | 'plain';

/** A term as it stands in a filter. */
interface Term {
  readonly key: IToken;
  readonly op: string;
  readonly values: readonly IToken[];
}

/** A piece of a filter with what is meant by it. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * @param isGuess the filter was made of another one, so its keys are those that are meant
 * @returns undefined: the filter fits, or it is not known what would
 */
export function withSeenMembers(filter: string, seen: SeenMessages, isGuess: boolean): string | undefined {
  const looked = new Comparable(seen);
  const pieces = termsOf(filter).flatMap((term) => piecesOf(term, filter, looked, isGuess));
  if (pieces.length === 0) return undefined;
  let meant = '';
  let at = 0;
  for (const { from, to, text } of pieces) {
    meant += filter.slice(at, from) + text;
    at = to;
  }
  meant += filter.slice(at);
  return parseFilter(meant).ok ? meant : undefined;
}

/** What recent messages had in the forms that terms are compared with, of which each is made once for all terms. */
class Comparable {
  readonly seen: SeenMessages;
  readonly #loose: readonly string[];
  readonly #lower = new Map<TermKey, readonly string[]>();

  constructor(seen: SeenMessages) {
    this.seen = seen;
    this.#loose = seen.paths.map(loose);
  }

  /** The path that is the same but for what `loose` leaves out. */
  same(wanted: string): string | undefined {
    return this.seen.paths[this.#loose.indexOf(wanted)];
  }

  /** The path that ends with another one. */
  deeper(wanted: string): string | undefined {
    const end = `.${wanted}`;
    return this.seen.paths[this.#loose.findIndex((path) => path.endsWith(end))];
  }

  /** The first value of a key of which the lower case fits. */
  valueOf(key: TermKey, fits: (lower: string) => boolean): string | undefined {
    const values = this.seen.values[key] ?? [];
    const lower = this.#lower.get(key) ?? values.map((value) => value.toLowerCase());
    this.#lower.set(key, lower);
    return values[lower.findIndex(fits)];
  }
}

function termsOf(filter: string): readonly Term[] {
  const tokens = token.tokensOf(filter, 'message');
  return tokens.flatMap((key, at) => {
    const op = tokens[at + 1];
    if (!token.isA(key, token.Key) || op === undefined) return [];
    const rest = tokens.slice(at + 2);
    const end = rest.findIndex((each) => !token.isA(each, token.Value) && !token.isA(each, token.Comma));
    const values = (end === -1 ? rest : rest.slice(0, end)).filter((each) => token.isA(each, token.Value));
    return values.length === 0 ? [] : [{ key, op: op.image, values }];
  });
}

function piecesOf(term: Term, filter: string, looked: Comparable, isGuess: boolean): readonly Piece[] {
  const { key, op, values } = term;
  const { kinds } = looked.seen;
  const name = keyOf(key);
  if (name === 'data') {
    const asked = key.image.replace(/^data\.?/, '');
    const member = memberOf(asked, looked);
    return [...keyPiece(term, member), ...kindPieces(term, kinds?.get(member ?? asked))];
  }
  if (name === undefined || name !== key.image) return [];
  const known = values.flatMap((value) => knownValue(name, value, looked));
  if (known.length > 0) return /[<>]/.test(op) ? [] : known;
  const member = isGuess ? undefined : memberOfKey(name, term, filter, looked);
  return [...keyPiece(term, member), ...kindPieces(term, kinds?.get(member ?? ''))];
}

function keyPiece({ key }: Term, member: string | undefined): readonly Piece[] {
  if (member === undefined) return [];
  const text = member.startsWith('[') ? `data${member}` : `data.${member}`;
  return [{ from: key.startOffset, to: key.startOffset + key.image.length, text }];
}

function valuePiece({ startOffset, image }: IToken, text: string): readonly Piece[] {
  return [{ from: startOffset, to: startOffset + image.length, text }];
}

/** A path without the letter case and the indices, in which people err. */
function loose(path: string): string {
  return path.toLowerCase().replaceAll(/\[\d+\]/g, '');
}

/** The path of payloads that is meant by another one: in another case, without an index, deeper, or mistyped. */
function memberOf(asked: string, looked: Comparable): string | undefined {
  const { paths } = looked.seen;
  if (paths.includes(asked.replaceAll(/\[\d+\]/g, '[0]'))) return undefined;
  const wanted = loose(asked);
  return looked.same(wanted) ?? looked.deeper(wanted) ?? nearest(asked, paths);
}

/** The member of payloads that has the name of this key and may have the value; undefined: the key itself is meant, or there is none. */
function memberOfKey(
  name: TermKey,
  { op, values }: Term,
  filter: string,
  looked: Comparable,
): string | undefined {
  const spec = MESSAGE_LANGUAGE[name];
  const [first, last] = [values[0], values.at(-1)];
  if (spec === undefined || first === undefined || last === undefined) return undefined;
  if (takesValue(spec, op, filter.slice(first.startOffset, last.startOffset + last.image.length))) {
    const isFree = spec.reads === 'text' || spec.reads === 'answer';
    if (!isFree || values.some((value) => mayBeValueOf(name, value, looked.seen))) return undefined;
  }
  return looked.same(name) ?? looked.deeper(name);
}

/** Whether messages may have this value: it was seen, or belongs to the words of the key. */
function mayBeValueOf(key: TermKey, value: IToken, { values }: SeenMessages): boolean {
  const { text, quoted } = writtenValue(value);
  if (!quoted && text.includes('*')) return true;
  const { status } = MESSAGE_LANGUAGE;
  if (key === 'answer')
    return isStatusWord(text.toUpperCase()) || (status !== undefined && takesValue(status, ':', text));
  return values[key]?.includes(text) ?? false;
}

/** The value that recent messages had in place of one that none of them had: in another case, the whole of a part, or mistyped. */
function knownValue(key: TermKey, value: IToken, looked: Comparable): readonly Piece[] {
  const { text, quoted } = writtenValue(value);
  const known = looked.seen.values[key] ?? [];
  if (text === '' || known.includes(text) || (!quoted && text.includes('*'))) return [];
  const lower = text.toLowerCase();
  const meant =
    looked.valueOf(key, (each) => each === lower) ??
    (lower.length < MIN_PART_LENGTH ? undefined : looked.valueOf(key, (each) => each.includes(lower))) ??
    nearest(text, known);
  return meant === undefined ? [] : valuePiece(value, printText(meant));
}

/** Fewest letters of a value by which the whole is guessed. */
const MIN_PART_LENGTH = 3;

/** A number or a word of JSON. */
const PLAIN = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)$/i;

/** The values as payloads have them: in quotes where they have a text, without them where they have a number. */
function kindPieces({ op, values }: Term, kind: SeenKind | undefined): readonly Piece[] {
  if (kind === undefined || /[<>]/.test(op)) return [];
  return values.flatMap((value) => {
    const { text, quoted } = writtenValue(value);
    if (quoted !== (kind === 'plain') || !PLAIN.test(text)) return [];
    return valuePiece(value, quoted ? text : `"${text}"`);
  });
}
