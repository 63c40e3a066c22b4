/** Reads the bodies of a mock app's requests, and counts them with those of all other mock apps until they are answered. */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Pieces } from '../domain/pieces.ts';
import type { BodyCount } from '../domain/request-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Number of bytes that are counted for the body; undefined: its answer has ended. */
    bodyBytes: number | undefined;
  }
}

/** Largest body, above any batch that a sidecar really sends. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
const TOO_LARGE = 'the body has more than 256 MiB';

class RefusedBody extends Error {
  readonly statusCode: number;
  constructor(statusCode: number, reason: string) {
    super(reason);
    this.name = 'RefusedBody';
    this.statusCode = statusCode;
  }
}

/** Reads every body as one Buffer. One without room is read to its end and refused, so that its client can read the answer. */
export function takeBodies(server: FastifyInstance, bodies: BodyCount): void {
  freeAnswered(server, bodies);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, payload, done) => {
    if (Number(request.raw.headers['content-length']) > MAX_BODY_BYTES) {
      done(new RefusedBody(413, TOO_LARGE));
      return;
    }
    const pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
    let size = 0;
    let refused: RefusedBody | undefined;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (refused !== undefined || request.bodyBytes === undefined) return;
      const noRoom = bodies.take(chunk.length);
      if (size <= MAX_BODY_BYTES && noRoom === undefined) {
        request.bodyBytes += chunk.length;
        pieces.add(chunk);
        return;
      }
      if (noRoom === undefined) bodies.free(chunk.length);
      refused = noRoom === undefined ? new RefusedBody(413, TOO_LARGE) : new RefusedBody(503, noRoom);
      pieces.clear();
      bodies.free(request.bodyBytes);
      request.bodyBytes = 0;
    };
    const end = (error: Error | null): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      const cause = error ?? refused;
      if (cause === undefined) done(null, pieces.whole());
      else done(cause);
    };
    const onEnd = (): void => end(null);
    const onError = (cause: Error): void => end(Object.assign(cause, { statusCode: 400 }));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** Frees the room of a body once its answer has ended, or its connection, on which answers may wait behind each other. */
function freeAnswered(server: FastifyInstance, bodies: BodyCount): void {
  const open = new WeakMap<Socket, Set<FastifyRequest>>();
  server.decorateRequest('bodyBytes', 0);
  const free = (request: FastifyRequest): void => {
    bodies.free(request.bodyBytes ?? 0);
    request.bodyBytes = undefined;
  };
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    let requests = open.get(socket);
    if (requests === undefined) {
      const all = new Set<FastifyRequest>();
      socket.once('close', () => {
        for (const one of all) free(one);
        all.clear();
      });
      open.set(socket, all);
      requests = all;
    }
    const own = requests.add(request);
    reply.raw.once('close', () => {
      if (own.delete(request)) free(request);
    });
    done();
  });
}
