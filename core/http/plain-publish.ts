/**
 * Publishes as nearly every app sends them, read and answered without the framework, which costs more than all else that is done for one.
 * A request that any of the sidecar's rules looks at in another way goes to the framework, where those rules are.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { hostHeaders } from '../domain/http-edge.ts';
import type { SidecarView } from '../runtime/api.ts';
import type { BodyCount } from '../runtime/publishing/request-bodies.ts';
import { NoRoomForBody } from './body.ts';
import { failureOf } from './errors.ts';
import type { ErrorPorts } from './errors.ts';
import type { TokenCheck } from './guard.ts';
import type { Turn, Turns } from './order.ts';
import { publishOf } from './publish.ts';

export interface PlainPublishDependencies {
  readonly sidecar: SidecarView;
  readonly turns: Turns;
  readonly bodies: BodyCount;
  /** Asked per request; 0 = no limit. */
  readonly maxBodyBytes: () => number;
  readonly hasToken: TokenCheck;
  readonly errors: ErrorPorts;
}

const SEGMENT = '[A-Za-z0-9_~-][A-Za-z0-9._~-]*';
/** Nothing in the path has to be cleaned or unescaped. The component `bulk` shares its paths with the bulk publish. */
const PLAIN_TARGET = new RegExp(`^/v1\\.0/publish/(?!bulk/)${SEGMENT}(?:/${SEGMENT})+(?:\\?.*)?$`);
/** Headers that a rule of the server asks for, or that say that the body has another length. */
const LOOKED_AT = ['origin', 'baggage', 'transfer-encoding'] as const;

/** Must be called before anything else listens to the requests of the server. */
export function takePlainPublishes(app: FastifyInstance, parts: PlainPublishDependencies): void {
  const { server } = app;
  const framework = server.listeners('request');
  let isClosing = false;
  // Answers then say that the connection ends.
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isClosing && isPlain(request, parts.maxBodyBytes()) && parts.hasToken(request.headers))
      new PlainPublish(request, response, parts).read();
    else for (const handle of framework) Reflect.apply(handle, server, [request, response]);
  });
}

/** Whether it is a publish with a body whose length is known and within the limit, and no rule but that of the route concerns it. */
function isPlain(request: IncomingMessage, mostBytes: number): boolean {
  const { method, url = '', headers } = request;
  if (method !== 'POST' || !isPlainTarget(url) || isSeenByRule(headers)) return false;
  return hostHeaders(request) <= 1 && fits(Number(headers['content-length'] ?? 0), mostBytes);
}

/** Whether the path names a component and a topic as they are. */
export function isPlainTarget(target: string): boolean {
  return PLAIN_TARGET.test(target);
}

/** Whether a rule of the server, which is not that of the route, asks for one of the headers. */
export function isSeenByRule(headers: Readonly<Record<string, unknown>>): boolean {
  return LOOKED_AT.some((name) => headers[name] !== undefined);
}

/** Whether there is a body, and not too much of it. @param mostBytes 0 = no limit */
export function fits(bodyBytes: number, mostBytes: number): boolean {
  return bodyBytes > 0 && (mostBytes <= 0 || bodyBytes <= mostBytes);
}

/** One request, from its first byte to its answer. */
class PlainPublish {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #parts: PlainPublishDependencies;
  readonly #turn: Turn;
  #chunks: Buffer[] = [];
  #counted = 0;
  #noRoom: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, parts: PlainPublishDependencies) {
    this.#request = request;
    this.#response = response;
    this.#parts = parts;
    this.#turn = parts.turns.next(request.socket);
  }

  read(): void {
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#request.once('end', () => this.#turn.begin(() => void this.#publish()));
    this.#request.once('error', (cause) => this.#end(Object.assign(cause, { statusCode: 400 })));
  }

  #take(chunk: Buffer): void {
    if (this.#noRoom !== undefined) return;
    this.#noRoom = this.#parts.bodies.take(chunk.length);
    if (this.#noRoom === undefined) {
      this.#counted += chunk.length;
      this.#chunks.push(chunk);
    } else this.#forget();
  }

  async #publish(): Promise<void> {
    const { sidecar, errors } = this.#parts;
    try {
      if (this.#noRoom !== undefined) throw new NoRoomForBody(this.#noRoom);
      const contentType = this.#request.headers['content-type'];
      // Copied also where it came in one piece: bytes that are kept must not keep the connection's read buffer.
      const given = { body: Buffer.concat(this.#chunks, this.#counted), contentType, isBeginning: false };
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
    const { status, type, body } = failureOf(error, { edge: 'publish', method, target }, this.#parts.errors);
    // The framework ends the connection as well where a body was not taken.
    if (error instanceof NoRoomForBody) this.#response.setHeader('connection', 'close');
    this.#response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
  }

  #forget(): void {
    this.#parts.bodies.free(this.#counted);
    this.#counted = 0;
    this.#chunks = [];
  }
}
