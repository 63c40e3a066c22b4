/**
 * Says what is wrong in a YAML text: what was found, and what is expected. The parser names the rules of its grammar, which few people know;
 * its words are kept only for mistakes that hardly anybody makes. No sentence repeats a value, because any may be a password; the position
 * leads to it.
 */
import { shortened } from '../contract/cut-place.ts';

/** Error of the parser: its code, its words, and from where to where it reaches. */
export interface ParserError {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

export interface YamlComplaint {
  /** Index in the text of the character that a person has to look at. */
  readonly offset: number;
  readonly message: string;
}

export interface CodedComplaint extends YamlComplaint {
  /** The parser's code for its kind. */
  readonly code: string;
}

/** Maximum number of errors that are looked at: one bracket too many makes thousands. */
const MAX_ERRORS = 1000;
/** Characters of a line that are looked at. */
const LINE_LENGTH = 400;
/** Characters of a key that a sentence repeats. */
const QUOTED_LENGTH = 60;

/**
 * The mistakes of a text, at most one for each line: a mistake makes further ones on its line.
 * @param errors errors of the parser about this text, in their order
 */
export function yamlComplaints(text: string, errors: readonly ParserError[]): readonly CodedComplaint[] {
  const complaints: CodedComplaint[] = [];
  const lines = new Set<number>();
  for (const error of errors.slice(0, MAX_ERRORS)) {
    const complaint = complaintOf(text, error);
    const own = [complaint.offset, error.pos[0]].map((offset) => lineAt(text, offset).start);
    if (!own.some((start) => lines.has(start))) complaints.push({ ...complaint, code: error.code });
    for (const start of own) lines.add(start);
  }
  return complaints;
}

/** The sentence about a mistake that the parser finds only when it reads the values, so that it gives no position. */
export function aliasComplaint(said: string): string {
  if (said.startsWith('Unresolved alias')) return STRAY_ALIAS;
  return said.startsWith('Excessive alias count')
    ? `YAML: the aliases (*) of the file repeat more than ${MAX_ALIASES} values, so Sidelight does not read it.`
    : `YAML: ${said}`;
}

/** Maximum number of aliases in one file, and of values that they repeat. */
export const MAX_ALIASES = 100;

interface AliasOf<D> {
  readonly range?: readonly number[] | null | undefined;
  resolve(document: D): unknown;
}

/**
 * Where the first alias stands that names nothing.
 * @param visit the library's walk through a document
 */
export function strayAliasIn<D>(
  document: D,
  visit: (document: D, visitor: { readonly Alias: (key: unknown, alias: AliasOf<D>) => void }) => void,
): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      if (offset === undefined && alias.resolve(document) === undefined) offset = alias.range?.[0];
    },
  });
  return offset;
}

/** The sentence about an alias without an anchor above it. */
export const STRAY_ALIAS =
  'YAML: found an alias (*), but no anchor (&) of its name above it. A text that begins with * needs quotes.';

interface Place {
  readonly text: string;
  readonly offset: number;
  /** Parts of the parser's sentence. */
  readonly parts: readonly (string | undefined)[];
}

type Rule = readonly [says: RegExp, complain: (place: Place) => YamlComplaint];

/** Mistakes by the words of the parser; the first that fits counts. */
const RULES: readonly Rule[] = [
  [
    /^Tabs are not allowed/,
    ({ text, offset }) => tabBefore(text, offset) ?? tabBehindDash(text, offset) ?? said(offset, TAB),
  ],
  [/^All (?:mapping|sequence) items must start at the same column/, ofBlock(wrongColumn)],
  [/^Nested mappings are not allowed in compact mappings/, ofBlock(nestedMapping)],
  [/^Implicit keys need to be on a single line/, ofBlock(noKey)],
  [/^Implicit map keys need to be followed by map values/, ofBlock(noKey)],
  [/^Sequence item without - indicator/, ofBlock(noItem)],
  [/^A block sequence may not be used as an implicit map key/, ofBlock(itemAmongKeys)],
  [
    /^Unexpected block-seq-ind on same line/,
    ({ offset }) =>
      said(
        offset,
        'found a list on the line of its key; expected it to begin on the next line, or to be written as [a, b].',
      ),
  ],
  [/^Unexpected \S+ at node end/, ({ text, offset }) => afterValue(text, offset)],
  [/^Missing closing (["'])/, ({ text, offset, parts: [, mark = ''] }) => openQuote(text, offset, mark)],
  [/ end with a ([\]}])$/, ({ text, offset, parts: [, close = ''] }) => openBracket(text, offset, close)],
  [
    /^Missing , (?:or : )?between flow (map|sequence) items/,
    ({ offset, parts: [, kind] }) =>
      said(offset, `expected a comma between two values in ${kind === 'map' ? '{ }' : '[ ]'}.`),
  ],
  [/^Missing space after :/, ({ offset }) => said(offset, 'expected a space after the colon.')],
  [
    /^Comments must be separated/,
    ({ offset }) =>
      said(offset, 'expected a space before #, which begins a comment. A text with # needs quotes.'),
  ],
  [/^Plain value cannot start with/, ({ text, offset }) => firstSign(text, offset)],
  [
    /^Invalid escape sequence (\S+)/,
    ({ offset, parts: [, sequence = ''] }) =>
      said(
        offset,
        // The parser names what follows the letter too, which belongs to the value.
        `${sequence.slice(0, 2)} means nothing in double quotes; expected \\\\ for a backslash, or single quotes around the text.`,
      ),
  ],
  [/^Map keys must be unique/, ({ text, offset }) => repeatedKey(text, offset)],
  [
    /^Source contains multiple documents/,
    ({ offset }) =>
      said(offset, 'the file has more than one document; expected one. A line of --- begins another.'),
  ],
  [
    /^Block scalar (?:lines must not be less indented|values in collections must be indented)/,
    ({ offset }) =>
      said(offset, 'expected each line of the text after | or > to be indented further than its key.'),
  ],
  [
    /^Block scalar header includes extra characters/,
    ({ offset }) =>
      said(
        offset,
        'expected the text after | or > to begin on the next line. A text that begins with one of them needs quotes.',
      ),
  ],
  [
    /^Block collections are not allowed within flow collections/,
    ({ offset }) =>
      said(
        offset,
        'found lines with "- " or "key:" between brackets; expected values with commas between them.',
      ),
  ],
  [
    /^Unexpected (?:, in|empty item in)/,
    ({ offset }) => said(offset, 'found a comma without a value before it.'),
  ],
  [
    /^(?:Unresolved tag|Could not resolve tag|Not a valid tag|Verbatim tags|The \S+ tag has no suffix|\S+ used for )/,
    ({ offset }) =>
      said(offset, 'found a type (!) that YAML does not know. A text that begins with ! needs quotes.'),
  ],
  [
    /^(?:Not a YAML token|Unexpected \S+ token)/,
    ({ text, offset }) => said(offset, `found ${signAt(text, offset)}, which cannot stand here.`),
  ],
];

function complaintOf(text: string, { message, pos: [offset] }: Omit<ParserError, 'code'>): YamlComplaint {
  const [words = ''] = message.split('\n');
  for (const [says, complain] of RULES) {
    const parts = says.exec(words);
    if (parts !== null) return complain({ text, offset, parts });
  }
  return said(offset, words);
}

function said(offset: number, sentence: string): YamlComplaint {
  return { offset, message: `YAML: ${sentence}` };
}

const TAB = 'found a tab at the beginning of the line; expected spaces.';

/** The complaint about a line that is indented with a tab, whatever else the parser says of that line. */
function tabBefore(text: string, offset: number): YamlComplaint | undefined {
  const { start, text: line } = lineAt(text, offset);
  const indent = /^ *\t/.exec(line)?.[0];
  return indent === undefined ? undefined : said(start + indent.length - 1, TAB);
}

/** The complaint about a tab between a dash and its item. */
function tabBehindDash(text: string, offset: number): YamlComplaint | undefined {
  const { start, text: line } = lineAt(text, offset);
  const before = /^ *(?:- *)+\t/.exec(line)?.[0];
  return before === undefined
    ? undefined
    : said(start + before.length - 1, 'found a tab behind the dash; expected a space.');
}

/** The rule for a mistake of lines that are not between brackets, where a tab may be the reason. */
function ofBlock(complain: (text: string, offset: number) => YamlComplaint): Rule[1] {
  return ({ text, offset }) => tabBefore(text, contentFrom(text, offset)) ?? complain(text, offset);
}

interface Line {
  /** Index of its first character. */
  readonly start: number;
  /** Its text, shortened. */
  readonly text: string;
}

function lineAt(text: string, offset: number): Line {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const [line = ''] = text.slice(start, start + LINE_LENGTH).split(/\r?\n/, 1);
  return { start, text: line };
}

/** Index of the first character at or behind `offset` that is no space, line end or comment: the parser may mean the next line by the end of one. */
function contentFrom(text: string, offset: number): number {
  const blank = /(?:\s+|#[^\n]*)*/y;
  blank.lastIndex = offset;
  const end = offset + (blank.exec(text)?.[0].length ?? 0);
  return end < text.length ? end : offset;
}

/** The rest of the line, without a comment. */
function restOf(text: string, offset: number): string {
  const line = lineAt(text, offset);
  return line.text
    .slice(offset - line.start)
    .replace(/\s#.*$/, '')
    .trim();
}

/** A sign of YAML's grammar; anything else may be the beginning of a value. */
function signAt(text: string, offset: number): string {
  const sign = text.charAt(offset);
  return '[]{},:?'.includes(sign) && sign !== '' ? sign : 'a text';
}

/** Column, from 1, of the first character that is no space. */
function columnIn(line: string): number {
  return line.length - line.trimStart().length + 1;
}

/** Lines above that are looked at for the columns of the mappings and lists around a line. */
const LINES_ABOVE = 200;

/** Columns at which keys and items begin that are still open above a line, the nearest first. */
function columnsAbove(text: string, start: number): readonly number[] {
  const columns: number[] = [];
  let at = start;
  for (let count = 0; at > 0 && count < LINES_ABOVE && columns.at(-1) !== 1; count++) {
    const line = lineAt(text, at - 1);
    at = line.start;
    const [indent = '', dashes = ''] = /^\s*((?:-\s+)*)/.exec(line.text) ?? [];
    if (/^\s*(?:#.*)?$/.test(line.text)) continue;
    const key = indent.length + 1;
    for (const column of dashes === '' ? [key] : [key, key - dashes.length])
      if (column < (columns.at(-1) ?? Infinity)) columns.push(column);
  }
  return columns;
}

function wrongColumn(text: string, offset: number): YamlComplaint {
  const content = contentFrom(text, offset);
  const { start, text: line } = lineAt(text, content);
  const column = columnIn(line);
  const above = columnsAbove(text, start).filter((one) => one !== column);
  const expected = above.slice(0, 2).toSorted((a, b) => a - b);
  return said(
    start + column - 1,
    `the line begins in column ${column}; expected column ${expected.join(' or ')}, where the lines above begin.`,
  );
}

/** A second colon on the line, or a line that is indented below a key with a value. */
function nestedMapping(text: string, offset: number): YamlComplaint {
  const value = restOf(text, offset);
  if (/:(?:\s|$)/.test(value))
    return said(offset, 'found a second colon on the line; expected quotes around the value.');
  const line = lineAt(text, offset);
  const next = contentFrom(text, line.start + line.text.length);
  const tab = tabBefore(text, next);
  if (tab !== undefined) return tab;
  const below = lineAt(text, next);
  const [before = ''] = /^\s*(?:-\s+)*/.exec(line.text) ?? [];
  return said(
    next,
    `the line begins in column ${columnIn(below.text)}; expected column ${before.length + 1}, because the key above it has a value already.`,
  );
}

/** A line without a colon, or without a space behind it, where a key is expected. */
function noKey(text: string, offset: number): YamlComplaint {
  const line = restOf(text, offset);
  if (/^[\w.$-]+:[^\s/\\]/.test(line)) return said(offset, 'expected a space after the colon.');
  const found = /^[\w.$-]+\s*=\s*\S/.test(line) ? 'an equals sign' : 'no colon';
  return said(offset, `found ${found}; expected a key, a colon and a space: "key: value".`);
}

function noItem(text: string, offset: number): YamlComplaint {
  const content = contentFrom(text, offset);
  // A key belongs to the item above it.
  if (/^[\w.$-]+:(?:\s|$)/.test(restOf(text, content))) return wrongColumn(text, offset);
  return said(content, 'expected an item of the list, which begins with "- ".');
}

function itemAmongKeys(text: string, offset: number): YamlComplaint {
  const content = contentFrom(text, offset);
  return said(content, 'found an item of a list; expected another key of the mapping.');
}

function afterValue(text: string, offset: number): YamlComplaint {
  const mark = text.charAt(offset - 1);
  const open = mark === '"' || mark === "'" ? openingOf(text, offset - 1, mark) : -1;
  // The quotes of the next value seem to close a text that was left open.
  if (open !== -1 && text.slice(open, offset).includes('\n')) return notClosed(open, mark);
  return said(
    offset,
    'found a text after the end of the value; expected the end of the line. A text with quotes or brackets in it needs quotes around the whole.',
  );
}

/** The quote that is not closed: the parser names the end of the text in quotes. */
function openQuote(text: string, offset: number, mark: string): YamlComplaint {
  return notClosed(Math.max(0, openingOf(text, offset, mark)), mark);
}

function notClosed(open: number, mark: string): YamlComplaint {
  return said(
    open,
    `the quote that begins here is not closed; expected another ${mark} at the end of the text.`,
  );
}

/** Index of the quote that begins the text in quotes before `end`; -1: there is none. */
function openingOf(text: string, end: number, mark: string): number {
  let open = text.lastIndexOf(mark, end - 1);
  const isInside = (): boolean => (mark === '"' ? isEscaped(text, open) : text.charAt(open - 1) === mark);
  while (open > 0 && isInside()) open = text.lastIndexOf(mark, open - (mark === '"' ? 1 : 2));
  return open;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

/** A line that begins the next key, item or document, so that the bracket above it was left open. */
const BEGINS_NEXT =
  /^(?:\s*(?:(?:"(?:[^"\\]|\\.)*"\s*|'(?:[^']|'')*'\s*|[^\s:,[\]{}"'][^:,[\]{}]*):|-)|---|\.\.\.)(?:\s|$)/;

/** A bracket that is not closed, or a line within it that does not stand further right than the key before it. */
function openBracket(text: string, offset: number, close: string): YamlComplaint {
  const what = close === ']' ? 'list' : 'mapping';
  const content = contentFrom(text, offset);
  const { start, text: line } = lineAt(text, content);
  const begins = text.charAt(content).trim() !== '' && columnIn(line) === content - start + 1;
  if (begins && !BEGINS_NEXT.test(line))
    return said(
      content,
      `the line begins too far to the left; expected each line of the ${what} in ${close === ']' ? '[ ]' : '{ }'} to be indented further than its key.`,
    );
  return said(
    text.slice(0, offset).trimEnd().length,
    `expected ${close}: the ${what} that ${close === ']' ? '[' : '{'} begins is not closed.`,
  );
}

function firstSign(text: string, offset: number): YamlComplaint {
  return said(offset, `found a value that begins with ${text.charAt(offset)}; expected quotes around it.`);
}

function repeatedKey(text: string, offset: number): YamlComplaint {
  const content = contentFrom(text, offset);
  const [key = ''] = /^(?:"[^"]*"|'[^']*'|[^:,{}]*)/.exec(restOf(text, content)) ?? [];
  return said(
    content,
    `found the key ${shortened(key.trim(), QUOTED_LENGTH)} a second time in its mapping; expected it once.`,
  );
}
