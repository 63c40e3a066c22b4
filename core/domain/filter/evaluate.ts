/** Evaluates a filter for a message. */
import { answerText } from './answer-text.ts';
import type { Comparison, Filter, FilterNode, FilterValue, TermNode } from './ast.ts';
import { NUMBER_FACTS, TEXT_FACTS } from './key-values.ts';
import { contains, partMatch, wholeMatch } from './glob.ts';
import { spendOnSearch } from './live-bounds.ts';
import { hashedNumber } from '../message-number.ts';
import type { Steps } from '../steps.ts';
import type { FilterSubject } from './subject.ts';

/**
 * Test of one message. `nowMs`: milliseconds since 1970, from which ages are counted. Throws OutOfSteps if
 * the subject has `steps` and they are used up.
 */
export type CompiledFilter = (subject: FilterSubject, nowMs: number) => boolean;

type Test<T> = (value: T, steps?: Steps) => boolean;

/** Compiles a filter for use with many messages. */
export function compileFilter(filter: Filter): CompiledFilter {
  return compileNode(filter.root);
}

/** Whether a filter needs a message's envelope or payload: `data.…` and `source`. */
export function needsData(filter: Filter): boolean {
  return some(filter.root, (node) => node.kind === 'term' && (node.key === 'data' || node.key === 'source'));
}

/** Whether a filter needs the searchable text. */
export function needsText(filter: Filter): boolean {
  return some(filter.root, (node) => node.kind === 'text');
}

/** Makes the test of free text, for a text in lower case. */
export function compileText(value: Extract<FilterValue, { kind: 'string' | 'pattern' }>): Test<string> {
  const wanted = value.value.toLowerCase();
  if (value.kind === 'pattern') return counted(wanted, partMatch(wanted));
  return counted(wanted, (text) => contains(text, wanted));
}

/** Makes the test of a text against one value of a term. */
export function textTest(value: FilterValue): Test<string> {
  if (value.kind === 'pattern') return counted(value.value, wholeMatch(value.value));
  if (value.kind !== 'string') return () => false;
  const wanted = value.value;
  return (text) => text === wanted;
}

function some(node: FilterNode, is: (node: FilterNode) => boolean): boolean {
  if (is(node)) return true;
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.some((each) => some(each, is));
  return node.kind === 'not' && some(node.node, is);
}

/** Compiles a part of a filter. */
export function compileNode(node: FilterNode): CompiledFilter {
  switch (node.kind) {
    case 'and': {
      const nodes = node.nodes.map(compileNode);
      return (subject, nowMs) => nodes.every((passes) => passes(subject, nowMs));
    }
    case 'or': {
      const nodes = node.nodes.map(compileNode);
      return (subject, nowMs) => nodes.some((passes) => passes(subject, nowMs));
    }
    case 'not': {
      const passes = compileNode(node.node);
      return (subject, nowMs) => !passes(subject, nowMs);
    }
    case 'text': {
      const passes = compileText(node.value);
      return (subject) => passes(subject.text(), subject.steps);
    }
    case 'term':
      return compileTerm(node);
  }
}

function compileTerm(term: TermNode): CompiledFilter {
  if (term.op !== '!=') return compileAny(term);
  const equal = compileAny({ ...term, op: '=' });
  return (subject, nowMs) => !equal(subject, nowMs);
}

function compileAny(term: TermNode): CompiledFilter {
  if (term.key === 'id') return idTerm(term);
  if (term.key === 'data') return dataTerm(term);
  if (term.key === 'answer') return answerTerm(term);
  if (term.key === 'meta') return metaTerm(term);
  const numbers = NUMBER_FACTS[term.key];
  if (numbers !== undefined) {
    const each = anyOf(term.values.map((value) => numberTest(term.op, value)));
    // HTTP statuses are ordered by size; gRPC codes are not.
    const isOrder = term.key === 'status' && term.op !== '=';
    const passes: Test<number> = isOrder ? (found) => found >= 0 && each(found) : each;
    return (subject, nowMs) => numbers(subject, nowMs).some((value) => passes(value));
  }
  const texts = TEXT_FACTS[term.key] ?? (() => []);
  const tests = term.values.map((value) => textTest(term.key === 'error' ? lowered(value) : value));
  const passes = anyOf(tests);
  return (subject) => texts(subject).some((text) => text !== undefined && passes(text, subject.steps));
}

function idTerm(term: TermNode): CompiledFilter {
  const whole = anyOf(term.values.map(textTest));
  const starts = term.values.flatMap((value) => (value.kind === 'string' ? [value.value] : []));
  const numbers = new Set(starts.flatMap((start) => hashedNumber(start) ?? []));
  return ({ row, deliveries, steps }) => {
    if (numbers.has(row.number)) return true;
    const ours = [row.messageId, ...deliveries.map(({ deliveryId }) => deliveryId)];
    if (row.eventId !== undefined && whole(row.eventId, steps)) return true;
    return ours.some((id) => whole(id) || starts.some((start) => id.startsWith(start)));
  };
}

function dataTerm(term: TermNode): CompiledFilter {
  const path = term.path ?? [];
  const passes = anyOf(term.values.map((value) => dataTest(term.op, value)));
  return (subject) => {
    const found = valueAt(subject.data(), path);
    return found !== undefined && passes(found, subject.steps);
  };
}

/** A code, a status word in any letter case, or words of the answer. A star alone is any answer, also one without a word. */
function answerTerm(term: TermNode): CompiledFilter {
  const byHead = answerHeadTest(term);
  const says = answerTextTest(term);
  return (subject) => {
    if (byHead(subject)) return true;
    if (says === undefined) return false;
    for (const answer of subject.answers()) if (says(answer, subject.steps)) return true;
    return false;
  };
}

/** The part of a term for answers that needs no body. */
export function answerHeadTest({ values }: TermNode): (subject: FilterSubject) => boolean {
  const byCode = anyOf(values.map((value) => numberTest('=', value)));
  const byWord = anyOf(values.map((value) => textTest(inCapitals(value))));
  const isAny = values.some(isStar);
  return ({ statuses, words, steps }) =>
    (isAny && statuses.length > 0) ||
    statuses.some((status) => byCode(status)) ||
    words.some((word) => byWord(capitals(word), steps));
}

/** Tests a body in lower case for the texts of a term for answers; undefined: it has none. */
export function answerTextTest({ values }: TermNode): Test<string> | undefined {
  const texts = values.flatMap((value) => answerText(value) ?? []);
  return texts.length === 0 ? undefined : anyOf(texts.map(compileText));
}

function metaTerm(term: TermNode): CompiledFilter {
  const name = String(term.path?.[0] ?? '');
  const passes = anyOf(term.values.map((value) => metaTest(term.op, value)));
  return ({ metadata, steps }) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    return value !== undefined && passes(value, steps);
  };
}

function dataTest(op: Comparison, value: FilterValue): Test<unknown> {
  switch (value.kind) {
    case 'number':
    case 'range': {
      const passes = numberTest(op, value);
      return (found) => typeof found === 'number' && passes(found);
    }
    case 'string':
      return (found) => typeof found === 'string' && ordered(op, found, value.value);
    case 'pattern': {
      if (isStar(value)) return () => true;
      const passes = textTest(value);
      return (found, steps) => typeof found === 'string' && passes(found, steps);
    }
    case 'boolean':
      return (found) => found === value.value;
    case 'null':
      return (found) => found === null;
  }
}

function metaTest(op: Comparison, value: FilterValue): Test<string> {
  if (value.kind === 'number' || value.kind === 'range') {
    const passes = numberTest(op, value);
    return (found) => found.trim() !== '' && passes(Number(found));
  }
  if (value.kind === 'string') return (found) => ordered(op, found, value.value);
  return textTest(value);
}

function numberTest(op: Comparison, value: FilterValue): Test<number> {
  if (value.kind === 'range') return (found) => found >= value.from && found <= value.to;
  if (value.kind !== 'number') return () => false;
  return (found) => ordered(op, found, value.value);
}

function ordered<T extends string | number>(op: Comparison, found: T, wanted: T): boolean {
  switch (op) {
    case '=':
      return found === wanted;
    case '!=':
      return found !== wanted;
    case '>':
      return found > wanted;
    case '>=':
      return found >= wanted;
    case '<':
      return found < wanted;
    case '<=':
      return found <= wanted;
  }
}

/** The value at a path; undefined: there is none. Only own members count, never those of a prototype. */
export function valueAt(data: unknown, path: readonly (string | number)[]): unknown {
  let at = data;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    if (Array.isArray(at) !== (typeof step === 'number')) return undefined;
    const own = Object.getOwnPropertyDescriptor(at, step);
    if (own === undefined) return undefined;
    at = own.value;
  }
  return at;
}

/** A text or pattern in lower case, since letter case does not count. */
export function lowered(value: FilterValue): FilterValue {
  if (value.kind !== 'string' && value.kind !== 'pattern') return value;
  return { kind: value.kind, value: value.value.toLowerCase() };
}

/** Whether a value stands for any other. */
export function isStar(value: FilterValue): boolean {
  return value.kind === 'pattern' && /^\*+$/.test(value.value);
}

/** A text or pattern in capitals, as status words are compared. */
export function inCapitals(value: FilterValue): FilterValue {
  if (value.kind !== 'string' && value.kind !== 'pattern') return value;
  return { kind: value.kind, value: capitals(value.value) };
}

/** The text with the letters a to z in capitals; SQLite changes no others either. */
function capitals(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function anyOf<T>(tests: readonly Test<T>[]): Test<T> {
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (value, steps) => tests.some((passes) => passes(value, steps));
}

/** A test that pays for itself with the steps that it is given. */
function counted(pattern: string, test: Test<string>): Test<string> {
  return (text, steps) => {
    if (steps !== undefined) spendOnSearch(text, pattern, steps);
    return test(text);
  };
}
