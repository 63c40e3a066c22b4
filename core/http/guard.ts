/** Who may call the sidecar: the API token, and no foreign web page. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sendText } from './errors.ts';
import type { RefusedRequest } from './errors.ts';
import { pathOf } from './path.ts';

/** Exact origins; the word `loopback` stands for every origin on this machine, `*` for all. */
export type AllowedOrigins = readonly string[];

export interface ForeignOrigin {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
}

const OPEN_PATHS: ReadonlySet<string> = new Set(['/v1.0/healthz', '/v1.0/healthz/outbound']);

/** Whether a request with this `Origin` may go on. `null` and what is no URL never may. */
export function isAllowedOrigin(origin: string, allowed: AllowedOrigins): boolean {
  return allowed.some((one) => (one === 'loopback' ? isLoopback(origin) : one === '*' || one === origin));
}

/**
 * Answers 403 to a request of a foreign web page, and tells about it.
 * Requests without `Origin` are not concerned. `http.allowedOrigins`.
 */
export function refuseForeignOrigins(
  app: FastifyInstance,
  allowed: () => AllowedOrigins,
  tell: (info: ForeignOrigin) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const origin = request.headers.origin;
    if (origin === undefined || isAllowedOrigin(origin, allowed())) {
      done();
      return;
    }
    tell({ origin, method: request.method, path: pathOf(request.raw.url ?? '/') });
    void sendText(reply, 403, `origin ${origin} is not allowed`);
  });
}

/** Answers 401 to a request without the token, the two health routes excepted. Reference 7.4. */
export function requireToken(
  app: FastifyInstance,
  header: string,
  token: string,
  refused: (info: RefusedRequest) => void = () => undefined,
): void {
  const wanted = digest(token);
  app.addHook('onRequest', (request, reply, done) => {
    const given = request.headers[header];
    const open = request.method === 'GET' && OPEN_PATHS.has(pathOf(request.raw.url ?? '/'));
    if (open || (typeof given === 'string' && timingSafeEqual(digest(given), wanted))) {
      done();
      return;
    }
    const path = pathOf(request.raw.url ?? '/');
    if (request.method === 'POST') refused({ path, status: 401, reason: 'invalid api token' });
    void sendText(reply, 401, 'invalid api token');
  });
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, protocol } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
