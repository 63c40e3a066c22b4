/**
 * Where a text stops being XML. Read here and not by the browser: its parser is not there in a worker, and puts a style of its own
 * into what it says of a mistake, which the policy of the page forbids.
 */
import { fill } from '../copy/fill.ts';
import { XML } from '../copy/xml.ts';
import type { JsonMistake } from '../../core/contract/json-position.ts';

const NAME =
  /[:A-Z_a-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{2FF}\u{370}-\u{37D}\u{37F}-\u{1FFF}\u{200C}-\u{200D}\u{2070}-\u{218F}\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}][-.:\w\u{B7}\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{37D}\u{37F}-\u{1FFF}\u{200C}-\u{200D}\u{203F}\u{2040}\u{2070}-\u{218F}\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}]*/uy;
/** Characters that XML does not know, and lone halves of a pair. */
const FORBIDDEN = /[\0-\u{8}\u{B}\u{C}\u{E}-\u{1F}\u{FFFE}\u{FFFF}]|\p{Surrogate}/u;
const SPACE = /[ \t\r\n]*/y;
const REFERENCE = /&(?:#(\d+)|#x([\dA-Fa-f]+)|([^\s;&<]+));/y;
const PREDEFINED = new Set(['amp', 'lt', 'gt', 'apos', 'quot']);
const BOUND = ['xml', 'xmlns'] as const;

interface Open {
  readonly name: string;
  /** Prefixes that its attributes declare. */
  readonly prefixes: readonly string[];
}

/** A mistake and where it is; never leaves this file. */
class Mistake extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/**
 * The first mistake; undefined when the text is well-formed, its names too. Lines and columns count from 1. Of a document type only
 * the end is looked for; with one, entities that nobody here knows are let pass.
 * @param onPlace told now and then how far it has come, in characters
 */
export function xmlMistake(text: string, onPlace?: (place: number) => void): JsonMistake | undefined {
  try {
    readDocument(text, onPlace);
    return undefined;
  } catch (reason) {
    if (!(reason instanceof Mistake)) throw reason;
    const before = text.slice(0, reason.at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message: reason.message };
  }
}

function readDocument(text: string, onPlace?: (place: number) => void): void {
  const odd = FORBIDDEN.exec(text);
  if (odd !== null) throw new Mistake(odd.index, XML.character);
  const open: Open[] = [];
  let hasRoot = false;
  let hasType = false;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const begin = at;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    readText(text, at, end, open.length > 0, hasType);
    if (next === -1) break;
    onPlace?.(next);
    if (text.startsWith('<!--', next)) at = afterComment(text, next);
    else if (text.startsWith('<![CDATA[', next)) {
      if (open.length === 0) throw new Mistake(next, XML.outside);
      at = after(text, ']]>', next + 9, next, XML.openData);
    } else if (text.startsWith('<?', next)) at = afterInstruction(text, next, begin);
    else if (text.startsWith('<!DOCTYPE', next)) {
      if (hasRoot || hasType) throw new Mistake(next, XML.lateType);
      hasType = true;
      at = afterType(text, next);
    } else if (text[next + 1] === '/') {
      at = readEnd(text, next, open.pop());
    } else {
      if (open.length === 0 && hasRoot) throw new Mistake(next, XML.secondRoot);
      hasRoot = true;
      at = readStart(text, next, open, hasType);
    }
  }
  const left = open.at(-1);
  if (left !== undefined) throw new Mistake(text.length, fill(XML.unclosed, { name: left.name }));
  if (!hasRoot) throw new Mistake(text.length, XML.noRoot);
}

/** One past `closing`. */
function after(text: string, closing: string, from: number, begin: number, message: string): number {
  const found = text.indexOf(closing, from);
  if (found === -1) throw new Mistake(begin, message);
  return found + closing.length;
}

function readText(text: string, from: number, to: number, isInside: boolean, hasType: boolean): void {
  if (!isInside) {
    const wanted = skipSpace(text, from);
    if (wanted < to) throw new Mistake(wanted, XML.outside);
    return;
  }
  const part = text.slice(from, to);
  const closing = part.indexOf(']]>');
  if (closing !== -1) throw new Mistake(from + closing, XML.sectionEnd);
  readReferences(part, from, hasType);
}

/** @param begin where `part` begins in the whole text */
function readReferences(part: string, begin: number, hasType: boolean): void {
  for (let at = part.indexOf('&'); at !== -1; at = part.indexOf('&', at + 1)) {
    REFERENCE.lastIndex = at;
    const found = REFERENCE.exec(part);
    if (found === null) throw new Mistake(begin + at, XML.ampersand);
    const [, decimal, hex, name] = found;
    if (name !== undefined) {
      if (!PREDEFINED.has(name) && !hasType) throw new Mistake(begin + at, fill(XML.entity, { name }));
      continue;
    }
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (code > 0x10ffff || FORBIDDEN.test(String.fromCodePoint(code)))
      throw new Mistake(begin + at, XML.reference);
  }
}

function afterComment(text: string, begin: number): number {
  const dashes = text.indexOf('--', begin + 4);
  if (dashes === -1) throw new Mistake(begin, XML.openComment);
  if (text[dashes + 2] !== '>') throw new Mistake(dashes, XML.dashes);
  return dashes + 3;
}

function afterInstruction(text: string, begin: number, first: number): number {
  const target = nameAt(text, begin + 2);
  if (target === undefined) throw new Mistake(begin + 2, XML.noTarget);
  if (target.toLowerCase() === 'xml' && begin !== first) throw new Mistake(begin, XML.lateDeclaration);
  return after(text, '?>', begin + 2 + target.length, begin, XML.openInstruction);
}

/** One past the document type, with what stands in its brackets. */
function afterType(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin + 9; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"' || character === "'") at = text.indexOf(character, at + 1);
    else if (text.startsWith('<!--', at)) at = afterComment(text, at) - 1;
    else if (character === '[') depth += 1;
    else if (character === ']') depth -= 1;
    else if (character === '>' && depth === 0) return at + 1;
    if (at === -1) break;
  }
  throw new Mistake(begin, XML.openType);
}

function readEnd(text: string, begin: number, opened: Open | undefined): number {
  const name = nameAt(text, begin + 2);
  if (opened === undefined) throw new Mistake(begin, fill(XML.closesNothing, { name: name ?? '' }));
  if (name !== opened.name) throw new Mistake(begin, fill(XML.expectedEnd, { name: opened.name }));
  const at = skipSpace(text, begin + 2 + name.length);
  if (text[at] !== '>') throw new Mistake(at, XML.expectedClose);
  return at + 1;
}

/** Reads a start tag; what it opens is put on top of `open`. @returns one past it */
function readStart(text: string, begin: number, open: Open[], hasType: boolean): number {
  const name = nameAt(text, begin + 1);
  if (name === undefined) throw new Mistake(begin, XML.less);
  const attributes = new Map<string, number>();
  let at = begin + 1 + name.length;
  for (;;) {
    const wanted = skipSpace(text, at);
    const character = text[wanted];
    if (character === undefined) throw new Mistake(begin, fill(XML.openTag, { name }));
    const isEmpty = character === '/' && text[wanted + 1] === '>';
    if (character === '>' || isEmpty) {
      const prefixes = [...attributes.keys()]
        .filter((key) => key.startsWith('xmlns:'))
        .map((key) => key.slice(6));
      open.push({ name, prefixes });
      checkPrefixes(name, begin + 1, attributes, open);
      if (isEmpty) open.pop();
      return wanted + (isEmpty ? 2 : 1);
    }
    if (wanted === at) throw new Mistake(wanted, XML.expectedSpace);
    at = readAttribute(text, wanted, attributes, hasType);
  }
}

function readAttribute(text: string, begin: number, known: Map<string, number>, hasType: boolean): number {
  const key = nameAt(text, begin);
  if (key === undefined) throw new Mistake(begin, XML.expectedName);
  if (known.has(key)) throw new Mistake(begin, fill(XML.twice, { name: key }));
  known.set(key, begin);
  const equals = skipSpace(text, begin + key.length);
  if (text[equals] !== '=') throw new Mistake(equals, fill(XML.expectedEquals, { name: key }));
  const quoteAt = skipSpace(text, equals + 1);
  const quote = text[quoteAt];
  if (quote !== '"' && quote !== "'") throw new Mistake(quoteAt, fill(XML.quotes, { name: key }));
  const end = text.indexOf(quote, quoteAt + 1);
  if (end === -1) throw new Mistake(quoteAt, fill(XML.openValue, { name: key }));
  const value = text.slice(quoteAt, end);
  const less = value.indexOf('<');
  if (less !== -1) throw new Mistake(quoteAt + less, XML.less);
  readReferences(value, quoteAt, hasType);
  return end + 1;
}

function checkPrefixes(
  name: string,
  at: number,
  attributes: ReadonlyMap<string, number>,
  open: readonly Open[],
): void {
  for (const [each, place] of [[name, at] as const, ...attributes]) {
    const cut = each.indexOf(':');
    if (cut === -1) continue;
    const prefix = each.slice(0, cut);
    if (BOUND.some((bound) => bound === prefix)) continue;
    if (!open.some(({ prefixes }) => prefixes.includes(prefix)))
      throw new Mistake(place, fill(XML.prefix, { name: prefix }));
  }
}

function nameAt(text: string, at: number): string | undefined {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0];
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.exec(text);
  return SPACE.lastIndex;
}
