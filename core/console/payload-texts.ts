/**
 * Carries the payloads of a large request as they are written. To parse an object of 240,000 names and to write it again takes two tenths of a
 * second each, in which nobody else is served, and nothing but the text of it is published.
 */
import type { Method } from '../contract/console.ts';
import { partsOf, skipSpace } from '../contract/json-scan.ts';
import type { Part } from '../contract/json-scan.ts';
import { isJson, tryParse } from '../domain/json.ts';

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

/** Where in a request or batch a payload belongs. */
interface Owner {
  /** Index of its request; of a single request 0. */
  readonly request: number;
  /** Index of its entry; of a parameter 0. */
  readonly entry: number;
}

/** A request or batch without its large payloads, and these. */
export interface CutRequest {
  readonly rest: string;
  readonly payloads: readonly (Owner & { readonly text: string })[];
}

/** Whether a text may be a request with payloads. */
export function mayPublish(text: string): boolean {
  return MAY_PUBLISH.test(text);
}

/** Takes the large payloads out of a request or batch; the text need not be JSON. */
export function cutPayloads(text: string): CutRequest {
  let rest = '';
  let from = 0;
  const payloads: (Owner & { readonly text: string })[] = [];
  const requests = text[skipSpace(text, 0)] === '[' ? partsOf(text) : [{ start: 0 }];
  for (const [request, { start: at }] of requests.entries()) {
    for (const { start, end, entry } of placesIn(text, at)) {
      rest += `${text.slice(from, start)}null`;
      payloads.push({ request, entry, text: text.slice(start, end) });
      from = end;
    }
  }
  return { rest: rest + text.slice(from), payloads };
}

/** The request or batch with its payloads as `PayloadText`; undefined: it is not JSON. */
export function joinPayloads({ rest, payloads }: CutRequest): { readonly value: unknown } | undefined {
  const read = tryParse(rest);
  if (read === undefined || !payloads.every(({ text }) => isJson(text))) return undefined;
  const requests = Array.isArray(read.value) ? (read.value as unknown[]) : [read.value];
  for (const { request, entry, text } of payloads) {
    const { method, params } = membersOf(requests[request]);
    const payload = PAYLOADS.get(method);
    if (payload === undefined) continue;
    const owner = payload.list === undefined ? params : membersOf(membersOf(params)[payload.list])[entry];
    Object.assign(membersOf(owner), { [payload.member]: new PayloadText(text) });
  }
  return read;
}

/** A value as an object of members; of any other value, one without. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The large payloads of the request that begins at a place, in their order. */
function placesIn(text: string, at: number): readonly (Pick<Part, 'start' | 'end'> & Pick<Owner, 'entry'>)[] {
  const request = partsOf(text, at);
  const method = last(request, 'method');
  const params = last(request, 'params');
  if (method === undefined || params === undefined) return [];
  const payload = PAYLOADS.get(tryParse(text.slice(method.start, method.end))?.value);
  if (payload === undefined) return [];
  const entries =
    payload.list === undefined ? [params] : entriesOf(text, last(partsOf(text, params.start), payload.list));
  return entries.flatMap((part, entry) => {
    const found = last(partsOf(text, part.start), payload.member);
    if (found === undefined || found.end - found.start < LARGE_PAYLOAD) return [];
    const { start, end } = found;
    return text[start] === '{' || text[start] === '[' ? [{ start, end, entry }] : [];
  });
}

function entriesOf(text: string, entries: Part | undefined): readonly Part[] {
  return entries !== undefined && text[entries.start] === '[' ? partsOf(text, entries.start) : [];
}

/** The member that counts for a parser: the last one of its name. */
function last(parts: readonly Part[], name: string): Part | undefined {
  return parts.findLast((part) => part.name === name);
}
