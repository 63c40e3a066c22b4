/** JSON as text: laid out and cut apart without being read into values, so that numbers and escapes stay as they were. */

/** End of the string that begins at `at` (a quote), one past its closing quote. */
function stringEnd(text: string, at: number): number {
  let place = at + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place + 1;
}

const SPACE = /\s/;
const INDENT = '  ';
/** Deeper levels are not indented further: the text would grow with the square of the depth. */
const DEEPEST = 200;

/**
 * Lays valid JSON out with two spaces. What is not JSON comes out in no useful form: check it first.
 * @param onPlace told at every level how far it has come, in characters
 */
export function layOutJson(text: string, onPlace?: (place: number) => void): string {
  const parts: string[] = [];
  let depth = 0;
  let place = 0;
  const newLine = (): void => void parts.push('\n', INDENT.repeat(Math.min(depth, DEEPEST)));
  while (place < text.length) {
    const character = text[place] ?? '';
    if (character === '"') {
      const end = stringEnd(text, place);
      parts.push(text.slice(place, end));
      place = end;
      continue;
    }
    if (character === '{' || character === '[') {
      const closing = closesAt(text, place + 1);
      parts.push(character);
      if (closing !== undefined) {
        parts.push(text[closing] ?? '');
        place = closing + 1;
        continue;
      }
      depth += 1;
      onPlace?.(place);
      newLine();
    } else if (character === '}' || character === ']') {
      depth -= 1;
      newLine();
      parts.push(character);
    } else if (character === ',') {
      parts.push(character);
      newLine();
    } else if (character === ':') parts.push(': ');
    else if (!SPACE.test(character)) parts.push(character);
    place += 1;
  }
  return parts.join('');
}

/** Where an empty object or array closes; undefined when it holds something. */
function closesAt(text: string, from: number): number | undefined {
  let place = from;
  while (SPACE.test(text[place] ?? '')) place += 1;
  return text[place] === '}' || text[place] === ']' ? place : undefined;
}

/** The text of a member of the outermost object, as it stands there; undefined when there is none. */
export function memberText(text: string, name: string): string | undefined {
  let depth = 0;
  let place = 0;
  while (place < text.length) {
    const character = text[place];
    if (character === '"') {
      const end = stringEnd(text, place);
      const colon = skipSpace(text, end);
      if (depth === 1 && text[colon] === ':' && isName(text.slice(place, end), name)) {
        return valueAt(text, skipSpace(text, colon + 1));
      }
      place = end;
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    place += 1;
  }
  return undefined;
}

/** The texts of the elements of an array that is valid JSON, as they stand there. */
export function elementTexts(text: string): readonly string[] {
  const found: string[] = [];
  let place = skipSpace(text, skipSpace(text, 0) + 1);
  while (place < text.length && text[place] !== ']') {
    const value = valueAt(text, place);
    found.push(value);
    place = skipSpace(text, place + value.length);
    if (text[place] === ',') place = skipSpace(text, place + 1);
  }
  return found;
}

/** Valid JSON without the space between its parts. */
export function compactJson(text: string): string {
  return text.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}

function skipSpace(text: string, from: number): number {
  let place = from;
  while (SPACE.test(text[place] ?? '')) place += 1;
  return place;
}

function isName(quoted: string, name: string): boolean {
  return quoted === `"${name}"`;
}

function valueAt(text: string, from: number): string {
  if (text[from] === '"') return text.slice(from, stringEnd(text, from));
  let depth = 0;
  let place = from;
  while (place < text.length) {
    const character = text[place];
    if (character === '"') {
      place = stringEnd(text, place);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) break;
      depth -= 1;
      if (depth === 0) return text.slice(from, place + 1);
    } else if (depth === 0 && character === ',') break;
    place += 1;
  }
  return text.slice(from, place).trimEnd();
}
