/** Reads a webhook request: headers that may occur once, and a bounded body. */
import type { IncomingMessage } from 'node:http';
import { Pieces } from '../../domain/pieces.ts';

/** Maximum number of bytes of a body: 1 MiB for the event, the rest for its envelope. */
const MAX_BYTES = 1024 * 1024 + 64 * 1024;

/**
 * A header that may occur once; undefined: it is absent.
 * @param name in lower case
 */
export function singleHeader(
  { rawHeaders }: IncomingMessage,
  name: string,
): { readonly value: string } | 'several' | undefined {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  const [value] = values;
  if (values.length > 1) return 'several';
  return value === undefined ? undefined : { value };
}

/**
 * The whole body; `cut`: the sender disconnected before its end. Reading stops when the body is too large.
 */
export function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'cut'> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return Promise.resolve('too-large');
  const pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
  let isTooLarge = false;
  return new Promise((resolve) => {
    // Events are used, because leaving an iteration would close the connection before the sender reads the
    // answer.
    request.on('data', (chunk: Buffer) => {
      if (isTooLarge) return;
      pieces.add(chunk);
      if (pieces.length <= MAX_BYTES) return;
      isTooLarge = true;
      pieces.clear();
      request.pause();
      resolve('too-large');
    });
    request.on('end', () => resolve(pieces.whole()));
    request.on('error', () => resolve('cut'));
    request.on('close', () => resolve('cut'));
  });
}
