/** Decides who may call the sidecar: by the API token, and no foreign web page. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { badHost, hostHeaders, hostOf } from '../domain/http-edge.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import { malformed, sendText } from './errors.ts';
import type { RefusedRequest } from './errors.ts';
import { pathOf, pathOfRequest } from './path.ts';

/** Exact origins; the word `loopback` stands for every origin on this machine, `*` for all. */
export type AllowedOrigins = readonly string[];

export interface ForeignOrigin {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Routes that a foreign `Host` may not use. They are matched as declared, because an address can have
 * escapes.
 */
const METADATA = /^\/v1\.0\/metadata(?:\/|$)/;

export interface ForeignHostOptions {
  readonly allowedOrigins: () => AllowedOrigins;
  readonly onForeignOrigin: (info: ForeignOrigin) => void;
  readonly host?: string;
}

const OPEN_PATHS: ReadonlySet<string> = new Set(['/v1.0/healthz', '/v1.0/healthz/outbound']);

/** Whether a request with this `Origin` is allowed. `null` and texts that are no URL never are. */
export function isAllowedOrigin(origin: string, allowed: AllowedOrigins): boolean {
  return allowed.some((one) => (one === 'loopback' ? isLoopback(origin) : one === '*' || one === origin));
}

/**
 * Answers 403 to a request of a foreign web page, and reports it. Requests without `Origin` pass.
 * `http.allowedOrigins`.
 */
export function refuseForeignOrigins(
  app: FastifyInstance,
  allowed: () => AllowedOrigins,
  report: (info: ForeignOrigin) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const origin = request.headers.origin;
    if (origin === undefined || isAllowedOrigin(origin, allowed())) {
      done();
      return;
    }
    report({ origin, method: request.method, path: pathOfRequest(request) });
    void sendText(reply, 403, `origin ${origin} is not allowed`);
  });
}

/** Answers 400 to a request without a `Host`, with several, or with one that names no host, as the reference does. */
export function refuseBadHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const reason = hostHeaders(request.raw) > 1 ? 'it has several Host headers' : badHost(request.raw);
    if (reason === undefined) done();
    else done(malformed(reason));
  });
}

/** Answers 400 to a body with a further transfer coding: it would be stored undecoded. */
export function refuseTransferCodings(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const codings = request.headers['transfer-encoding']?.toLowerCase().split(',') ?? [];
    // The parser itself refuses a request whose last coding is another one.
    if (codings.length < 2 || codings.at(-1)?.trim() !== 'chunked') done();
    else {
      // The body is not read, so the connection is closed after the answer.
      reply.header('connection', 'close');
      done(malformed('its body has a transfer coding other than chunked'));
    }
  });
}

/** Whether a request expects something of the server that it does not know. */
export function isUnknownExpectation(expect: string | undefined): boolean {
  return expect !== undefined && expect !== '' && !/(?:^|[\s,])100-continue(?:$|[\s,])/i.test(expect);
}

/** Answers 417 to an expectation other than `100-continue`, without a body, as the reference does. */
export function refuseExpectations(app: FastifyInstance): void {
  // Otherwise Node answers, and does not know of earlier requests of the connection.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, reply, done) => {
    if (!isUnknownExpectation(request.headers.expect)) done();
    // The body is not read, so the connection is closed after the answer.
    else void reply.code(417).header('connection', 'close').send();
  });
}

/** Answers `OPTIONS *`, which asks about the server as a whole, with 200 and no body, as the reference does. */
export function answerServerOptions(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' && request.originalUrl === '*') void reply.code(200).send();
    else done();
  });
}

/**
 * Answers 403 to a request for the metadata under a foreign name, and reports it. A web page whose name
 * resolves to this machine could read them, and a GET carries no `Origin`. Addresses, names without a dot,
 * and the hosts of `http.allowedOrigins` pass; so does a request of HTTP/1.0 without `Host`, which no browser
 * sends. A host in the target takes precedence over the header.
 */
export function refuseForeignHosts(
  app: FastifyInstance,
  { allowedOrigins, onForeignOrigin, host: own }: ForeignHostOptions,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, rawHeaders } = request.raw;
    const host = hostOf({ url: request.originalUrl, headers, rawHeaders });
    const path = pathOf(request.raw.url ?? '/');
    const route = request.routeOptions.url ?? path;
    if (!METADATA.test(route) || host === undefined || isAllowedHost(host, allowedOrigins(), own)) {
      done();
      return;
    }
    onForeignOrigin({ origin: `http://${host}`, method: request.method, path });
    void sendText(reply, 403, `host ${host} is not allowed`);
  });
}

/**
 * Whether the metadata may be read under this `Host`.
 * @param own host on which the sidecar listens
 */
export function isAllowedHost(host: string, allowed: AllowedOrigins, own?: string): boolean {
  const url = `http://${host}`;
  if (!/^[^/?#@\\]+$/.test(host) || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const isAddress = hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
  // A name without a dot, and the one that containers have for this machine, cannot be registered by anyone.
  const isLocalName = !hostname.includes('.') || hostname === 'host.docker.internal';
  if (isAddress || isLocalName || hostname === own || isLoopback(url)) return true;
  return allowed.some((one) => one === '*' || (URL.canParse(one) && new URL(one).hostname === hostname));
}

/** Test whether a request carries the required token. */
export type TokenCheck = (headers: Readonly<Record<string, unknown>>) => boolean;

/**
 * Makes the test.
 * @param header in lower case.
 * @param token undefined or "": none is needed
 */
export function tokenCheck(header: string, token: string | undefined): TokenCheck {
  if (token === undefined || token === '') return () => true;
  const wanted = digest(token);
  return (headers) => {
    const given = headers[header];
    return typeof given === 'string' && timingSafeEqual(digest(given), wanted);
  };
}

/** Answers 401 to a request without the token, except on the two health routes. Behaviour 7.4. */
export function requireToken(
  app: FastifyInstance,
  hasToken: TokenCheck,
  refused: (info: RefusedRequest) => void = () => undefined,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const open = request.method === 'GET' && OPEN_PATHS.has(pathOf(request.raw.url ?? '/'));
    if (open || hasToken(request.headers)) {
      done();
      return;
    }
    const path = pathOfRequest(request);
    if (request.method === 'POST') refused({ path, status: 401, reason: 'invalid api token' });
    void sendText(reply, 401, 'invalid api token');
  });
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, protocol } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return isLoopbackHost(hostname);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
