/**
 * Serves publishes in the form that nearly every app sends, without the framework, which costs more than all
 * other work for them. A request that any further rule of the sidecar concerns goes to the framework, which
 * has those rules.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { hostHeaders } from '../domain/http-edge.ts';
import { Pieces } from '../domain/pieces.ts';
import type { SidecarView } from '../runtime/api.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import { NoRoomForBody, ownPiece } from './body.ts';
import { failureOf } from './errors.ts';
import type { ErrorPorts } from './errors.ts';
import { isUnknownExpectation } from './guard.ts';
import type { TokenCheck } from './guard.ts';
import type { Turn, Turns } from './order.ts';
import { publishOf } from './publish.ts';

export interface PlainPublishDependencies {
  readonly sidecar: SidecarView;
  readonly turns: Turns;
  readonly bodies: BodyCount;
  /** Returns the limit for each request; 0 = none. */
  readonly maxBodyBytes: () => number;
  readonly hasToken: TokenCheck;
  readonly errors: ErrorPorts;
}

const SEGMENT = '[A-Za-z0-9_~-][A-Za-z0-9._~-]*';
/**
 * A path without anything to clean or unescape. The component `bulk` is excluded, because its paths are also
 * those of bulk publish.
 */
const PLAIN_TARGET = new RegExp(`^/v1\\.0/publish/(?!bulk/)${SEGMENT}(?:/${SEGMENT})+(?:\\?.*)?$`);
/** Headers that a rule of the server reads, or that change the length of the body. */
const LOOKED_AT = ['origin', 'baggage', 'transfer-encoding'] as const;

/** Serves plain publishes. It must be called before any other listener for requests is added. */
export function takePlainPublishes(app: FastifyInstance, deps: PlainPublishDependencies): void {
  const { server } = app;
  const framework = server.listeners('request');
  let isClosing = false;
  // From then on answers say that the connection closes.
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isClosing && isPlain(request, deps.maxBodyBytes()) && deps.hasToken(request.headers)) {
      const turn = deps.turns.next(request.socket, request);
      if (turn !== undefined) new PlainPublish(request, response, turn, deps).read();
    } else for (const handle of framework) Reflect.apply(handle, server, [request, response]);
  });
}

/**
 * Whether a request is a publish with a body of known length within the limit, and no rule but the route's
 * concerns it.
 */
function isPlain(request: IncomingMessage, mostBytes: number): boolean {
  const { method, url = '', headers } = request;
  if (method !== 'POST' || !isPlainTarget(url) || isSeenByRule(headers)) return false;
  return hostHeaders(request) <= 1 && fits(Number(headers['content-length'] ?? 0), mostBytes);
}

/** Whether the path has a component and a topic that need no cleaning. */
export function isPlainTarget(target: string): boolean {
  return PLAIN_TARGET.test(target);
}

/** Whether a rule of the server, other than the route's, reads one of the headers. */
export function isSeenByRule(headers: Readonly<Record<string, unknown>>): boolean {
  if (LOOKED_AT.some((name) => headers[name] !== undefined)) return true;
  const { expect } = headers;
  return typeof expect === 'string' && isUnknownExpectation(expect);
}

/**
 * Whether there is a body within the limit.
 * @param mostBytes 0 = no limit
 */
export function fits(bodyBytes: number, mostBytes: number): boolean {
  return bodyBytes > 0 && (mostBytes <= 0 || bodyBytes <= mostBytes);
}

/** One request, from its first byte to its answer. */
class PlainPublish {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #deps: PlainPublishDependencies;
  readonly #turn: Turn;
  readonly #pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
  #counted = 0;
  #noRoom: string | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    turn: Turn,
    deps: PlainPublishDependencies,
  ) {
    this.#request = request;
    this.#response = response;
    this.#deps = deps;
    this.#turn = turn;
  }

  read(): void {
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#request.once('end', () => this.#turn.begin(() => void this.#publish()));
    this.#request.once('error', (cause) => this.#end(Object.assign(cause, { statusCode: 400 })));
  }

  #take(chunk: Buffer): void {
    if (this.#noRoom !== undefined) return;
    this.#noRoom = this.#deps.bodies.take(chunk.length);
    if (this.#noRoom === undefined) {
      this.#counted += chunk.length;
      this.#pieces.add(ownPiece(chunk));
    } else this.#forget();
  }

  async #publish(): Promise<void> {
    const { sidecar, errors } = this.#deps;
    try {
      if (this.#noRoom !== undefined) throw new NoRoomForBody(this.#noRoom);
      const contentType = this.#request.headers['content-type'];
      // The body is copied even if it arrived in one piece, because it must not keep the read buffer of the
      // connection in memory.
      const given = { body: this.#pieces.whole(), contentType, isBeginning: false };
      await sidecar.publish(publishOf(this.#request, given, errors.profile.differences));
      this.#end();
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #end(error?: Error): void {
    if (error === undefined) this.#response.writeHead(204).end();
    else this.#fail(error);
    this.#forget();
    this.#turn.end();
  }

  #fail(error: Error): void {
    const { method = '', url: target = '/' } = this.#request;
    const { status, type, body } = failureOf(error, { edge: 'publish', method, target }, this.#deps.errors);
    // The framework also closes the connection if a body was not accepted.
    if (error instanceof NoRoomForBody) this.#response.setHeader('connection', 'close');
    this.#response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
  }

  #forget(): void {
    this.#deps.bodies.free(this.#counted);
    this.#counted = 0;
    this.#pieces.clear();
  }
}
