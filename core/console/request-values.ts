/** Bounds the values of one request: nothing but small ones takes half a second to read, in which nobody else is served. */
import { endOfString, findPart } from '../contract/json-scan.ts';
import { tryParse } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';

/** Most commas and opening brackets of one request. A body of 4 MiB that holds short numbers has fewer. */
const MAX_VALUES = 1_000_000;

/** Why a text has too many values to be read; undefined: it has not. */
export function tooManyValues(text: string): Refusal | undefined {
  // No text has more values than characters.
  if (text.length <= MAX_VALUES || !hasMoreValues(text)) return undefined;
  const expected = `at most ${MAX_VALUES.toLocaleString('en-US')} values, lists and objects`;
  return new Refusal('TOO_LARGE', { reason: `A request has ${expected}.` }, { expected });
}

function hasMoreValues(text: string): boolean {
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const after = endOfString(text, at);
      if (after === undefined) return false;
      at = after - 1;
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) {
      values += 1;
      if (values > MAX_VALUES) return true;
    }
  }
  return false;
}

/** The id of a request that is not parsed; undefined: it has none that can be read, or it is a batch. */
export function idInText(text: string): unknown {
  const id = findPart(text, 0, ({ name }) => name === 'id');
  return id === undefined ? undefined : tryParse(text.slice(id.start, id.end))?.value;
}
