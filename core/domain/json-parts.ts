/** The own texts of a JSON value's parts, so that a part can be taken out or replaced while every other byte stays as it was. */

/**
 * Member name -> text of its value. `text` must be a JSON object that a parser accepted.
 * A name that is there twice keeps its last value, as parsers do.
 */
export function memberTexts(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skip(text, skip(text, 0) + 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const start = skip(text, skip(text, nameEnd) + 1);
    const end = endOfPart(text, start);
    members.set(name, text.slice(start, end));
    at = skip(text, end);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return members;
}

/** Texts of an array's elements. `text` must be a JSON array that a parser accepted. */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let at = skip(text, skip(text, 0) + 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfPart(text, at);
    elements.push(text.slice(at, end));
    at = skip(text, end);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return elements;
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
