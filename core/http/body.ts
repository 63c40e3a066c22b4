/** Reads request bodies as bytes, whatever their content type, up to a limit that may change while it runs. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Content-Type exactly as it was sent; undefined: none. */
    givenContentType: string | undefined;
  }
}

/** Bytes read beyond the limit before the connection is cut, so that a client that sends first can read the answer. */
const DRAIN_BYTES = 16 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);

/** The body is over the limit: answered 400 as plain text (behaviour 1.7). */
export class BodyTooLarge extends Error {
  readonly statusCode = 400;
  constructor() {
    super('error reading request body: stream too large');
    this.name = 'BodyTooLarge';
  }
}

/**
 * Makes every body arrive as one Buffer in `request.body`.
 * @param maxBodyBytes asked per request; 0 = no limit
 */
export function takeRawBodies(app: FastifyInstance, maxBodyBytes: () => number): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('givenContentType', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify answers 415 to a media type it cannot read; the sidecar takes any text there.
    request.givenContentType = request.raw.headers['content-type'];
    delete request.raw.headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', (request, payload, done) => {
    const limit = maxBodyBytes();
    const most = limit > 0 ? limit : Number.POSITIVE_INFINITY;
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (error: Error | null): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      if (error !== null) done(error);
      else if (size > most) done(new BodyTooLarge());
      else done(null, Buffer.concat(chunks, size));
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      if (size > most + DRAIN_BYTES) end(null);
    };
    const onEnd = (): void => end(null);
    const onError = (cause: Error): void => end(Object.assign(cause, { statusCode: 400 }));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** The body of a request; empty when none was sent. */
export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : EMPTY;
}
