/** Checks response rules of the console, a script or the data folder completely before one is used. */
import { isHeaderName, isHeaderValue } from '../contract/header-field.ts';
import { ANSWER_STATUS, MAX_ANSWER_DELAY_MS, MAX_RULES, MAX_RULE_TIMES } from '../contract/rule-bounds.ts';
import { FOR_ALL, isStatusWord, STATUS_WORDS } from '../contract/status-words.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { MAX_LIVE_SEARCHES, searchesOf } from '../domain/filter/live-bounds.ts';
import { mistakeIn } from '../domain/filter/meant.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import { isObject } from '../domain/json.ts';
import type { JsonObject } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';
import { objectAt, refuseValue } from '../domain/refused-value.ts';
import { bodyText } from './body-text.ts';

const MAX_STEPS = 1_000;
const MAX_TEXT_LENGTH = 1_000;
const MAX_BODY = 4 * 1024 * 1024;
/** Maximum number of variables of an answer: each is filled in for each request. */
const MAX_VARIABLES = 1_000;

/** Headers of the connection. A wrong one would break the answer in a way that no rule is meant to. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Checks rules. Throws Refusal INVALID_PARAMS with the field, for example `rules[2].answer.steps[0].status`.
 */
export function checkRules(rules: unknown): void {
  const list = arrayAt(rules, 'rules', 0, MAX_RULES);
  const ids = new Set<string>();
  let searches = 0;
  for (const [index, rule] of list.entries()) {
    const at = `rules[${index}]`;
    const object = objectAt(rule, at);
    searches += checkRule(object, at);
    if (searches > MAX_LIVE_SEARCHES) tooManySearches(`${at}.match.filter`, searches);
    const { ruleId } = object;
    if (typeof ruleId !== 'string') continue;
    if (ids.has(ruleId)) refuseValue(`${at}.ruleId`, 'an id no other rule has', ruleId);
    ids.add(ruleId);
  }
}

/** Checks one answer; `at` is its position. Only a rule may have a sequence or a random answer. */
export function checkAnswer(answer: unknown, at: string): void {
  const object = objectAt(answer, at);
  const { kind } = object;
  switch (kind) {
    case 'respond':
      return checkRespond(object, at);
    case 'respond-bulk':
      return checkRespondBulk(object, at);
    case 'hang':
    case 'reset':
    case 'ask':
      return onlyMembers(object, at, ['kind']);
    default:
      return refuseValue(`${at}.kind`, 'respond, respond-bulk, hang, reset or ask', kind);
  }
}

/**
 * Checks one rule.
 * @returns number of texts that its filter searches for
 */
function checkRule(rule: JsonObject, at: string): number {
  onlyMembers(rule, at, ['ruleId', 'name', 'enabled', 'match', 'times', 'per', 'answer', 'hits', 'lastAt']);
  optionalText(rule, at, 'ruleId', 1);
  optionalText(rule, at, 'name', 0);
  optionalText(rule, at, 'lastAt', 1);
  if (typeof rule['enabled'] !== 'boolean') refuseValue(`${at}.enabled`, 'true or false', rule['enabled']);
  const match = objectAt(rule['match'], `${at}.match`);
  onlyMembers(match, `${at}.match`, ['topic', 'route', 'eventType', 'filter']);
  for (const name of ['topic', 'route', 'eventType']) optionalText(match, `${at}.match`, name, 1);
  const searches = checkFilter(match['filter'], `${at}.match.filter`);
  if (rule['times'] !== undefined) integerAt(rule['times'], `${at}.times`, 1, MAX_RULE_TIMES);
  if (rule['hits'] !== undefined) integerAt(rule['hits'], `${at}.hits`, 0, Number.MAX_SAFE_INTEGER);
  const { per } = rule;
  if (per !== undefined && per !== 'rule' && per !== 'message')
    refuseValue(`${at}.per`, '"rule" or "message"', per);
  checkRuleAnswer(rule['answer'], `${at}.answer`);
  return searches;
}

function checkRuleAnswer(answer: unknown, at: string): void {
  const object = objectAt(answer, at);
  if (object['kind'] === 'sequence') checkSequence(object, at);
  else if (object['kind'] === 'random') checkRandom(object, at);
  else checkAnswer(object, at);
}

function checkSequence(answer: JsonObject, at: string): void {
  onlyMembers(answer, at, ['kind', 'steps', 'then']);
  for (const [index, step] of arrayAt(answer['steps'], `${at}.steps`, 1, MAX_STEPS).entries()) {
    checkAnswer(step, `${at}.steps[${index}]`);
  }
  const { then } = answer;
  if (then !== 'repeat-last' && then !== 'loop' && then !== 'next-rule') {
    refuseValue(`${at}.then`, 'repeat-last, loop or next-rule', then);
  }
}

function checkRandom(answer: JsonObject, at: string): void {
  onlyMembers(answer, at, ['kind', 'of']);
  let sum = 0;
  for (const [index, part] of arrayAt(answer['of'], `${at}.of`, 1, 100).entries()) {
    const partAt = `${at}.of[${index}]`;
    const object = objectAt(part, partAt);
    onlyMembers(object, partAt, ['share', 'answer']);
    sum += numberAt(object['share'], `${partAt}.share`, 0, 100);
    checkAnswer(object['answer'], `${partAt}.answer`);
  }
  // Shares such as three thirds are not exact.
  if (Math.abs(sum - 100) > 0.01)
    refuseValue(`${at}.of`, 'shares that add up to 100', Math.round(sum * 100) / 100);
}

function checkRespond(answer: JsonObject, at: string): void {
  onlyMembers(answer, at, ['kind', 'status', 'headers', 'body', 'delayMs']);
  checkStatus(answer['status'], `${at}.status`);
  checkDelay(answer['delayMs'], `${at}.delayMs`);
  if (answer['headers'] !== undefined)
    checkHeaders(objectAt(answer['headers'], `${at}.headers`), `${at}.headers`);
  const text = bodyText(answer['body']) ?? '';
  if (text.length > MAX_BODY) refuseValue(`${at}.body`, `at most ${MAX_BODY} characters`, text.length);
  const variables = text.split('{{', MAX_VARIABLES + 2).length - 1;
  if (variables > MAX_VARIABLES)
    refuseValue(`${at}.body`, `a string with at most ${MAX_VARIABLES} variables`, variables);
}

function checkHeaders(headers: JsonObject, at: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name)) refuseValue(`${at}.${name}`, 'a header name', name);
    if (OWN_HEADERS.has(name.toLowerCase()))
      refuseValue(`${at}.${name}`, 'a header that is not the connection’s own', name);
    if (typeof value !== 'string' || !isHeaderValue(value))
      refuseValue(`${at}.${name}`, 'a string of one line', value);
  }
}

function checkRespondBulk(answer: JsonObject, at: string): void {
  onlyMembers(answer, at, ['kind', 'status', 'statuses', 'delayMs']);
  checkStatus(answer['status'], `${at}.status`);
  checkDelay(answer['delayMs'], `${at}.delayMs`);
  const { statuses } = answer;
  if (FOR_ALL.some((one) => one === statuses)) return;
  if (!isObject(statuses)) {
    return refuseValue(`${at}.statuses`, `${FOR_ALL.join(', ')} or an object of entries`, statuses);
  }
  for (const [entry, status] of Object.entries(statuses)) {
    if (entry === '' || /^#(?!([1-9][0-9]*)$)/.test(entry)) {
      refuseValue(`${at}.statuses`, 'entries named "#1", "#2", …, "*" or by an entryId', entry);
    }
    if (status !== null && !isStatusWord(status)) {
      refuseValue(`${at}.statuses.${entry}`, `${STATUS_WORDS.join(', ')} or null`, status);
    }
  }
}

function checkStatus(status: unknown, at: string): void {
  integerAt(status, at, ANSWER_STATUS.minimum, ANSWER_STATUS.maximum);
}

function checkDelay(delay: unknown, at: string): void {
  if (delay === undefined) return;
  if (!Array.isArray(delay)) return void integerAt(delay, at, 0, MAX_ANSWER_DELAY_MS);
  const [from, to] = arrayAt(delay, at, 2, 2);
  const least = integerAt(from, `${at}[0]`, 0, MAX_ANSWER_DELAY_MS);
  integerAt(to, `${at}[1]`, least, MAX_ANSWER_DELAY_MS);
}

/**
 * Checks a filter.
 * @returns number of texts that the filter searches for
 */
function checkFilter(filter: unknown, at: string): number {
  if (filter === undefined) return 0;
  if (typeof filter !== 'string') return refuseValue(at, 'a filter', filter);
  const parsed = parseFilter(filter);
  if (parsed.ok) return searchesOf(parsed.filter);
  const { position, length, found: what, suggestion, message } = mistakeIn(filter, parsed.error);
  const data = { position, length, found: what, ...withoutUndefined({ suggestion }) };
  throw new Refusal(
    'FILTER_SYNTAX',
    { reason: `${at}: ${message}` },
    { field: at, expected: parsed.error.expected, data },
  );
}

function tooManySearches(at: string, searches: number): never {
  const expected = `at most ${MAX_LIVE_SEARCHES} words and values with * in the filters of all rules together`;
  const reason = `${at}: The rules up to this one have ${searches}: there may be ${expected}.`;
  throw new Refusal('FILTER_SYNTAX', { reason }, { field: at, expected });
}

function onlyMembers(object: JsonObject, at: string, names: readonly string[]): void {
  const unknown = Object.keys(object).find((name) => !names.includes(name) && object[name] !== undefined);
  if (unknown !== undefined) refuseValue(`${at}.${unknown}`, `one of ${names.join(', ')}`, unknown);
}

function optionalText(object: JsonObject, at: string, name: string, least: number): void {
  const value = object[name];
  if (value === undefined) return;
  if (typeof value !== 'string' || value.length < least || value.length > MAX_TEXT_LENGTH) {
    refuseValue(`${at}.${name}`, `a string of ${least} to ${MAX_TEXT_LENGTH} characters`, value);
  }
}

function arrayAt(value: unknown, at: string, least: number, most: number): readonly unknown[] {
  if (!Array.isArray(value)) return refuseValue(at, 'an array', value);
  if (value.length >= least && value.length <= most) return value as readonly unknown[];
  return refuseValue(at, least === most ? `${least} elements` : `${least} to ${most} elements`, value.length);
}

function integerAt(value: unknown, at: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  return refuseValue(at, `an integer ${least} to ${most}`, value);
}

function numberAt(value: unknown, at: string, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  return refuseValue(at, `a number ${least} to ${most}`, value);
}
