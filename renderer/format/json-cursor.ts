/** Where in a JSON text a cursor stands: the path of the value, and the value where it is short. */
import { endOfString, nameIn, skipSpace } from '../../core/contract/json-scan.ts';

export interface JsonPosition {
  /** Member names and indexes from the root. */
  readonly path: readonly (string | number)[];
  /** The value as it is written, when it is no object or array. */
  readonly scalar?: string;
}

/** Longer texts are not followed: each step of the cursor reads the text up to it. */
export const FOLLOWED_CHARACTERS = 2 * 1024 * 1024;

/** A name as the filter language writes it in a path. */
const MEMBER = /^[^\s"().[\]:=<>!]+$/;

interface Level {
  readonly isArray: boolean;
  step: string | number;
}

const BLANK = /\s/;

/** The value at `offset` of valid JSON; undefined in a text that is too long to follow. */
export function jsonPositionAt(text: string, offset: number): JsonPosition | undefined {
  if (text.length > FOLLOWED_CHARACTERS) return undefined;
  const levels: Level[] = [];
  let at = 0;
  /** Where the value begins that the cursor would be in now; a name counts to its value. */
  let begin = skipSpace(text, 0);
  while (at < text.length) {
    const character = text[at] ?? '';
    if (BLANK.test(character)) {
      at += 1;
      continue;
    }
    if (character === '"') {
      const end = endOfString(text, at) ?? text.length;
      const colon = skipSpace(text, end);
      const top = levels.at(-1);
      if (top !== undefined && !top.isArray && text[colon] === ':') {
        // The indent before a name belongs to its member.
        if (at > offset && text.slice(offset, at).includes('\n')) break;
        top.step = nameIn(text.slice(at, end));
        at = colon + 1;
        begin = skipSpace(text, at);
        continue;
      }
      if (end > offset) break;
      at = end;
      continue;
    }
    if (at > offset) break;
    if (character === '{' || character === '[') {
      if (at === offset) break;
      const isArray = character === '[';
      const close = skipSpace(text, at + 1);
      if (text[close] === ']' || text[close] === '}') {
        // Nothing is in it that a cursor could stand in.
        at = close + 1;
        begin = -1;
        continue;
      }
      levels.push({ isArray, step: isArray ? 0 : '' });
      at += 1;
      begin = isArray ? skipSpace(text, at) : -1;
      continue;
    }
    if (character === '}' || character === ']') {
      if (at >= offset) break;
      levels.pop();
      // After its end the cursor stands in what holds it.
      begin = -1;
    } else if (character === ',') {
      // Right after it the cursor still stands at the end of the line of the value before.
      if (at + 1 >= offset) break;
      const top = levels.at(-1);
      if (top !== undefined && typeof top.step === 'number') top.step += 1;
      else if (top !== undefined) top.step = '';
      begin = top?.isArray === true ? skipSpace(text, at + 1) : -1;
    }
    at += 1;
  }
  const path = levels.map(({ step }) => step).filter((step) => step !== '');
  const scalar = begin < 0 ? undefined : scalarAt(text, begin);
  return scalar === undefined ? { path } : { path, scalar };
}

/** `data.items[0].sku`; names that the filter language cannot write stand in quotes. */
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

/** The path as a key of the filter language; undefined when the language cannot write one of its names. */
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
