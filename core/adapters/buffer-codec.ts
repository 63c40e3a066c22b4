/** Implements domain/codec.ts with Node's Buffer. */
import { Buffer, isUtf8 } from 'node:buffer';

import type { Codec } from '../domain/codec.ts';
import { asUtf8 } from '../domain/utf8.ts';

/** The codec of every Node host. `fromBase64` ignores line breaks, as the reference's decoder does. */
export const bufferCodec: Codec = {
  toText,
  isUtf8: (bytes) => isUtf8(bytes),
  fromText: (text) => Buffer.from(text, 'utf8'),
  sizeOfText: (text) => {
    if (text.length > MAX_KEPT_LENGTH) return Buffer.byteLength(text, 'utf8');
    if (text !== measured.text) measured = { text, bytes: Buffer.byteLength(text, 'utf8') };
    return measured.bytes;
  },
  toBase64: (bytes) => viewOf(bytes).toString('base64'),
  fromBase64,
};

/** Maximum number of characters of a text whose size is kept. */
const MAX_KEPT_LENGTH = 16 * 1024;
/** The last measured text, kept because each message is measured several times in a row. */
let measured: { readonly text: string; readonly bytes: number } = { text: '', bytes: 0 };

function toText(bytes: Uint8Array): string {
  const text = viewOf(bytes).toString('utf8');
  return text.includes('\ufffd') && !isUtf8(bytes) ? viewOf(asUtf8(bytes)).toString('utf8') : text;
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function fromBase64(text: string): Uint8Array | undefined {
  const joined = text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]/g, '') : text;
  if (joined.length % 4 !== 0) return undefined;
  let end = joined.length;
  if (joined.endsWith('==')) end -= 2;
  else if (joined.endsWith('=')) end -= 1;
  // Searches for a foreign character in one pass: a pattern over groups of four overflows the stack on megabytes.
  if (/[^A-Za-z0-9+/]/.test(end === joined.length ? joined : joined.slice(0, end))) return undefined;
  return Buffer.from(joined, 'base64');
}
