/** Headers and trailers of HTTP/2: as they were received, as they are sent on, and as people see them. */
import { constants } from 'node:http2';
import type { OutgoingHttpHeaders } from 'node:http2';

/** Headers in their order; a name may occur more than once. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** @param raw names and values in turns, as the library gives them */
export function headerList(raw: readonly string[]): HeaderList {
  const list: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) list.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return list;
}

/** Header names for which Node throws when they have several values. */
const ONCE: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]);

/**
 * Headers for the library: names in the order in which each came first, several values of one name in theirs.
 * Metadata may have any name twice, and mean the same with its values joined.
 */
export function outgoing(list: HeaderList): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of list) {
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (ONCE.has(name)) headers[name] = `${String(before)}, ${value}`;
    else headers[name] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  return headers;
}

/** The last value of a name; undefined: there is none. */
export function valueOf(list: HeaderList, name: string): string | undefined {
  return list.findLast(([one]) => one === name)?.[1];
}

/** Metadata for display: without the parts of the first line; several values of one name joined. */
export function metadataOf(list: HeaderList): Record<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of list) {
    if (name.startsWith(':')) continue;
    const before = all.get(name);
    all.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(all);
}

export const PATH = constants.HTTP2_HEADER_PATH;
export const STATUS = constants.HTTP2_HEADER_STATUS;
