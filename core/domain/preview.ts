/** Makes the line that lists show of a payload. */
import { foremost } from '../contract/attention.ts';
import { shortened } from '../contract/cut-place.ts';
import type { DeliveryState } from '../contract/delivery.ts';
import { PREVIEW_CHARS } from '../contract/words.ts';
import { textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { payloadOf } from './inbound.ts';
import type { Payload } from './inbound.ts';

/**
 * The bytes that a person made for the delivery that needs attention most; undefined: it gets those of the message. Everything that looks
 * at the payloads of a list takes these: its lines and own columns, filters, groups, sorting, and what is chosen by a filter.
 */
export function editedWire(
  deliveries: readonly { readonly state: DeliveryState; readonly changedWire?: Wire }[],
): Wire | undefined {
  return foremost(deliveries)?.changedWire;
}

/** Characters of a payload that are read for a line; the white space between its values is left out. */
const LOOKED_AT = 4000;
/** Longest message that is parsed as JSON for one line. */
const MAX_READ_LENGTH = 256 * 1024;
/** Bytes that fit into the line as hexadecimal pairs. */
const BYTES = Math.floor(PREVIEW_CHARS / 3);
const DATA = '"data":';

/**
 * The payload in one line: JSON without white space between its values, text with single spaces, bytes as
 * hexadecimal pairs; "" without a payload.
 */
export function previewOf(wire: Wire, raw: boolean, codec: Codec): string {
  const payload: Payload =
    wire.length > MAX_READ_LENGTH ? startOfLong(wire, raw, codec) : payloadOf(wire, raw, codec);
  switch (payload.kind) {
    case 'none':
      return '';
    case 'bytes':
      return hexOf(payload.base64, codec);
    case 'json':
      return cut(withoutSpace(payload.text.slice(0, LOOKED_AT)));
    case 'text':
      return cut(payload.text.slice(0, LOOKED_AT).replaceAll(/\s+/g, ' ').trim());
  }
}

/**
 * Beginning of the payload of a long message. A quotation mark inside a text is escaped, so the first
 * unescaped `"data":` of an envelope is the name of a member.
 */
function startOfLong(wire: Wire, raw: boolean, codec: Codec): Payload {
  if (typeof wire !== 'string' && !codec.isUtf8(wire)) {
    return { kind: 'bytes', base64: codec.toBase64(wire.subarray(0, BYTES + 1)) };
  }
  const text = textOf(wire, codec);
  const at = raw ? -1 : text.indexOf(DATA);
  return { kind: 'json', text: at === -1 ? text : text.slice(at + DATA.length) };
}

/**
 * JSON without the white space between its strings. The pattern matches whole strings and the text between
 * them.
 */
function withoutSpace(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*"?)|\s+/g, (_whole, quoted?: string) => quoted ?? '');
}

function hexOf(base64: string, codec: Codec): string {
  // Four characters are three bytes. One more byte than fits shows that the payload is longer.
  const bytes = codec.fromBase64(base64.slice(0, 4 * Math.ceil((BYTES + 1) / 3)));
  if (bytes === undefined) return cut(base64);
  const shown = [...bytes.subarray(0, BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return bytes.length > BYTES ? `${shown}…` : shown;
}

function cut(line: string): string {
  // Not every store and screen can hold a NUL, so its symbol is used.
  return shortened(line, PREVIEW_CHARS).replaceAll('\0', '\u2400');
}
