/**
 * Turns filter text into a filter, or into the position of its first mistake. It is the only parser of the
 * language.
 */
import type { IToken } from 'chevrotain';
import { COMPARISONS, EMPTY_FILTER, TERM_KEYS } from './ast.ts';
import type { Comparison, FilterError, FilterNode, ParsedFilter, TermKey } from './ast.ts';
import { isAnyText, valueOfWord } from './everyday.ts';
import { readQuery } from './grammar.ts';
import type { RawNode } from './grammar.ts';
import { LOG_LANGUAGE, MESSAGE_LANGUAGE } from './keys.ts';
import type { KeySpec, Language } from './keys.ts';
import {
  expected,
  nearest,
  nothingBeside,
  openParenthesis,
  openQuote,
  strayParenthesis,
  tooDeep,
  tooLong,
  tooMany,
  unknownKey,
  unreadablePath,
  wrongTerm,
} from './mistakes.ts';
import { isMeantByValue, keyOfOtherName, partsOf, termOfOtherKey } from './other-keys.ts';
import * as token from './tokens.ts';
import { comparisonsOf, readValue, textValue } from './values.ts';
import type { WrittenValue } from './values.ts';

/** Longest filter that is read, in characters. */
export const MAX_FILTER_LENGTH = 10_000;
/** Maximum number of parentheses and negations inside each other, because later code walks the tree recursively. */
const MAX_DEPTH = 100;

/** Maximum number of values and words of one filter. */
const MAX_VALUES = 1000;
/** Maximum number of values that are searched in each message's payload: free text, and values of `data`, `meta`, `source` and `error`. */
const MAX_SEARCHES = 50;

const LANGUAGES: Readonly<Record<'message' | 'log', Language>> = {
  message: MESSAGE_LANGUAGE,
  log: LOG_LANGUAGE,
};

/** Reads a filter of messages. It never throws. */
export function parseFilter(text: string): ParsedFilter {
  return parseIn('message', text);
}

/** The text of a quoted or bare word. */
export function writtenValue({ image }: IToken): WrittenValue {
  if (!image.startsWith('"')) return { text: image, quoted: false };
  return { text: image.slice(1, -1).replaceAll(/\\(["\\])/g, '$1'), quoted: true };
}

/** Key of the term that a token begins. */
export function keyOf({ image }: IToken): TermKey | undefined {
  const [name] = image.split(/[.[]/, 1);
  return TERM_KEYS.find((key) => key === name);
}

class Mistake extends Error {
  readonly error: FilterError;
  constructor(error: FilterError) {
    super(error.message);
    this.error = error;
  }
}

/** Reads a filter in one of the two languages. It never throws. */
export function parseIn(name: 'message' | 'log', text: string): ParsedFilter {
  if (text.length > MAX_FILTER_LENGTH) return { ok: false, error: tooLong(text.length, MAX_FILTER_LENGTH) };
  const tokens = token.tokensOf(text, name);
  if (tokens.length === 0) return { ok: true, filter: EMPTY_FILTER };
  const language = LANGUAGES[name];
  const deep = firstTooDeep(tokens);
  if (deep !== undefined) {
    return { ok: false, error: tooDeep(deep.startOffset, deep.image.length, MAX_DEPTH) };
  }
  const many = firstTooMany(tokens);
  if (many !== undefined) return { ok: false, error: many };
  const query = readQuery(tokens);
  if (!query.ok) return { ok: false, error: explain(text, tokens, query.stoppedAt, language) };
  try {
    return { ok: true, filter: { isEmpty: false, root: meant(query.root, text, language) } };
  } catch (error) {
    if (error instanceof Mistake) return { ok: false, error: error.error };
    throw error;
  }
}

/**
 * The first value beyond the limits. Each value costs time for each message, and those that search the
 * payload cost time by its length.
 */
function firstTooMany(tokens: readonly IToken[]): FilterError | undefined {
  let values = 0;
  let searches = 0;
  let isSearch = false;
  for (const each of tokens) {
    if (token.isA(each, token.Key)) isSearch = SEARCHING_KEYS.has(keyOf(each));
    const isText = token.isA(each, token.Text);
    if (!isText && !token.isA(each, token.Value)) continue;
    const { startOffset, image } = each;
    if (++values > MAX_VALUES) return tooMany(startOffset, image.length, MAX_VALUES, 'values');
    if ((isText || isSearch) && ++searches > MAX_SEARCHES)
      return tooMany(startOffset, image.length, MAX_SEARCHES, 'words and values to search payloads for');
  }
  return undefined;
}

const SEARCHING_KEYS: ReadonlySet<TermKey | undefined> = new Set(['data', 'error', 'source', 'meta']);

function firstTooDeep(tokens: readonly IToken[]): IToken | undefined {
  let open = 0;
  let negations = 0;
  for (const each of tokens) {
    const negates = token.isA(each, token.Not) || token.isA(each, token.Minus);
    negations = negates ? negations + 1 : 0;
    if (token.isA(each, token.LParen)) open++;
    if (token.isA(each, token.RParen)) open--;
    if (open + negations > MAX_DEPTH) return each;
  }
  return undefined;
}

/** Explains why the grammar stopped at a token, from the token and the one before. */
function explain(
  text: string,
  tokens: readonly IToken[],
  stoppedAt: number,
  language: Language,
): FilterError {
  const here = tokens[stoppedAt];
  const before = tokens[stoppedAt - 1];
  if (before !== undefined && expectsValue(before)) return missingValue(text, tokens, stoppedAt, language);
  if (here !== undefined && token.isA(here, token.UnknownKey)) return explainKey(here, language);
  if (here !== undefined && token.isA(here, token.OpenQuote)) return openQuote(here.startOffset);
  if (before !== undefined && isOperator(before)) {
    return nothingBeside(before.image, before.startOffset, 'right', here?.image ?? '');
  }
  if (here === undefined) return openParenthesis(lastOpen(tokens)?.startOffset ?? text.length);
  if (token.isA(here, token.And) || token.isA(here, token.Or)) {
    return nothingBeside(here.image, here.startOffset, 'left', before?.image ?? '');
  }
  if (token.isA(before, token.LParen)) {
    return expected({ expected: 'a term', after: '(', start: here.startOffset, found: here.image });
  }
  if (token.isA(here, token.RParen)) return strayParenthesis(here.startOffset);
  return expected({
    expected: 'a term',
    after: before?.image ?? '',
    start: here.startOffset,
    found: here.image,
  });
}

function isOperator(each: IToken): boolean {
  return [token.Or, token.And, token.Not, token.Minus].some((type) => token.isA(each, type));
}

function expectsValue(each: IToken): boolean {
  return [token.ListOp, token.CompareOp, token.Comma].some((type) => token.isA(each, type));
}

function missingValue(
  text: string,
  tokens: readonly IToken[],
  stoppedAt: number,
  language: Language,
): FilterError {
  const key = tokens.slice(0, stoppedAt).findLast((each) => token.isA(each, token.Key));
  const before = tokens[stoppedAt - 1];
  const here = tokens[stoppedAt];
  const start = before === undefined ? 0 : before.startOffset + before.image.length;
  const stands = here?.startOffset === start ? here : undefined;
  if (stands !== undefined && token.isA(stands, token.OpenQuote)) return openQuote(start);
  return expected({
    expected: key === undefined ? 'a value' : specOf(key, language).expects,
    after: text.slice(key?.startOffset ?? 0, start),
    start,
    found: stands?.image ?? '',
  });
}

function explainKey({ image, startOffset }: IToken, language: Language): FilterError {
  const key = image.slice(0, image.indexOf(':'));
  const [name = ''] = key.split(/[.[]/, 1);
  const rest = key.slice(name.length);
  if (rest !== '' && (name === 'data' || name === 'meta') && name in language) {
    return unreadablePath(key, startOffset, PATH_EXAMPLES[name]);
  }
  const parts = 'data' in language ? partsOf(image) : undefined;
  const term = parts && termOfOtherKey(parts);
  if (term !== undefined) return wrongTerm(image, startOffset, key, term);
  // The value may stand apart, after a space or in quotes, so that the term is not known here.
  const other = parts && keyOfOtherName(name, rest);
  if (parts?.value === '') {
    if (other !== undefined) return unknownKey(image, startOffset, key, other);
    if (isMeantByValue(name, rest)) return unknownKey(image, startOffset, key);
  }
  // Another name of a key, whose value that key does not take, is no mistyped key.
  const close = other === undefined ? nearest(name, Object.keys(language)) : undefined;
  if (close === undefined) return unknownKey(image, startOffset, key, inPayload(image, key, language));
  const hasPath = close === 'data' || close === 'meta';
  if (!hasPath) return unknownKey(image, startOffset, key, rest === '' ? close : undefined);
  // Without a path nobody mistyped "data": the word is a member of a payload.
  if (rest === '' && close === name) {
    const value = parts?.value ?? '';
    const searched = close === 'data' && !isAnyText(value) ? value : undefined;
    return unreadablePath(key, startOffset, PATH_EXAMPLES[close], searched);
  }
  if (rest === '') return unknownKey(image, startOffset, key, inPayload(image, key, language));
  return unknownKey(image, startOffset, key, close + rest);
}

const PATH_EXAMPLES = { data: 'data.items[0].sku', meta: 'meta.ttlInSeconds' } as const;

/** Form of a path into a payload that is written without its `data.`. */
const BARE_PATH = /^[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*$/;

/** The key that compares the value of a payload, for a key that can be a member of it; undefined: an address such as http://x, or no path. */
function inPayload(word: string, key: string, language: Language): string | undefined {
  const isAddress = word.startsWith(`${key}://`);
  return 'data' in language && !isAddress && BARE_PATH.test(key) ? `data.${key}` : undefined;
}

function lastOpen(tokens: readonly IToken[]): IToken | undefined {
  const open: IToken[] = [];
  for (const each of tokens) {
    if (token.isA(each, token.LParen)) open.push(each);
    else if (token.isA(each, token.RParen)) open.pop();
  }
  return open.at(-1);
}

function meant(raw: RawNode, text: string, language: Language): FilterNode {
  switch (raw.kind) {
    case 'and':
    case 'or':
      return { kind: raw.kind, nodes: raw.nodes.map((node) => meant(node, text, language)) };
    case 'not':
      return { kind: 'not', node: meant(raw.node, text, language) };
    case 'text':
      return { kind: 'text', value: textValue(writtenValue(raw.token)) };
    case 'term':
      return term(raw, text, language);
  }
}

function term(raw: Extract<RawNode, { kind: 'term' }>, text: string, language: Language): FilterNode {
  const key = keyOf(raw.key);
  if (key === undefined) throw new Error(`the lexer knows the key ${raw.key.image}, the table does not`);
  const spec = specOf(raw.key, language);
  const op = comparison(raw.key, raw.op, spec);
  const values = raw.values.map((value, at) => {
    const written = raw.values.slice(0, at).map((each) => writtenValue(each).text.toLowerCase());
    const read = readValue(spec, op, writtenValue(value));
    if (read.ok) return read.value;
    const start = value.startOffset + (read.skip ?? 0);
    throw new Mistake(
      expected({
        expected: read.expected,
        after: text.slice(raw.key.startOffset, start),
        start,
        // The quotes are left out, because the sentence sets its own.
        found: writtenValue(value).text.slice(read.skip ?? 0),
        length: value.image.length - (read.skip ?? 0),
        suggestion: unwritten(valueOfWord(key, writtenValue(value).text), written) ?? read.suggestion,
      }),
    );
  });
  const path = raw.key.image.slice(key.length);
  if (spec.reads === 'data') return { kind: 'term', key, path: token.stepsOf(path), op, values };
  if (spec.reads === 'meta') return { kind: 'term', key, path: [path.slice(1)], op, values };
  return { kind: 'term', key, op, values };
}

/** The suggested values that the list does not have yet; all of them if it has all. */
function unwritten(suggestion: string | undefined, written: readonly string[]): string | undefined {
  const rest = suggestion?.split(',').filter((value) => !written.includes(value)) ?? [];
  return rest.length === 0 ? suggestion : rest.join(',');
}

function comparison(key: IToken, op: IToken, spec: KeySpec): Comparison {
  const sign = op.image === ':' ? '=' : op.image.replace(':', '');
  const known = COMPARISONS.find((each) => each === sign);
  if (known !== undefined && comparisonsOf(spec).includes(known)) return known;
  const start = op.startOffset + op.image.length - sign.length;
  throw new Mistake(expected({ expected: '":", "=" or "!="', after: key.image, start, found: sign }));
}

function specOf(key: IToken, language: Language): KeySpec {
  const spec = language[keyOf(key) ?? 'topic'];
  if (spec === undefined) throw new Error(`the key ${key.image} is not of this language`);
  return spec;
}
