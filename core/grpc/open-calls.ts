/**
 * Tracks the open calls of one gRPC server. A client that does not read, or does not finish a request, loses
 * its connection. The bytes of requests count as bodies in memory.
 */
import type { ServerInterceptingCallInterface, ServerInterceptor } from '@grpc/grpc-js';
import { grpcCode } from '../contract/grpc.ts';
import { durationText } from '../domain/duration.ts';
import { LARGE_ANSWER_BYTES } from '../domain/http-edge.ts';
import type { Silence } from '../domain/http-edge.ts';
import { isObject } from '../domain/json.ts';
import { CountedRequests, readCounted } from '../grpc-protocol/counted-requests.ts';
import type { RequestRoom } from '../grpc-protocol/counted-requests.ts';
import { CallRefused } from './errors.ts';
import type { RefusedCall, statusOf } from './errors.ts';
import type { GrpcLibrary } from './library.ts';

/** Bytes of large answers that may wait for one connection without room: also a client that reads has its newest ones unread for a moment. */
const BEYOND_BYTES = 4 * 1024 * 1024;

export interface OpenCallsOptions {
  readonly silence: Pick<Silence, 'requestMs' | 'unreadMs'>;
  /** Counts the calls, and their requests from the first byte on. */
  readonly room: RequestRoom;
  /** Returns milliseconds since any fixed moment. */
  readonly now: () => number;
  /**
   * Closes the connection of a client.
   * @param peer its address and port
   * @param why a clause for the log
   */
  readonly close: (peer: string, why: string) => void;
  /** Called for a call of any method that was refused before it was read. */
  readonly onRefused: (info: RefusedCall) => void;
}

/** An open call. */
interface OpenCall {
  readonly peer: string;
  /** Time since which the request is awaited; undefined: it is complete, or the call has many requests. */
  requestSince: number | undefined;
  /** Time since which the newest message waits for the client; undefined: the client has read all. */
  sendingSince: number | undefined;
  readonly requests: CountedRequests;
  /** Bytes of a large answer that its client has not read. */
  unread: number;
  /** Number of them that are counted; 0: there was no room. */
  counted: number;
  /** Passes on a request that arrived while an answer still waits. */
  heldBack: (() => void) | undefined;
}

export class OpenCalls {
  readonly #options: OpenCallsOptions;
  readonly #calls = new Set<OpenCall>();

  constructor(options: OpenCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Closes connections whose clients are too slow; to be called regularly. */
  look(): void {
    const { silence, now, close } = this.#options;
    const nowMs = now();
    for (const { peer, requestSince = nowMs, sendingSince = nowMs } of this.#calls) {
      if (nowMs - sendingSince >= silence.unreadMs)
        close(peer, `it did not read an answer or event within ${durationText(silence.unreadMs)}`);
      else if (nowMs - requestSince >= silence.requestMs)
        close(peer, `it did not finish a request within ${durationText(silence.requestMs)}`);
    }
  }

  /**
   * Follows every call of a server.
   * @param own path of the stream whose client may answer while events wait for it. In all other calls the next request waits until the
   * client has read the earlier answers.
   */
  interceptor(
    grpc: GrpcLibrary,
    statusFor: (refused: CallRefused) => ReturnType<typeof statusOf>,
    own: string,
  ): ServerInterceptor {
    const sending = this.#sending.bind(this);
    const sent = this.#sent.bind(this);
    class FollowedCall extends grpc.ServerInterceptingCall {
      readonly #call: OpenCall;
      readonly #stream: unknown;

      constructor(open: OpenCall, ...given: ConstructorParameters<GrpcLibrary['ServerInterceptingCall']>) {
        super(...given);
        this.#call = open;
        this.#stream = Reflect.get(given[0], 'stream');
      }

      override sendMessage(message: unknown, taken: () => void): void {
        super.sendMessage(message, sending(this.#call, taken));
        sent(this.#call, this.#stream);
      }
    }
    return ({ path, requestStream: hasMany }, call) => {
      const open = this.#newCall(path, call);
      const listener = new grpc.ServerListenerBuilder()
        .withOnReceiveMetadata((metadata, go) => {
          // The call is added late, because the end of a call that was cancelled before is not reported.
          this.#calls.add(open);
          const noRoom = open.requests.begin(metadata);
          if (noRoom !== undefined) {
            call.sendStatus(statusFor(new CallRefused(grpcCode('RESOURCE_EXHAUSTED'), noRoom)));
            return;
          }
          if (!hasMany) open.requestSince = this.#options.now();
          go(metadata);
        })
        .withOnReceiveMessage((message: unknown, go) => {
          const handOver = (): void => {
            open.requests.handedOver(!hasMany);
            go(message);
          };
          if (open.sendingSince === undefined || path === own) handOver();
          else open.heldBack = handOver;
        })
        .withOnReceiveHalfClose((go) => {
          open.requestSince = undefined;
          go();
        })
        .withOnCancel(() => this.#end(open))
        .build();
      const responder = new grpc.ResponderBuilder().withStart((next) => next(listener)).build();
      return new FollowedCall(open, call, responder);
    };
  }

  /** Counts a large answer that waits for its client. Without room, one with too many others of its connection closes it. */
  #sent(open: OpenCall, stream: unknown): void {
    const waiting = isObject(stream) ? stream['writableLength'] : 0;
    if (typeof waiting !== 'number' || waiting < LARGE_ANSWER_BYTES || !this.#calls.has(open)) return;
    const { room, close } = this.#options;
    const noRoom = room.bodies.take(waiting);
    if (noRoom === undefined) open.counted += waiting;
    open.unread += waiting;
    if (noRoom === undefined) return;
    const others = this.#unreadBeside(open);
    if (others > 0 && others + waiting > BEYOND_BYTES)
      close(open.peer, `it has not read its answers, and ${noRoom}`);
  }

  /** Bytes of large answers that wait for other calls of the same connection. */
  #unreadBeside(open: OpenCall): number {
    let bytes = 0;
    for (const one of this.#calls) if (one !== open && one.peer === open.peer) bytes += one.unread;
    return bytes;
  }

  #read(open: OpenCall): void {
    this.#options.room.bodies.free(open.counted);
    open.counted = 0;
    open.unread = 0;
  }

  /** Makes the callback for the moment when the client has read the message that is sent now. */
  #sending(open: OpenCall, taken: () => void): () => void {
    open.sendingSince = this.#options.now();
    return () => {
      open.sendingSince = undefined;
      this.#read(open);
      // This callback may send the next message of the call.
      taken();
      if (open.sendingSince !== undefined) return;
      const go = open.heldBack;
      open.heldBack = undefined;
      go?.();
    };
  }

  /** Begins to follow a call, whose requests count from their first byte on. */
  #newCall(path: string, call: ServerInterceptingCallInterface): OpenCall {
    const { room } = this.#options;
    const requests = new CountedRequests({
      room,
      onNoRoom: (reason) => this.#refused(path, reason),
      onTooLarge: (reason) => this.#refused(path, reason, { isTooLarge: true }),
    });
    readCounted(call, requests);
    return {
      peer: call.getPeer(),
      requestSince: undefined,
      sendingSince: undefined,
      requests,
      unread: 0,
      counted: 0,
      heldBack: undefined,
    };
  }

  #refused(path: string, reason: string, more: Pick<RefusedCall, 'isTooLarge'> = {}): void {
    const method = path.slice(path.lastIndexOf('/') + 1);
    this.#options.onRefused({ path: method, status: 'RESOURCE_EXHAUSTED', reason, ...more });
  }

  #end(open: OpenCall): void {
    if (!this.#calls.delete(open)) return;
    open.requests.end();
    this.#read(open);
  }
}
