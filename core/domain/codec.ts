/** Bytes and text: the few conversions that the domain asks of its host. */

/** Bytes as they travel: text where they are known to be text (an envelope), bytes otherwise. */
export type Wire = string | Uint8Array;

export interface Codec {
  /** UTF-8; what is not UTF-8 becomes U+FFFD. */
  toText(bytes: Uint8Array): string;
  isUtf8(bytes: Uint8Array): boolean;
  fromText(text: string): Uint8Array;
  /** How many bytes `fromText` would give, without making them. */
  sizeOfText(text: string): number;
  /** Standard alphabet, padded. */
  toBase64(bytes: Uint8Array): string;
  /** Standard alphabet, padded, line breaks overlooked; undefined: not base64. */
  fromBase64(text: string): Uint8Array | undefined;
}

/** Bytes that it takes in memory: a text with characters beyond ASCII may take two for each of them. */
export function memoryOf(wire: Wire, codec: Codec): number {
  if (typeof wire !== 'string') return wire.length;
  return codec.sizeOfText(wire) === wire.length ? wire.length : 2 * wire.length;
}

/** Bytes of it as it is sent. */
export function bytesIn(wire: Wire, codec: Codec): number {
  return typeof wire === 'string' ? codec.sizeOfText(wire) : wire.length;
}

/** The first characters of a text, as a text of their own: a plain `slice` keeps the whole of it in memory. */
export function startOf(text: string, length: number): string {
  if (text.length <= length) return text;
  // A text that is read from JSON shares its memory with nothing.
  return JSON.parse(JSON.stringify(text.slice(0, length))) as string;
}

export function textOf(wire: Wire, codec: Codec): string {
  return typeof wire === 'string' ? wire : codec.toText(wire);
}

export function bytesOf(wire: Wire, codec: Codec): Uint8Array {
  return typeof wire === 'string' ? codec.fromText(wire) : wire;
}
