/** Reads a scenario file, or finds all its mistakes with their positions. */
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document } from 'yaml';
import { scenario, STEPS } from '../contract/scenario.ts';
import type { Scenario, StepKind } from '../contract/scenario.ts';
import { propertiesOf } from '../contract/schema.ts';
import type { TSchema } from '../contract/schema.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { parseDuration } from '../domain/duration.ts';
import { mistakeText } from '../domain/filter/meant.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import { isObject } from '../domain/json.ts';
import { complaintOf, complaintSentence } from '../domain/shape-complaint.ts';
import type { Shape } from '../domain/shape-words.ts';
import { aliasComplaint, MAX_ALIASES, strayAliasIn, yamlComplaints } from '../domain/yaml-complaint.ts';
import { repeatedKeys } from '../domain/yaml-repeated-keys.ts';
import { complaintsAboutFacts } from './file-facts.ts';
import type { Around, Found } from './file-facts.ts';

/** A mistake in a file, with advice. Line and column count from 1. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadScenario =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

const KINDS = Object.keys(STEPS);
/** Shape of a list with its bound; each item is checked separately. */
const listShape = (name: 'steps' | 'mock'): Shape => {
  const { minItems, maxItems }: Shape = propertiesOf(scenario)[name] ?? {};
  return {
    type: 'array',
    ...withoutUndefined({ minItems, maxItems }),
  };
};
/** Shape of the file without the steps and rules, whose items are checked separately. */
const SHELL: Shape = {
  ...scenario,
  properties: { ...propertiesOf(scenario), steps: listShape('steps'), mock: listShape('mock') },
};
/** Maximum number of mistakes that are reported for one file. */
const MAX_MISTAKES = 100;

/** Reads a file. It never throws. */
export function readScenario(text: string, around: Around = {}): ReadScenario {
  const lines = new LineCounter();
  // `repeatedKeys` looks at the keys.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const at = (offset: number): { readonly line: number; readonly column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const errors = [...document.errors, ...repeatedKeys(document, { visit, isScalar })];
  if (errors.length > 0)
    return no(yamlComplaints(text, errors).map(({ offset, message }) => ({ ...at(offset), message })));
  const read = valueOf(document);
  if ('reason' in read) return no([{ ...at(strayAliasIn(document, visit) ?? 0), message: read.reason }]);
  const { value } = read;
  const found = isObject(value) ? complaintsAbout(value, around) : [notAFile(value)];
  const mistakes = found.map((complaint) => ({
    ...at(offsetOf(document, complaint)),
    message: complaintSentence(complaint),
  }));
  if (mistakes.length > 0) return no(mistakes.toSorted((a, b) => a.line - b.line));
  // Each part was checked against its declaration.
  return { ok: true, scenario: value as Scenario };
}

function no(mistakes: readonly Mistake[]): ReadScenario {
  return { ok: false, mistakes: mistakes.slice(0, MAX_MISTAKES) };
}

/**
 * The file as plain values, or why there are none: an alias is unknown, refers to itself, or expands to too
 * much.
 */
function valueOf(document: Document): { readonly value: unknown } | { readonly reason: string } {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    JSON.stringify(value);
    return { value };
  } catch (error) {
    if (error instanceof ReferenceError) return { reason: aliasComplaint(error.message) };
    if (error instanceof TypeError)
      return { reason: 'YAML: an alias is inside the value that it stands for' };
    throw error;
  }
}

/** Kind of a step: its first member that is the name of one. */
function kindOf(step: object): StepKind | undefined {
  return Object.keys(step).find(isKind);
}

function isKind(name: string): name is StepKind {
  return Object.hasOwn(STEPS, name);
}

/** Complaints about the file, at most one for each part, so that no mistake hides another one. */
function complaintsAbout(file: Readonly<Record<string, unknown>>, around: Around): readonly Found[] {
  const shell = complaintOf(SHELL, file);
  const { mock, steps } = file;
  const rules = itemsOf(mock).map((rule, index) => complaintAboutRule(rule, `mock[${index}]`));
  const each = itemsOf(steps).flatMap((step, index) => complaintsAboutStep(step, `steps[${index}]`));
  const shapes = [shell, ...rules, ...each].filter((one) => one !== undefined);
  const isReported = (field: string): boolean => shapes.some((one) => one.field === field);
  return [...shapes, ...complaintsAboutFacts(file, around).filter(({ field }) => !isReported(field))];
}

function notAFile(value: unknown): Found {
  const expected = `members such as ${Object.keys(propertiesOf(scenario)).join(', ')}`;
  const what = value === null ? 'nothing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  return { field: '', expected, reason: `a scenario file has ${expected}; this one is ${what}` };
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function complaintAboutRule(rule: unknown, field: string): Found | undefined {
  const { mock: list } = propertiesOf(scenario);
  const shape: Shape = list ?? {};
  const found = complaintOf(isShape(shape.items) ? shape.items : {}, rule, field);
  return found ?? complaintAboutMatch(rule, field);
}

function complaintAboutMatch(rule: unknown, field: string): Found | undefined {
  const match = isObject(rule) ? rule['match'] : undefined;
  return isObject(match) ? complaintAboutFilter(match['filter'], `${field}.match.filter`) : undefined;
}

function isShape(items: Shape['items']): items is Shape {
  return items !== undefined && !Array.isArray(items);
}

/** Members of steps that are filters, and those that are durations. */
const FILTERS = ['expect', 'never', 'release', 'edit', 'retry', 'drop', 'answer'] as const;
const DURATIONS = ['within', 'for', 'settle'] as const;

function complaintsAboutStep(step: unknown, field: string): readonly Found[] {
  if (!isObject(step)) return [notAStep(field, step)];
  const kind = kindOf(step);
  if (kind === undefined) return [notAStep(field, step)];
  const shape: TSchema = STEPS[kind];
  const hold = step['hold'];
  const filters = [
    ...FILTERS.filter((name) => name === kind).map((name) =>
      complaintAboutFilter(step[name], `${field}.${name}`),
    ),
    isObject(hold) ? complaintAboutFilter(hold['filter'], `${field}.hold.filter`) : undefined,
  ];
  const { mock } = step;
  const rules = isObject(mock)
    ? itemsOf(mock['rules']).map((rule, index) => complaintAboutMatch(rule, `${field}.mock.rules[${index}]`))
    : [];
  const durations = DURATIONS.map((name) => complaintAboutDuration(step[name], `${field}.${name}`));
  const found = [...filters, ...rules, ...durations].filter((one) => one !== undefined);
  const first = complaintOf(shape, step, field) ?? withoutData(step, field);
  // A wrong duration gets the complaint of durations, even if it is no text.
  const isReported = first === undefined || found.some((one) => one.field === first.field);
  return isReported ? found : [first, ...found];
}

/** Complaint about a publish without data: one of two members is required, which the shape cannot express. */
function withoutData(step: Readonly<Record<string, unknown>>, field: string): Found | undefined {
  const { publish } = step;
  if (!isObject(publish) || 'data' in publish || 'dataBase64' in publish) return undefined;
  const expected = 'data or dataBase64';
  return {
    field: `${field}.publish.data`,
    expected,
    reason: `${field}.publish.data is missing: give ${expected}`,
  };
}

function complaintAboutDuration(value: unknown, field: string): Found | undefined {
  if (value === undefined || value === null) return undefined;
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms !== undefined && ms >= 0) return undefined;
  const expected = 'a duration such as 500ms, 5s or 1m30s';
  return { field, expected, reason: `${field} must be ${expected}, got ${JSON.stringify(value)}` };
}

function notAStep(field: string, step: unknown): Found {
  const expected = `one of ${KINDS.join(', ')}`;
  const [first] = isObject(step) ? Object.keys(step) : [];
  if (first === undefined) return { field, expected, reason: `${field} must be an object with ${expected}` };
  const path = `${field}.${first}`;
  return { field: path, expected, reason: `${path} is not a step: expected ${expected}`, known: KINDS };
}

function complaintAboutFilter(text: unknown, field: string): Found | undefined {
  if (typeof text !== 'string') return undefined;
  const parsed = parseFilter(text);
  if (parsed.ok) return undefined;
  const { position, expected } = parsed.error;
  return { field, expected, reason: `${field}: ${mistakeText(text, parsed.error)}`, within: position - 1 };
}

/**
 * Offset of a complaint in the text: an unknown name at the name, a value at the value, a missing member at
 * its parent.
 */
function offsetOf(document: Document, { field, path = partsOf(field), known, within }: Found): number {
  const { key, value, parent } = nodeAt(document, path);
  if (known !== undefined) return startOf(key) ?? startOf(parent) ?? 0;
  const start = startOf(value);
  if (start === undefined) return startOf(parent) ?? 0;
  if (within === undefined) return start;
  const isQuoted = isScalar(value) && (value.type === 'QUOTE_SINGLE' || value.type === 'QUOTE_DOUBLE');
  return start + within + (isQuoted ? 1 : 0);
}

interface NodeAt {
  readonly key?: unknown;
  readonly value?: unknown;
  /** The innermost node around it that exists. */
  readonly parent?: unknown;
}

/**
 * Splits a path.
 * @param field a path such as `steps[0].publish.topic`
 */
function partsOf(field: string): readonly string[] {
  return field.match(/[^.[\]]+/g) ?? [];
}

function nodeAt(document: Document, path: readonly string[]): NodeAt {
  let at: NodeAt = { value: document.contents };
  for (const name of path) {
    const { value } = at;
    const inside = isAlias(value) ? value.resolve(document) : value;
    if (isSeq(inside)) {
      at = { value: inside.items[Number(name)], parent: inside };
      continue;
    }
    const pair = isMap(inside)
      ? inside.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    if (pair === undefined) return { parent: inside };
    at = { key: pair.key, value: pair.value, parent: inside };
  }
  return at;
}

/** Index of a node's first character; undefined: it is not in the text. */
function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
