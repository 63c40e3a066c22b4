/** Reads the bodies of a mock app's requests, and counts them with those of all other mock apps until they are answered. */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { LARGE_ANSWER_BYTES } from '../domain/http-edge.ts';
import { keepsMore, Pieces } from '../domain/pieces.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import { takeForValues } from './parsed-memory.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Number of bytes that are counted for the body; undefined: its answer has ended. */
    bodyBytes: number | undefined;
  }
}

/** Largest body, above any batch that a sidecar really sends. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
const TOO_LARGE = 'the body has more than 256 MiB';
/** Bytes of memory of a POST, with which a sidecar sends events, next to its body: a rule may let any number of small ones wait. */
const REQUEST_MEMORY = 8 * 1024;
/** Requests of one connection that may wait for their answers. A sidecar sends one after the answer to another. */
const MAX_WAITING = 1_000;

const TOO_MANY_WAITING = `more than ${MAX_WAITING.toLocaleString('en')} requests of one connection waited for their answers, so the connection was closed`;

class RefusedBody extends Error {
  readonly statusCode: number;
  constructor(statusCode: number, reason: string) {
    super(reason);
    this.name = 'RefusedBody';
    this.statusCode = statusCode;
  }
}

/**
 * Reads every body as one Buffer. One without room is read to its end and refused, so that its client can read the answer.
 * @param onCut called with the reason for which a connection with all its requests was closed
 */
export function takeBodies(
  server: FastifyInstance,
  bodies: BodyCount,
  onCut: (reason: string) => void,
): void {
  freeAnswered(server, bodies, onCut);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, payload, done) => {
    if (Number(request.raw.headers['content-length']) > MAX_BODY_BYTES) {
      done(new RefusedBody(413, TOO_LARGE));
      return;
    }
    const body = new ReceivedBody(request, bodies);
    const onData = (chunk: Buffer): void => body.add(chunk);
    const end = (cause: Error | undefined): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      const whole = cause ?? body.whole();
      if (whole instanceof Error) done(whole);
      else done(null, whole);
    };
    const onEnd = (): void => end(undefined);
    const onError = (cause: Error): void => end(Object.assign(cause, { statusCode: 400 }));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/** Counts a large answer of a request with its body, until the client has taken it; a text says why there is no room for it. */
export function takeForAnswer(request: FastifyRequest, bodies: BodyCount, bytes: number): string | undefined {
  if (bytes < LARGE_ANSWER_BYTES || request.bodyBytes === undefined) return undefined;
  const noRoom = bodies.take(bytes);
  if (noRoom === undefined) request.bodyBytes += bytes;
  return noRoom;
}

/** The body of one request, which counts from its first byte on. */
class ReceivedBody {
  readonly #request: FastifyRequest;
  readonly #bodies: BodyCount;
  readonly #pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
  #size = 0;
  #refused: RefusedBody | undefined;

  constructor(request: FastifyRequest, bodies: BodyCount) {
    this.#request = request;
    this.#bodies = bodies;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#refused !== undefined || this.#request.bodyBytes === undefined) return;
    const noRoom = this.#size > MAX_BODY_BYTES ? undefined : this.#take(chunk.length);
    if (this.#size > MAX_BODY_BYTES) this.#refuse(new RefusedBody(413, TOO_LARGE));
    else if (noRoom !== undefined) this.#refuse(new RefusedBody(503, noRoom));
    else this.#pieces.add(keepsMore(chunk) ? Buffer.from(chunk) : chunk);
  }

  /** The body, for which there is room also once it is parsed; or why it is refused. */
  whole(): Buffer | RefusedBody {
    if (this.#refused !== undefined) return this.#refused;
    const whole = this.#pieces.whole();
    const noRoom =
      this.#request.bodyBytes === undefined ? undefined : takeForValues(whole, (bytes) => this.#take(bytes));
    if (noRoom !== undefined) this.#refuse(new RefusedBody(503, noRoom));
    return this.#refused ?? whole;
  }

  #take(bytes: number): string | undefined {
    const noRoom = this.#bodies.take(bytes);
    if (noRoom === undefined) this.#request.bodyBytes = (this.#request.bodyBytes ?? 0) + bytes;
    return noRoom;
  }

  #refuse(refused: RefusedBody): void {
    this.#refused = refused;
    this.#pieces.clear();
    this.#bodies.free(this.#request.bodyBytes ?? 0);
    this.#request.bodyBytes = 0;
  }
}

/** Frees the room of a body once its answer has ended, or its connection, on which answers may wait behind each other. */
function freeAnswered(server: FastifyInstance, bodies: BodyCount, onCut: (reason: string) => void): void {
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
    if (own.size > MAX_WAITING) {
      // Nothing answers this request, or others that came with it: no rule may spend a turn on them.
      if (!socket.destroyed) onCut(TOO_MANY_WAITING);
      socket.destroy();
      return;
    }
    const noRoom = request.method === 'POST' ? bodies.take(REQUEST_MEMORY) : undefined;
    if (noRoom !== undefined) return done(new RefusedBody(503, noRoom));
    if (request.method === 'POST') request.bodyBytes = REQUEST_MEMORY;
    done();
  });
}
