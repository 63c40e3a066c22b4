/**
 * The meaning of words that a person writes who does not know the language yet: words of every day, and values that belong to another key.
 */
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import { IS_WORDS } from '../../contract/filter-keys.ts';
import { readFilterCode } from '../../contract/grpc.ts';
import { isStatusWord } from '../../contract/status-words.ts';
import type { TermKey } from './ast.ts';
import { MESSAGE_LANGUAGE } from './keys.ts';
import type { KeySpec } from './keys.ts';
import { nearest } from './mistakes.ts';
import { LOOSE_WORDS } from './other-names.ts';
import { likeOther, partsOfTypes } from './other-values.ts';
import { ageTerm, durationOf, isMoment, ORDER } from './spoken-times.ts';

const FAILED = 'state:parked,dead-lettered,dropped';
const ERRORS = '(error:* OR status:4xx,5xx)';
const RETRIED = '(state:retrying OR attempts>1)';
const DONE = 'state:processed';
const UNFINISHED = 'state:queued,held,attempting,retrying';
const DEAD = 'state:dead-lettered';

/** The states of what is not finished, and so waits for something: for its subscription, a release, an answer, or the next attempt. */
export const WAITING = UNFINISHED;

/** Terms by a word that a person writes alone. */
const TERMS: ReadonlyMap<string, string> = new Map([
  ...DELIVERY_STATES.map((state) => [state, `state:${state}`] as const),
  ...IS_WORDS.map((word) => [word, `is:${word}`] as const),
  ...['failed', 'failure', 'failures', 'failing'].map((word) => [word, FAILED] as const),
  ...['error', 'errors'].map((word) => [word, ERRORS] as const),
  ...['retry', 'retries', 'retried'].map((word) => [word, RETRIED] as const),
  ...['ok', 'success', 'successful', 'succeeded', 'delivered', 'done'].map((word) => [word, DONE] as const),
  ...['pending', 'unfinished', 'running'].map((word) => [word, UNFINISHED] as const),
  ...['dlq', 'deadletter', 'dead-letter', 'dead-letters', 'deadlettered'].map(
    (word) => [word, DEAD] as const,
  ),
  ...['timeout', 'timeouts'].map((word) => [word, 'error:timeout'] as const),
  ['drop', 'state:dropped'],
  ['hold', 'state:held'],
  ['grpc', 'protocol:grpc'],
]);

/** Terms that are offered too for a word that has another one: a replay, beside what was replayed. */
const OTHER_TERMS: ReadonlyMap<string, string> = new Map([['replayed', 'is:replay']]);

const STATUS = /^[2-5](?:\d\d|xx)$/i;

/** The term that a word alone stands for: `500`, `parked`, `errors`; undefined: it is no such word. */
export function termOfWord(word: string): string | undefined {
  const lower = word.toLowerCase();
  const term = TERMS.get(lower);
  if (term !== undefined) return term;
  return STATUS.test(word) || (word.length > 2 && readFilterCode(word) !== undefined)
    ? `status:${lower}`
    : undefined;
}

/** The term that a word stands for where nothing else is beside it. Then it may also be a word that is common in texts: `open`, `closed`, `new`. */
export function termOfAnyWord(word: string): string | undefined {
  return termOfWord(word) ?? LOOSE_WORDS.get(word.toLowerCase());
}

const FEW_WORDS = /^[a-z]+(?:[\s_]+[a-z]+){1,2}$/i;

/** The term that a few words alone stand for, as a tab or a chip has them: `no subscription`, `Waiting for app`. */
export function termOfPhrase(text: string): string | undefined {
  return FEW_WORDS.test(text) ? termOfAnyWord(hyphened(text)) : undefined;
}

/** A phrase as one word. */
export function hyphened(phrase: string): string {
  return phrase.replaceAll(/[\s_]+/g, '-');
}

/** A term that holds where this one does not. One that is excluded twice is wanted. */
export function negated(term: string): string {
  return term.startsWith('-') ? term.slice(1) : `-${term}`;
}

/** Says for the completion what each term of several conditions finds. */
const FINDS: ReadonlyMap<string, string> = new Map([
  [FAILED, 'not delivered'],
  [ERRORS, 'a call got an error, or no answer'],
  [RETRIED, 'tried again, or to be tried again'],
  [UNFINISHED, 'not finished yet'],
]);

/** Says in a few words what a term finds; undefined: what its key says. */
export function findsOf(term: string): string | undefined {
  return FINDS.get(term);
}

/** Shortest beginning of a word for which its term is offered. */
const SHORTEST = 3;

/** Terms that are offered for the beginning of a word; each once. */
export function termsFor(begun: string): readonly string[] {
  const lower = begun.toLowerCase();
  const own = termOfWord(begun);
  const others =
    lower.length < SHORTEST
      ? []
      : [...TERMS, ...OTHER_TERMS].flatMap(([word, term]) => (word.startsWith(lower) ? term : []));
  return [...new Set([...(own === undefined ? [] : [own]), ...others])];
}

/**
 * States by words that alone stand for something else: an attempt may have had an error though its message was processed later, so
 * `error` as a state means what failed in the end.
 */
const STATES: ReadonlyMap<string, string> = new Map([
  ...['error', 'errors', 'errored'].map((word) => [word, FAILED] as const),
  ...['nack', 'nacked', 'redelivered', 'retried', 'retries'].map((word) => [word, 'state:retrying'] as const),
]);

/**
 * The values of this key that are meant by a word: `parked,dead-lettered,dropped` by `failed`.
 * @returns undefined: it is no word of this key, or stands for itself
 */
export function valueOfWord(key: TermKey, word: string): string | undefined {
  const ofState = key === 'state' ? STATES.get(word.toLowerCase()) : undefined;
  const term = ofState ?? termOfAnyWord(word);
  const value = term?.startsWith(`${key}:`) === true ? term.slice(key.length + 1) : undefined;
  return value === word.toLowerCase() ? undefined : value;
}

/** Values that a key without one is given, by what it reads: any value, or a comparison that often helps. */
const ANY: Readonly<Partial<Record<KeySpec['reads'], string>>> = {
  text: '*',
  word: '*',
  data: '*',
  meta: '*',
  number: '>=1',
  status: '5xx',
  answer: '*',
  size: '>1kb',
  duration: '<5m',
};

/** `key`, operator and value of a term as it is written. */
export interface WrittenTerm {
  /** The key as far as its first dot or bracket. */
  readonly name: string;
  /** The rest of the key: a path, or "". */
  readonly path: string;
  readonly op: string;
  readonly value: string;
}

const PLAIN_QUOTED = /^"[\w.:*-]+"(?:,"[\w.:*-]+")*$/;
/** The words of chips in quotes. */
const PHRASES = /^"[a-z][a-z -]*"(?:,"[a-z][a-z -]*")*$/i;

/** Whether any text is a value of the key. */
function isFree({ reads }: KeySpec): boolean {
  return reads === 'text' || reads === 'data' || reads === 'meta';
}

/** The term that is meant by a key of the language whose value it does not take, or that finds nothing by its form; undefined: it is right. */
export function termOfValue(key: TermKey, { path, op, value }: WrittenTerm): string | undefined {
  const spec = MESSAGE_LANGUAGE[key];
  if (spec === undefined) return undefined;
  if (value === '') {
    // Without a path there is nothing to compare.
    if (key === 'data' && path === '') return undefined;
    const usual = key === 'took' ? '>1s' : ANY[spec.reads];
    const any = op === ':' || (op === '=' && usual === '*') ? usual : undefined;
    return any === undefined ? undefined : key + path + op + any;
  }
  // The quotes of a number, a state or a duration mean nothing.
  if (PLAIN_QUOTED.test(value) && !isFree(spec))
    return termOfValue(key, { name: key, path, op, value: value.replaceAll('"', '') });
  if (spec.reads === 'word' && PHRASES.test(value))
    return termOfValue(key, { name: key, path, op, value: hyphened(value.replaceAll('"', '')) });
  if (spec.reads === 'text' && /^![A-Za-z\d*]/.test(value) && !/[<>!]/.test(op))
    return `-${key}:${value.slice(1)}`;
  // In quotes a star stands for itself.
  const [, pattern] = /^"([^"\s,()\\]*\*[^"\s,()\\]*)"$/.exec(value) ?? [];
  if (pattern !== undefined && spec.reads === 'text') return key + path + op + pattern;
  if (value.endsWith(',')) return key + path + op + value.replace(/,+$/, '');
  const types = key === 'contenttype' ? partsOfTypes(value) : value;
  if (types !== value) return key + op + types;
  // A text that every message has leaves nothing out.
  if (key === 'data' && path === '') return ORDER.test(op) || isAnyText(value) ? undefined : value;
  const like = likeOther(spec.reads, key, { path, op, value });
  if (like !== undefined) return like;
  const isWord = spec.reads === 'word';
  if (isWord || isCoded(spec)) return termOfWordValue(key, spec, op, value);
  return termOfTime(key, spec, op, value);
}

/** Whether every text has this one: stars, or nothing in quotes. */
export function isAnyText(value: string): boolean {
  return /^(?:\*+|"\**")$/.test(value);
}

/** A duration with another unit, or without its comparison; a moment alone, from which on messages are wanted. */
function termOfTime(key: TermKey, { reads }: KeySpec, op: string, value: string): string | undefined {
  if (reads === 'duration') {
    const sign = /^[<>=]+/.exec(value)?.[0] ?? '';
    const written = value.slice(sign.length);
    const isNumber = key === 'took' && /^\d+(?:\.\d+)?$/.test(written);
    const duration = isNumber ? `${written}ms` : durationOf(written);
    if (duration === undefined) return undefined;
    if (ORDER.test(op + sign) || op === '!=') return key + op + sign + duration;
    // Nothing is exactly five minutes old, and a person asks for what was slow.
    return `${key}:${key === 'took' ? '>=' : '<'}${duration}`;
  }
  if (reads !== 'moment') return undefined;
  if (isMoment(value) && !ORDER.test(op) && op !== '!=') return `${key}:>=${value}`;
  if (value.toLowerCase() === 'today') return 'age:<1d';
  return key === 'time' ? ageTerm(op, value) : undefined;
}

/** A value that is excluded by a sign in front of it; a number with a minus is a number. */
const SIGNED = /^(?:![a-z\d]|-[a-z])/i;

/** Whether codes are values of the key. */
function isCoded({ reads }: KeySpec): boolean {
  return reads === 'status' || reads === 'answer';
}

/** The status words of an answer, as the screens write them, among the values of the key for its codes. */
function termOfStatusWords(key: TermKey, op: string, value: string): string | undefined {
  const words = value.split(',');
  if (key !== 'status' || !words.some(isStatusWord)) return undefined;
  const isOther = words.some((word) => !isStatusWord(word) && !isValueOf(MESSAGE_LANGUAGE[key], word));
  if (isOther || ORDER.test(op)) return undefined;
  if (words.length === 1) return `answer${op}${value}`;
  return `${op === '!=' ? '-' : ''}answer:${value}`;
}

/** Words of every day in place of states, statuses or marks. */
function termOfWordValue(key: TermKey, spec: KeySpec, op: string, value: string): string | undefined {
  if (SIGNED.test(value) && op !== '!=') {
    const wanted = value.slice(1);
    return negated(termOfWordValue(key, spec, op, wanted) ?? key + op + wanted);
  }
  if (value.includes('*') || /^[<>=!"]/.test(value)) return undefined;
  const answered = termOfStatusWords(key, op, value);
  if (answered !== undefined) return answered;
  const words = value.split(',');
  // A list cannot want some values and exclude others.
  if (words.some((word) => SIGNED.test(word))) return undefined;
  if (words.every((word) => isValueOf(spec, word))) return undefined;
  const values = words.map((word) =>
    isValueOf(spec, word) ? word : (valueOfWord(key, word) ?? nearest(word, nearWords(spec))),
  );
  if (values.every((each) => each !== undefined)) {
    const each = [...new Set(values.flatMap((one) => one.split(',')))];
    // A list can only be excluded as a whole.
    if (op === '!=' && each.length > 1) return `-${key}:${each.join(',')}`;
    return `${key}${op === '=' && each.length > 1 ? ':' : op}${each.join(',')}`;
  }
  const term = words.length === 1 ? termOfAnyWord(value) : undefined;
  return term === undefined || op !== '!=' ? term : negated(term);
}

function isValueOf(spec: KeySpec | undefined, word: string): boolean {
  // The word alone may stand for another term: "ok" is a gRPC code too.
  if (spec !== undefined && isCoded(spec) && (/^\d/.test(word) || readFilterCode(word) !== undefined))
    return true;
  const lower = word.toLowerCase();
  return [...(spec?.words ?? []), ...(spec?.moreWords ?? [])].some((each) => each.toLowerCase() === lower);
}

/** Words that may be mistyped; numbers are not. */
function nearWords({ reads, words = [] }: KeySpec): readonly string[] {
  return reads === 'status' ? [] : words;
}
