/** Conversions between bytes and text that the host provides to the domain. */
import { cutPlace } from '../contract/cut-place.ts';

/** Content of a message: text if it is known to be text (an envelope), else bytes. */
export type Wire = string | Uint8Array;

export interface Codec {
  /** Decodes UTF-8; each invalid byte becomes U+FFFD. */
  toText(bytes: Uint8Array): string;
  isUtf8(bytes: Uint8Array): boolean;
  fromText(text: string): Uint8Array;
  /** Number of bytes that `fromText` would return, without making them. */
  sizeOfText(text: string): number;
  /** Encodes with the standard alphabet, padded. */
  toBase64(bytes: Uint8Array): string;
  /** Decodes the standard alphabet, padded, and ignores line breaks; undefined: not base64. */
  fromBase64(text: string): Uint8Array | undefined;
}

/**
 * Bytes of memory that the content takes. A text with characters beyond ASCII may take two bytes for each.
 */
export function memoryOf(wire: Wire, codec: Codec): number {
  if (typeof wire !== 'string') return wire.length;
  return codec.sizeOfText(wire) === wire.length ? wire.length : 2 * wire.length;
}

/** Bytes of the content as it is sent. */
export function bytesIn(wire: Wire, codec: Codec): number {
  return typeof wire === 'string' ? codec.sizeOfText(wire) : wire.length;
}

/** The first characters of a text as an independent text: a plain `slice` keeps the whole text in memory. */
export function startOf(text: string, length: number): string {
  return text.length <= length ? text : independent(text.slice(0, length));
}

/** The text; of one that is longer its first characters with "…", as an independent text. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${startOf(text, cutPlace(text, most))}…`;
}

/** The text in memory of its own: a part of a longer text keeps all of that in memory. */
export function independent(text: string): string {
  // JSON.parse makes a text that shares no memory with the original.
  return JSON.parse(JSON.stringify(text)) as string;
}

export function textOf(wire: Wire, codec: Codec): string {
  return typeof wire === 'string' ? wire : codec.toText(wire);
}

export function bytesOf(wire: Wire, codec: Codec): Uint8Array {
  return typeof wire === 'string' ? codec.fromText(wire) : wire;
}
