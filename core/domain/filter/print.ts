/** Turns a filter into text that `parseFilter` reads as an equal filter. */
import { printFilterCode, readFilterCode } from '../../contract/grpc.ts';
import type { Filter, FilterNode, FilterValue, TermNode } from './ast.ts';

/** Words that never need quotes. */
const PLAIN = /^(?!(?:AND|OR|NOT|true|false|null)$)[A-Za-z_/][\w./-]*$/;
const STARTS_LIKE_OPERATOR = /^(?:[<>=]|!=)/;
const MEMBER = /^(?:[^\s"().[\]:=<>!]|!(?!=))+$/;

/** Text of a filter. If the language cannot write a member name, the text cannot be read back. */
export function printFilter(filter: Filter): string {
  return filter.isEmpty ? '' : printNode(filter.root);
}

/** A text as one value of a term, in quotes if it needs them; `*` stands for itself. */
export function printText(text: string): string {
  return PLAIN.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A path as it follows `data`: `.items[0].sku`. Undefined: the language cannot write one of its names. */
function printPath(path: readonly (string | number)[]): string | undefined {
  if (!path.every((step) => typeof step === 'number' || MEMBER.test(step))) return undefined;
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

function printNode(node: FilterNode): string {
  switch (node.kind) {
    case 'and':
      return node.nodes.map(printPrimary).join(' ');
    case 'or':
      return node.nodes.map(printPrimary).join(' OR ');
    case 'not':
      return printNot(node.node);
    case 'text':
      return printValue(node.value, '');
    case 'term':
      return printTerm(node);
  }
}

/** Prints a negation. Only a leading `-` keeps a word that itself begins with `-` in one piece. */
function printNot(node: FilterNode): string {
  const startsWithMinus =
    node.kind === 'text' && node.value.kind === 'pattern' && node.value.value.startsWith('-');
  return startsWithMinus ? `-${printNode(node)}` : `NOT ${printPrimary(node)}`;
}

function printPrimary(node: FilterNode): string {
  return node.kind === 'and' || node.kind === 'or' ? `(${printNode(node)})` : printNode(node);
}

function printTerm({ key, path, op, values }: TermNode): string {
  const [first] = values;
  const name =
    key + (path === undefined ? '' : key === 'meta' ? `.${path.join('.')}` : (printPath(path) ?? ''));
  const unit = key === 'age' || key === 'took' ? 'ms' : '';
  const text = values
    .map((value) => codeOf(key, op, value) ?? wordOf(key, value) ?? printValue(value, unit))
    .join(',');
  // After ":" a comma would end the value, and a leading "=" would be read as a comparison.
  const single =
    first?.kind === 'pattern' &&
    values.length === 1 &&
    (first.value.includes(',') || STARTS_LIKE_OPERATOR.test(first.value));
  return `${name}${op === '=' && !single ? ':' : op}${text}`;
}

/** The name of a gRPC code, which is a negative number here. */
function codeOf(key: TermNode['key'], op: TermNode['op'], value: FilterValue): string | undefined {
  const isCode =
    (key === 'status' || key === 'answer') && (op === '=' || op === '!=') && value.kind === 'number';
  return isCode ? printFilterCode(value.value) : undefined;
}

/** A status word that without quotes would be read as the gRPC code of that name. */
function wordOf(key: TermNode['key'], value: FilterValue): string | undefined {
  const isWord = key === 'answer' && value.kind === 'string' && readFilterCode(value.value) !== undefined;
  return isWord ? `"${value.value}"` : undefined;
}

function printValue(value: FilterValue, unit: string): string {
  switch (value.kind) {
    case 'string':
      return printText(value.value);
    case 'pattern':
      return value.value;
    case 'number':
      return `${value.value}${unit}`;
    case 'range':
      return `${value.from}${unit}..${value.to}${unit}`;
    case 'boolean':
      return String(value.value);
    case 'null':
      return 'null';
  }
}
