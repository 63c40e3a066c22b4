// The codec that the domain's tests hand in, and text of any kind.
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import type { Codec } from '../../core/domain/codec.ts';

export const codec: Codec = {
  toText: (bytes) => Buffer.from(bytes).toString('utf8'),
  isUtf8: (bytes) => isUtf8(bytes),
  fromText: (text) => new Uint8Array(Buffer.from(text, 'utf8')),
  sizeOfText: (text) => Buffer.byteLength(text, 'utf8'),
  toBase64: (bytes) => Buffer.from(bytes).toString('base64'),
  fromBase64: (text) => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.toString('base64') === text.replaceAll(/[\r\n]/g, '') ? new Uint8Array(bytes) : undefined;
  },
};

export function bytes(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values);
}

/** Text of any characters but lone surrogates; control characters and quotes often. */
export const anyText = fc
  .array(
    fc.oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })),
    { maxLength: 12 },
  )
  .map((points) => String.fromCodePoint(...points));
