/** Reads and drops the rest of a body that is too large, so that its sender gets to read the answer. */
import type { IncomingMessage } from 'node:http';

/** Maximum number of bytes that are read; beyond it the connection is closed. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Resolves with true when all was read, with false if there is too much or the sender disconnected. */
export function discardBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete) return Promise.resolve(true);
  return new Promise((resolve) => {
    let left = MAX_BYTES;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.byteLength;
      if (left < 0) resolve(false);
    });
    request.once('end', () => resolve(true));
    // The time limit for whole requests ends slow senders.
    request.once('close', () => resolve(false));
    request.resume();
  });
}
