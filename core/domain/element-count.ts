/** Counts the elements of a JSON array that nobody has parsed yet. */
import { endOfString } from '../contract/json-scan.ts';

const [QUOTE, COMMA] = [0x22, 0x2c];
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether a text has an array with more than `most` elements on its first level; the text need not be right. */
export function hasMoreElements(text: string, most: number): boolean {
  // An element and its comma have two characters at least.
  if (text.length < 2 * most) return false;
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const after = endOfString(text, at);
      if (after === undefined) return false;
      at = after - 1;
    } else if (code === LIST || code === OBJECT) depth += 1;
    else if (code === END_OF_LIST || code === END_OF_OBJECT) depth -= 1;
    else if (code === COMMA && depth === 1) {
      commas += 1;
      if (commas >= most) return true;
    }
  }
  return false;
}
