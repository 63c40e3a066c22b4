/** What is left of a body that is too large: read and thrown away, so that its sender comes to read the answer. */
import type { IncomingMessage } from 'node:http';

/** Beyond it the connection is closed, whatever its sender makes of that. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Resolves when all was sent (true), or when there is too much of it or the sender left (false). */
export function discardBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete) return Promise.resolve(true);
  return new Promise((resolve) => {
    let left = MOST_BYTES;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.byteLength;
      if (left < 0) resolve(false);
    });
    request.once('end', () => resolve(true));
    // Slow senders are ended by the limit for whole requests.
    request.once('close', () => resolve(false));
    request.resume();
  });
}
