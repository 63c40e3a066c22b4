/** Bytes that are to be read as UTF-8, as the reference reads them. */

/** Bytes of U+FFFD. */
const REPLACED = 3;

/** The bytes, with each one that begins no character replaced by U+FFFD. A platform's decoder makes one of several such bytes. */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length * REPLACED);
  let end = 0;
  for (let i = 0; i < bytes.length;) {
    const length = lengthAt(bytes, i);
    if (length === 0) {
      out[end] = 0xef;
      out[end + 1] = 0xbf;
      out[end + 2] = 0xbd;
      end += REPLACED;
      i += 1;
    } else {
      for (const next = i + length; i < next; i += 1) out[end++] = bytes[i] ?? 0;
    }
  }
  return out.subarray(0, end);
}

/** Bytes of the character that begins there; 0: none does. */
function lengthAt(bytes: Uint8Array, i: number): number {
  const first = bytes[i] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  // Neither the long form of a shorter character, nor half a surrogate, nor one beyond U+10FFFF.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let k = 1; k < length; k += 1) {
    const byte = bytes[i + k] ?? 0;
    if (byte < (k === 1 ? least : 0x80) || byte > (k === 1 ? most : 0xbf)) return 0;
  }
  return length;
}

/** False: the text has half of a surrogate pair, which UTF-8 cannot hold. */
export function fitsUtf8(text: string): boolean {
  return text.isWellFormed();
}
