/**
 * Rewrites the text of a rule before it runs: values without quotes become text, and `matches` uses a pattern
 * engine that cannot hang.
 */
import type { ASTNode } from '@marcbachmann/cel-js';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const NO_NAMES: ReadonlySet<string> = new Set();
/** Calls whose first argument names a variable for the rest. */
const BINDING_CALLS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'bind']);
const BARE_WORD = /^[A-Za-z_]\w*(?:[.\-/]\w+)*$/;

/** A whole rule in the short form of the interface, without quotes. */
const TYPE_RULE = /^\s*event\.type\s*==\s*([^\s"'`()[\]{},&|?=][^\s"'`()[\]{},&|?]*)\s*$/;

/** A whole number marked as unsigned. */
const UNSIGNED_INDEX = /^(?:0x[\da-f]+|\d+)u$/i;

/** Matches the escape of half a surrogate that is not itself escaped. */
const HALF_ESCAPE = /(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][\da-fA-F]{2}/g;

/**
 * Text of a rule as the reference reads it: half a surrogate, itself or as an escape, becomes U+FFFD. The length
 * stays the same.
 */
export function readText(match: string): string {
  return match.toWellFormed().replace(HALF_ESCAPE, String.raw`$1\ufffd`);
}

/**
 * The value of a rule that is exactly `event.type == <value>` without quotes: it is text, whatever it looks
 * like. undefined: the rule has another form.
 */
export function typeText(match: string): string | undefined {
  return TYPE_RULE.exec(match)?.[1];
}

/**
 * Explains how a rule was read, if that is not the meaning of its expression; undefined: it was read
 * literally.
 */
export function describeReading(match: string): string | undefined {
  const text = typeText(readText(match));
  return text === undefined ? undefined : `compares event.type with the text ${text}`;
}

/**
 * The text to run; undefined: a `matches` call could not be replaced. The interface writes values without
 * quotes (`event.type == order`), so an unknown name right of `==` or `!=` is text.
 */
export function rewriteMatch(
  text: string,
  ast: ASTNode,
  parse: (text: string) => ASTNode,
): string | undefined {
  const edits: Edit[] = [];
  collect(ast, NO_NAMES, edits, text);
  if (edits.length === 0) return text;
  let changed = text;
  for (const { start, end, text: by } of edits.toSorted((a, b) => b.start - a.start)) {
    changed = changed.slice(0, start) + by + changed.slice(end);
  }
  // A comment may have misled the search for the name, so the result is checked for remaining calls.
  return hasMatches(parse(changed)) ? undefined : changed;
}

/**
 * Words without quotes that are read as text, in order.
 * @param ast of `text`
 */
export function wordsReadAsText(text: string, ast: ASTNode): readonly string[] {
  const edits: Edit[] = [];
  collect(ast, NO_NAMES, edits, text);
  // The other edits name a function.
  return edits.filter((edit) => edit.text.startsWith('"')).map(({ start, end }) => text.slice(start, end));
}

function collect(node: ASTNode, bound: ReadonlySet<string>, edits: Edit[], text: string): void {
  if (node.op === '==' || node.op === '!=') {
    const [left, right] = node.args;
    collect(left, bound, edits, text);
    const word = text.slice(right.start, right.end);
    if (!isTypeCall(left) && !areTypes(left, right) && BARE_WORD.test(word) && namesNothing(right, bound)) {
      edits.push({ start: right.start, end: right.end, text: JSON.stringify(word) });
    } else collect(right, bound, edits, text);
    return;
  }
  if (node.op === '[]' && node.args[1].op === 'value' && node.args[0].op !== 'map') {
    // The library takes no unsigned number as the index of a list. JSON has no map with such keys.
    const { start, end } = node.args[1];
    if (UNSIGNED_INDEX.test(text.slice(start, end))) edits.push({ start: end - 1, end, text: '' });
  }
  if (node.op === 'rcall') {
    const [name, receiver, args] = node.args;
    if (name === 'matches') {
      const start = text.indexOf('matches', receiver.end);
      edits.push({ start, end: start + 'matches'.length, text: 're2matches' });
    }
    const first = args[0];
    const inner = BINDING_CALLS.has(name) && first?.op === 'id' ? new Set([...bound, first.args]) : bound;
    collect(receiver, bound, edits, text);
    for (const arg of args) collect(arg, inner, edits, text);
    return;
  }
  for (const child of childrenOf(node)) collect(child, bound, edits, text);
}

/** The texts that are written in a rule. */
export function textsIn(ast: ASTNode): readonly string[] {
  if (ast.op === 'value') return typeof ast.args === 'string' ? [ast.args] : [];
  return childrenOf(ast).flatMap(textsIn);
}

function hasMatches(node: ASTNode): boolean {
  return (node.op === 'rcall' && node.args[0] === 'matches') || childrenOf(node).some(hasMatches);
}

/** Whether a call compares a type: `type(x) == int`. */
function isTypeCall(node: ASTNode): boolean {
  return node.op === 'call' && node.args[0] === 'type';
}

/** Names of types in the rule language. */
const TYPES: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'string',
  'bool',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
]);

/** Whether two types are compared by name: `int == int`. */
function areTypes(...nodes: readonly ASTNode[]): boolean {
  return nodes.every((node) => node.op === 'id' && TYPES.has(node.args));
}

/**
 * Whether an expression is only words joined by dots, dashes or slashes, of which none begins with a
 * variable.
 */
function namesNothing(node: ASTNode, bound: ReadonlySet<string>): boolean {
  if (node.op === 'id') return node.args !== 'event' && !bound.has(node.args);
  if (node.op === '.') return namesNothing(node.args[0], bound);
  if (node.op !== '-' && node.op !== '/') return false;
  const [left, right] = node.args;
  return namesNothing(left, bound) && (right.op === 'value' || namesNothing(right, bound));
}

/** Direct parts of an expression. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    case 'list':
    case '?:':
    case '[]':
    case '[?]':
    case '||':
    case '&&':
    case '!=':
    case '==':
    case 'in':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return node.args;
  }
}
