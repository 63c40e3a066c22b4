/**
 * Completions of the filter field at the cursor: keys at the start of a word, terms for a word of every day, values after a key, operators
 * after a complete term.
 */
import type { IToken } from 'chevrotain';
import { TERM_KEYS } from './ast.ts';
import { findsOf, termsFor } from './everyday.ts';
import { MESSAGE_LANGUAGE } from './keys.ts';
import { keyOf, writtenValue } from './parse.ts';
import { printText } from './print.ts';
import type { SeenMessages } from './seen-members.ts';
import * as token from './tokens.ts';

/** Values that recent messages had; of a key 20 are used. Keys with fixed values need none. */
export interface CompletionSources extends SeenMessages {
  /** Keys of publish metadata. */
  readonly metaKeys: readonly string[];
}

export interface CompletionItem {
  readonly label: string;
  /** Text that replaces the characters from `from` to the cursor. */
  readonly insert: string;
  /** Index of the first replaced character, from 0. */
  readonly from: number;
  /** One line that explains the completion; "" = none. */
  readonly detail: string;
}

const MAX_VALUES = 20;
const MAX_ITEMS = 50;

const VALUE_DETAILS: Readonly<Record<string, string>> = { '*': 'any value', none: 'no subscription' };

const OPERATORS = [
  { label: 'AND', insert: 'AND ', detail: 'both sides', needsLeft: true },
  { label: 'OR', insert: 'OR ', detail: 'one side or both', needsLeft: true },
  { label: 'NOT', insert: 'NOT ', detail: 'what follows is false', needsLeft: false },
  { label: '(', insert: '(', detail: 'a group', needsLeft: false },
];

/**
 * Completions at the cursor.
 * @param cursor index from 0; only the text before it counts
 */
export function completeFilter(text: string, cursor: number, sources: CompletionSources): CompletionItem[] {
  const before = text.slice(0, cursor);
  const tokens = token.tokensOf(before, 'message');
  const values = valueAt(tokens, before.length);
  if (values !== undefined) return completeValue(values, before.length, sources);
  const last = tokens.at(-1);
  const touches = last !== undefined && last.startOffset + last.image.length === before.length;
  if (touches && (isQuoted(last) || token.isA(last, token.UnknownKey))) return [];
  const isWord = touches && (token.isA(last, token.Text) || isOperatorWord(last));
  // A "-" at the end is a word only because nothing follows it yet.
  const isMinus = isWord && last.image === '-';
  const typed = isWord && !isMinus ? last.image : '';
  const operand = isWord ? tokens.at(-2) : last;
  const hasLeft =
    !isMinus && [token.Text, token.Value, token.RParen].some((type) => token.isA(operand, type));
  const from = before.length - typed.length;
  const operators = OPERATORS.filter(
    ({ label, needsLeft }) => (hasLeft || !needsLeft) && startsLike(label, typed),
  ).map(({ label, insert, detail }) => ({ label, insert, from, detail }));
  const keys = [...keyItems(typed, from, sources), ...termItems(typed, from)];
  return (hasLeft && typed === '' ? [...operators, ...keys] : [...keys, ...operators]).slice(0, MAX_ITEMS);
}

/** The term whose value is being written. */
interface ValueAt {
  readonly key: IToken;
  readonly op: IToken;
  /** Values of the term before the one at the cursor. */
  readonly chosen: readonly string[];
  /** The value at the cursor, as far as it is written. */
  readonly typed: string;
  readonly from: number;
}

function valueAt(tokens: readonly IToken[], end: number): ValueAt | undefined {
  const at = tokens.findLastIndex((each) => token.isA(each, token.Key));
  const key = tokens[at];
  const op = tokens[at + 1];
  const last = tokens.at(-1);
  if (key === undefined || op === undefined || last === undefined) return undefined;
  if (last.startOffset + last.image.length !== end) return undefined;
  const rest = tokens.slice(at + 2);
  if (!rest.every(isPartOfList)) return undefined;
  const isWriting = !token.isA(last, token.Comma) && rest.length > 0;
  const values = rest.filter((each) => !token.isA(each, token.Comma)).map((each) => textOf(each));
  const typed = isWriting ? (values.pop() ?? '') : '';
  return { key, op, chosen: values, typed, from: isWriting ? last.startOffset : end };
}

function isPartOfList(each: IToken): boolean {
  return [token.Value, token.Comma, token.OpenQuote].some((type) => token.isA(each, type));
}

function textOf(each: IToken): string {
  return token.isA(each, token.OpenQuote) ? each.image.slice(1) : writtenValue(each).text;
}

function completeValue(at: ValueAt, end: number, sources: CompletionSources): CompletionItem[] {
  const key = keyOf(at.key);
  const spec = key === undefined ? undefined : MESSAGE_LANGUAGE[key];
  if (key === undefined || spec === undefined) return [];
  const seen = (sources.values[key] ?? []).slice(0, MAX_VALUES);
  const words = spec.words ?? [];
  const isMeasure = ['number', 'status', 'size', 'duration', 'moment'].includes(spec.reads);
  if (isMeasure && at.chosen.length === 0) return measureItems(at, words);
  const offered = [...new Set([...(spec.reads === 'text' ? seen : []), ...words, ...seen])];
  return matching(offered, at.typed)
    .filter((value) => !at.chosen.includes(value) && !/^[<>=]/.test(value))
    .slice(0, Math.max(MAX_VALUES, words.length))
    .map((value) => ({
      label: value,
      insert: words.includes(value) ? value : printText(value),
      from: Math.min(at.from, end),
      detail: VALUE_DETAILS[value] ?? '',
    }));
}

/** Examples of a comparison, each with operator and value. */
function measureItems({ op, typed }: ValueAt, words: readonly string[]): CompletionItem[] {
  const written = op.image.replace(':', '') + typed;
  return matching(words, written).map((word) => ({
    label: word,
    insert: `:${word}`,
    from: op.startOffset,
    detail: '',
  }));
}

function keyItems(typed: string, from: number, sources: CompletionSources): CompletionItem[] {
  const paths = sources.paths.map((path) => (path.startsWith('[') ? `data${path}` : `data.${path}`));
  const metaKeys = sources.metaKeys.map((key) => `meta.${key}`);
  const items = Object.entries(MESSAGE_LANGUAGE).flatMap(([key, spec]) => {
    if (spec.reads !== 'data' && spec.reads !== 'meta') return [{ label: key, insert: `${key}:`, spec }];
    const within = spec.reads === 'data' ? paths : metaKeys;
    // Before the dot only the key itself is offered, because a payload may have hundreds of paths.
    if (typed.length > key.length) {
      return within.filter(canBeWritten).map((label) => ({ label, insert: `${label}:`, spec }));
    }
    return [{ label: `${key}.`, insert: `${key}.`, spec }];
  });
  return items
    .filter(({ label }) => startsLike(label, typed))
    .map(({ label, insert, spec }) => ({ label, insert, from, detail: spec.meaning }));
}

/** Terms that a word of every day stands for: `500`, `parked`, `errors`. */
function termItems(typed: string, from: number): CompletionItem[] {
  return termsFor(typed).map((term) => {
    const [name] = term.split(':', 1);
    const key = TERM_KEYS.find((each) => each === name);
    const detail = findsOf(term) ?? (key && MESSAGE_LANGUAGE[key]?.meaning) ?? '';
    return { label: term, insert: term, from, detail };
  });
}

/** Whether the language can write a path. A member name may have characters that it cannot. */
function canBeWritten(path: string): boolean {
  const [key] = token.tokensOf(`${path}:`, 'message');
  return key !== undefined && token.isA(key, token.Key) && key.image === path;
}

/**
 * Values that begin with the typed text, then values that contain it. A single letter is not searched inside
 * values, because nearly all have it.
 */
function matching(values: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const others =
    wanted.length < 2
      ? []
      : values.filter((value) => !startsLike(value, typed) && value.toLowerCase().includes(wanted));
  return [...values.filter((value) => startsLike(value, typed)), ...others];
}

function startsLike(value: string, typed: string): boolean {
  return value.toLowerCase().startsWith(typed.toLowerCase());
}

function isOperatorWord(each: IToken): boolean {
  return [token.And, token.Or, token.Not].some((type) => token.isA(each, type));
}

function isQuoted(each: IToken): boolean {
  return each.image.startsWith('"');
}
