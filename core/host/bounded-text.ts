/** Reads a text up to a limit, because a device or a pipe has no known size and may not end. */
import { closeSync, openSync, readSync } from 'node:fs';

const PIECE_BYTES = 64 * 1024;

/**
 * Reads a file.
 * @param path 0 is standard input.
 * @returns undefined: there are more than `mostBytes`. Throws the error of the system.
 */
export function boundedText(path: string | 0, mostBytes: number): string | undefined {
  const file = path === 0 ? 0 : openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let left = mostBytes; left >= 0;) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const bytes = readSync(file, piece, 0, PIECE_BYTES, null);
      if (bytes === 0) return Buffer.concat(pieces).toString('utf8');
      pieces.push(piece.subarray(0, bytes));
      left -= bytes;
    }
    return undefined;
  } finally {
    if (path !== 0) closeSync(file);
  }
}
