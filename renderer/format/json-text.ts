/** Formats and splits JSON as text, without parsing values, so that numbers and escapes stay as they are. */

import { endOfString, findPart, skipSpace } from '../../core/contract/json-scan.ts';

const SPACE = /\s/;
const INDENT = '  ';
/** Depth beyond which lines are not indented further: the text would grow with the square of the depth. */
const DEEPEST = 200;

/**
 * Indents valid JSON by two spaces. Check the text first: the result for other texts is useless.
 * @param onProgress called at every level with the number of characters that are done
 */
export function layOutJson(text: string, onProgress?: (offset: number) => void): string {
  const parts: string[] = [];
  let depth = 0;
  let offset = 0;
  const newLine = (): void => void parts.push('\n', INDENT.repeat(Math.min(depth, DEEPEST)));
  while (offset < text.length) {
    const character = text[offset] ?? '';
    if (character === '"') {
      const end = endOfString(text, offset) ?? text.length;
      parts.push(text.slice(offset, end));
      offset = end;
      continue;
    }
    if (character === '{' || character === '[') {
      const closing = closesAt(text, offset + 1);
      parts.push(character);
      if (closing !== undefined) {
        parts.push(text[closing] ?? '');
        offset = closing + 1;
        continue;
      }
      depth += 1;
      onProgress?.(offset);
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
    offset += 1;
  }
  return parts.join('');
}

/** Index at which an empty object or array closes; undefined: it is not empty. */
function closesAt(text: string, from: number): number | undefined {
  const offset = skipSpace(text, from);
  return text[offset] === '}' || text[offset] === ']' ? offset : undefined;
}

/** The text of a member of the outermost object, unchanged; undefined: there is none. */
export function memberText(text: string, name: string): string | undefined {
  if (text[skipSpace(text, 0)] !== '{') return undefined;
  const part = findPart(text, 0, (one) => one.name === name);
  return part === undefined ? undefined : text.slice(part.start, part.end);
}

/** Valid JSON without white space between its parts. */
export function compactJson(text: string): string {
  return text.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}
