/**
 * The meaning of words that a person writes who does not know the language yet: words of every day, other names of a key, and values that
 * belong to another key.
 */
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import { IS_WORDS } from '../../contract/filter-keys.ts';
import { readFilterCode } from '../../contract/grpc.ts';
import type { TermKey } from './ast.ts';
import { MESSAGE_LANGUAGE } from './keys.ts';
import type { KeySpec } from './keys.ts';
import { nearest } from './mistakes.ts';

const FAILED = 'state:parked,dead-lettered,dropped';
const ERRORS = '(error:* OR status:4xx,5xx)';
const RETRIED = '(state:retrying OR attempts>1)';
const DONE = 'state:processed';
const UNFINISHED = 'state:queued,held,attempting,retrying';
const DEAD = 'state:dead-lettered';

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
  ['replayed', 'is:replay'],
  ['grpc', 'protocol:grpc'],
]);

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
    lower.length < SHORTEST ? [] : [...TERMS].flatMap(([word, term]) => (word.startsWith(lower) ? term : []));
  return [...new Set([...(own === undefined ? [] : [own]), ...others])];
}

/** Keys by other names that people give them, in lower case. */
const OTHER_NAMES: ReadonlyMap<string, TermKey> = new Map<string, TermKey>([
  ['appid', 'app'],
  ['app_id', 'app'],
  ['app-id', 'app'],
  ['pubsubname', 'pubsub'],
  ['topicname', 'topic'],
  ['eventtype', 'type'],
  ['event_type', 'type'],
  ['eventid', 'id'],
  ['messageid', 'id'],
  ['traceid', 'trace'],
  ['trace_id', 'trace'],
  ['statuscode', 'status'],
  ['status_code', 'status'],
  ['retries', 'attempts'],
  ['payload', 'data'],
  ['body', 'data'],
  ['metadata', 'meta'],
]);

/** Words before a duration or a moment, with the comparison for each of the two. */
const NEWER = { age: 'age:<', time: 'time:>=' };
const OLDER = { age: 'age:>', time: 'time:<=' };
const SINCE = new Map([
  ...['since', 'last', 'within', 'newer', 'after'].map((word) => [word, NEWER] as const),
  ...['before', 'older', 'until'].map((word) => [word, OLDER] as const),
]);

const LONG_UNITS = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?)$/i;
const MOMENT = /^\d{4}-\d\d-\d\d(?!.*\.\.)(?:T\S*)?$/;

/** A duration with the unit of the language: `5min` becomes `5m`. undefined: it is no duration. */
function durationOf(text: string): string | undefined {
  const [, digits, unit = ''] = LONG_UNITS.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return digits + (unit.toLowerCase() === 'ms' ? 'ms' : unit.charAt(0).toLowerCase());
}

/** `key`, operator and value of a term as it is written. */
export interface WrittenTerm {
  /** The key as far as its first dot or bracket. */
  readonly name: string;
  /** The rest of the key: a path, or "". */
  readonly path: string;
  readonly op: string;
  readonly value: string;
}

const TERM = /^([^\s:=<>!"]+)(:?(?:==|=>|=<|<>|!=|>=|<=|=|>|<)|:)(.*)$/s;

/** Cuts a word into the parts of a term; undefined: it has no operator, or nothing before it. */
export function partsOf(word: string): WrittenTerm | undefined {
  const [, key = '', op = '', value = ''] = TERM.exec(word) ?? [];
  if (key === '') return undefined;
  const [name = ''] = key.split(/[.[]/, 1);
  return { name, path: key.slice(name.length), op: usualOp(op), value };
}

function usualOp(op: string): string {
  return op.replace('==', '=').replace('=>', '>=').replace('=<', '<=').replace('<>', '!=');
}

/** The term that is meant by a key that the language does not have, but people know: `not:parked`, `since:5m`, `appId:shop`. */
export function termOfOtherKey({ name, path, op, value }: WrittenTerm): string | undefined {
  const lower = name.toLowerCase();
  if (value === '') return undefined;
  if (lower === 'not' && path === '' && op === ':') return `-${termOfWord(value) ?? value}`;
  if (lower === 'has' && path === '' && op === ':') return hasValue(value);
  if (lower === 'path' && path === '' && value.startsWith('/')) return `route${op}${value}`;
  const since = SINCE.get(lower);
  if (since !== undefined && path === '') {
    const duration = durationOf(value);
    if (duration !== undefined) return since.age + duration;
    return MOMENT.test(value) ? since.time + value : undefined;
  }
  const key = keyOfOtherName(name, path);
  return key === undefined ? undefined : key + op + value;
}

/** The key of the language, with its path, that is meant by another name of it: `type` for `eventType`. */
export function keyOfOtherName(name: string, path: string): string | undefined {
  const key = OTHER_NAMES.get(name.toLowerCase());
  if (key === undefined || (path === '' && (key === 'data' || key === 'meta'))) return undefined;
  return key + path;
}

/** Whether only the value of this key decides which term is meant: `since` before a duration, or before a moment. */
export function isMeantByValue(name: string, path: string): boolean {
  const lower = name.toLowerCase();
  return path === '' && (['not', 'has', 'path'].includes(lower) || SINCE.has(lower));
}

/** A term for the presence of a key, or of a member of the payload; undefined: it is no name. */
function hasValue(name: string): string | undefined {
  if (Object.hasOwn(MESSAGE_LANGUAGE, name)) return `${name}:*`;
  return /^[A-Za-z_][\w.[\]-]*$/.test(name) ? `data.${name.replace(/^data\./, '')}:*` : undefined;
}

/**
 * The values of this key that are meant by a word: `parked,dead-lettered,dropped` by `failed`.
 * @returns undefined: it is no word of this key, or stands for itself
 */
export function valueOfWord(key: TermKey, word: string): string | undefined {
  const term = termOfWord(word);
  const value = term?.startsWith(`${key}:`) === true ? term.slice(key.length + 1) : undefined;
  return value === word.toLowerCase() ? undefined : value;
}

const ORDER = /[<>]/;

/** Values that a key without one is given, by what it reads: any value, or a comparison that often helps. */
const ANY: Readonly<Partial<Record<KeySpec['reads'], string>>> = {
  text: '*',
  word: '*',
  data: '*',
  meta: '*',
  number: '>=1',
  status: '5xx',
  size: '>1kb',
  duration: '<5m',
};

/** The term that is meant by a key of the language whose value it does not take, or that finds nothing by its form; undefined: it is right. */
export function termOfValue(key: TermKey, { path, op, value }: WrittenTerm): string | undefined {
  const spec = MESSAGE_LANGUAGE[key];
  if (spec === undefined) return undefined;
  if (value === '') {
    const any = op === ':' || (op === '=' && ANY[spec.reads] === '*') ? ANY[spec.reads] : undefined;
    return any === undefined ? undefined : key + path + op + any;
  }
  if (value.endsWith(',')) return key + path + op + value.replace(/,+$/, '');
  if (key === 'data' && path === '') return ORDER.test(op) ? undefined : value;
  const isWord = spec.reads === 'word';
  if (isWord || spec.reads === 'status') return termOfWordValue(key, spec, op, value);
  if (spec.reads === 'duration') {
    const duration = durationOf(value.replace(/^[<>=]+/, ''));
    const sign = /^[<>=]+/.exec(value)?.[0] ?? '';
    if (duration === undefined) return undefined;
    // Nothing is exactly five minutes old.
    return ORDER.test(op + sign) || op === '!=' ? key + op + sign + duration : `${key}:<${duration}`;
  }
  if (spec.reads === 'moment' && MOMENT.test(value) && !ORDER.test(op) && op !== '!=')
    return `${key}:>=${value}`;
  if (spec.reads === 'size') return key + op + value.replace(/^([<>=]*\d+)([km])$/i, '$1$2b');
  return undefined;
}

/** A value that is excluded by a sign in front of it; a number with a minus is a number. */
const SIGNED = /^(?:![a-z\d]|-[a-z])/i;

/** Words of every day in place of states, statuses or marks. */
function termOfWordValue(key: TermKey, spec: KeySpec, op: string, value: string): string | undefined {
  if (SIGNED.test(value) && op !== '!=') {
    const wanted = value.slice(1);
    return `-${termOfWordValue(key, spec, op, wanted) ?? key + op + wanted}`;
  }
  if (value.includes('*') || /^[<>=!"]/.test(value)) return undefined;
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
    return op === '!=' && each.length > 1 ? `-${key}:${each.join(',')}` : key + op + each.join(',');
  }
  const term = words.length === 1 ? termOfWord(value) : undefined;
  return term === undefined ? undefined : (op === '!=' ? '-' : '') + term;
}

function isValueOf(spec: KeySpec, word: string): boolean {
  // The word alone may stand for another term: "ok" is a gRPC code too.
  if (spec.reads === 'status') return /^\d/.test(word) || readFilterCode(word) !== undefined;
  const lower = word.toLowerCase();
  return spec.words?.includes(lower) === true || spec.moreWords?.includes(lower) === true;
}

/** Words that may be mistyped; numbers are not. */
function nearWords({ reads, words = [] }: KeySpec): readonly string[] {
  return reads === 'status' ? [] : words;
}
