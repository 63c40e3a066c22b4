/**
 * Bounds the values of one request, and the members of its objects, so that none takes half a second to parse or to check, in which nobody
 * else is served.
 */
import { endOfNested, endOfString, findPart, skipSpace } from '../contract/json-scan.ts';
import { hasMoreValues, tryParse } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';

/** Most values of one request. A payload of 4 MiB may have more if nearly all are short numbers or short names. */
const MAX_VALUES = 1_000_000;
/** Most members of one object that is not payload: a list of the names of 200,000 takes a tenth of a second by itself. */
const MAX_MEMBERS = 10_000;
/** Characters of the shortest member, with its comma. */
const MEMBER_LENGTH = '"":0,'.length;
/** Parameters that are payload, in whatever method: each is carried as one value, and none of its members is looked at. */
const PAYLOADS: ReadonlySet<string> = new Set(['data', 'event', 'body', 'schema', 'drafts']);
const MAX_PAYLOAD_NAME = Math.max(...[...PAYLOADS].map((name) => name.length));
/** Most characters of an id that is read out of a request that is not parsed. */
const MAX_ID = 1_000;
const [QUOTE, COLON] = [0x22, 0x3a];
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** First character of what may be an id: a text, a number, `null`. */
const MAY_BE_ID = /^["\-0-9n]/;

/** Why a text has too many values to be read; undefined: it has not. */
export function tooManyValues(text: string): Refusal | undefined {
  if (!hasMoreValues(text, MAX_VALUES)) return undefined;
  const expected = `at most ${MAX_VALUES.toLocaleString('en-US')} values, lists and objects`;
  const more = 'A name counts as three more. A payload with more fits as dataBase64.';
  return new Refusal('TOO_LARGE', { reason: `A request has ${expected}. ${more}` }, { expected });
}

/** Why a text has an object with too many members to be checked; undefined: it has not. A payload is not counted. */
export function tooManyMembers(text: string): Refusal | undefined {
  if (text.length < MAX_MEMBERS * MEMBER_LENGTH || !hasLargeObject(text)) return undefined;
  const expected = `at most ${MAX_MEMBERS.toLocaleString('en-US')} members of an object`;
  return new Refusal('TOO_LARGE', { reason: `A request has ${expected}, beside payloads.` }, { expected });
}

/** Whether an object outside of payloads has more members than one may have; the text need not be right. */
function hasLargeObject(text: string): boolean {
  /** Members of each object and list around the place. */
  const around: number[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const after = endOfString(text, at);
        if (after === undefined) return false;
        const past = afterPayload(text, at, after);
        if (past === undefined) return false;
        at = past - 1;
        break;
      }
      case OBJECT:
      case LIST:
        around.push(0);
        break;
      case END_OF_OBJECT:
      case END_OF_LIST:
        around.pop();
        break;
      case COLON: {
        const members = (around.pop() ?? 0) + 1;
        if (members > MAX_MEMBERS) return true;
        around.push(members);
        break;
      }
    }
  }
  return false;
}

/** Index after the string, or after the payload that it names; undefined: that one does not end. */
function afterPayload(text: string, start: number, end: number): number | undefined {
  if (end - start - 2 > MAX_PAYLOAD_NAME || !PAYLOADS.has(text.slice(start + 1, end - 1))) return end;
  const colon = skipSpace(text, end);
  if (text.charCodeAt(colon) !== COLON) return end;
  const value = skipSpace(text, colon + 1);
  const first = text.charCodeAt(value);
  return first === OBJECT || first === LIST ? endOfNested(text, value) : value;
}

/** The id of a request that is not parsed; undefined: it has none that can be read, or it is a batch. */
export function idInText(text: string): unknown {
  const id = findPart(text, 0, ({ name }) => name === 'id');
  if (id === undefined || id.end - id.start > MAX_ID) return undefined;
  const written = text.slice(id.start, id.end);
  return MAY_BE_ID.test(written) ? tryParse(written)?.value : undefined;
}
