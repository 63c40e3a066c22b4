/** Keys that the filter language does not have, but people know from other tools: `not:parked`, `since:5m`, `appId:shop`. */
import { isAnyText, termOfAnyWord, termOfValue, termOfWord, type WrittenTerm } from './everyday.ts';
import { TERM_KEYS } from './ast.ts';
import { MESSAGE_LANGUAGE } from './keys.ts';
import { CHANGE_NAMES, OTHER_NAMES, TEXT_NAMES, TIME_NAMES } from './other-names.ts';
import { contentTypes } from './other-values.ts';
import { ageTerm, durationOf, isMoment } from './spoken-times.ts';
import { takesValue } from './values.ts';

/** Comparison of the age or the time, by a word that stands before a duration or a moment. */
const NEWER = { age: 'age:<', time: 'time:>=' };
const OLDER = { age: 'age:>', time: 'time:<=' };
const SINCE = new Map([
  ...['since', 'last', 'within', 'newer', 'newer_than', 'newer-than', 'after', 'from', 'during'].map(
    (word) => [word, NEWER] as const,
  ),
  ...['before', 'older', 'older_than', 'older-than', 'until', 'to'].map((word) => [word, OLDER] as const),
]);

/** Comparison of the size, by a word that stands before one. */
const SIZES: ReadonlyMap<string, string> = new Map([
  ...['larger', 'larger-than', 'larger_than', 'bigger', 'bigger-than'].map((word) => [word, '>'] as const),
  ...['smaller', 'smaller-than', 'smaller_than'].map((word) => [word, '<'] as const),
]);

/** Keys of other tools whose value is the name of something that is there, or is not. */
const PRESENT: ReadonlySet<string> = new Set(['has', 'exists', '_exists_', 'with']);
const ABSENT: ReadonlySet<string> = new Set(['no', 'without', 'missing', '_missing_']);
const SUBSCRIPTIONS = /^subscri(?:ptions?|bers?)$/i;

/** Keys of other tools whose value is the address of an app. */
const ROUTES: ReadonlySet<string> = new Set(['path', 'url', 'uri', 'endpoint', 'handler', 'target']);

/** Names of what an app answered. The value may also be a code. */
export const ANSWERS: ReadonlySet<string> = new Set([
  ...['response', 'responsebody', 'response_body', 'response-body', 'body', 'reply'],
  ...['errormessage', 'error_message', 'error-message', 'errortext', 'error_text', 'exception', 'stacktrace'],
]);

function isStatus(value: string): boolean {
  const { status } = MESSAGE_LANGUAGE;
  return status !== undefined && takesValue(status, ':', value);
}

/** Keys of other tools whose value is the level of a log. */
const LEVELS: ReadonlySet<string> = new Set(['level', 'severity', 'loglevel']);

const TERM = /^([^\s:=<>!"]+)(:?(?:!==|===?|=>|=<|<>|!=|>=|<=|=|>|<)|:)(.*)$/s;

/** Cuts a word into the parts of a term; undefined: it has no operator, or nothing before it. */
export function partsOf(word: string): WrittenTerm | undefined {
  const [, key = '', op = '', value = ''] = TERM.exec(word) ?? [];
  if (key === '') return undefined;
  const [name = ''] = key.split(/[.[]/, 1);
  return { name, path: key.slice(name.length), op: usualOp(op), value };
}

function usualOp(op: string): string {
  return op.replace(/={2,}/, '=').replace('=>', '>=').replace('=<', '<=').replace('<>', '!=');
}

/** The term that is meant by a key that the language does not have, but people know: `not:parked`, `since:5m`, `appId:shop`. */
export function termOfOtherKey({ name, path, op, value }: WrittenTerm): string | undefined {
  // An address such as http://x is no term.
  if (value === '' || value.startsWith('//')) return undefined;
  const term = path === '' ? termOfPlainKey(name.toLowerCase(), op, value) : undefined;
  if (term !== undefined) return term;
  const key = keyOfOtherName(name, path);
  if (key === undefined || !isTaken(key, op, value)) return undefined;
  // Other tools find a type with its parameters too.
  return key + op + (key === 'contenttype' ? contentTypes(value) : value);
}

/** Whether this key takes the value, or it is known what is meant. If not, the payload may have a member of that name: `code:abc`. */
function isTaken(whole: string, op: string, value: string): boolean {
  const key = TERM_KEYS.find((each) => each === whole);
  const spec = key && MESSAGE_LANGUAGE[key];
  // A key with a path takes any value.
  if (key === undefined || spec === undefined || takesValue(spec, op, value)) return true;
  const meant = termOfValue(key, { name: key, path: '', op, value });
  const parts = meant === undefined ? undefined : partsOf(meant.replace(/^-/, ''));
  if (parts?.name !== key) return meant !== undefined;
  return takesValue(spec, parts.op, parts.value);
}

/** Whether the value names a key of the language, a state, or subscriptions. */
function isKnown(value: string): boolean {
  const isKey = Object.hasOwn(MESSAGE_LANGUAGE, partsOf(`${value}:`)?.name ?? '');
  return isKey || termOfWord(value)?.startsWith('state:') === true || SUBSCRIPTIONS.test(value);
}

function termOfPlainKey(name: string, op: string, value: string): string | undefined {
  // A member of a payload may have such a name too: `missing=true`, `no=A17`.
  if (op === ':' || (op === '=' && isKnown(value))) {
    if (name === 'not') return `-${termOfWord(value) ?? value}`;
    if (PRESENT.has(name)) return hasValue(value);
    if (ABSENT.has(name)) return hasNoValue(value);
  }
  if (op === ':' && TEXT_NAMES.has(name) && !isAnyText(value)) return asText(value);
  if (ANSWERS.has(name) && (op === ':' || op === '=' || op === '!=') && !isStatus(value))
    return `answer${op}${value}`;
  if (LEVELS.has(name) && (op === ':' || op === '=')) return termOfWord(value.replace(/^"(.*)"$/s, '$1'));
  const size = SIZES.get(name);
  if (size !== undefined) return `size${size}${value}`;
  if (ROUTES.has(name) && value.startsWith('/')) return `route${op}${value}`;
  const [, trace] = name === 'traceparent' ? (/^00-([0-9a-f]{32})-/.exec(value) ?? []) : [];
  if (trace !== undefined) return `trace:${trace}`;
  return sinceTerm(name, value) ?? timeTerm(name, op, value);
}

/** A value as a text that is searched: in quotes where the word alone stands for a term. */
function asText(value: string): string {
  return termOfAnyWord(value) === undefined ? value : `"${value}"`;
}

function sinceTerm(name: string, value: string): string | undefined {
  const since = SINCE.get(name);
  if (since === undefined) return undefined;
  const duration = durationOf(value);
  if (duration !== undefined) return since.age + duration;
  return isMoment(value) ? since.time + value : undefined;
}

/** Another name of the time of a message, or of its last change. A duration is an age, which has no sign without a comparison. */
function timeTerm(name: string, op: string, value: string): string | undefined {
  const isTime = TIME_NAMES.has(name);
  if (!isTime && !CHANGE_NAMES.has(name)) return undefined;
  const age = isTime ? ageTerm(op, value) : undefined;
  if (age !== undefined) return age;
  const moment = value.replaceAll('"', '');
  return /^(?:[<>=]*|\*?\.\.)\d{4}-/.test(moment)
    ? `${isTime ? 'time' : 'changed'}${op}${moment}`
    : undefined;
}

/** Names of a message in a query, in front of one of its keys: `message.topic`. A single letter is one too. */
const HOLDERS: ReadonlySet<string> = new Set(['msg', 'message', 'messages', 'event', 'row', 'record']);
/** What Elasticsearch has behind the name of a text. */
const WHOLE_TEXT = /\.(?:keyword|raw)$/;

/** The key of the language, with its path, that is meant by another name of it: `type` for `eventType`. */
export function keyOfOtherName(name: string, path: string): string | undefined {
  if (WHOLE_TEXT.test(path)) return ownKey(name, path.replace(WHOLE_TEXT, ''));
  const whole = (name + path).toLowerCase();
  for (let end = whole.length; end > 0; end = whole.lastIndexOf('.', end - 1)) {
    const key = OTHER_NAMES.get(whole.slice(0, end));
    const rest = (name + path).slice(end);
    const takesPath = key === 'data' || key === 'meta';
    if (key !== undefined && takesPath === (rest !== '')) return key + rest;
  }
  const [, inner = '', rest = ''] = /^\.([A-Za-z_]+)(.*)$/.exec(path) ?? [];
  const isHolder = HOLDERS.has(name.toLowerCase()) || /^[a-z]$/i.test(name);
  return isHolder ? ownKey(inner, rest) : undefined;
}

/** A key of the language with its path; undefined: it is none, or takes no such path. */
function ownKey(name: string, path: string): string | undefined {
  const key = TERM_KEYS.find((each) => each === name.toLowerCase());
  if (key === undefined || MESSAGE_LANGUAGE[key] === undefined) return undefined;
  return (key === 'data' || key === 'meta') === (path !== '') ? key + path : undefined;
}

/** Whether only the value of this key decides which term is meant: `since` before a duration, or before a moment. */
export function isMeantByValue(name: string, path: string): boolean {
  const lower = name.toLowerCase();
  const sets = [PRESENT, ABSENT, ANSWERS, ROUTES, SINCE, SIZES, TIME_NAMES, CHANGE_NAMES, TEXT_NAMES];
  return path === '' && (lower === 'not' || sets.some((names) => names.has(lower)));
}

/** A term for the presence of a key, or of a member of the payload; undefined: it is no name. */
export function hasValue(name: string): string | undefined {
  // `data` and `meta` are nothing without a path.
  if (name === 'data' || name === 'meta') return undefined;
  if (Object.hasOwn(MESSAGE_LANGUAGE, name)) return `${name}:*`;
  return /^[A-Za-z_][\w.[\]-]*$/.test(name) ? `data.${name.replace(/^data\./, '')}:*` : undefined;
}

/** A term for the absence of a key, a member of the payload, or a subscription. */
function hasNoValue(name: string): string | undefined {
  if (SUBSCRIPTIONS.test(name)) return 'state:none';
  const present = hasValue(name);
  return present && `-${present}`;
}
