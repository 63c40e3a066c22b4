/** The own texts of a JSON value's parts, so that a part can be taken out or replaced while every other byte stays as it was. */

/** One member or element: its name or index, and where the text of its value stands. */
export interface Part {
  readonly name: string;
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}

/** Members or elements in their order, a name that is there twice twice. `text` must be JSON that a parser accepted; a value without parts has []. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const first = skip(text, 0);
  const isObject = text[first] === '{';
  if (!isObject && text[first] !== '[') return parts;
  let at = skip(text, first + 1);
  while (at < text.length && text[at] !== ']' && text[at] !== '}') {
    let name = String(parts.length);
    if (isObject) {
      const nameEnd = endOfString(text, at);
      name = JSON.parse(text.slice(at, nameEnd)) as string;
      at = skip(text, skip(text, nameEnd) + 1);
    }
    const end = endOfPart(text, at);
    parts.push({ name, start: at, end });
    at = skip(text, end);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return parts;
}

/** The text with other values in place of some: `change` gives the new text of one, or the same. Everything between them stays. */
export function withParts(text: string, change: (name: string, value: string) => string): string {
  let changed = '';
  let from = 0;
  for (const { name, start, end } of partsOf(text)) {
    changed += text.slice(from, start) + change(name, text.slice(start, end));
    from = end;
  }
  return changed + text.slice(from);
}

/**
 * Member name -> text of its value. `text` must be a JSON object that a parser accepted.
 * A name that is there twice keeps its last value, as parsers do.
 */
export function memberTexts(text: string): Map<string, string> {
  return new Map(partsOf(text).map(({ name, start, end }) => [name, text.slice(start, end)]));
}

/** Texts of an array's elements. `text` must be a JSON array that a parser accepted. */
export function elementTexts(text: string): string[] {
  return partsOf(text).map(({ start, end }) => text.slice(start, end));
}

/** JSON object text of parts, members in alphabetical order. */
export function joinMembers(members: ReadonlyMap<string, string>): string {
  const names = [...members.keys()].toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name) ?? 'null'}`).join(',')}}`;
}

function skip(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at + 1;
}

/** Index after the value at `start`: at the comma, bracket or white space that ends it. */
function endOfPart(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (
      depth === 0 &&
      (code === 0x2c || code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)
    )
      return at;
    at++;
  }
  return at;
}
