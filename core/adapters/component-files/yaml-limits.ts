/** Limits for YAML. Larger files are refused before they are parsed, because parsing time grows far faster than their size. */
import { MAX_ALIASES } from '../../domain/yaml-complaint.ts';
import { allAtOnce } from './in-steps.ts';
import { yaml } from './yaml-library.ts';

export const YAML_LIMITS = {
  /** Bytes of one file. */
  bytes: 1024 * 1024,
  /** Words, signs, spaces and line ends of one document, which the library makes in one step, in which nothing else runs. */
  pieces: 30_000,
  /** Words, signs, spaces and line ends of a file of resources, whose documents are made one by one. */
  filePieces: 60_000,
  /** Documents of one file. */
  documents: 1000,
  /** Aliases in one file. */
  aliases: MAX_ALIASES,
  /** Members that merges (`<<`) repeat in one document. */
  merged: 60_000,
  /** Lists and mappings within each other. */
  depth: 50,
} as const;

/** Words, signs, spaces and line ends of all files of a folder together: a few seconds of reading at most. */
export const FOLDER_PIECES = 300_000;
/** Words, signs, spaces and line ends that are looked at before others have their turn. */
export const LEXEMES_AT_ONCE = 5000;
/** Characters of a text that count as one more piece: a long text may be a rule, which takes long to compile. */
const LONG_TEXT = 8;

/** Remaining limit of a folder; every file reduces it, even a refused one. */
export interface FolderLeft {
  pieces: number;
}

export interface Exceeded {
  /** A sentence for a person. */
  readonly message: string;
  /** Where in the text the limit was passed. */
  readonly offset: number;
}

/** Marks that the lexer puts between the pieces of the text: a document begins, flow ends badly, a scalar follows. */
const DOCUMENT = '\u0002';
const FLOW_ERROR = '\u0018';
const SCALAR = '\u001F';
/** The line that begins a document. */
const BEGINNING = '---';

/** The first limit that a text exceeds which is read at once, with all its documents; undefined: none. */
export function exceededBy(text: string): Exceeded | undefined {
  return allAtOnce(exceededInSteps(text, { pieces: Infinity }, YAML_LIMITS.pieces));
}

/**
 * The first limit that a text exceeds whose documents are read one by one; undefined: none. Stops at the limit, so its time does not depend on
 * the length of the text.
 * @param left what may be read of the folder
 */
export function* exceededInSteps(
  text: string,
  left: FolderLeft = { pieces: Infinity },
  most: number = YAML_LIMITS.filePieces,
): Generator<void, Exceeded | undefined, void> {
  if (Buffer.byteLength(text) > YAML_LIMITS.bytes) return more('bytes', YAML_LIMITS.bytes, 0);
  const nesting = new Nesting();
  let pieces = 0;
  let ofDocument = 0;
  let aliases = 0;
  let offset = 0;
  let isScalar = false;
  for (const piece of new (yaml().Lexer)().lex(text)) {
    if (piece === SCALAR) isScalar = true;
    if (piece === SCALAR || piece === DOCUMENT || piece === FLOW_ERROR) continue;
    pieces++;
    ofDocument = piece === BEGINNING && !isScalar ? 1 : ofDocument + 1;
    left.pieces -= 1 + Math.floor(piece.length / LONG_TEXT);
    if (left.pieces < 0) return folderExceeded(offset);
    if (pieces > most) return more(PIECES, most, offset);
    if (ofDocument > YAML_LIMITS.pieces)
      return moreOf('a document of more than', PIECES, YAML_LIMITS.pieces, offset);
    if (!isScalar && piece.startsWith('*') && ++aliases > YAML_LIMITS.aliases)
      return more('aliases', YAML_LIMITS.aliases, offset);
    nesting.take(piece, isScalar);
    if (nesting.depth > YAML_LIMITS.depth)
      return more('nested levels of lists and mappings', YAML_LIMITS.depth, offset);
    isScalar = false;
    offset += piece.length;
    if (pieces % LEXEMES_AT_ONCE === 0) yield;
  }
  return undefined;
}

/**
 * Where a text nests deeper than `levels`, before it is parsed; undefined: nowhere. It is for files whose other
 * limits are wider than those of `exceededBy`.
 */
export function deeperThan(levels: number, text: string): Exceeded | undefined {
  const nesting = new Nesting();
  let offset = 0;
  let isScalar = false;
  for (const piece of new (yaml().Lexer)().lex(text)) {
    if (piece === SCALAR) isScalar = true;
    if (piece === SCALAR || piece === DOCUMENT || piece === FLOW_ERROR) continue;
    nesting.take(piece, isScalar);
    if (nesting.depth > levels) return more('nested levels of lists and mappings', levels, offset);
    isScalar = false;
    offset += piece.length;
  }
  return undefined;
}

/** Columns at which lists and mappings that are still open began, and brackets that are. */
class Nesting {
  readonly #columns: number[] = [];
  #brackets = 0;
  #column = 0;
  /** Nothing but indentation is on the line so far. */
  #isFirst = true;

  get depth(): number {
    return this.#columns.length + this.#brackets;
  }

  take(piece: string, isScalar: boolean): void {
    if (!isScalar && (piece === '[' || piece === '{')) this.#brackets++;
    if (!isScalar && (piece === ']' || piece === '}')) this.#brackets = Math.max(0, this.#brackets - 1);
    const begins = !isScalar && (piece === '-' || piece === '?');
    if (this.#brackets === 0 && (begins || this.#isFirst) && !/^[\s#]/.test(piece)) this.#open(begins);
    const lineEnd = piece.lastIndexOf('\n');
    if (lineEnd === -1) {
      this.#column += piece.length;
      if (!/^\s*$/.test(piece)) this.#isFirst = begins;
    } else {
      this.#column = piece.length - lineEnd - 1;
      this.#isFirst = true;
    }
  }

  /** A list may begin at the column of the mapping that it belongs to. */
  #open(isList: boolean): void {
    const last = (): number => this.#columns.at(-1) ?? -1;
    while (last() >= this.#column) this.#columns.pop();
    this.#columns.push(this.#column);
    if (isList) this.#isFirst = true;
  }
}

/** As `exceededBy`, for members repeated by merges, which the text contains only once. They count for the folder as well. */
export function exceededByMerges(
  merged: number,
  left: FolderLeft = { pieces: Infinity },
): string | undefined {
  left.pieces -= merged;
  if (merged > YAML_LIMITS.merged) return more('members that merges (<<) add', YAML_LIMITS.merged, 0).message;
  return left.pieces < 0 ? folderExceeded(0).message : undefined;
}

function folderExceeded(offset: number): Exceeded {
  const limit = FOLDER_PIECES.toLocaleString('en-US');
  const message = `YAML: up to this one, by name, the files of the folder have more than ${limit} words, signs, spaces and line ends. Sidelight does not read this file.`;
  return { message, offset };
}

const PIECES = 'words, signs, spaces and line ends';

function more(what: string, limit: number, offset: number): Exceeded {
  return moreOf('more than', what, limit, offset);
}

function moreOf(has: string, what: string, limit: number, offset: number): Exceeded {
  const message = `YAML: the file has ${has} ${limit.toLocaleString('en-US')} ${what}, so Sidelight does not read it.`;
  return { message, offset };
}
