/**
 * Tokens of the filter language. Different characters end a word inside a term and outside, so the lexer has
 * modes.
 */
import { createToken, Lexer } from 'chevrotain';
import type { IToken, TokenType } from 'chevrotain';
import { LOG_LANGUAGE, MESSAGE_LANGUAGE } from './keys.ts';
import type { Language } from './keys.ts';

/** Lookahead that ends a term: the next character is not part of it. */
const TERM_ENDS = '(?![^\\s()])';
const COMPARE = '(?:!=|>=|<=|=|>|<)';
const QUOTED = '"(?:\\\\["\\\\]|\\\\(?!["\\\\])|[^"\\\\])*';
/** A member name in a path, without characters that end a key, a path step or a word. */
const SEGMENT = '(?:[^\\s"().\\[\\]:=<>!]|!(?!=))+';
const STEP = `(?:\\.${SEGMENT}|\\[\\d{1,9}\\])`;

const Space = createToken({ name: 'Space', pattern: /\s+/, group: Lexer.SKIPPED });
export const LParen = createToken({ name: 'LParen', pattern: /\(/ });
export const RParen = createToken({ name: 'RParen', pattern: /\)/ });
export const Or = createToken({ name: 'Or', pattern: operator('OR') });
export const And = createToken({ name: 'And', pattern: operator('AND') });
export const Not = createToken({ name: 'Not', pattern: operator('NOT') });
/** Negation: only in front of what it can negate, and only once; a second `-` belongs to the word. */
export const Minus = createToken({ name: 'Minus', pattern: /(?<!-)-(?=[^\s)])/ });

/** Free text. */
export const Text = createToken({ name: 'Text', pattern: Lexer.NA });
const TextQuoted = createToken({ name: 'TextQuoted', pattern: new RegExp(`${QUOTED}"`), categories: Text });
const TextWord = createToken({ name: 'TextWord', pattern: /[^\s"()]+/, categories: Text });

/** A word with a colon whose key is unknown. */
export const UnknownKey = createToken({ name: 'UnknownKey', pattern: /[^\s"():]*:[^\s"()]*/ });
/** An opening quote without a closing one, up to the end. */
export const OpenQuote = createToken({ name: 'OpenQuote', pattern: new RegExp(QUOTED) });

export const Key = createToken({ name: 'Key', pattern: Lexer.NA });
const MessageKey = keyToken('MessageKey', MESSAGE_LANGUAGE);
const LogKey = keyToken('LogKey', LOG_LANGUAGE);

/** `:` in front of a list. */
export const ListOp = createToken({ name: 'ListOp', pattern: Lexer.NA });
/** A comparison such as `=`, with or without a colon, in front of one value. */
export const CompareOp = createToken({ name: 'CompareOp', pattern: Lexer.NA });
const operators = [
  ending('CompareEmpty', `:?${COMPARE}`, CompareOp),
  leading('Compare', `:?${COMPARE}`, CompareOp, 'single'),
  ending('ColonEmpty', ':', ListOp),
  leading('Colon', ':', ListOp, 'list'),
];

export const Value = createToken({ name: 'Value', pattern: Lexer.NA });
export const Comma = createToken({ name: 'Comma', pattern: Lexer.NA });
const OpenQuoteInTerm = createToken({
  name: 'OpenQuoteInTerm',
  pattern: new RegExp(QUOTED),
  categories: OpenQuote,
  pop_mode: true,
});
const LastQuoted = createToken({
  name: 'LastQuoted',
  pattern: new RegExp(`${QUOTED}"`),
  categories: Value,
  pop_mode: true,
});
const listTokens = [
  createToken({ name: 'QuotedBeforeComma', pattern: new RegExp(`${QUOTED}"(?=,)`), categories: Value }),
  LastQuoted,
  OpenQuoteInTerm,
  createToken({ name: 'LastComma', pattern: new RegExp(`,${TERM_ENDS}`), categories: Comma, pop_mode: true }),
  createToken({ name: 'InnerComma', pattern: /,/, categories: Comma }),
  createToken({ name: 'WordBeforeComma', pattern: /[^\s"(),]+(?=,)/, categories: Value }),
  createToken({ name: 'LastWord', pattern: /[^\s"(),]+/, categories: Value, pop_mode: true }),
];
const singleTokens = [
  LastQuoted,
  OpenQuoteInTerm,
  createToken({ name: 'OnlyWord', pattern: /[^\s"()]+/, categories: Value, pop_mode: true }),
];

const CATEGORIES = [Text, OpenQuote, Key, ListOp, CompareOp, Value, Comma];

/** All token types that the grammar uses, of both languages. */
export const VOCABULARY: TokenType[] = [
  ...new Set([
    ...CATEGORIES,
    ...queryTokens(MessageKey),
    LogKey,
    ...operators,
    ...listTokens,
    ...singleTokens,
  ]),
];

/** The lexers, each built for the first text of its language. */
const lexers: { message?: Lexer; log?: Lexer } = {};

/** Cuts a text into tokens. Every text can be cut; the grammar finds the mistakes. */
export function tokensOf(text: string, language: 'message' | 'log'): IToken[] {
  const lexer = (lexers[language] ??= lexerOf(language === 'message' ? MessageKey : LogKey));
  return lexer.tokenize(text).tokens;
}

/** Whether the token has that type or category. */
export function isA(token: IToken | undefined, type: TokenType): boolean {
  if (token === undefined) return false;
  return token.tokenType === type || (token.tokenType.CATEGORIES?.includes(type) ?? false);
}

/** Steps of the path of a `data…` key: member names and indices. */
export function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(new RegExp(`\\.(${SEGMENT})|\\[(\\d+)\\]`, 'g'))].map(([, name, index]) =>
    name === undefined ? Number(index) : name,
  );
}

function operator(word: string): RegExp {
  return new RegExp(`${word}(?![^\\s()"])`);
}

function keyToken(name: string, language: Language): TokenType {
  const names = Object.entries(language).map(([key, { reads }]) => {
    if (reads === 'data') return `${key}${STEP}+`;
    if (reads === 'meta') return `${key}\\.(?:[^\\s"():=<>!]|!(?!=))+`;
    return key;
  });
  return createToken({
    name,
    pattern: new RegExp(`(?:${names.join('|')})(?=:|${COMPARE})`),
    categories: Key,
    push_mode: 'operator',
  });
}

function ending(name: string, pattern: string, categories: TokenType): TokenType {
  return createToken({ name, pattern: new RegExp(pattern + TERM_ENDS), categories, pop_mode: true });
}

function leading(name: string, pattern: string, categories: TokenType, push_mode: string): TokenType {
  return createToken({ name, pattern: new RegExp(pattern), categories, pop_mode: true, push_mode });
}

function queryTokens(key: TokenType): TokenType[] {
  return [Space, LParen, RParen, TextQuoted, OpenQuote, Or, And, Not, Minus, key, UnknownKey, TextWord];
}

function lexerOf(key: TokenType): Lexer {
  return new Lexer(
    {
      modes: { query: queryTokens(key), operator: operators, list: listTokens, single: singleTokens },
      defaultMode: 'query',
    },
    // Filters are short and have one line, so tables of first characters and line counts do not pay.
    { positionTracking: 'onlyOffset', safeMode: true },
  );
}
