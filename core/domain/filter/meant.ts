/**
 * The filter that was probably meant by a text with a mistake, by one that finds nothing, or by one that leaves nothing out. It is a guess,
 * so a person is asked before it is used.
 */
import { hashedNumber } from '../message-number.ts';
import { WAITING, negated, termOfAnyWord, termOfPhrase, termOfValue, termOfWord } from './everyday.ts';
import { MESSAGE_LANGUAGE } from './keys.ts';
import { nearest, withGuess, withoutGuess } from './mistakes.ts';
import { ANSWERS, hasValue, keyOfOtherName, partsOf, termOfOtherKey } from './other-keys.ts';
import { OTHER_NAMES } from './other-names.ts';
import { ofThisLanguage } from './other-tools.ts';
import { parseFilter } from './parse.ts';
import { printText } from './print.ts';
import { withAnswers } from './seen-answers.ts';
import { withSeenMembers, type SeenMessages } from './seen-members.ts';
import * as token from './tokens.ts';
import type { FilterError, TermKey } from './ast.ts';

/** Longest text for which something else is suggested; nobody writes longer ones by hand. */
const MAX_LENGTH = 1000;

export type FilterCheck =
  | { readonly ok: true; readonly meant?: string }
  | { readonly ok: false; readonly error: FilterError; readonly meant?: string };

const NOTHING_SEEN: SeenMessages = { values: {}, paths: [] };

/**
 * Result of the method `filter.check`. The sentence of a mistake and the filter that is meant never say different things.
 * @param seen by which a member of payloads is found that the filter writes otherwise
 */
export function checkFilter(text: string, seen: SeenMessages = NOTHING_SEEN): FilterCheck {
  const parsed = parseFilter(text);
  const guess =
    asMembers(text, seen) ?? meantFilter(text) ?? (parsed.ok ? undefined : corrected(text, parsed.error));
  const meant =
    meantBeside(text, seen, guess) ??
    guess ??
    (parsed.ok
      ? (withHashes(text) ??
        withAllWaiting(text) ??
        asTopic(text, seen) ??
        withAnswers(text, seen.answers ?? []))
      : undefined);
  const found = meant === undefined ? {} : { meant };
  if (parsed.ok) return { ok: true, ...found };
  return { ok: false, error: withMeant(parsed.error, meant), ...found };
}

/** The filter that is meant beside payloads; undefined: the text or its guess fits them, or is longer than anybody writes. */
function meantBeside(text: string, seen: SeenMessages, guess: string | undefined): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  // A form that cannot be read, such as `status=paid`, may be right for a member of payloads.
  return withSeenMembers(guess ?? formOf(text), seen, guess !== undefined);
}

/** A key that may be a name of an answer. */
const PLAIN_KEY = /(?<=^|[\s(-])\w+(?=[:=]|!=)/g;

/** The filter with the members of payloads that have the name of an answer: `body:x`; undefined: payloads have none. */
function asMembers(text: string, { paths }: SeenMessages): string | undefined {
  if (text.includes('"') || text.length > MAX_LENGTH) return undefined;
  const filter = text.replaceAll(PLAIN_KEY, (name) => {
    const lower = name.toLowerCase();
    const path = ANSWERS.has(lower) ? paths.find((each) => each.toLowerCase() === lower) : undefined;
    return path === undefined ? name : `data.${path}`;
  });
  return filter !== text && parseFilter(filter).ok ? filter : undefined;
}

/** Plain digits after `id`, which are the number of a message more often than the id of an event. */
const BARE_NUMBERS = /(?<=^|[\s(-])id[:=](\d+(?:,\d+)*)(?=$|[\s)])/g;

/** The filter with `#` before each number of a message; undefined: it names none. */
function withHashes(text: string): string | undefined {
  if (text.includes('"')) return undefined;
  const alone = hashedNumber(text.trim());
  if (alone !== undefined) return `id:#${alone}`;
  const hashed = text.replaceAll(
    BARE_NUMBERS,
    (_term, numbers: string) => `id:#${numbers.replaceAll(',', ',#')}`,
  );
  return hashed === text ? undefined : hashed;
}

/** The state of what waits for its subscription, where nothing is excluded. */
const STATE_WAITING = /(?<=^|[\s(])state[:=]waiting(?=$|[\s)])/gi;

/** The filter with all that waits, for whatever: a person who finds nothing by `waiting` means more than what waits for a subscription. */
function withAllWaiting(text: string): string | undefined {
  const wider = /["-]|\bNOT\b/.test(text) ? text : text.replaceAll(STATE_WAITING, WAITING);
  return wider === text ? undefined : wider;
}

/**
 * The messages of a topic of which only the name is written. The name alone finds messages of other topics too, wherever they have it.
 * @returns undefined: no recent message had this topic
 */
function asTopic(text: string, { values }: SeenMessages): string | undefined {
  const wanted = text.trim().toLowerCase();
  const topic = values.topic?.find((each) => each.toLowerCase() === wanted);
  return topic === undefined ? undefined : `topic:${printText(topic)}`;
}

/** The sentence about a mistake, with the filter that was probably meant. */
export function mistakeText(text: string, error: FilterError): string {
  return mistakeIn(text, error).message;
}

/**
 * The mistake as a refusal tells it: its sentence and its suggestion name the same thing. No messages are looked at, so it is not known whether
 * payloads have a member that only the form of the text suggests.
 */
export function mistakeIn(text: string, error: FilterError): FilterError {
  const meant = meantFilter(text);
  return withMeant(error, meant, meant !== undefined && MEMBER.test(meant) && !NAMED_MEMBER.test(text));
}

/** A member of payloads, as the language writes it. */
const MEMBER = /(?<![\w.])data[.[]/;
const NAMES_OF_DATA = [...OTHER_NAMES].flatMap(([name, key]) => (key === 'data' ? [name] : []));
/** A member of payloads, as the language or another tool writes it. */
const NAMED_MEMBER = new RegExp(
  `(?<![\\w.])(?:data|${NAMES_OF_DATA.join('|').replaceAll('.', String.raw`\.`)})[.[]`,
  'i',
);

/** The mistake with a suggestion that agrees with the filter that is meant. */
function withMeant(error: FilterError, meant: string | undefined, isOfMember = false): FilterError {
  const { suggestion } = error;
  if (meant === undefined || (suggestion !== undefined && meant.includes(suggestion))) return error;
  return withGuess(withoutGuess(error), meant, isOfMember);
}

/** The text with the suggested word in place of the wrong one; undefined: it still has a mistake. */
function corrected(text: string, { position, length, suggestion }: FilterError): string | undefined {
  if (suggestion === undefined) return undefined;
  const from = position - 1;
  const filter = text.slice(0, from) + suggestion + text.slice(from + length);
  return parseFilter(filter).ok ? filter : undefined;
}

/** Steps after which a suggestion is as good as it gets: one may bring another form to light. */
const MAX_STEPS = 3;

/** @returns undefined: nothing else is meant, or it is not known what */
export function meantFilter(text: string): string | undefined {
  const meant = formOf(text);
  return meant !== text.trim() && meant !== '' && parseFilter(meant).ok ? meant : undefined;
}

/** The text in the form of this language, which may still have a mistake. */
function formOf(text: string): string {
  let form = text.trim();
  if (text.length > MAX_LENGTH) return form;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const next = stepOf(form).trim();
    if (next === form) break;
    form = next;
  }
  return form;
}

function stepOf(text: string): string {
  const alone = termOfAnyWord(text) ?? termOfPhrase(text);
  if (alone !== undefined) return alone;
  const usual = withColons(joinedTerms(ofThisLanguage(closedQuote(usualQuotes(text)))));
  const terms = usual.replaceAll(WORD, (word, at: number) =>
    word.startsWith('"') || isOpenTerm(word, usual.charAt(at + word.length))
      ? word
      : (meantWord(word) ?? word),
  );
  return balanced(terms.replaceAll(TWICE, ''));
}

/** A key before a term of the same key: its value became a term by itself, as 500 does in `status 500 orders`. */
const TWICE = /(?<=^|[\s(])(state|status)\s+(?=\1:)/gi;

/** Whether the value of a term is in parentheses, so that it is no part of the word. */
function isOpenTerm(word: string, next: string): boolean {
  return next === '(' && /[:=<>]$/.test(word);
}

/** Keys that stand before their value without a colon often enough. */
const PAIRS =
  /^(?:(?:topic|state|status|app|pubsub|route|attempts)\s+[^\s:=<>!"()]+(?:\s+(?:and\s+(?:not\s+)?)?|$))+$/i;

const PAIR = /(\S+)\s+(\S+)(?:\s+(and(?:\s+not)?)(?=\s))?/gi;

/** The text with a colon after each key, if it is made of keys and values: `topic orders status 500`. */
function withColons(text: string): string {
  if (!PAIRS.test(text)) return text;
  return text.replaceAll(PAIR, (_pair, key: string, value: string, and?: string) =>
    [`${key}:${value}`, ...(and === undefined ? [] : [and.toUpperCase()])].join(' '),
  );
}

/** Operators as other languages write them. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['and', 'AND'],
  ['or', 'OR'],
  ['not', 'NOT'],
  ['&&', 'AND'],
  ['||', 'OR'],
]);

/** Signs in front of a path in other tools: the dot of jq, the dollar of a JSON path, the at sign of a log search. */
const PATH_SIGNS = /^(?:\$?\.|[$@])(?=[A-Za-z_])/;

/** A text in quotes, or a word, which may have a value in quotes. */
const WORD = /"(?:\\.|[^"\\])*"|(?:[^\s"()]|"(?:\\.|[^"\\])*")+/g;

/** Other quotes, those of a text in double quotes excepted. */
const OTHER_QUOTES =
  /(?<quoted>"(?:\\.|[^"\\])*"?)|[“”„]|(?<=^|[\s:=(,{[~-])'(?<word>[^'"]*)'(?=$|[\s),:;}\]])|(?<=[:=]\s*)'(?<value>[^'\\]*)'(?=$|[\s),;}\]])/g;

/** A single quote in front of a word, without one that closes it. */
const OPEN_SINGLE = /(?<=^|[\s:=(])'(?=[^'"]*$)/;

/** The text with double quotes where others stand around a word. */
function usualQuotes(text: string): string {
  const usual = text.replaceAll(OTHER_QUOTES, (_whole, ...rest: unknown[]) => {
    const { quoted, word, value } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const inQuotes = word ?? value?.replaceAll('"', '\\"');
    return quoted ?? (inQuotes === undefined ? '"' : `"${inQuotes}"`);
  });
  return usual.replace(OPEN_SINGLE, '"');
}

function closedQuote(text: string): string {
  const isOpen = token.tokensOf(text, 'message').some((each) => token.isA(each, token.OpenQuote));
  return isOpen ? `${text}"` : text;
}

/** A key with spaces around its operator; a quoted text stays as it is. */
const SPACED =
  /(?<quoted>"(?:\\.|[^"\\])*"?)|(?<key>[.$@]*[A-Za-z_][\w.[\]-]*)(?<before>\s*)(?<op>:\s*(?:!==?|>=|<=|=>|=<|<>|={1,3}|>|<)|!==?|>=|<=|=>|=<|<>|={1,3}|>|<|:)(?<after>\s*)(?=[^\s=<>!()])(?!(?:AND|OR|NOT)(?:\s|$))/g;

/** The text with each comparison as one word: `total == 100` becomes `total==100`. */
function joinedTerms(text: string): string {
  return text.replaceAll(SPACED, (whole: string, ...rest: unknown[]) => {
    const { key, before, op = '', after } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const joined = op.replaceAll(/\s/g, '');
    if (key === undefined || (before === '' && after === '' && op === joined)) return whole;
    const isOperator = OPERATORS.has(key.toLowerCase());
    // People write `not: parked` too.
    return isOperator && (before !== '' || op !== ':') ? whole : key + joined;
  });
}

function isKey(name: string): name is TermKey {
  return Object.hasOwn(MESSAGE_LANGUAGE, name);
}

function knownKey(name: string): TermKey | undefined {
  const lower = name.toLowerCase();
  return isKey(lower) ? lower : undefined;
}

function meantWord(word: string): string | undefined {
  const operator = OPERATORS.get(word);
  if (operator !== undefined) return operator;
  const [, minus = '', rest = ''] = /^([-!]?)(.*)$/s.exec(word) ?? [];
  const plain = rest.replace(PATH_SIGNS, '').replaceAll('[]', '[0]');
  const meant =
    partsOf(plain) === undefined
      ? meantText(rest)
      : (meantTerm(plain) ?? (plain === rest ? undefined : plain));
  if (meant === undefined) return minus === '!' && rest !== '' ? `-${rest}` : undefined;
  return minus === '' ? meant : negated(meant);
}

/** The term that a word without an operator stands for: a word of every day, a path of jq, alternatives. */
function meantText(word: string): string | undefined {
  const [, path] = /^\$?\.([A-Za-z_][\w.[\]]*)\??$/.exec(word) ?? [];
  if (path !== undefined)
    return `${path.startsWith('data.') ? '' : 'data.'}${path.replaceAll('[]', '[0]')}:*`;
  const [, attribute] = /^@([A-Za-z_][\w.]*)$/.exec(word) ?? [];
  if (attribute !== undefined && (attribute.includes('.') || knownKey(attribute) !== undefined))
    return hasValue(attribute);
  // Nobody searches a text for the path of a member, but a member that is there.
  if (/^data(?:\.[A-Za-z_][\w-]*|\[\d+\])+$/.test(word)) return `${word}:*`;
  if (/^[^|\\]+(?:\\?\|[^|\\]+)+$/.test(word)) return `(${word.split(/\\?\|/).join(' OR ')})`;
  const [, inner] = /^\/?\^?([\w.*-]+)\$?\/?i?$/.exec(word) ?? [];
  const isExpression = inner !== undefined && inner !== word && /[$^]|^\/.*\/i?$/.test(word);
  return termOfWord(word) ?? (isExpression ? inner.replaceAll('.*', '*') : undefined);
}

/** Form of a path in a comparison; one with a colon may have hyphens in its first name too. */
const COMPARED_PATH = /^[A-Za-z_]\w*(?:\.[\w-]+|\[\d+\])*$/;
const COLON_PATH = /^[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*$/;

function meantTerm(word: string): string | undefined {
  const parts = partsOf(word);
  if (parts === undefined) return undefined;
  const other = termOfOtherKey(parts);
  if (other !== undefined) return other;
  const { name, path, op, value } = parts;
  const key = keyWithPath(name, path) ?? nearKey(name, path);
  if (key !== undefined) {
    const term = termOfValue(key, parts) ?? key + path + op + value;
    return term === word ? undefined : term;
  }
  const isPath = (op === ':' ? COLON_PATH : COMPARED_PATH).test(name + path);
  if (!isPath || value === '' || value.startsWith('//')) return undefined;
  return `data.${name}${path}${op}${value}`;
}

/** A key of the language; undefined: it is none, or takes no path, so that a member of the payload is meant. */
function keyWithPath(name: string, path: string): TermKey | undefined {
  const key = knownKey(name);
  return path === '' || key === 'data' || key === 'meta' ? key : undefined;
}

/** The key that is probably mistyped. Another name of a key is written right. */
function nearKey(name: string, path: string): TermKey | undefined {
  if (keyOfOtherName(name, path) !== undefined) return undefined;
  const near = nearest(name, Object.keys(MESSAGE_LANGUAGE));
  if (near === undefined || !isKey(near)) return undefined;
  const hasPath = near === 'data' || near === 'meta';
  return hasPath === (path !== '') ? near : undefined;
}

/** The text with a bracket for each one that is missing, and without those that close nothing. */
function balanced(text: string): string {
  let open = 0;
  let whole = '';
  let from = 0;
  for (const each of token.tokensOf(text, 'message')) {
    if (token.isA(each, token.LParen)) open += 1;
    if (!token.isA(each, token.RParen)) continue;
    if (open > 0) open -= 1;
    else {
      whole += text.slice(from, each.startOffset);
      from = each.startOffset + 1;
    }
  }
  return whole + text.slice(from) + ')'.repeat(open);
}
