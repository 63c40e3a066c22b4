/** The HTTP server of one app's sidecar. */
import { ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
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
import { reachableHost } from '../domain/reachable-host.ts';
import type { Log } from '../ports/log.ts';
import type { SidecarView } from '../runtime/api.ts';
import { UNCOUNTED } from '../domain/request-bodies.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import { answerBaggage } from './baggage.ts';
import { bindingRoutes } from './bindings.ts';
import { countBodies, takeRawBodies } from './body.ts';
import { bulkPublishRoutes } from './bulk-publish.ts';
import { answerErrors, errorBody, sendJson } from './errors.ts';
import type { RefusedRequest } from './errors.ts';
import { answerUnknownRoutes } from './fallback.ts';
import {
  answerServerOptions,
  refuseBadHosts,
  refuseExpectations,
  refuseForeignHosts,
  refuseForeignOrigins,
  refuseTransferCodings,
  requireToken,
  tokenCheck,
} from './guard.ts';
import type { AllowedOrigins, ForeignOrigin } from './guard.ts';
import { healthRoutes } from './health.ts';
import { boundLargeAnswers } from './large-answers.ts';
import { metadataRoutes } from './metadata.ts';
import { keepOrder, Turns } from './order.ts';
import { allowPages, answerPreflights } from './cors.ts';
import { badPath, servedTarget } from './path.ts';
import { takePlainConnections } from './plain-connections.ts';
import { takePlainPublishes } from './plain-publish.ts';
import { publishRoutes } from './publish.ts';
import { shutdownRoutes } from './shutdown.ts';
import { answerUnreadable } from './unreadable.ts';

export interface SidecarServerOptions {
  readonly sidecar: SidecarView;
  readonly profile: Profile;
  /** Port to listen on; 0 = any free one. */
  readonly port: number;
  /** Host to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Returns the limit for each request; 0 = none. */
  readonly maxBodyBytes: () => number;
  /** Counts the bodies in memory; absent: they are not counted. */
  readonly bodies?: BodyCount;
  readonly allowedOrigins: () => AllowedOrigins;
  /** Token for every call except the two health routes; absent or "" = none. */
  readonly apiToken?: string;
  /** Called after a shutdown request was answered. */
  readonly shutdown: (how: ShutdownMode) => void;
  readonly onForeignOrigin: (info: ForeignOrigin) => void;
  /** Called for a publish, or a call without the token, that got an error. */
  readonly onRefused?: (info: RefusedRequest) => void;
  readonly log: Log;
  /** gRPC address for clients that use the wrong port; undefined: there is none. */
  readonly grpcAddress?: () => string | undefined;
  /** Called for a client of HTTP/2, which cannot read the answer. */
  readonly onHttp2?: () => void;
  /**
   * Times after which silent connections, and those of clients that do not read, are closed; default
   * `SILENCE`.
   */
  readonly silence?: Silence;
}

export interface SidecarServer {
  /** Address of the server. Throws before `start` has resolved. */
  readonly url: string;
  readonly port: number;
  /** Starts to listen. Rejects with the system's error, `code` EADDRINUSE when the port is taken. */
  start(): Promise<void>;
  /**
   * Stops accepting connections, lets answers end for at most `graceMs` (default 5 s), and cuts the rest.
   * Idempotent.
   */
  close(graceMs?: number): Promise<void>;
  /** Calls the server without a port, for tests. */
  readonly inject: FastifyInstance['inject'];
}

const CLOSE_GRACE_MS = 5_000;

/** Makes the server of one sidecar, which listens after `start`. Interface "Endpoints of the service". */
export function createSidecarServer(options: SidecarServerOptions): SidecarServer {
  const { app, cut } = buildApp(options);
  const host = options.host ?? '127.0.0.1';
  let port: number | undefined;
  let closing: Promise<void> | undefined;
  const listeningPort = (): number => {
    if (port === undefined) throw new Error('the sidecar does not listen yet');
    return port;
  };
  return {
    get port() {
      return listeningPort();
    },
    get url() {
      return `http://${reachableHost(host)}:${listeningPort()}`;
    },
    start: async () => {
      await app.listen({ port: options.port, host });
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('the sidecar listens on no port');
      port = address.port;
    },
    close: (graceMs = CLOSE_GRACE_MS) => {
      closing ??= closeWithin(app, cut, graceMs);
      return closing;
    },
    inject: app.inject.bind(app),
  };
}

interface BuiltServer {
  readonly app: FastifyInstance;
  /** Closes connections that the framework does not know. */
  readonly cut: () => void;
}

function buildApp(options: SidecarServerOptions): BuiltServer {
  const { sidecar, profile, log } = options;
  const silence = options.silence ?? SILENCE;
  const early = new EarlyAnswers();
  const { maxBodyBytes, bodies = UNCOUNTED, onRefused: refused = () => undefined } = options;
  const turns = turnsOf(bodies, log);
  const app: FastifyInstance = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    rewriteUrl: (request) =>
      servedTarget(
        request.url ?? '/',
        // Before bulk publish had this path, it was a single publish to a component of that name.
        () => profile.differences.componentNamedBulk && sidecar.hasPubsub('bulk'),
      ),
    ...silenceOptions(silence),
    clientErrorHandler: answerUnreadable(() => app.server, { ...options, silence, early, turns }),
    // While the server stops, requests on open connections are still answered, because no table has 503.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    frameworkErrors: answerUnroutable(turns, profile),
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
  });
  treatQueryAsOthers(app);
  const hasToken = tokenCheck(profile.tokenHeader, options.apiToken);
  const errors = { profile, log, refused };
  const plain = { sidecar, bodies, maxBodyBytes, errors, hasToken };
  takePlainPublishes(app, { ...plain, turns });
  const connections = takePlainConnections(app, { ...plain, silence });
  cutUnread(app.server);
  early.watch(app.server);
  answerConnects(
    app.server,
    (request) => new ServerResponse(request),
    (socket) => endWith(socket, '', silence.partingMs, setTimeout),
  );
  answerHalfClosed(app.server);
  answerInOrder(app, turns, { bodies, profile });
  answerBaggage(app, profile);
  takeRawBodies(app, maxBodyBytes, bodies, profile.differences.tooLarge);
  refuseBadHosts(app);
  refuseExpectations(app);
  answerServerOptions(app);
  refuseTransferCodings(app);
  refuseForeignOrigins(app, options.allowedOrigins, options.onForeignOrigin);
  allowPages(app);
  refuseForeignHosts(app, options);
  const { preflight } = profile.differences;
  if (preflight.beforeToken) answerPreflights(app, preflight);
  requireToken(app, hasToken, refused);
  if (!preflight.beforeToken) answerPreflights(app, preflight);
  answerErrors(app, errors);
  publishRoutes(app, sidecar, profile);
  bulkPublishRoutes(app, sidecar, profile);
  healthRoutes(app, sidecar, profile);
  bindingRoutes(app, sidecar, log);
  metadataRoutes(app, sidecar);
  shutdownRoutes(app, options.shutdown, profile);
  answerUnknownRoutes(app, profile, refused);
  return { app, cut: () => connections.cut() };
}

/** Answers a path that cannot be routed at all. No hook runs for it, so it gets its turn here. */
function answerUnroutable(turns: Turns, profile: Profile) {
  return (error: Error, { raw }: FastifyRequest, reply: FastifyReply): void => {
    const turn = turns.next(raw.socket, raw);
    if (turn === undefined) {
      reply.hijack();
      return;
    }
    void sendJson(reply, errorBody(badPath(error), profile, 'other'));
    turn.end();
  };
}

function turnsOf(bodies: BodyCount, log: Log): Turns {
  return new Turns(bodies, (reason) =>
    log.write('warn', 'http', `A connection was closed because too many of its requests wait: ${reason}.`),
  );
}

function answerInOrder(
  app: FastifyInstance,
  turns: Turns,
  { bodies, profile }: { readonly bodies: BodyCount; readonly profile: Profile },
): void {
  // The body is free before its answer is counted. The bound comes before the order, because an answer that it replaces is no longer large.
  countBodies(app, bodies);
  boundLargeAnswers(app, bodies, profile);
  keepOrder(app, turns);
}

/**
 * Answers the earlier requests of a client that has closed its side; Node would drop them. The member has no
 * type.
 */
function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

async function closeWithin(app: FastifyInstance, cut: () => void, graceMs: number): Promise<void> {
  const late = setTimeout(() => {
    cut();
    app.server.closeAllConnections();
  }, graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(late);
  }
}
