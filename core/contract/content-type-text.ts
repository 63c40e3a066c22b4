/** The content type of an answer inside a sentence, by which a person recognises a web page in place of JSON. */
import { shortened } from './cut-place.ts';

/** Maximum number of characters of a content type in a sentence. */
const MAX_TYPE_LENGTH = 60;

/** Media type with its words in brackets, ` (content type text/html)`; "" if the headers have none. */
export function ofContentType(headers: Readonly<Record<string, string>>): string {
  const type = headers['content-type']?.split(';')[0]?.trim() ?? '';
  return type === '' ? '' : ` (content type ${shortened(type, MAX_TYPE_LENGTH)})`;
}
