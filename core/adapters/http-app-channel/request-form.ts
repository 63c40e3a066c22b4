/** Builds the request that is sent for a call: its path, headers and body. */
import { Buffer } from 'node:buffer';
import { isHeaderName, isHeaderValue } from '../../contract/header-field.ts';
import { HOP_BY_HOP } from '../../contract/hop-by-hop.ts';
import type { Wire } from '../../domain/codec.ts';
import { withoutBlanks } from './answer-head.ts';
import { ASKED_FOR } from './content-encoding.ts';

/** Headers of every call that does not have them. */
export const DEFAULT_HEADERS = { 'user-agent': 'sidelight', 'accept-encoding': ASKED_FOR } as const;

/** Headers that are not passed on: each call sets its own, or they concern one connection only. */
const OWN_HEADERS = new Set([...HOP_BY_HOP, 'content-length', 'expect', 'host']);
/** Characters of a plain header value, as nearly all are. */
const PLAIN_VALUE = /^[\t\u0020-\u007e]*$/;
const NEEDS_ENCODING = /[^\u0021-\u007e]/;

/**
 * Request target of a call. What may not be part of one (spaces, letters beyond ASCII) is percent-encoded as UTF-8, a fragment is left out,
 * everything else stays as it was given.
 * @param base path of the app's address without a slash at its end; "" = none
 */
export function targetOf(base: string, path: string): string {
  const hash = path.indexOf('#');
  const bare = hash === -1 ? path : path.slice(0, hash);
  const whole = base + (bare.startsWith('/') ? bare : `/${bare}`);
  return NEEDS_ENCODING.test(whole) ? percentEncoded(whole) : whole;
}

export interface RequestFacts {
  readonly method: string;
  readonly host: string;
  /** Request target as `targetOf` makes it. */
  readonly target: string;
  readonly bodyBytes: number;
}

/** A call as it is sent, in whichever version of HTTP. */
export interface AppRequest extends RequestFacts {
  /** Headers of the call, with any name and value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/**
 * Request line and headers with the empty line at their end, one character for each byte: names as they were given, values as UTF-8.
 * Left out: what belongs to the connection, and names or values that HTTP cannot carry (message metadata may be anything).
 */
export function headOf(
  { method, host, target, bodyBytes }: RequestFacts,
  given: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): string {
  const begin = `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  const fields = plainFields(given, defaults) ?? fieldsOf(given, defaults);
  const length = announcesLength(method, bodyBytes) ? `content-length: ${bodyBytes}\r\n` : '';
  return `${begin}${fields}${length}\r\n`;
}

/** RFC 9110: only a method that usually has a body announces an empty one. */
function announcesLength(method: string, bodyBytes: number): boolean {
  return bodyBytes > 0 || method === 'POST';
}

/**
 * Headers of a request in HTTP/2: those of `headOf`, with names in lower case and one character for each byte of a value. Blanks around a
 * value, which HTTP/1.1 leaves to the reader, are an error there.
 */
export function http2Fields(
  { method, bodyBytes }: RequestFacts,
  given: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const fields = sentFields(given).map(({ lower, bytes }) => [lower, withoutBlanks(bytes)] as const);
  const length = announcesLength(method, bodyBytes) ? { 'content-length': String(bodyBytes) } : {};
  return { ...defaults, ...Object.fromEntries(fields), ...length };
}

/** Prepared form of headers with these names, for values that are all plain. */
interface Form {
  readonly names: readonly string[];
  readonly defaults: Readonly<Record<string, string>>;
  /** Bytes before each value; undefined: that header is not sent. */
  readonly begins: readonly (string | undefined)[];
  /** Lines of the default headers that the call does not set. */
  readonly end: string;
}

/** The last form: call after call has headers of the same names. */
let form: Form | undefined;

/** As `fieldsOf`; undefined: a value is not plain, or a name is there twice. */
function plainFields(
  given: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): string | undefined {
  const names = Object.keys(given);
  if (form?.defaults !== defaults || !isSame(form.names, names)) form = formOf(names, defaults);
  if (form === undefined) return undefined;
  let fields = '';
  for (let at = 0; at < names.length; at += 1) {
    const begin = form.begins[at];
    if (begin === undefined) continue;
    const value = given[names[at] ?? ''] ?? '';
    if (!PLAIN_VALUE.test(value)) return undefined;
    fields += `${begin}${value}\r\n`;
  }
  return fields + form.end;
}

function formOf(names: readonly string[], defaults: Readonly<Record<string, string>>): Form | undefined {
  const lower = names.map(lowerOf);
  const sent = lower.filter((name) => name !== undefined);
  if (new Set(sent).size < sent.length) return undefined;
  const begins = names.map((name, at) => (lower[at] === undefined ? undefined : `${name}: `));
  const missing = Object.entries(defaults).filter(([name]) => !sent.includes(name));
  return { names, defaults, begins, end: missing.map(([name, value]) => `${name}: ${value}\r\n`).join('') };
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
}

function fieldsOf(
  given: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): string {
  let head = '';
  const seen = new Set<string>();
  for (const { name, lower, bytes } of sentFields(given)) {
    seen.add(lower);
    head += `${name}: ${bytes}\r\n`;
  }
  for (const [name, value] of Object.entries(defaults)) if (!seen.has(name)) head += `${name}: ${value}\r\n`;
  return head;
}

interface SentField {
  readonly name: string;
  readonly lower: string;
  readonly bytes: string;
}

/** The headers that are sent: the first of each name, whatever its case, with a value that HTTP can carry. */
function sentFields(given: Readonly<Record<string, string>>): readonly SentField[] {
  const fields = new Map<string, SentField>();
  for (const [name, value] of Object.entries(given)) {
    const lower = lowerOf(name);
    if (lower === undefined || fields.has(lower)) continue;
    const bytes = fieldOf(value);
    if (bytes !== undefined) fields.set(lower, { name, lower, bytes });
  }
  return [...fields.values()];
}

/** The body as it is sent; "": none. */
export function bodyOf(wire: Wire): Buffer | string {
  return typeof wire === 'string' ? wire : Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength);
}

/** Names that were sent, and what they are in lower case: call after call has the same ones. */
const known = new Map<string, string>();
const MAX_KNOWN = 500;

/** A header's name in lower case; undefined: it is not sent. */
function lowerOf(name: string): string | undefined {
  const before = known.get(name);
  if (before !== undefined) return before;
  const lower = name.toLowerCase();
  if (OWN_HEADERS.has(lower) || !isHeaderName(name)) return undefined;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, lower);
  return lower;
}

/** A value as it travels; undefined: no header can hold it. Nearly all are plain, and looked at once. */
function fieldOf(value: string): string | undefined {
  if (PLAIN_VALUE.test(value)) return value;
  const bytes = Buffer.from(value, 'utf8').toString('latin1');
  return isHeaderValue(bytes) ? bytes : undefined;
}

function percentEncoded(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const plain = byte > 0x20 && byte < 0x7f;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
