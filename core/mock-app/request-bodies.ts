/** Reads the bodies of a mock app's requests, and counts them with those of all other mock apps until they are answered. */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { LARGE_ANSWER_BYTES } from '../domain/http-edge.ts';
import { keepsMore, Pieces } from '../domain/pieces.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import { ATTEMPT_HEADER } from '../ports/mock-app.ts';
import { BodyScan } from './body-scan.ts';
import type { BodyPart } from './body-scan.ts';
import { MAX_BODY_BYTES, mostBytes, SMALL_BYTES, tooLarge, tooMuchAtOnce } from './request-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Number of bytes that are counted for the body; undefined: its answer has ended. */
    bodyBytes: number | undefined;
    /** The parts in which a large body is read. */
    bodyParts: readonly BodyPart[] | undefined;
    /** Whether the body is being read in turns, so that its room is still needed when its caller has gone. */
    isBodyRead: boolean;
  }
}

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
    if (saidBytes(request) > MAX_BODY_BYTES) {
      done(new RefusedBody(413, tooLarge(MAX_BODY_BYTES)));
      return;
    }
    const body = new ReceivedBody(request, bodies);
    const onData = (chunk: Buffer): void => body.add(chunk);
    const end = (cause: Error | undefined): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      const whole = cause ?? body.whole();
      request.bodyParts = body.parts;
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

/** Reads a body in turns. Its room stays taken meanwhile, also when its caller goes: the body is in memory. */
export async function keepingRoom<T>(
  request: FastifyRequest,
  bodies: BodyCount,
  read: () => Promise<T>,
): Promise<T> {
  request.isBodyRead = true;
  try {
    return await read();
  } finally {
    request.isBodyRead = false;
    if (hasGone(request)) free(request, bodies);
  }
}

/** Whether the connection of a request has been closed. */
export function hasGone({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed;
}

function free(request: FastifyRequest, bodies: BodyCount): void {
  if (request.isBodyRead) return;
  bodies.free(request.bodyBytes ?? 0);
  request.bodyBytes = undefined;
}

/** Length of the body by its header; NaN: it says none. */
function saidBytes({ raw }: FastifyRequest): number {
  return Number(raw.headers['content-length']);
}

/** Whether a sidecar of this program sends the request. */
export function isOwn({ raw }: FastifyRequest): boolean {
  return raw.headers[ATTEMPT_HEADER] !== undefined;
}

/** The body of one request, which counts from its first byte on, with what its JSON becomes. */
class ReceivedBody {
  readonly #request: FastifyRequest;
  readonly #bodies: BodyCount;
  readonly #pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
  readonly #scan = new BodyScan();
  readonly #isOwn: boolean;
  #size = 0;
  #refused: RefusedBody | undefined;

  constructor(request: FastifyRequest, bodies: BodyCount) {
    this.#request = request;
    this.#bodies = bodies;
    this.#isOwn = isOwn(request);
    const most = mostBytes(this.#isOwn);
    if (saidBytes(request) > most) this.#refused = new RefusedBody(413, tooLarge(most));
  }

  get parts(): readonly BodyPart[] {
    return this.#scan.parts;
  }

  add(chunk: Buffer): void {
    const before = this.#size;
    this.#size += chunk.length;
    if (this.#refused !== undefined || this.#request.bodyBytes === undefined) return;
    const most = mostBytes(this.#isOwn);
    if (this.#size > most) return this.#refuse(new RefusedBody(413, tooLarge(most)));
    const noRoom = this.#take(chunk.length + this.#memoryOf(chunk, before));
    const tooMuch = this.#isOwn ? undefined : tooMuchAtOnce(this.#scan.largest);
    if (noRoom !== undefined) this.#refuse(new RefusedBody(503, noRoom));
    else if (tooMuch !== undefined) this.#refuse(new RefusedBody(413, tooMuch));
    else this.#pieces.add(keepsMore(chunk) ? Buffer.from(chunk) : chunk);
  }

  whole(): Buffer | RefusedBody {
    return this.#refused ?? this.#pieces.whole();
  }

  /** Memory of the values that come with a piece. A small body is not looked through, so one that no longer is small is from its beginning on. */
  #memoryOf(chunk: Buffer, before: number): number {
    if (this.#size <= SMALL_BYTES) return 0;
    const counted = before <= SMALL_BYTES ? 0 : this.#scan.memory;
    if (before <= SMALL_BYTES) for (const piece of this.#pieces.all) this.#scan.add(piece);
    this.#scan.add(chunk);
    return this.#scan.memory - counted;
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
  server.decorateRequest('bodyParts', undefined);
  server.decorateRequest('isBodyRead', false);
  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    let requests = open.get(socket);
    if (requests === undefined) {
      const all = new Set<FastifyRequest>();
      socket.once('close', () => {
        for (const one of all) free(one, bodies);
        all.clear();
      });
      open.set(socket, all);
      requests = all;
    }
    const own = requests.add(request);
    reply.raw.once('close', () => {
      if (own.delete(request)) free(request, bodies);
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
