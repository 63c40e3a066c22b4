/**
 * Carries the payloads of a large request as they are written. To parse an object of 240,000 names and to write it again takes two tenths of a
 * second each, in which nobody else is served, and nothing but the text of it is published.
 */
import type { Method } from '../contract/console.ts';
import { partsOf } from '../contract/json-scan.ts';
import type { Part } from '../contract/json-scan.ts';
import { isJson, isObject, tryParse } from '../domain/json.ts';

/** JSON text of a payload, in the place of its value. */
export class PayloadText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Where the payloads of a method are: a parameter, or a member of each entry of a list. */
interface Payload {
  readonly list?: string;
  readonly member: string;
}
const PAYLOADS: ReadonlyMap<unknown, Payload> = new Map<Method, Payload>([
  ['messages.publish', { member: 'data' }],
  ['messages.preview', { member: 'data' }],
  ['messages.publishBulk', { list: 'entries', member: 'event' }],
]);
/** Beginning of the names of these methods, in a text that is not read yet. */
const MAY_PUBLISH = /"messages\.p(?:ublish|review)/;

/** Length from which on a payload is carried as text. */
const LARGE_PAYLOAD = 16 * 1024;

/** A payload in a text. `index` is that of its entry. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly index: number;
}

/** A request without its large payloads, and these. */
export interface CutRequest {
  readonly rest: string;
  readonly payloads: readonly (Pick<Place, 'index'> & { readonly text: string })[];
}

/** Whether a text may be a request with payloads. */
export function mayPublish(text: string): boolean {
  return MAY_PUBLISH.test(text);
}

/** Takes the large payloads out of a request; the text need not be JSON. */
export function cutPayloads(text: string): CutRequest {
  let rest = '';
  let from = 0;
  const payloads: { readonly index: number; readonly text: string }[] = [];
  for (const { start, end, index } of placesIn(text)) {
    rest += `${text.slice(from, start)}null`;
    payloads.push({ index, text: text.slice(start, end) });
    from = end;
  }
  return { rest: rest + text.slice(from), payloads };
}

/** The request with its payloads as `PayloadText`; undefined: it is not JSON. */
export function joinPayloads({ rest, payloads }: CutRequest): { readonly value: unknown } | undefined {
  const read = tryParse(rest);
  if (read === undefined || !payloads.every(({ text }) => isJson(text))) return undefined;
  if (!isObject(read.value) || !isObject(read.value['params'])) return read;
  const { method, params } = read.value;
  const { list, member } = PAYLOADS.get(method) ?? { member: '' };
  const entries: unknown = list === undefined ? [params] : params[list];
  for (const { index, text } of payloads) {
    const entry = Array.isArray(entries) ? (entries as unknown[])[index] : undefined;
    if (isObject(entry)) Object.assign(entry, { [member]: new PayloadText(text) });
  }
  return read;
}

function placesIn(text: string): readonly Place[] {
  const request = partsOf(text);
  const method = last(request, 'method');
  const params = last(request, 'params');
  if (method === undefined || params === undefined) return [];
  const payload = PAYLOADS.get(tryParse(text.slice(method.start, method.end))?.value);
  if (payload === undefined) return [];
  const entries =
    payload.list === undefined ? [params] : entriesOf(text, last(partsOf(text, params.start), payload.list));
  return entries.flatMap(({ start: entry }, index) => {
    const found = last(partsOf(text, entry), payload.member);
    if (found === undefined || found.end - found.start < LARGE_PAYLOAD) return [];
    const { start, end } = found;
    return text[start] === '{' || text[start] === '[' ? [{ start, end, index }] : [];
  });
}

function entriesOf(text: string, entries: Part | undefined): readonly Part[] {
  return entries !== undefined && text[entries.start] === '[' ? partsOf(text, entries.start) : [];
}

/** The member that counts for a parser: the last one of its name. */
function last(parts: readonly Part[], name: string): Part | undefined {
  return parts.findLast((part) => part.name === name);
}
