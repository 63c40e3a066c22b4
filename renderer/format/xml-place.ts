/** Where a text stops being XML. */
import type { JsonMistake } from './json-place.ts';

const AT = /line (\d+) at column (\d+): ([^\n]*)/;

/** The first mistake as the browser reads it; undefined when the text is well-formed. Lines and columns count from 1. */
export function xmlMistake(text: string): JsonMistake | undefined {
  const read = new DOMParser().parseFromString(text, 'application/xml');
  const error = read.querySelector('parsererror');
  if (error === null) return undefined;
  const found = AT.exec(error.textContent);
  if (found === null) return { line: 1, column: 1, message: error.textContent.split('\n')[0] ?? '' };
  return { line: Number(found[1]), column: Number(found[2]), message: found[3] ?? '' };
}
