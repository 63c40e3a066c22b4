/** Reads each document of a YAML file by itself, with the position of everything in it. */
import type { CST, Document, LineCounter } from 'yaml';

import type { Problem } from '../../contract/subscription.ts';
import { isObject } from '../../domain/json.ts';
import { aliasComplaint, strayAliasIn, yamlComplaints } from '../../domain/yaml-complaint.ts';
import type { ParserError } from '../../domain/yaml-complaint.ts';
import { repeatedKeys } from '../../domain/yaml-repeated-keys.ts';
import { allAtOnce } from './in-steps.ts';
import { exceededByMerges, exceededInSteps, LEXEMES_AT_ONCE, YAML_LIMITS } from './yaml-limits.ts';
import type { Exceeded, FolderLeft } from './yaml-limits.ts';
import { yaml } from './yaml-library.ts';
import { mergedMembers } from './yaml-merges.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface YamlDocument {
  /** Number of the document in its file, from 1. */
  readonly index: number;
  /** Line on which its content begins, from 1. */
  readonly line: number;
  /** Parsed value, even if `problems` has errors; undefined: nothing could be read. */
  readonly value: unknown;
  /** Syntax errors and warnings, with file, document, line and column. */
  readonly problems: readonly Problem[];
  /** The document's own text. */
  readonly text: string;
  /**
   * Position of a field's value, such as `spec.metadata[2].name`; of the nearest member around it where it is not there.
   * `name`: where its name stands.
   */
  locate(field: string, what?: 'name'): Position;
}

/** Maximum number of syntax errors reported for one document. */
const MAX_PROBLEMS = 100;

/** The library's words for a document behind the end of another one. */
const MULTIPLE = 'Source contains multiple documents; please use YAML.parseAllDocuments()';

interface Piece {
  readonly text: string;
  /** Lines of the file before it. */
  readonly linesBefore: number;
}

/** Does what `documentsInSteps` does, at once. */
export function readDocuments(file: string, text: string, left?: FolderLeft): readonly YamlDocument[] {
  return allAtOnce(documentsInSteps(file, text, left));
}

/**
 * Splits a text into documents at lines that begin with `---`, before anything is parsed, so that a mistake in one does not affect the
 * next. Documents without content are skipped, but counted. A file up to its limits takes long, so it is read in steps.
 * @param left remaining limit of the folder; absent: the file is not in a folder
 */
export function* documentsInSteps(
  file: string,
  text: string,
  left?: FolderLeft,
): Generator<void, readonly YamlDocument[], void> {
  const exceeded = yield* exceededInSteps(text, left);
  yield;
  if (exceeded !== undefined) return [unread(file, text, exceeded)];
  const pieces = cut(text);
  if (pieces.length > YAML_LIMITS.documents) {
    const limit = YAML_LIMITS.documents.toLocaleString('en-US');
    return [
      unread(file, text, {
        message: `YAML: the file has more than ${limit} documents, so Sidelight does not read it.`,
        offset: 0,
      }),
    ];
  }
  const documents: YamlDocument[] = [];
  for (const [at, piece] of pieces.entries()) {
    const document = yield* readPiece(file, piece, at + 1, left);
    if (document.value !== null || document.problems.length > 0) documents.push(document);
  }
  return documents;
}

/** The document for a file that is not parsed because it exceeds a limit. */
function unread(file: string, text: string, { message, offset }: Exceeded): YamlDocument {
  const before = text.slice(0, offset).split('\n');
  const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  const problem: Problem = { file, document: 1, ...position, message, severity: 'error' };
  return { index: 1, line: 1, value: undefined, problems: [problem], text, locate: () => position };
}

function cut(text: string): readonly Piece[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const pieces: { lines: string[]; linesBefore: number }[] = [{ lines: [], linesBefore: 0 }];
  for (const [index, line] of lines.entries()) {
    if (/^---(?:\s|$)/.test(line)) pieces.push({ lines: [], linesBefore: index });
    pieces.at(-1)?.lines.push(line);
  }
  // Text before the first "---" is a document only if it has content; directives belong to the next document.
  const [first] = pieces;
  const isPreface = first?.lines.every((line) => /^\s*(?:#.*|%.*)?$/.test(line)) ?? false;
  return pieces
    .slice(isPreface && pieces.length > 1 ? 1 : 0)
    .map((piece) => ({ text: piece.lines.join('\n'), linesBefore: piece.linesBefore }));
}

/** A file may have 30,000 mistakes, and the parser makes an error of each: noting where in the program would be most of the work. */
function withoutStacks<T>(parse: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Does what the library's `parseDocument` does, by its own parts, so that a long document is not one piece of work. */
function* parsedInSteps(text: string, lineCounter: LineCounter): Generator<void, Document.Parsed, void> {
  const { Lexer, Parser, Composer, YAMLParseError } = yaml();
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    lexemes += 1;
    if (lexemes % LEXEMES_AT_ONCE === 0) yield;
  }
  tokens.push(...parser.end());
  yield;
  const composer = new Composer({
    lineCounter,
    prettyErrors: false,
    // The library's own warnings go to stderr between the lines of the log, and quote the file.
    logLevel: 'error',
    merge: true,
    // `repeatedKeys` looks at them.
    uniqueKeys: false,
  });
  const [document, second] = withoutStacks(() => [...composer.compose(tokens, true, text.length)]);
  if (document === undefined) throw new Error('the YAML library made no document');
  if (second !== undefined)
    document.errors.push(new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', MULTIPLE));
  return document;
}

function* readPiece(
  file: string,
  piece: Piece,
  index: number,
  left?: FolderLeft,
): Generator<void, YamlDocument, void> {
  const counter = new (yaml().LineCounter)();
  const document = yield* parsedInSteps(piece.text, counter);
  yield;
  const positionOf = (offset: number): Position => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1) + piece.linesBefore, column: Math.max(col, 1) };
  };
  const problemsOf = (errors: readonly ParserError[], severity: 'error' | 'warning'): Problem[] =>
    yamlComplaints(piece.text, errors)
      .slice(0, MAX_PROBLEMS)
      .map(({ offset, code, message }) => ({ ...positionOf(offset), code, message, severity }));
  const problems = [
    ...problemsOf([...document.errors, ...repeatedKeys(document, yaml())], 'error'),
    ...problemsOf(document.warnings, 'warning'),
  ];
  const start = positionOf(document.contents?.range?.[0] ?? 0);
  const tooMuch = exceededByMerges(mergedMembers(document), left);
  yield;
  const read = tooMuch === undefined ? valueOf(document) : { message: tooMuch };
  if ('message' in read) {
    const alias = tooMuch === undefined ? strayAliasIn(document, yaml().visit) : undefined;
    const position = alias === undefined ? start : positionOf(alias);
    problems.push({ ...position, message: read.message, severity: 'error' });
  }
  yield;
  return {
    index,
    line: start.line,
    value: 'value' in read ? read.value : undefined,
    problems: problems.map((problem) => ({ file, document: index, ...problem })),
    text: piece.text,
    locate: (field, what) => {
      const steps = stepsOf(field);
      const offset = (what === 'name' ? nameOffset(document, steps) : undefined) ?? offsetOf(document, steps);
      return offset === undefined ? start : positionOf(offset);
    },
  };
}

function valueOf(document: Document.Parsed): { readonly value: unknown } | { readonly message: string } {
  try {
    return { value: document.toJS({ maxAliasCount: YAML_LIMITS.aliases }) as unknown };
  } catch (error) {
    // An alias that is not defined, or unfolds without end.
    if (error instanceof Error) return { message: aliasComplaint(error.message) };
    throw error;
  }
}

function offsetOf(document: Document.Parsed, steps: readonly (string | number)[]): number | undefined {
  for (let length = steps.length; length > 0; length--) {
    const node = document.getIn(steps.slice(0, length), true);
    if (yaml().isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

function nameOffset(document: Document.Parsed, steps: readonly (string | number)[]): number | undefined {
  const around = steps.length === 1 ? document.contents : document.getIn(steps.slice(0, -1), true);
  if (!yaml().isMap(around)) return undefined;
  const key = around.items.find((pair) => yaml().isScalar(pair.key) && pair.key.value === steps.at(-1))?.key;
  return yaml().isNode(key) ? key.range?.[0] : undefined;
}

function stepsOf(field: string): readonly (string | number)[] {
  return [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) =>
    name === undefined ? Number(index) : name,
  );
}

/** A text member of a value, for documents that may be only partly readable. */
export function textIn(value: unknown, ...path: readonly string[]): string | undefined {
  let at = value;
  for (const name of path) at = isObject(at) ? at[name] : undefined;
  return typeof at === 'string' && at !== '' ? at : undefined;
}
