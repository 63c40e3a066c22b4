/** The console on a loopback port: `POST /rpc`, `/stream`, the page and its key, one-time links; and a pipe for the desktop window. */
import { randomBytes } from 'node:crypto';
import { ServerResponse } from 'node:http';
import fastify from 'fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, RawServerDefault } from 'fastify';
import { CHALLENGE_PATH, ENTER_MARK, ENTER_PATH } from '../contract/page-auth.ts';
import type { PageChallenge, PageKey } from '../contract/page-auth.ts';
import { MAX_FRAME_BYTES } from '../contract/rpc.ts';
import type { Peer, TextPipe } from '../contract/rpc.ts';
import { errorText } from '../contract/error-text.ts';
import { sizeLimit } from '../contract/size-text.ts';
import {
  answerConnects,
  cutUnread,
  EarlyAnswers,
  endWith,
  NO_SCHEMAS,
  SILENCE,
  silenceOptions,
  treatQueryAsOthers,
} from '../domain/http-edge.ts';
import type { Silence } from '../domain/http-edge.ts';
import { tryParse, isObject } from '../domain/json.ts';
import { isPublishPath } from '../domain/publish-path.ts';
import { reachableHost } from '../domain/reachable-host.ts';
import { Refusal } from '../domain/refusal.ts';
import { addAgentRoute } from './carriers/mcp.ts';
import { addRpcRoute, sendRefusal } from './carriers/http.ts';
import { sendPage } from './carriers/page.ts';
import { addPages, sendNothing } from './carriers/static.ts';
import { answerUnreadable } from './carriers/unreadable.ts';
import { UnreadAnswers } from './carriers/unread-answers.ts';
import type { UnreadLimits } from './carriers/unread-answers.ts';
import { RefusedText, takeTexts } from './carriers/request-texts.ts';
import { addStream } from './carriers/websocket.ts';
import { IncompleteTexts } from './incomplete-texts.ts';
import { LazyConsole } from './lazy-console.ts';
import type { ConsoleDependencies } from './console.ts';
import type { AskedByAgent } from '../ports/agents.ts';
import { SAFE_HEADERS } from './csp.ts';
import {
  checkHostAndOrigin,
  checkStream,
  checkTicket,
  checkToken,
  cookieOf,
  isFromLoopback,
  isUnderLocalhost,
} from './guard.ts';
import type { GuardFacts } from './guard.ts';
import { LINK_MS, OneTimeLinks } from './one-time-links.ts';
import { PageKeys } from './page-keys.ts';

export interface ConsoleServerDependencies extends Omit<
  ConsoleDependencies,
  'link' | 'url' | 'revoke' | 'incomplete'
> {
  /** Folder of the built renderer; it need not be there yet. */
  readonly rendererDir: string;
  /** 0 = any free port. */
  readonly port: number;
  /** The token; what pages keep follows from it, so with that of an earlier run they come back. Absent: a new one. */
  readonly token?: string;
  /** Keeps the token of the next start, after pages were revoked; throws when that cannot be. */
  readonly keepToken?: (token: string) => void;
  /** Address that is listened on; default 127.0.0.1. */
  readonly host?: string;
  /** Names, each with or without a port, by which others than this machine reach the console; a listed address is one of its own. */
  readonly allowedHosts?: readonly string[];
  /**
   * Reports a publish that came to this port from loopback by mistake, and gives the sentence of its answer; undefined: it is answered as
   * any request.
   */
  readonly onPublish?: () => string | undefined;
  /** Answers agents at `/mcp`; absent: no agents. */
  readonly agents?: AskedByAgent;
  /** Timeouts of connections that send nothing or do not read; default `SILENCE`. */
  readonly silence?: Silence;
  /** Bounds of answers that are not read; default `UNREAD_LIMITS`. */
  readonly unread?: UnreadLimits;
}

export interface ConsoleServer {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Address that opens the console once, within `lifeMs` (default 60 s). */
  link(lifeMs?: number): string;
  /** Serves a peer that needs no token: the desktop window, after its sender was checked, or an agent that was let in at `/mcp`. */
  attach(pipe: TextPipe, by?: Peer): void;
  /** Closes every connection; idempotent. */
  close(): Promise<void>;
}

/** Form of the secret that a page generates, too long to guess. */
const CLAIM = /^[\w-]{36}$/;

/** Listens when it resolves. Rejects with the socket's error if the port is taken (`EADDRINUSE`). */
export async function createConsoleServer(deps: ConsoleServerDependencies): Promise<ConsoleServer> {
  const { host = '127.0.0.1', clock, log } = deps;
  const token = deps.token ?? randomBytes(32).toString('base64url');
  const name = reachableHost(host);
  const facts: GuardFacts & { port: number } = {
    token,
    port: deps.port,
    pages: new PageKeys(token, clock),
    allowedHosts: [name, ...(deps.allowedHosts ?? [])],
  };
  const entryKeys = { links: new OneTimeLinks(clock), codes: new OneTimeLinks(clock) };
  const urlOf = (): string => `http://${name}:${facts.port}`;
  const link = (lifeMs = LINK_MS): string => `${urlOf()}/open?key=${entryKeys.links.issue(lifeMs)}`;
  const revoke = (): { readonly pages: number } => {
    const next = randomBytes(32).toString('base64url');
    deps.keepToken?.(next);
    facts.pages.replace(next);
    entryKeys.links.forgetAll();
    entryKeys.codes.forgetAll();
    const pages = stream.closePages();
    log.write('warn', 'console', `The keys of pages and all links were revoked; open pages: ${pages}.`);
    return { pages };
  };
  const { unread, incomplete } = boundsOf(deps);
  const desktop = new LazyConsole({ ...deps, url: urlOf, link: () => link(), revoke, incomplete });
  const app = guardedServer(deps, facts, incomplete);
  unread.bound(app);
  addOpenRoute(app, facts, entryKeys, urlOf);
  addPageRoutes(app, facts, entryKeys);
  addRpcRoute(app, (text, signal, room) => desktop.answer(text, signal, room), unread);
  if (deps.agents !== undefined) addAgentRoute(app, deps.agents);
  addPages(app, deps.rendererDir);
  const stream = addStream(app.server, {
    attach: (pipe, by) => desktop.attach(pipe, by),
    check: (request) => checkHostAndOrigin(request, facts) ?? checkStream(request.headers, facts),
    clock,
    log,
    unread,
    incomplete,
    partingMs: (deps.silence ?? SILENCE).partingMs,
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await desktop.close();
    await stream.close();
    unread.close();
    await app.close();
  };
  await listenOrClose(app, { port: deps.port, host }, close);
  const address = app.server.address();
  if (typeof address === 'object' && address !== null) facts.port = address.port;
  return {
    url: urlOf(),
    port: facts.port,
    token: facts.token,
    link,
    attach: (pipe, by) => desktop.attach(pipe, by),
    close: () => (closing ??= close()),
  };
}

/** Listens. Where that fails, all is closed. */
async function listenOrClose(
  app: FastifyInstance,
  at: { readonly port: number; readonly host: string },
  close: () => Promise<void>,
): Promise<void> {
  try {
    await app.listen(at);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Counts of what clients have not sent or read to its end. */
function boundsOf({ clock, log, requestBytes, unread }: ConsoleServerDependencies): {
  readonly unread: UnreadAnswers;
  readonly incomplete: IncompleteTexts;
} {
  return {
    unread: new UnreadAnswers({ clock, log, limits: unread }),
    incomplete: new IncompleteTexts(requestBytes ?? Infinity),
  };
}

/** A server without routes: its limits, its guard, and its answers to errors. */
function guardedServer(
  deps: ConsoleServerDependencies,
  facts: GuardFacts,
  incomplete: IncompleteTexts,
): FastifyInstance {
  const early = new EarlyAnswers();
  const silence = deps.silence ?? SILENCE;
  const app = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    bodyLimit: MAX_FRAME_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    ...readingOptions(silence, early),
  });
  treatQueryAsOthers(app);
  cutUnread(app.server);
  early.watch(app.server);
  answerConnects(
    app.server,
    (request) => new ServerResponse(request),
    (socket) => endWith(socket, '', silence.partingMs, setTimeout),
  );
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  guard(app, facts, deps.onPublish);
  takeTexts(app, incomplete);
  answerErrors(app, deps);
  return app;
}

/** How requests are read, and what is answered to those that cannot be: never the words of a library. */
function readingOptions(silence: Silence, early: EarlyAnswers): FastifyHttpOptions<RawServerDefault> {
  return {
    // The guard answers a request without Host.
    ...silenceOptions(silence),
    clientErrorHandler: answerUnreadable(silence.partingMs, early),
    frameworkErrors: (_error, _request, reply) => {
      const reason = 'the path has a % that begins no escape of UTF-8';
      void sendRefusal(reply.headers(SAFE_HEADERS), 400, new Refusal('INVALID_REQUEST', { reason }));
    },
  };
}

/** Paths that the ticket to the page's files does not open. */
const TOKEN_ALONE: readonly string[] = ['/rpc', '/mcp'];

/** How a request is checked beyond Host and Origin, by method and route: methods take the token alone. */
function checkOf(method: string, path: string): typeof checkToken {
  const isOpen = path === '/open' || (method === 'POST' && (path === ENTER_PATH || path === CHALLENGE_PATH));
  if (isOpen) return () => undefined;
  return method === 'GET' && !TOKEN_ALONE.includes(path) ? checkTicket : checkToken;
}

/** Every request: own Host and Origin; everything but a one-time link and what follows it: the token or the ticket. */
function guard(
  app: FastifyInstance,
  facts: GuardFacts,
  onPublish: ConsoleServerDependencies['onPublish'],
): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SAFE_HEADERS);
    // The route, not the target: escapes and an absolute target write the same path in many ways.
    const check = checkOf(request.method, request.routeOptions.url ?? '');
    const foreign = checkHostAndOrigin(request.raw, facts);
    // A token would not help a publish at this port, so its answer asks for none. Other machines are told nothing without one.
    const isMistaken = foreign === undefined && isPublish(request) && isFromLoopback(request.ip);
    const said = isMistaken ? onPublish?.() : undefined;
    if (said !== undefined) return sendMessage(reply, said);
    const away = foreign ?? check(request.headers, facts);
    if (away === undefined) return;
    const isPerson = request.headers.accept?.includes('text/html') === true && request.method === 'GET';
    if (away.status === 401 && isPerson) await sendNeedsLink(reply);
    else await sendRefusal(reply, away.status, away.refusal);
  });
}

function isPublish({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return (method === 'POST' || method === 'PUT') && isPublishPath(url);
}

/** Answer to a publish, whose sender reads no JSON-RPC. */
function sendMessage(reply: FastifyReply, message: string): FastifyReply {
  return reply
    .code(404)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ message }));
}

interface EntryKeys {
  readonly links: OneTimeLinks;
  /** Codes that a redeemed link gives to its page. */
  readonly codes: OneTimeLinks;
}

/** @param urlOf address of the console, to which a link under the name `localhost` is sent on */
function addOpenRoute(
  app: FastifyInstance,
  facts: GuardFacts,
  { links, codes }: EntryKeys,
  urlOf: () => string,
): void {
  app.get<{ Querystring: { key?: string } }>('/open', async (request, reply) => {
    const { key } = request.query;
    reply.header('Cache-Control', 'no-store');
    if (isUnderLocalhost(request.headers.host, facts)) {
      const { search } = new URL(request.url, urlOf());
      return reply.redirect(`${urlOf()}/open${search}`, 303);
    }
    const isGood = typeof key === 'string' && links.redeem(key);
    // Browsers never send the fragment of an address to a server, and the page removes it at once.
    if (isGood)
      return reply
        .header('Set-Cookie', cookieOf(facts))
        .redirect(`/#${ENTER_MARK}=${codes.issue(LINK_MS)}`, 303);
    // A person who is in already may follow an old link and still gets the page.
    if (checkTicket(request.headers, facts) === undefined) return reply.redirect('/', 303);
    return typeof key === 'string' ? sendNoLink(reply) : sendNeedsLink(reply);
  });
}

/** Whether a code is valid: once, or again with the same claim, because a reloaded page may have missed the answer. */
function mayEnter(codes: OneTimeLinks, code: string, claim: string): boolean {
  const both = `${code} ${claim}`;
  if (CLAIM.test(claim) && codes.knows(both)) return true;
  if (!codes.redeem(code)) return false;
  if (CLAIM.test(claim)) codes.accept(both, LINK_MS);
  return true;
}

/** Adds the routes at which the page exchanges its code for a key, and asks what to sign. */
function addPageRoutes(app: FastifyInstance, facts: GuardFacts, { codes }: EntryKeys): void {
  // These routes ask for no token, so anyone on this machine may send a body.
  const small = { bodyLimit: OPEN_ROUTE_BYTES };
  app.post(ENTER_PATH, small, async (request, reply) => {
    const given = typeof request.body === 'string' ? tryParse(request.body)?.value : undefined;
    const { code, claim = '' } = isObject(given) ? given : {};
    if (typeof code !== 'string' || typeof claim !== 'string' || !mayEnter(codes, code, claim)) {
      const reason = 'This code is no longer valid.';
      return sendRefusal(
        reply,
        401,
        new Refusal('UNAUTHORIZED', { reason }, { field: 'code', expected: 'the code of a link' }),
      );
    }
    const answer: PageKey = { key: facts.pages.keyOf(request.headers.host ?? '').toString('base64url') };
    return reply.header('Cache-Control', 'no-store').send(answer);
  });
  app.post(CHALLENGE_PATH, small, async (_request, reply) => {
    const answer: PageChallenge = { challenge: facts.pages.challenge() };
    return reply.header('Cache-Control', 'no-store').send(answer);
  });
}

type ForPage = Parameters<typeof sendPage>[0];

/** The ways to a new link, as a page tells them. */
const WAYS_IN: readonly string[] = [
  '<strong>A page of the console is still open?</strong> Choose “Make a one-time link to this console” there, in Settings, About, and open that link here.',
  '<strong>No page is open?</strong> Stop Sidelight in its terminal with Ctrl+C and start it again: it prints a new link. What it keeps on disk stays.',
  'A script gets a link without a restart, with the method <code>system.link</code>.',
];

function sendNoLink(reply: ForPage): ReturnType<typeof sendPage> {
  return sendPage(reply, 401, 'This link is no longer valid', [
    'A link opens the console once, in one browser. The link that Sidelight prints at its start is valid for ten minutes, any other link for one. The console is still there: open it with a new link.',
    ...WAYS_IN,
  ]);
}

/** Answer to a person who comes by the bare address: no link was used, so none can be too old. */
function sendNeedsLink(reply: ForPage): ReturnType<typeof sendPage> {
  return sendPage(reply, 401, 'The console needs a link', [
    'This address alone does not open the console in a new browser. Open the link that Sidelight printed at its start: it works once, within ten minutes. From then on this browser needs no link.',
    ...WAYS_IN,
  ]);
}

/** Most bytes of a body at the routes that ask for no token; a code and its claim have less than 200. */
const OPEN_ROUTE_BYTES = 4096;

function answerErrors(app: FastifyInstance, { log, ids }: Pick<ConsoleDependencies, 'log' | 'ids'>): void {
  app.setNotFoundHandler((_request, reply) => sendNothing(reply));
  app.setErrorHandler((error: unknown, request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    if (status === 413) {
      // The client may go on to send the rest, which is dropped: the connection ends with the answer.
      reply.header('connection', 'close');
      if (error instanceof RefusedText && error.refusal !== undefined)
        return sendRefusal(reply, 413, error.refusal);
      const expected = `at most ${sizeLimit(request.routeOptions.bodyLimit)}`;
      const reason = `A request has ${expected}.`;
      return sendRefusal(reply, 413, new Refusal('TOO_LARGE', { reason }, { expected }));
    }
    if (status === 415) {
      const reason = 'its Content-Type cannot be read';
      return sendRefusal(reply, 400, new Refusal('INVALID_REQUEST', { reason }));
    }
    const what = errorText(error);
    if (typeof status === 'number' && status >= 400 && status < 500) {
      return sendRefusal(reply, status, new Refusal('INVALID_REQUEST', { reason: what }));
    }
    const logId = `log_${ids.hex(6)}`;
    log.write('error', 'console', `${logId}: an HTTP request failed: ${what}`);
    return sendRefusal(reply, 500, new Refusal('INTERNAL', {}, { data: { logId } }));
  });
}
