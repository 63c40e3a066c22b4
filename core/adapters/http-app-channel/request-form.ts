/** A call's path, headers and body in the form the HTTP client takes. */
import type { Wire } from '../../domain/codec.ts';

/** The client writes these itself, or they concern one connection only. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What nearly every value is made of. */
const PLAIN_VALUE = /^[\t\u0020-\u007e]*$/;
/** Any byte but the controls; header values travel as bytes. */
const FIELD_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
const NEEDS_ENCODING = /[^\u0021-\u007e]/;

/**
 * Request target of a call. What may not stand in one (spaces, letters beyond ASCII) is percent-encoded as UTF-8, a fragment is
 * left out, everything else stays as it was given.
 * @param base path of the app's address without a slash at its end; "" = none
 */
export function targetOf(base: string, path: string): string {
  const hash = path.indexOf('#');
  const bare = hash === -1 ? path : path.slice(0, hash);
  const whole = base + (bare.startsWith('/') ? bare : `/${bare}`);
  return NEEDS_ENCODING.test(whole) ? percentEncoded(whole) : whole;
}

/**
 * Headers as they were named, values as UTF-8 bytes. Left out: what belongs to the connection, and names or values that HTTP
 * cannot carry (message metadata may be anything).
 */
export function headersOf(
  given: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (OWN_HEADERS.has(lower) || seen.has(lower) || !TOKEN.test(name)) continue;
    const bytes = fieldOf(value);
    if (bytes === undefined) continue;
    seen.add(lower);
    headers[name] = bytes;
  }
  for (const [name, value] of Object.entries(defaults)) if (!seen.has(name)) headers[name] = value;
  return headers;
}

/** The body as the client takes it; null: empty. */
export function bodyOf(wire: Wire): Buffer | string | null {
  if (wire.length === 0) return null;
  if (typeof wire === 'string') return wire;
  return Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength);
}

/** A value as it travels; undefined: no header can hold it. Nearly all are plain, and looked at once. */
function fieldOf(value: string): string | undefined {
  if (PLAIN_VALUE.test(value)) return value;
  const bytes = Buffer.from(value, 'utf8').toString('latin1');
  return FIELD_VALUE.test(bytes) ? bytes : undefined;
}

function percentEncoded(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const plain = byte > 0x20 && byte < 0x7f;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
