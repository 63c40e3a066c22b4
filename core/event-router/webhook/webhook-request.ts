/** Reading of a webhook request: headers that may be there once, and a body with a bound. */
import type { IncomingMessage } from 'node:http';

/** An event may have 1 MiB; the rest is room for what is around it. */
const MOST_BYTES = 1024 * 1024 + 64 * 1024;

/** A header that must not be there twice; undefined: it is absent. @param name in lower case */
export function singleHeader(
  { rawHeaders }: IncomingMessage,
  name: string,
): { readonly value: string } | 'several' | undefined {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  const [value] = values;
  if (values.length > 1) return 'several';
  return value === undefined ? undefined : { value };
}

/** The whole body; `cut`: the sender went away before its end. A body that is too large is not read further. */
export function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'cut'> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return Promise.resolve('too-large');
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    // Leaving an iteration would cut the connection, and the sender would never read why.
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= MOST_BYTES) chunks.push(chunk);
      else {
        request.pause();
        resolve('too-large');
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve('cut'));
    request.on('close', () => resolve('cut'));
  });
}
