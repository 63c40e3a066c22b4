/**
 * Finds what the reference sidecar does differently with a match rule that works here, by the functions and
 * types of the parsed expression.
 */
import { Environment, ParseError } from '@marcbachmann/cel-js';
import type { ASTNode } from '@marcbachmann/cel-js';
import { shortened } from '../contract/cut-place.ts';
import type { ReferenceHint } from '../contract/reference-hint.ts';
import { addStandard, withMomentSums } from './match-functions.ts';
import { readLiterals } from './match-literals.ts';
import { childrenOf, readText, typeText, wordsReadAsText } from './match-rewrite.ts';
import { hintOf } from './reference-hints.ts';

/** Standard functions and macros of the rule language in release 1.13. */
const STANDARD: ReadonlySet<string> = new Set([
  ...['size', 'int', 'uint', 'double', 'string', 'bool', 'bytes', 'type', 'dyn', 'timestamp', 'duration'],
  ...['has', 'all', 'exists', 'exists_one', 'map', 'filter'],
  ...['startsWith', 'endsWith', 'contains', 'matches'],
  ...['getFullYear', 'getMonth', 'getDayOfYear', 'getDayOfMonth', 'getDate', 'getDayOfWeek'],
  ...['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'],
]);
/** Macros whose arguments after the first are checked in a scope of their own. */
const SCOPED: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const TEXT_METHODS: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'contains', 'matches']);
const RELATIONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const MAX_WHOLE = 2n ** 63n - 1n;
/** Maximum number of characters of an expression that a hint repeats. */
const MAX_FOUND_LENGTH = 200;

interface Relation {
  /** Position of the operator in the text. */
  readonly at: number;
  readonly length: number;
}

/** Longest rule that is read for hints. */
const MAX_RULE_LENGTH = 4000;
/** Characters of all rules of an app that are read for hints: about half a second of work. */
const ALL_RULES = 100_000;

/** Characters that may still be read for the hints of an app. */
export interface HintRoom {
  characters: number;
}

export function newHintRoom(): HintRoom {
  return { characters: ALL_RULES };
}

/**
 * Hints about rules, at most one for each: the most serious.
 * @param rules of one subscription, in their order
 * @param room reduced by the characters that are read
 */
export function ruleHints(
  rules: readonly { readonly match: string }[],
  room: HintRoom = newHintRoom(),
): readonly ReferenceHint[] {
  return rules.flatMap(({ match }, rule) => {
    const hint = match.trim() === '' ? undefined : ruleHint(match, rule, room);
    return hint === undefined ? [] : [hint];
  });
}

function ruleHint(given: string, rule: number, room: HintRoom): ReferenceHint | undefined {
  const text = readText(given);
  const source = readLiterals(text).text;
  const sentence = (what?: string): string => {
    const shown = shortened(text, MAX_FOUND_LENGTH);
    // A part with a literal in another form does not stand in the rule.
    const isPlace = what !== undefined && what !== shown.trim() && text.includes(what);
    const place = isPlace ? `, at ${shortened(what, MAX_FOUND_LENGTH)}` : '';
    return `rule ${rule + 1}${place}: ${shown}`;
  };
  if (text.length > MAX_RULE_LENGTH || text.length > room.characters)
    return hintOf('rule-not-compared', sentence(), { rule });
  room.characters -= text.length;
  const ast = parse(source);
  // A text that is no expression works here only because its right side is read as text.
  if (ast === undefined) return hintOf('rule-refused', sentence(), { rule });
  // A refused part takes precedence over an unknown function: the reference answers with the complaint and
  // does not hang.
  const nodes = nodesOf(ast);
  const refused = refusedPart(source, ast, nodes);
  if (refused !== undefined) return hintOf('rule-refused', sentence(refused), { rule });
  const [call] = callsOutside(nodes);
  if (call !== undefined) return hintOf('rule-extension-function', sentence(`${call.args[0]}()`), { rule });
  const word = typeText(text) ?? wordsReadAsText(source, ast)[0];
  return word === undefined ? undefined : hintOf('rule-unquoted-word', sentence(word), { rule });
}

let built: Environment | undefined;

/**
 * An environment with all functions that Sidelight adds to the standard language, so that only types can
 * cause a complaint.
 */
function environment(): Environment {
  if (built !== undefined) return built;
  const empty = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false });
  built = addStandard(empty)
    .registerVariable('event', 'dyn')
    .registerFunction('matches(string, string): bool', () => false)
    .registerFunction('string.re2matches(string): bool', () => false);
  return built;
}

function parse(text: string): ASTNode | undefined {
  try {
    return environment().parse(text).ast;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

type Call = Extract<ASTNode, { readonly op: 'call' | 'rcall' }>;

/** Calls of functions that are not in the standard language. */
function callsOutside(nodes: readonly ASTNode[]): readonly Call[] {
  return nodes.filter(
    (node): node is Call => (node.op === 'call' || node.op === 'rcall') && !STANDARD.has(node.args[0]),
  );
}

/** The part of an expression that the reference's type check refuses; undefined: none. */
function refusedPart(text: string, ast: ASTNode, nodes: readonly ASTNode[]): string | undefined {
  const wrong =
    badTextCall(nodes) ??
    tooLargeNumber(nodes) ??
    capitalHex(text, nodes) ??
    quoteInRaw(text, nodes) ??
    innerChoice(text, nodes) ??
    walkOfEvent(ast);
  if (wrong !== undefined) return partOrWhole(text, wrong.start, wrong.end);
  // Sidelight orders numbers of different types, but both sides refuse to compare them by ==. So the
  // reference refuses a relation exactly if its operands may not be compared by ==.
  const relations = relationsOf(text, nodes).toSorted((a, b) => a.at - b.at);
  let strict = '';
  let from = 0;
  for (const { at, length } of relations) {
    strict += `${text.slice(from, at)}==`;
    from = at + length;
  }
  const parsed = environment().parse(strict + text.slice(from));
  withMomentSums(parsed.ast);
  const checked = parsed.check();
  const range = checked.valid ? wrongKey(parsed.ast) : checked.error?.range;
  if (range === undefined) return checked.valid ? undefined : text;
  const start = originalAt(range.start, relations);
  const end = originalAt(range.end, relations);
  return partOrWhole(text, start, end);
}

/** A part of the text; the whole text if the part has only one of two brackets, as the position of an operand leaves out those around it. */
function partOrWhole(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  return isBalanced(part) ? part : text;
}

function isBalanced(part: string): boolean {
  let open = 0;
  for (const char of part) {
    if (char === '(') open += 1;
    else if (char === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

/** Position in the original text, in which relations of one character were not yet replaced by `==`. */
function originalAt(position: number, relations: readonly Relation[]): number {
  let original = position;
  for (const { at, length } of relations) if (at < original) original -= 2 - length;
  return original;
}

/**
 * Relations that the reference checks strictly. From the first macro with a scope on, it orders numbers of
 * different types too.
 */
function relationsOf(text: string, nodes: readonly ASTNode[]): readonly Relation[] {
  const scope = firstScope(nodes);
  const outside = callsOutside(nodes);
  return nodes.flatMap((node): readonly Relation[] => {
    // The reference does not know the result type of an unknown function, so it does not complain about it.
    if (!isRelation(node) || node.end > scope || outside.some((call) => isWithin(call, node))) return [];
    const [left, right] = node.args;
    const gap = text.slice(left.end, right.start);
    const index = gap.indexOf(node.op);
    // Between the operands there are brackets, blanks and the operator; a comment there could contain
    // anything.
    return gap.includes('//') || index < 0 ? [] : [{ at: left.end + index, length: node.op.length }];
  });
}

/** Position of the first macro's arguments. The part before it is checked first. */
function firstScope(nodes: readonly ASTNode[]): number {
  const starts = nodes.flatMap((node) =>
    node.op === 'rcall' && SCOPED.has(node.args[0]) ? [node.args[2][0]?.start ?? node.end] : [],
  );
  return Math.min(...starts, Number.POSITIVE_INFINITY);
}

function isWithin(inner: ASTNode, outer: ASTNode): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** An expression and all its parts. */
function nodesOf(ast: ASTNode): readonly ASTNode[] {
  const found = [ast];
  // The loop also visits the parts that it appends.
  for (const node of found) found.push(...childrenOf(node));
  return found;
}

type Relating = Extract<ASTNode, { readonly op: '<' | '<=' | '>' | '>=' }>;

function isRelation(node: ASTNode): node is Relating {
  return RELATIONS.has(node.op);
}

/** Whether an expression has a call such as `event.type.startsWith(5)`. */
function badTextCall(nodes: readonly ASTNode[]): ASTNode | undefined {
  return nodes.find((node) => {
    if (node.op !== 'rcall' || !TEXT_METHODS.has(node.args[0])) return false;
    const [first] = node.args[2];
    return first?.op === 'value' && typeof first.args !== 'string';
  });
}

/** A whole number with more than 64 bits, which the library accepts. */
function tooLargeNumber(nodes: readonly ASTNode[]): ASTNode | undefined {
  // The sign is an operator for the library, so the smallest number is its counterpart and a minus.
  const smallest = new Set(
    nodes.flatMap((node) =>
      node.op === '-_' && node.args.op === 'value' && node.args.args === MAX_WHOLE + 1n ? [node.args] : [],
    ),
  );
  return nodes.find(
    (node) =>
      node.op === 'value' && typeof node.args === 'bigint' && node.args > MAX_WHOLE && !smallest.has(node),
  );
}

/** A number such as `0XFF`: the reference knows `0x` alone. */
function capitalHex(text: string, nodes: readonly ASTNode[]): ASTNode | undefined {
  return nodes.find((node) => node.op === 'value' && text.startsWith('0X', node.start));
}

/** A text without escapes that has its own quote behind a backslash, as `r"\""`: it ends there for the reference. */
function quoteInRaw(text: string, nodes: readonly ASTNode[]): ASTNode | undefined {
  return nodes.find((node) => node.op === 'value' && QUOTE_IN_RAW.test(text.slice(node.start, node.end)));
}

const QUOTE_IN_RAW = /^r(["'])(?!\1\1).*\1.*\1$/is;

/** A choice between `?` and `:` of another one, which the reference takes in brackets only. */
function innerChoice(text: string, nodes: readonly ASTNode[]): ASTNode | undefined {
  let open: readonly number[] | undefined;
  return nodes.find((node) => {
    if (node.op !== '?:' || node.args[1].op !== '?:') return false;
    const [condition, inner] = node.args;
    open ??= openBrackets(text, nodes);
    // A bracket that is open at the second sign and not at the first is around the inner choice.
    return open[text.indexOf('?', condition.end)] === open[text.indexOf('?', inner.args[0].end)];
  });
}

/** Number of brackets that are open at each place of a rule; one in a text is none. */
function openBrackets(text: string, nodes: readonly ASTNode[]): readonly number[] {
  const steps = new Int8Array(text.length);
  for (let at = 0; at < text.length; at += 1) steps[at] = text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
  for (const { op, start, end } of nodes) if (op === 'value') steps.fill(0, start, end);
  let open = 0;
  return Array.from(steps, (step) => (open += step));
}

/** What a part stands for: the whole event, or a list or map whose elements stand for something; undefined: something else. */
type Whole = 'event' | { readonly of: Whole } | undefined;

/** The members of the whole event, as in `event.all(k, k != "")`: the reference does not know that the event has any. */
function walkOfEvent(node: ASTNode, names: ReadonlyMap<string, Whole> = EVENT): ASTNode | undefined {
  if (node.op !== 'rcall' || !SCOPED.has(node.args[0])) return firstOf(childrenOf(node), names);
  const [, range, [name, ...rest]] = node.args;
  const whole = wholeOf(range, names);
  if (whole === 'event') return node;
  const inner = name?.op === 'id' ? new Map([...names, [name.args, whole?.of] as const]) : names;
  return firstOf([range], names) ?? firstOf(rest, inner);
}

const EVENT: ReadonlyMap<string, Whole> = new Map([['event', 'event']]);

function firstOf(nodes: readonly ASTNode[], names: ReadonlyMap<string, Whole>): ASTNode | undefined {
  for (const node of nodes) {
    const found = walkOfEvent(node, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wholeOf(node: ASTNode, names: ReadonlyMap<string, Whole>): Whole {
  switch (node.op) {
    case 'id':
      return names.get(node.args);
    case '?:':
      return wholeOf(node.args[1], names) ?? wholeOf(node.args[2], names);
    case 'list':
    case 'map': {
      const [first] = node.op === 'list' ? node.args : node.args.map(([, value]) => value);
      const of = first && wholeOf(first, names);
      return of && { of };
    }
    case '.':
    case '[]': {
      const whole = wholeOf(node.args[0], names);
      return whole === 'event' ? undefined : whole?.of;
    }
    default:
      return undefined;
  }
}

/** Type of a part, which the library notes at the part when it checks the whole. */
interface CheckedType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: CheckedType;
}

function wrongKey(checked: ASTNode): ASTNode | undefined {
  const nodes = nodesOf(checked);
  const outside = callsOutside(nodes);
  return nodes.find((node) => isWrongKey(node, outside));
}

/** A key of another type than the map has, as in `{"a": 1}[1]`: the library accepts it. */
function isWrongKey(node: ASTNode, outside: readonly ASTNode[]): boolean {
  if (node.op !== '[]') return false;
  const [map, key] = node.args;
  const [known, asked] = [typeOf(map)?.keyType, typeOf(key)];
  if (known === undefined || asked === undefined || outside.some((call) => isWithin(call, key))) return false;
  // The reference has no type for a part of the event, and finds none for a key that is null.
  if ([known, asked].some(({ kind }) => kind === 'dyn' || kind === 'param')) return false;
  return asked.name === 'null' || known.name !== asked.name;
}

function typeOf(node: ASTNode): CheckedType | undefined {
  return (node as ASTNode & { readonly checkedType?: CheckedType }).checkedType;
}
