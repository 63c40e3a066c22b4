/**
 * Finds where the parts of a JSON text begin and end. No value is parsed, so digits and escapes stay as they
 * are written.
 */

/** One member or element: its name or index, and the position of its value in the text. */
export interface Part {
  readonly name: string;
  readonly start: number;
  /** Index after the last character of the value. */
  readonly end: number;
}

/**
 * Index of the first character from `from` on that is not JSON white space; the length of the text if there
 * is none.
 */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Index after the closing quote of the string that begins at `start`; undefined: it does not end. */
export function endOfString(text: string, start: number): number | undefined {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text.charCodeAt(before - 1) === 0x5c && before - 1 > start) before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return undefined;
}

/**
 * Index after the object or array that begins at `start`; undefined: it does not end. A parser has to check
 * the inside.
 */
export function endOfNested(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const after = endOfString(text, at);
      if (after === undefined) return undefined;
      at = after - 1;
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Index after the value that begins at `start`; the length of the text if the value does not end. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === 0x22) return endOfString(text, start) ?? text.length;
  if (first === 0x7b || first === 0x5b) return endOfNested(text, start) ?? text.length;
  let at = start;
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Members or elements of the value that begins at `from`, in order. A repeated name is repeated. `text` must
 * be JSON that a parser accepted. The result for a value without parts is [].
 */
export function partsOf(text: string, from = 0): Part[] {
  const parts: Part[] = [];
  findPart(text, from, (part) => {
    parts.push(part);
    return false;
  });
  return parts;
}

/** The first part that `isWanted`, in the form that `partsOf` gives. The search ends there. */
export function findPart(text: string, from: number, isWanted: (part: Part) => boolean): Part | undefined {
  const first = skipSpace(text, from);
  const isObject = text[first] === '{';
  if (!isObject && text[first] !== '[') return undefined;
  let at = skipSpace(text, first + 1);
  for (let index = 0; at < text.length && text[at] !== ']' && text[at] !== '}'; index++) {
    let name = String(index);
    if (isObject) {
      const nameEnd = text[at] === '"' ? endOfString(text, at) : undefined;
      if (nameEnd === undefined) return undefined;
      name = nameIn(text.slice(at, nameEnd));
      at = skipSpace(text, skipSpace(text, nameEnd) + 1);
    }
    const part = { name, start: at, end: endOfValue(text, at) };
    if (isWanted(part)) return part;
    at = skipSpace(text, part.end);
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

/** The texts of an array's elements. `text` must be a JSON array that a parser accepted. */
export function elementTexts(text: string): string[] {
  return [...eachElementText(text)];
}

/** The texts of an array's elements, each found when it is asked for. `text` must be a JSON array that a parser accepted. */
export function* eachElementText(text: string): Generator<string, void> {
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    yield text.slice(at, end);
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
}

/** The name in a quoted text. A name that a parser refuses is returned as it is written. */
export function nameIn(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    // The parser refuses the whole text because of this name and reports it. The scan only has to go on.
    return quoted;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function endsScalar(code: number): boolean {
  return code === 0x2c || code === 0x7d || code === 0x5d || isSpace(code);
}
