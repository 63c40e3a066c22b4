/** The console on a loopback port: `POST /rpc`, `/stream`, the pages, one-time links; and a pipe for the desktop window. */
import { randomBytes } from 'node:crypto';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { MAX_FRAME_BYTES } from '../contract/rpc.ts';
import type { TextPipe } from '../contract/rpc.ts';
import { Refusal } from '../domain/refusal.ts';
import { addRpcRoute, sendRefusal } from './carriers/http.ts';
import { sendPage } from './carriers/page.ts';
import { addPages, sendNothing } from './carriers/static.ts';
import { addStream } from './carriers/websocket.ts';
import { Console } from './console.ts';
import type { ConsoleDependencies } from './console.ts';
import { SAFE_HEADERS } from './csp.ts';
import { checkPlace, checkToken, cookieOf } from './guard.ts';
import type { GuardFacts } from './guard.ts';
import { LINK_MS, OneTimeLinks } from './one-time-links.ts';

export interface ConsoleServerDependencies extends Omit<ConsoleDependencies, 'link' | 'url'> {
  /** Folder of the built renderer; it need not be there yet. */
  readonly rendererDir: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Lets a page of an earlier run in; absent: a new one. */
  readonly token?: string;
  /** A loopback address; default 127.0.0.1. */
  readonly host?: string;
}

export interface ConsoleServer {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Address that opens the console once, within `lifeMs` (default 60 s). */
  link(lifeMs?: number): string;
  /** Serves a peer that needs no token: the desktop window, after its sender was checked. */
  attach(pipe: TextPipe): void;
  /** Closes every connection; idempotent. */
  close(): Promise<void>;
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** Listens when it resolves. Rejects with the error of the socket when the port cannot be had (`EADDRINUSE`). */
export async function createConsoleServer(deps: ConsoleServerDependencies): Promise<ConsoleServer> {
  const { host = '127.0.0.1', clock, log } = deps;
  if (!LOOPBACK.includes(host)) throw new Error(`The console listens on loopback only, not on ${host}.`);
  const facts: { token: string; port: number } = {
    token: deps.token ?? randomBytes(32).toString('base64url'),
    port: deps.port,
  };
  const desk = new OneTimeLinks(clock);
  const urlOf = (): string => `http://${host === '::1' ? '[::1]' : host}:${facts.port}`;
  const link = (lifeMs = LINK_MS): string => `${urlOf()}/open?key=${desk.issue(lifeMs)}`;
  const desktop = new Console({ ...deps, url: urlOf, link: () => link() });
  const app = fastify({
    logger: false,
    bodyLimit: MAX_FRAME_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  guard(app, facts);
  answerErrors(app, deps);
  addOpen(app, facts, desk);
  addRpcRoute(app, (text, signal) => desktop.answer(text, signal));
  addPages(app, deps.rendererDir);
  const closeStream = addStream(app.server, {
    attach: (pipe) => desktop.attach(pipe),
    check: (request) => checkPlace(request, facts.port) ?? checkToken(request.headers, facts),
    clock,
    log,
  });
  await app.listen({ port: deps.port, host });
  const address = app.server.address();
  if (typeof address === 'object' && address !== null) facts.port = address.port;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await desktop.close();
    await closeStream();
    await app.close();
  };
  return {
    url: urlOf(),
    port: facts.port,
    token: facts.token,
    link,
    attach: (pipe) => desktop.attach(pipe),
    close: () => (closing ??= close()),
  };
}

/** Every request: own Host and Origin; everything but a one-time link: the token. */
function guard(app: FastifyInstance, facts: GuardFacts): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SAFE_HEADERS);
    const isLink = request.url.split('?', 1)[0] === '/open';
    const away =
      checkPlace(request.raw, facts.port) ?? (isLink ? undefined : checkToken(request.headers, facts));
    if (away === undefined) return;
    const isPerson = request.headers.accept?.includes('text/html') === true && request.method === 'GET';
    if (away.status === 401 && isPerson) await sendNoLink(reply);
    else await sendRefusal(reply, away.status, away.refusal);
  });
}

function addOpen(app: FastifyInstance, facts: GuardFacts, desk: OneTimeLinks): void {
  app.get<{ Querystring: { key?: string } }>('/open', async (request, reply) => {
    const { key } = request.query;
    const isGood = typeof key === 'string' && desk.redeem(key);
    reply.header('Cache-Control', 'no-store');
    if (isGood) return reply.header('Set-Cookie', cookieOf(facts)).redirect('/', 303);
    // Somebody who is in already and follows an old link is not thrown out.
    if (checkToken(request.headers, facts) === undefined) return reply.redirect('/', 303);
    return sendNoLink(reply);
  });
}

function sendNoLink(reply: Parameters<typeof sendPage>[0]): ReturnType<typeof sendPage> {
  return sendPage(reply, 401, 'This link is not good any more', [
    'The console opens by a one-time link: it works once and for a short time.',
    'Sidelight prints one when it starts; the method <code>system.link</code> makes another.',
  ]);
}

function answerErrors(app: FastifyInstance, { log, ids }: Pick<ConsoleDependencies, 'log' | 'ids'>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((_request, reply) => sendNothing(reply));
  app.setErrorHandler((error: unknown, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    if (status === 413) {
      const reason = `A request has at most ${MAX_FRAME_BYTES} bytes.`;
      return sendRefusal(
        reply,
        413,
        new Refusal('TOO_LARGE', { reason }, { expected: `at most ${MAX_FRAME_BYTES} bytes` }),
      );
    }
    const what = error instanceof Error ? error.message : String(error);
    if (typeof status === 'number' && status >= 400 && status < 500) {
      return sendRefusal(reply, status, new Refusal('INVALID_REQUEST', { reason: what }));
    }
    const logId = `log_${ids.hex(6)}`;
    log.write('error', 'console', `${logId}: an HTTP request failed: ${what}`);
    return sendRefusal(reply, 500, new Refusal('INTERNAL', {}, { data: { logId } }));
  });
}
