/** The mock app as a gRPC app: the methods that a sidecar calls, with the same rules as over HTTP. */
import { createServer } from 'node:net';
import type { Server as NetServer, Socket } from 'node:net';
import type { Server, ServerInterceptor, ServerUnaryCall, ServiceError, sendUnaryData } from '@grpc/grpc-js';
import { APP_METHODS, grpcCode } from '../contract/grpc.ts';
import type { MockRequest } from '../contract/mock-app.ts';
import type { WireSubscription } from '../contract/subscription.ts';
import type { EncodedTopicEvent, TopicEventBulkRequest } from '../grpc-protocol/messages.ts';
import { CountedRequests, readCounted, RequestRoom } from '../grpc-protocol/counted-requests.ts';
import { passOverEndedStreams } from '../grpc-protocol/ended-streams.ts';
import { loadProtocol } from '../grpc-protocol/protocol.ts';
import type { MessageCodec, Protocol, RequestCodec } from '../grpc-protocol/protocol.ts';
import type { Silence } from '../domain/http-edge.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import type { Clock } from '../ports/clock.ts';
import { ATTEMPT_HEADER } from '../ports/mock-app.ts';
import { BodyScan } from './body-scan.ts';
import { batchOf, bindingOf, deliveryOf, listed } from './grpc-incoming.ts';
import { GrpcReply } from './grpc-reply.ts';
import type { Incoming } from './incoming.ts';
import type { Reply } from './reply.ts';
import { MAX_BODY_BYTES, MAX_PIECE, tooMuchAtOnce } from './request-limits.ts';
import type { AddFacts } from './request-log.ts';

type GrpcLibrary = typeof import('@grpc/grpc-js');

/** Calls of one connection at the same time. A client keeps further ones back until earlier ones have ended. */
const MAX_CALLS = 1_000;
/** Maximum number of entries, attributes and values of a request. */
const MAX_PARTS = 100_000;
const TOO_MANY_PARTS = `a request has at most ${MAX_PARTS.toLocaleString('en')} entries, attributes and values together`;
/** Bytes of memory of each of these parts. A request of at most `FEW_BYTES` has few, so they are not counted. */
const PART_MEMORY = 256;
const FEW_BYTES = 1024;

/** The mock app's handlers for calls. */
export interface GrpcListenerOptions {
  readonly clock: Clock;
  readonly silence: Pick<Silence, 'headersMs' | 'partingMs'>;
  /** Counts the requests of all mock apps, from their first byte until they are answered. */
  readonly bodies: BodyCount;
  readonly subscriptions: () => readonly WireSubscription[];
  /** Handles a delivery, a batch or the event of a binding: the rules answer it. */
  readonly take: (incoming: Incoming, method: string, replyOf: (add: AddFacts) => Reply) => void;
  /** Notes any other call, which was answered. */
  readonly note: (method: string, kind: MockRequest['kind']) => void;
}

export class GrpcListener {
  readonly #options: GrpcListenerOptions;
  readonly #sockets = new Map<string, Socket>();
  /** Codecs of the requests that rules answer, by method. */
  readonly #codecs = new Map<string, RequestCodec<unknown>>();
  #listener: NetServer | undefined;
  #server: Server | undefined;

  constructor(options: GrpcListenerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#listener?.listening === true;
  }

  /** Listens on 127.0.0.1 and returns the port. Rejects with the system's error. */
  async open(port: number): Promise<number> {
    const [grpc, protocol] = await Promise.all([import('@grpc/grpc-js'), loadProtocol()]);
    const { headersMs, partingMs } = this.#options.silence;
    const server = new grpc.Server({
      'grpc.max_receive_message_length': MAX_BODY_BYTES,
      'grpc.max_concurrent_streams': MAX_CALLS,
      // Every client answers a ping by itself. One that does not has disconnected, or never was a client.
      'grpc.keepalive_time_ms': headersMs,
      'grpc.keepalive_timeout_ms': partingMs,
      interceptors: [counted(grpc, new RequestRoom(this.#options.bodies, MAX_BODY_BYTES), this.#codecs)],
    });
    passOverEndedStreams(server);
    this.#serve(server, protocol);
    const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
    // An answer consists of several small frames. With Nagle's algorithm each would wait for an
    // acknowledgement.
    const listener = createServer({ noDelay: true }, (socket) => {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      this.#sockets.set(peer, socket);
      socket.once('close', () => this.#sockets.delete(peer));
      injector.injectConnection(socket);
    });
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(port, '127.0.0.1', resolve);
    });
    this.#server = server;
    this.#listener = listener;
    const address = listener.address();
    if (address === null || typeof address === 'string')
      throw new Error('the port of the mock app is not known');
    return address.port;
  }

  /** Cuts every call; `open` may follow. */
  async close(): Promise<void> {
    const [listener, server] = [this.#listener, this.#server];
    this.#listener = undefined;
    this.#server = undefined;
    server?.forceShutdown();
    for (const socket of this.#sockets.values()) socket.destroy();
    if (listener !== undefined) await new Promise<void>((closed) => listener.close(() => closed()));
  }

  #serve(server: Server, protocol: Protocol): void {
    const { empty, topicEventRequest, topicEventBulkRequest, bindingEventRequest } = protocol;
    const { subscriptions, note } = this.#options;
    const event = (request: EncodedTopicEvent): Omit<Incoming, 'headers'> => deliveryOf(request);
    this.#answers(server, APP_METHODS.onTopicEvent, topicEventRequest, event, protocol);
    for (const method of [APP_METHODS.onBulkTopicEvent, APP_METHODS.onBulkTopicEventAlpha1]) {
      const batch = (request: TopicEventBulkRequest): Omit<Incoming, 'headers'> => batchOf(request);
      this.#answers(server, method, topicEventBulkRequest, batch, protocol);
    }
    this.#answers(server, APP_METHODS.onBindingEvent, bindingEventRequest, bindingOf, protocol);
    const says = <T>(
      method: string,
      kind: MockRequest['kind'],
      codec: MessageCodec<T>,
      reply: () => T,
    ): void => {
      const handler = (_call: ServerUnaryCall<unknown, T>, done: sendUnaryData<T>): void => {
        note(method, kind);
        done(null, reply());
      };
      server.register(method, handler, (message: T) => codec.encode(message), decodeNothing, 'unary');
    };
    const { listTopicSubscriptionsResponse, listInputBindingsResponse } = protocol;
    says(APP_METHODS.listTopicSubscriptions, 'discovery', listTopicSubscriptionsResponse, () => ({
      subscriptions: subscriptions().map(listed),
    }));
    says(APP_METHODS.listInputBindings, 'binding', listInputBindingsResponse, () => ({ bindings: [] }));
    says(APP_METHODS.healthCheck, 'health', empty, () => ({}));
  }

  #answers<Request>(
    server: Server,
    method: string,
    codec: RequestCodec<Request>,
    read: (request: Request) => Omit<Incoming, 'headers'>,
    protocol: Protocol,
  ): void {
    const { clock, take } = this.#options;
    this.#codecs.set(method, codec);
    const handler = (call: ServerUnaryCall<Request, Buffer>, done: sendUnaryData<Buffer>): void => {
      const metadata = Object.entries(call.metadata.getMap());
      const headers = Object.fromEntries(metadata.map(([key, value]) => [key, String(value)]));
      const incoming: Incoming = { ...read(call.request), ...attemptOf(headers), headers };
      take(incoming, method, (add) => {
        const fail = (error: Partial<ServiceError>): void => done(error);
        const peer = call.getPeer();
        return new GrpcReply({
          incoming,
          protocol,
          add,
          clock,
          succeed: (bytes) => done(null, bytes),
          fail,
          cut: () => this.#sockets.get(peer)?.resetAndDestroy(),
          onCancelled: (gone) => void call.on('cancelled', gone),
        });
      });
    };
    const asIs = (bytes: Buffer): Buffer => bytes;
    server.register(method, handler, asIs, (bytes: Buffer) => codec.decode(bytes), 'unary');
  }
}

/** Counts every call with its request until it ends. */
function counted(
  grpc: GrpcLibrary,
  room: RequestRoom,
  codecs: ReadonlyMap<string, RequestCodec<unknown>>,
): ServerInterceptor {
  return ({ path }, call) => {
    const codec = codecs.get(path);
    let isOwn = false;
    const decodedMemory = (content: Buffer): number | string => {
      if (codec === undefined || content.length <= FEW_BYTES) return 0;
      const parts = codec.partsIn(content, MAX_PARTS);
      if (parts > MAX_PARTS) return TOO_MANY_PARTS;
      const { memory, ...json } = jsonIn(codec.contentsIn(content));
      const size = { bytes: content.length, ...json };
      const tooMuch = isOwn ? undefined : tooMuchAtOnce(size, 'request');
      return tooMuch ?? parts * PART_MEMORY + memory;
    };
    const mostBytes = (): number => (isOwn ? MAX_BODY_BYTES : MAX_PIECE.bytes);
    // The library answers a call without room by itself, with the reason.
    const requests = new CountedRequests({ room, onNoRoom: () => undefined, decodedMemory, mostBytes });
    readCounted(call, requests);
    const listener = new grpc.ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, go) => {
        isOwn = metadata.get(ATTEMPT_HEADER).length > 0;
        const noRoom = requests.begin(metadata);
        if (noRoom === undefined) go(metadata);
        else call.sendStatus({ code: grpcCode('RESOURCE_EXHAUSTED'), details: noRoom, metadata: null });
      })
      .withOnReceiveMessage((message: unknown, go) => {
        requests.handedOver(true);
        go(message);
      })
      .withOnCancel(() => requests.end())
      .build();
    const responder = new grpc.ResponderBuilder().withStart((next) => next(listener)).build();
    return new grpc.ServerInterceptingCall(call, responder);
  };
}

/** What is in the JSON among these contents, together. */
function jsonIn(contents: Iterable<Uint8Array>): Pick<BodyScan, 'values' | 'names' | 'memory'> {
  const all = { values: 0, names: 0, memory: 0 };
  for (const content of contents) {
    const scan = new BodyScan();
    scan.add(content);
    all.values += scan.values;
    all.names += scan.names;
    all.memory += scan.memory;
  }
  return all;
}

/** Decodes an empty call. The library needs an object, because it takes undefined for a missing message. */
function decodeNothing(): object {
  return {};
}

function attemptOf(headers: Readonly<Record<string, string>>): Pick<Incoming, 'attemptId'> {
  const attemptId = headers[ATTEMPT_HEADER];
  return attemptId === undefined ? {} : { attemptId };
}
