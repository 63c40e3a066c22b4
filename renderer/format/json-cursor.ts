/** Finds the path of the value at a cursor in a JSON text, and the value if it is short. */
import { endOfString, nameIn, skipSpace } from '../../core/contract/json-scan.ts';

export interface JsonPosition {
  /** Member names and indexes from the root. */
  readonly path: readonly (string | number)[];
  /** The value as written, if it is no object or array. */
  readonly scalar?: string;
}

/** Longest text that is read, because each step of the cursor reads it up to the cursor. */
export const FOLLOWED_CHARACTERS = 2 * 1024 * 1024;

/** A name that the filter language can write in a path. */
const MEMBER = /^[^\s"().[\]:=<>!]+$/;

interface Level {
  readonly isArray: boolean;
  /** Undefined: before the first member, or between two. */
  step: string | number | undefined;
}

const BLANK = /\s/;
/** Marks a cursor in no value: between members, or after the end of an object or array. */
const NOWHERE = -1;

/** The value at `offset` of valid JSON; undefined: the text is too long. */
export function jsonPositionAt(text: string, offset: number): JsonPosition | undefined {
  if (text.length > FOLLOWED_CHARACTERS) return undefined;
  return new Walk(text, offset).position();
}

/** Reads the text up to the cursor, and keeps track of the objects and arrays around it. */
class Walk {
  readonly #text: string;
  readonly #offset: number;
  readonly #levels: Level[] = [];
  #at = 0;
  /** Start of the value in which the cursor would be now; a name belongs to its value. */
  #begin: number;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#offset = offset;
    this.#begin = skipSpace(text, 0);
  }

  position(): JsonPosition {
    while (this.#at < this.#text.length && this.#passes());
    const path = this.#levels.flatMap(({ step }) => step ?? []);
    const scalar = this.#begin === NOWHERE ? undefined : scalarAt(this.#text, this.#begin);
    return scalar === undefined ? { path } : { path, scalar };
  }

  /** Continues after the next token; false: the cursor is before or in it. */
  #passes(): boolean {
    const character = this.#text[this.#at] ?? '';
    if (BLANK.test(character)) return this.#pass(1);
    if (character === '"') return this.#passString();
    if (this.#at > this.#offset) return false;
    switch (character) {
      case '{':
      case '[':
        return this.#open(character === '[');
      case '}':
      case ']':
        return this.#close();
      case ',':
        return this.#comma();
      default:
        return this.#pass(1);
    }
  }

  #pass(characters: number): true {
    this.#at += characters;
    return true;
  }

  #passString(): boolean {
    const [text, offset, at] = [this.#text, this.#offset, this.#at];
    const end = endOfString(text, at) ?? text.length;
    const colon = skipSpace(text, end);
    const top = this.#levels.at(-1);
    if (top?.isArray === false && text[colon] === ':') {
      // The indent before a name belongs to its member.
      if (at > offset && text.slice(offset, at).includes('\n')) return false;
      top.step = nameIn(text.slice(at, end));
      this.#begin = skipSpace(text, colon + 1);
      return this.#pass(colon + 1 - at);
    }
    return end > offset ? false : this.#pass(end - at);
  }

  #open(isArray: boolean): boolean {
    if (this.#at === this.#offset) return false;
    const inside = skipSpace(this.#text, this.#at + 1);
    if (/[\]}]/.test(this.#text[inside] ?? '')) {
      // An empty object or array has no value for a cursor.
      this.#begin = NOWHERE;
      return this.#pass(inside + 1 - this.#at);
    }
    this.#levels.push({ isArray, step: isArray ? 0 : undefined });
    this.#begin = isArray ? inside : NOWHERE;
    return this.#pass(1);
  }

  #close(): boolean {
    if (this.#at >= this.#offset) return false;
    this.#levels.pop();
    this.#begin = NOWHERE;
    return this.#pass(1);
  }

  #comma(): boolean {
    // Directly after it the cursor is still at the end of the previous value's line.
    if (this.#at + 1 >= this.#offset) return false;
    const top = this.#levels.at(-1);
    if (top !== undefined) top.step = typeof top.step === 'number' ? top.step + 1 : undefined;
    this.#begin = top?.isArray === true ? skipSpace(this.#text, this.#at + 1) : NOWHERE;
    return this.#pass(1);
  }
}

/** A path as text: `data.items[0].sku`; names that the filter language cannot write are quoted. */
export function pathText(root: string, path: JsonPosition['path']): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number'
        ? `${text}[${step}]`
        : MEMBER.test(step)
          ? `${text}.${step}`
          : `${text}[${JSON.stringify(step)}]`,
    root,
  );
}

/** The path as a key of the filter language; undefined: the language cannot write one of its names. */
export function filterKey(path: JsonPosition['path']): string | undefined {
  if (path.length === 0 || !path.every((step) => typeof step === 'number' || MEMBER.test(step)))
    return undefined;
  return pathText('data', path);
}

function scalarAt(text: string, from: number): string | undefined {
  const start = text[from];
  if (start === undefined || start === '{' || start === '[' || start === '}' || start === ']')
    return undefined;
  if (start === '"') return text.slice(from, endOfString(text, from) ?? text.length);
  return /^[^\s,\]}]+/.exec(text.slice(from, from + 400))?.[0];
}
