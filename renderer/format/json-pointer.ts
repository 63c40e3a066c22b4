/** Where in a JSON text a JSON pointer points to. */

/** Line and column, from 1, of the value at `pointer`; the beginning of the text where it is not found. */
export function placeOfPointer(
  text: string,
  pointer: string,
): { readonly line: number; readonly column: number } {
  const at = offsetOf(text, partsOf(pointer));
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The value at `pointer` as it is written; undefined where it is not found. */
export function textOfPointer(text: string, pointer: string): string | undefined {
  const wanted = partsOf(pointer);
  const at = offsetOf(text, wanted, true);
  return at === undefined ? undefined : text.slice(at, valueEnd(text, at));
}

function partsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const SPACE = /\s/;

function offsetOf(text: string, wanted: readonly string[]): number;
function offsetOf(text: string, wanted: readonly string[], exact: true): number | undefined;
function offsetOf(text: string, wanted: readonly string[], exact?: true): number | undefined {
  let at = skipSpace(text, 0);
  for (const part of wanted) {
    const next =
      text[at] === '{' ? memberAt(text, at, part) : text[at] === '[' ? itemAt(text, at, part) : undefined;
    if (next === undefined) return exact === true ? undefined : at;
    at = next;
  }
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.test(text[at] ?? '')) at += 1;
  return at;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** One past the value that begins at `from`. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length;) {
    const character = text[at] ?? '';
    if (character === '"') {
      at = stringEnd(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth <= 0) return depth < 0 ? at : at + 1;
    } else if (character === ',' && depth === 0) return at;
    at += 1;
  }
  return text.length;
}

function memberAt(text: string, open: number, name: string): number | undefined {
  let at = skipSpace(text, open + 1);
  while (text[at] === '"') {
    const end = stringEnd(text, at);
    const key: unknown = JSON.parse(text.slice(at, end));
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (key === name) return value;
    at = skipSpace(text, valueEnd(text, value));
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

function itemAt(text: string, open: number, index: string): number | undefined {
  let at = skipSpace(text, open + 1);
  for (let n = 0; at < text.length && text[at] !== ']'; n += 1) {
    if (String(n) === index) return at;
    at = skipSpace(text, valueEnd(text, at));
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}
