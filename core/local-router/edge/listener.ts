/**
 * One HTTPS listener of the router: limits, the check of host, origin and path, faults, and errors as
 * answers.
 */
import { randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FaultTarget } from '../../contract/event-router/local-router-status.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { answerConnects, cutUnread, endWith, SILENCE } from '../../domain/http-edge.ts';
import { isOwnHost, readWirePath } from '../rules/wire-path.ts';
import type { Log } from '../../ports/log.ts';
import type { Faults } from '../faults.ts';
import type { ListenerTimes } from '../options.ts';
import type { PemPair } from '../trust/certificate-making.ts';
import { takeBytes } from './request-bytes.ts';
import { discardBody } from './unread-body.ts';
import { answerBroken } from './refusal-log.ts';
import type { RefusalLog } from './refusal-log.ts';
import { WireError } from '../rules/wire-error.ts';

export type Web = FastifyInstance<Server>;

export interface WebFacts {
  readonly pair: PemPair;
  /** Accepted host names besides localhost, 127.0.0.1 and [::1]. */
  readonly hostNames: () => readonly string[];
  /** Allowed `Origin` values; absent: all. */
  readonly origins?: readonly string[];
  readonly bodyLimit: number;
  readonly faults: Faults;
  readonly refusals: RefusalLog;
  readonly log: Log;
  readonly times: ListenerTimes;
  readonly targetOf: (path: string) => FaultTarget;
}

const HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Makes a listener without routes that is not open yet. Bodies are read as bytes, whatever their type is. */
export function createWeb(facts: WebFacts): Web {
  const { handshakeMs, headersMs, requestMs, unreadMs } = facts.times;
  const app: Web = fastify({
    https: {
      ...facts.pair,
      minVersion: 'TLSv1.2',
      handshakeTimeout: handshakeMs,
      maxHeaderSize: 16 * 1024,
      headersTimeout: headersMs,
      // Node checks every 30 s by default, which would give a slow caller three times the limit.
      connectionsCheckingInterval: Math.min(1000, headersMs / 2),
    },
    logger: false,
    bodyLimit: facts.bodyLimit,
    requestTimeout: requestMs,
    connectionTimeout: unreadMs,
    keepAliveTimeout: 15_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true, maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      void answerError(facts, error, { request, reply });
    },
    clientErrorHandler: (error, socket) => {
      const refused = answerBroken(error, socket);
      if (refused !== undefined) facts.refusals.add({ at: facts.targetOf('/'), ...refused });
    },
  });
  app.server.maxConnections = 256;
  cutUnread(app.server);
  app.server.on('secureConnection', readAsStream);
  const connects = answerConnects(
    app.server,
    (request) => new ServerResponse(request),
    (socket) => endWith(socket, '', SILENCE.partingMs, setTimeout),
  );
  app.server.on('tlsClientError', (error: NodeJS.ErrnoException) => {
    // A client that disconnects before TLS began has not requested anything.
    if (error.code === 'ECONNRESET') return;
    const { code = 'TLS', message } = error;
    facts.refusals.add({
      at: facts.targetOf('/'),
      code,
      reason: `A TLS connection failed: ${message}.`,
    });
  });
  app.addHook('preClose', async () => connects.destroyAll());
  takeBytes(app);
  app.addHook('onRequest', async (request, reply) => {
    guard(app, facts, request);
    await meetFault(facts, request, reply);
  });
  app.addHook('onSend', async (request, _reply, payload) => slowed(request, payload));
  app.setErrorHandler((error, request, reply) => answerError(facts, error, { request, reply }));
  app.setNotFoundHandler(() => {
    throw new WireError(404, 'NotFound', 'This page does not exist.');
  });
  return app;
}

/**
 * Reads the bytes of a connection as a stream. Otherwise Node's parser takes them from TLS, which goes on giving them while the parser is
 * paused because many answers wait. The parser then calls the next request of a client that sends many at once unreadable.
 */
function readAsStream(socket: TLSSocket): void {
  socket.on('data', () => undefined);
}

/** The port it listens on. */
export function portOf(app: Web): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Bytes of the request's body; empty where there was none. */
export function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** A header that was sent once; undefined: it is absent. Throws 400 if it was sent twice. */
export function single(request: FastifyRequest, name: string): string | undefined {
  const values = request.raw.headersDistinct[name];
  if (values !== undefined && values.length > 1) {
    throw new WireError(400, 'BadRequest', `The header ${name} was sent more than once.`);
  }
  return values?.[0];
}

function guard(app: Web, facts: WebFacts, request: FastifyRequest): void {
  const hosts = [...HOSTS, ...facts.hostNames().map((name) => name.toLowerCase())];
  if (!isOwnHost(single(request, 'host'), hosts, portOf(app))) {
    throw new WireError(421, 'MisdirectedRequest', 'The Host header names no address of this router.');
  }
  const origin = request.headers.origin;
  if (origin !== undefined && facts.origins?.includes(origin) === false) {
    throw new WireError(403, 'Forbidden', 'Requests of web pages are refused.');
  }
  if (readWirePath(request.raw.url ?? '') === undefined) {
    throw new WireError(400, 'BadRequest', 'The path is not valid.');
  }
}

async function meetFault(facts: WebFacts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const fault = facts.faults.take(facts.targetOf(readWirePath(request.raw.url ?? '')?.path ?? '/'));
  if (fault === undefined) return;
  if (fault.delayMs !== undefined) {
    const delayMs = fault.delayMs;
    const gone = new AbortController();
    request.raw.socket.once('close', () => gone.abort());
    // The wait rejects when the caller has disconnected, which then needs no answer.
    await delay(delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
  }
  if (fault.slowBodyMs !== undefined) SLOW.set(request, fault.slowBodyMs);
  if (fault.drop === true) {
    reply.hijack();
    request.raw.socket.destroy();
    return;
  }
  if (fault.status !== undefined) {
    await reply.code(fault.status).header('retry-after', '1').send('');
  }
}

/** Requests whose answer's body a fault delays, with the delay. */
const SLOW = new WeakMap<FastifyRequest, number>();

function slowed(request: FastifyRequest, payload: unknown): unknown {
  const ms = SLOW.get(request);
  if (ms === undefined || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return payload;
  return Readable.from(
    (async function* late() {
      await delay(ms);
      yield payload;
    })(),
  );
}

/**
 * Turns an error of a route into an answer; no other function does. An unexpected error is 500, with an id by
 * which the log can be searched.
 */
async function answerError(
  { log, refusals, targetOf }: WebFacts,
  error: unknown,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  const known = error instanceof WireError ? error : fromFramework(error);
  const answer =
    known ?? new WireError(500, 'InternalServerError', 'Something went wrong inside the router.');
  if (known === undefined) {
    const id = randomUUID();
    void reply.header('x-sidelight-error-id', id);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.write('error', 'local-router', `${id}: ${text}`);
  }
  if (answer.status >= 400) void reply.header('x-ms-request-id', randomUUID());
  // Errors of the router itself are no refusals, and a missing record is an ordinary answer.
  if (answer.status >= 400 && answer.status < 500 && answer.code !== 'ResourceNotFound') {
    const { method, url = '' } = request.raw;
    const at = targetOf(readWirePath(url)?.path ?? '/');
    refusals.add({
      at,
      ...withoutUndefined({ method }),
      url,
      status: answer.status,
      code: answer.code,
      reason: answer.message,
    });
  }
  // The framework would close the connection of a sender that has not read the answer yet.
  if (answer.status === 413 && (await discardBody(request.raw))) reply.removeHeader('connection');
  await reply
    .code(answer.status)
    .headers({ ...answer.more.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer.body));
}

function fromFramework(error: unknown): WireError | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const status = Number(error.statusCode);
  if (status < 400 || status >= 500) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  return new WireError(400, 'BadRequest', UNREADABLE[code] ?? 'The request cannot be read.');
}

/** Messages for requests that the framework refuses. */
const UNREADABLE: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The path is not valid.',
};
