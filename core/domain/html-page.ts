/** Web pages in place of answers: of a server that is no such app, or about an error. */
import { beginningOf } from '../contract/cut-place.ts';

/** Characters that are read: the words of a page stand at its beginning. */
const READ = 4_000;
const MAX_WORDS = 100;

/** What a page is called in a sentence, with its first words, which tell whose it is; undefined: the text is no page. */
export function htmlPage(text: string): string | undefined {
  const start = text.slice(0, READ);
  if (!/^\s*<(?:!doctype\s+html|html)\b/i.test(start)) return undefined;
  const words = start.replaceAll(/<(?:script|style)\b[^>]*>[^<]*/gi, ' ').replaceAll(/<[^>]*>?/g, ' ');
  const first = beginningOf(words, MAX_WORDS);
  return first === '' ? 'an HTML page' : `an HTML page that begins with "${first}"`;
}
