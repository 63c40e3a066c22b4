/** Bounds the values of one request, so that none takes half a second to parse, in which nobody else is served. */
import { findPart } from '../contract/json-scan.ts';
import { hasMoreValues, tryParse } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';

/** Most values of one request. A payload of 4 MiB may have more if nearly all are short numbers or short names. */
const MAX_VALUES = 1_000_000;
/** Most characters of an id that is read out of a request that is not parsed. */
const MAX_ID = 1_000;
/** First character of what may be an id: a text, a number, `null`. */
const MAY_BE_ID = /^["\-0-9n]/;

/** Why a text has too many values to be read; undefined: it has not. */
export function tooManyValues(text: string): Refusal | undefined {
  if (!hasMoreValues(text, MAX_VALUES)) return undefined;
  const expected = `at most ${MAX_VALUES.toLocaleString('en-US')} values, lists and objects`;
  const more = 'A name counts as three more. A payload with more fits as dataBase64.';
  return new Refusal('TOO_LARGE', { reason: `A request has ${expected}. ${more}` }, { expected });
}

/** The id of a request that is not parsed; undefined: it has none that can be read, or it is a batch. */
export function idInText(text: string): unknown {
  const id = findPart(text, 0, ({ name }) => name === 'id');
  if (id === undefined || id.end - id.start > MAX_ID) return undefined;
  const written = text.slice(id.start, id.end);
  return MAY_BE_ID.test(written) ? tryParse(written)?.value : undefined;
}
