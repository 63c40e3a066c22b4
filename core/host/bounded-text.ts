/** Reads a text up to a limit, because a device or a pipe has no known size and may not end. */
import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';

const PIECE_BYTES = 64 * 1024;

/** Error of a file that is no text in UTF-8; some editors and shells of Windows write others. */
export class NotText extends Error {
  constructor() {
    super('the file is not UTF-8 text: save it as UTF-8');
    this.name = 'NotText';
  }
}

/**
 * Reads a file.
 * @param path 0 is standard input.
 * @returns undefined: there are more than `mostBytes`. Throws the error of the system, or NotText.
 */
export function boundedText(path: string | 0, mostBytes: number): string | undefined {
  const file = path === 0 ? 0 : openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let left = mostBytes; left >= 0;) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const bytes = readSync(file, piece, 0, PIECE_BYTES, null);
      if (bytes === 0) return textOf(Buffer.concat(pieces));
      pieces.push(piece.subarray(0, bytes));
      left -= bytes;
    }
    return undefined;
  } finally {
    if (path !== 0) closeSync(file);
  }
}

/** UTF-16 is mostly valid UTF-8 with a zero at every second place. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) throw new NotText();
  return bytes.toString('utf8');
}
