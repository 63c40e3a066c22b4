/**
 * Reads request bodies as bytes, whatever their content type is, up to a limit that may change at run time.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Differences } from '../contract/profile.ts';
import { keepsMore, Pieces } from '../domain/pieces.ts';
import type { BodyCount } from '../domain/request-bodies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route itself refuses a body over the limit, of which it gets the beginning. */
    refusesTooLarge?: true;
  }
  interface FastifyRequest {
    /** Number of bytes that are counted for its body. */
    countedBytes: number;
    /** True if the body is only the beginning of one over the limit, which the route refuses in its turn. */
    isBeginning: boolean;
    /** Content-Type exactly as it was sent; undefined: none. */
    givenContentType: string | undefined;
  }
}

/**
 * Bytes beyond the limit that are read before the connection is cut, so that a client that sends everything
 * first can read the answer.
 */
const DRAIN_BYTES = 16 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);

/** Error for a body over the limit: answered 400 as plain text (behaviour 1.7). */
export class BodyTooLarge extends Error {
  readonly statusCode = 400;
  constructor() {
    super('error reading request body: stream too large');
    this.name = 'BodyTooLarge';
  }
}

/** Error for a body without room in memory: a publish is refused as for any other limit. */
export class NoRoomForBody extends Error {
  /**
   * Makes the error.
   * @param reason names the limit
   */
  constructor(reason: string) {
    super(reason);
    this.name = 'NoRoomForBody';
  }
}

/**
 * Reads every body as one Buffer in `request.body`. `countBodies` must have been called before.
 * @param maxBodyBytes read for each request; 0 = no limit
 * @param bodies counts the bodies in memory until their requests are answered
 * @param tooLarge handles a body over the limit
 */
export function takeRawBodies(
  app: FastifyInstance,
  maxBodyBytes: () => number,
  bodies: BodyCount,
  tooLarge: Differences['tooLarge'] = 'at-once',
): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('givenContentType', undefined);
  app.decorateRequest('isBeginning', false);
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify answers 415 to a media type it cannot read, but the sidecar accepts any text there.
    request.givenContentType = request.raw.headers['content-type'];
    delete request.raw.headers['content-type'];
    done();
  });
  const byRoute = ({ routeOptions }: FastifyRequest): boolean =>
    tooLarge === 'by-route' && routeOptions.config.refusesTooLarge === true;
  app.addContentTypeParser('*', (request, payload, done) => {
    const limit = maxBodyBytes();
    const most = limit > 0 ? limit : Number.POSITIVE_INFINITY;
    const pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
    let size = 0;
    let noRoom: string | undefined;
    const end = (error: Error | null): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      request.isBeginning = size > most && byRoute(request);
      if (error !== null) done(error);
      else if (size > most && !request.isBeginning) done(new BodyTooLarge());
      else if (noRoom !== undefined) done(new NoRoomForBody(noRoom));
      else done(null, pieces.whole());
    };
    const onData = (chunk: Buffer): void => {
      const isWhole = size + chunk.length <= most;
      const part = isWhole ? chunk : chunk.subarray(0, Math.max(0, most - size));
      size += chunk.length;
      if ((isWhole || byRoute(request)) && noRoom === undefined) {
        noRoom = bodies.take(part.length);
        if (noRoom === undefined) {
          request.countedBytes += part.length;
          pieces.add(ownPiece(part));
          if (isWhole) return;
        }
      }
      if (noRoom !== undefined || !byRoute(request)) {
        pieces.clear();
        uncount(request, bodies);
      }
      // The body is read to its end, so that a client that sends everything first can read the answer.
      if (size > most + DRAIN_BYTES) end(null);
    };
    const onEnd = (): void => end(null);
    const onError = (cause: Error): void => end(Object.assign(cause, { statusCode: 400 }));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** A piece of a body; one that keeps more in memory as a copy. */
export function ownPiece(piece: Buffer): Buffer {
  return keepsMore(piece) ? Buffer.from(piece) : piece;
}

/** Frees the room of a body once its answer is made or its client has gone. */
export function countBodies(app: FastifyInstance, bodies: BodyCount): void {
  app.decorateRequest('countedBytes', 0);
  // The room is freed here and not at the end of the answer: an answer whose client has gone has no end.
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.body = undefined;
    uncount(request, bodies);
    done(null, payload);
  });
  app.addHook('onRequestAbort', (request, done) => {
    uncount(request, bodies);
    done();
  });
}

function uncount(request: FastifyRequest, bodies: BodyCount): void {
  bodies.free(request.countedBytes);
  request.countedBytes = 0;
}

/** The body of a request; empty if none was sent. */
export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : EMPTY;
}
