/** Reads a file up to a limit, because it may grow between a look at its size and its read, and some have no size. */
import { open } from 'node:fs/promises';

const PIECE_BYTES = 64 * 1024;

/** Reason for a person why a file whose size was within the limit was not read. */
export const HAS_GROWN = 'The file has grown while it was read, beyond what Sidelight reads.';

/** The bytes of a file; undefined: it has more than `most`. Rejects with the system's error. */
export async function readAtMost(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path, 'r');
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, null);
      if (bytesRead === 0) return Buffer.concat(pieces, length);
      length += bytesRead;
      if (length > most) return undefined;
      pieces.push(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
