/** The gRPC server of one app's sidecar. */
import type { Socket } from 'node:net';
import type { ConnectionInjector, Server } from '@grpc/grpc-js';
import { clause, errorText } from '../contract/error-text.ts';
import type { Profile } from '../contract/profile.ts';
import { RequestRoom } from '../grpc-protocol/counted-requests.ts';
import { passOverEndedStreams } from '../grpc-protocol/ended-streams.ts';
import { loadProtocol } from '../grpc-protocol/protocol.ts';
import { isObject } from '../domain/json.ts';
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
import { SILENCE } from '../domain/http-edge.ts';
import type { Silence } from '../domain/http-edge.ts';
import { reachableHost } from '../domain/reachable-host.ts';
import type { Log } from '../ports/log.ts';
import type { SidecarView } from '../runtime/api.ts';
import { UNCOUNTED } from '../domain/request-bodies.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import { invokeBinding } from './bindings.ts';
import { bulkPublishEvent } from './bulk-publish.ts';
import { serve } from './calls.ts';
import type { Edge } from './calls.ts';
import { statusOf } from './errors.ts';
import type { RefusedCall } from './errors.ts';
import { openFront } from './front.ts';
import type { ForeignKind, Front } from './front.ts';
import { loadGrpc } from './library.ts';
import { getMetadata, setMetadata } from './metadata.ts';
import { OpenCalls } from './open-calls.ts';
import { refuseOthers } from './other-calls.ts';
import { publishEvent } from './publish.ts';
import { shutdownCall } from './shutdown.ts';
import { serveStreams, STREAM } from './subscribe.ts';
import type { OpenStreams } from './subscribe.ts';
import { tokenInterceptor } from './token.ts';

export interface GrpcServerOptions {
  readonly sidecar: SidecarView;
  readonly profile: Profile;
  /** 0 = any free one. */
  readonly port: number;
  /** Host to listen on; absent: this machine only, 127.0.0.1 and ::1. */
  readonly host?: string;
  /** Returns the largest encoded message in bytes, read at the first connection; 0 = no limit. */
  readonly maxBodyBytes: () => number;
  /** Counts the calls and their requests in memory; absent: they are not counted. */
  readonly bodies?: BodyCount;
  /**
   * Times after which a connection ends whose client does not read, or does not finish a request; default
   * `SILENCE`.
   */
  readonly silence?: Silence;
  /** Token that every call has to carry; absent or "" = none. */
  readonly apiToken?: string;
  /** Address of the sidecar's HTTP API, for HTTP/1 clients on this port. */
  readonly httpUrl: () => string;
  /** Called after a shutdown call was answered. */
  readonly shutdown: (how: ShutdownMode) => void;
  readonly onRefused?: (info: RefusedCall) => void;
  /** Called when a client does not use HTTP/2. */
  readonly onForeign?: (kind: ForeignKind) => void;
  readonly log: Log;
}

export interface GrpcServer {
  readonly port: number;
  /** Address of the server: `127.0.0.1:50001`. */
  readonly address: string;
  /**
   * Stops accepting connections, ends streams, lets calls end for at most `graceMs`, and cuts the rest.
   * Idempotent.
   */
  close(graceMs?: number): Promise<void>;
}

const CLOSE_GRACE_MS = 5_000;
/** Times after which a client that disappeared silently is noticed: the sum of both. */
const KEEPALIVE = { 'grpc.keepalive_time_ms': 10_000, 'grpc.keepalive_timeout_ms': 5_000 } as const;
/** Maximum number of calls and streams of one connection at the same time; its client queues further ones. */
const MAX_CALLS = 1_000;
/** Maximum number of streams of one connection that its client may cancel in a row, and again in each following second. */
const MAX_CANCELLED = 100_000;

/**
 * Opens the server. The library is loaded at the first connection. Rejects with the system's error when the
 * port is taken.
 */
export async function openGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { host = '127.0.0.1', httpUrl } = options;
  const backend = new Backend(options);
  const front: Front = await openFront({
    hosts: options.host === undefined ? ['127.0.0.1', '::1'] : [options.host],
    port: options.port,
    take: (socket) => backend.take(socket),
    http1Answer: () => `This port speaks gRPC (HTTP/2). The HTTP API of this sidecar is at ${httpUrl()}.`,
    onForeign: (kind) => options.onForeign?.(kind),
  });
  let closing: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    await Promise.all([front.close(), backend.close(graceMs)]);
  };
  return {
    port: front.port,
    address: `${reachableHost(host)}:${front.port}`,
    close: (graceMs = CLOSE_GRACE_MS) => {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

interface Running {
  readonly server: Server;
  readonly injector: ConnectionInjector;
  readonly streams: OpenStreams;
  /** Timer that checks for slow clients. */
  readonly looking: NodeJS.Timeout;
}

/** The library's server, made at the first connection. */
class Backend {
  readonly #options: GrpcServerOptions;
  readonly #sockets = new Set<Socket>();
  #running: Promise<Running> | undefined;
  #isClosed = false;

  constructor(options: GrpcServerOptions) {
    this.#options = options;
  }

  take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // A connection that breaks before the server has it is only closed.
    const broken = (): void => void socket.destroy();
    socket.on('error', broken);
    this.#running ??= build(this.#options, (peer, why) => this.#cut(peer, why));
    this.#running.then(
      ({ injector }) => {
        if (this.#isClosed || socket.destroyed) {
          socket.destroy();
          return;
        }
        injector.injectConnection(socket);
      },
      (error: unknown) => {
        this.#options.log.write('error', 'grpc', `The gRPC server could not start: ${errorText(error)}`);
        socket.destroy();
      },
    );
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    if (this.#running === undefined) return;
    const { server, streams, looking } = await this.#running;
    clearInterval(looking);
    // The streams have to be ended, because the library waits for them without limit.
    streams.end();
    const cut = setTimeout(() => {
      server.forceShutdown();
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    // The library counts a session as ended once it takes no new call, but it has ended only when its
    // connection is closed.
    const gone = [...this.#sockets].map(
      (socket) =>
        new Promise<void>((go) => (socket.destroyed ? go() : void socket.once('close', () => go()))),
    );
    await Promise.all([new Promise<void>((closed) => server.tryShutdown(() => closed())), ...gone]);
    clearTimeout(cut);
  }

  /**
   * Closes the connection of a client. The library could end a stream only after its client has read
   * everything sent before.
   */
  #cut(peer: string, why: string): void {
    for (const socket of this.#sockets) {
      if (`${socket.remoteAddress}:${socket.remotePort}` !== peer) continue;
      this.#sockets.delete(socket);
      this.#options.log.write('warn', 'grpc', `The connection of the client at ${peer} was closed: ${why}.`);
      socket.destroy();
    }
  }
}

async function build(
  options: GrpcServerOptions,
  close: (peer: string, why: string) => void,
): Promise<Running> {
  const { profile, apiToken = '', sidecar, log, shutdown, silence = SILENCE, bodies = UNCOUNTED } = options;
  const [grpc, protocol] = await Promise.all([loadGrpc(), loadProtocol()]);
  const most = options.maxBodyBytes();
  const onRefused = options.onRefused ?? (() => undefined);
  const now = (): number => performance.now();
  const room = new RequestRoom(bodies, most === 0 ? -1 : most);
  const reported = new Set<string>();
  const refusedUnread = (info: RefusedCall): void => {
    if (reported.has(info.path)) onRefused(info);
    else log.write('debug', 'grpc', `${info.path} was answered ${info.status}: ${clause(info.reason)}.`);
  };
  const calls = new OpenCalls({ silence, room, now, close, onRefused: refusedUnread });
  const server = new grpc.Server({
    ...KEEPALIVE,
    'grpc.max_receive_message_length': room.most,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': MAX_CALLS,
    interceptors: [
      calls.interceptor(grpc, (refused) => statusOf(refused, { grpc, protocol }), STREAM),
      ...(apiToken === '' ? [] : [tokenInterceptor({ grpc, protocol, profile, token: apiToken })]),
    ],
  });
  letClientsCancel(server);
  passOverEndedStreams(server);
  const edge: Edge = {
    sidecar,
    profile,
    log,
    grpc,
    protocol,
    shutdown,
    onRefused,
    reported,
  };
  serve(server, edge, publishEvent(edge));
  serve(server, edge, bulkPublishEvent(edge, 'BulkPublishEvent'));
  serve(server, edge, bulkPublishEvent(edge, 'BulkPublishEventAlpha1'));
  serve(server, edge, getMetadata(edge));
  serve(server, edge, setMetadata(edge));
  serve(server, edge, shutdownCall(edge));
  serve(server, edge, invokeBinding(edge));
  const streams = serveStreams(server, edge);
  refuseOthers(server, edge);
  const { ReflectionService } = await import('@grpc/reflection');
  new ReflectionService(await protocol.served()).addToServer(server);
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  const looking = setInterval(() => calls.look(), silence.everyMs).unref();
  return { server, injector, streams, looking };
}

/**
 * Raises a limit of Node, which closes the connection of a client that cancels 1,000 streams in a row as an
 * attack. The library has no option for it, only the options object with which it opens its listener.
 */
function letClientsCancel(server: Server): void {
  const options: unknown = Reflect.get(server, 'commonServerOptions');
  if (isObject(options))
    Object.assign(options, { streamResetBurst: MAX_CANCELLED, streamResetRate: MAX_CANCELLED });
}
