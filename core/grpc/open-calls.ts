/**
 * Tracks the open calls of one gRPC server. A client that does not read, or does not finish a request, loses
 * its connection. The bytes of requests count as bodies in memory.
 */
import type { ServerInterceptor } from '@grpc/grpc-js';
import { grpcCode, grpcCodeName } from '../contract/grpc.ts';
import { durationText } from '../domain/duration.ts';
import type { Silence } from '../domain/http-edge.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import { CallRefused } from './errors.ts';
import type { RefusedCall, statusOf } from './errors.ts';
import type { GrpcLibrary } from './library.ts';

export interface OpenCallsOptions {
  readonly silence: Pick<Silence, 'requestMs' | 'unreadMs'>;
  /** Counts complete requests that are not answered yet. */
  readonly bodies: BodyCount;
  /** Returns milliseconds since any fixed moment. */
  readonly now: () => number;
  /**
   * Closes the connection of a client.
   * @param peer its address and port
   * @param why a clause for the log
   */
  readonly close: (peer: string, why: string) => void;
  readonly onRefused: (info: RefusedCall) => void;
}

/** An open call. */
interface OpenCall {
  readonly peer: string;
  /** Time since which the request is awaited; undefined: it is complete, or the call has many requests. */
  requestSince: number | undefined;
  /** Time since which the newest message waits for the client; undefined: the client has read all. */
  sendingSince: number | undefined;
  /** Number of bytes that are counted for its request. */
  counted: number;
  /** Passes on a request that arrived while an answer still waits. */
  heldBack: (() => void) | undefined;
}

export class OpenCalls {
  readonly #options: OpenCallsOptions;
  readonly #calls = new Set<OpenCall>();
  readonly #sizes = new WeakMap<object, number>();

  constructor(options: OpenCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Notes how many bytes a request had before it was decoded. */
  measured<Request>(message: Request, bytes: number): Request {
    if (typeof message === 'object' && message !== null) this.#sizes.set(message, bytes);
    return message;
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
    class FollowedCall extends grpc.ServerInterceptingCall {
      readonly #call: OpenCall;

      constructor(open: OpenCall, ...given: ConstructorParameters<GrpcLibrary['ServerInterceptingCall']>) {
        super(...given);
        this.#call = open;
      }

      override sendMessage(message: unknown, taken: () => void): void {
        super.sendMessage(message, sending(this.#call, taken));
      }
    }
    return ({ path, requestStream: hasMany }, call) => {
      const open = newCall(call.getPeer());
      const listener = new grpc.ServerListenerBuilder()
        .withOnReceiveMetadata((metadata, go) => {
          // The call is added late, because the end of a call that was cancelled before is not reported.
          this.#calls.add(open);
          if (!hasMany) open.requestSince = this.#options.now();
          go(metadata);
        })
        .withOnReceiveMessage((message: unknown, go) => {
          const noRoom = hasMany ? undefined : this.#count(open, message);
          if (noRoom !== undefined) {
            const status = grpcCode('RESOURCE_EXHAUSTED');
            this.#options.onRefused({ path, status: grpcCodeName(status), reason: noRoom });
            call.sendStatus(statusFor(new CallRefused(status, noRoom)));
          } else if (open.sendingSince === undefined || path === own) go(message);
          else open.heldBack = () => go(message);
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

  /** Makes the callback for the moment when the client has read the message that is sent now. */
  #sending(open: OpenCall, taken: () => void): () => void {
    open.sendingSince = this.#options.now();
    return () => {
      open.sendingSince = undefined;
      // This callback may send the next message of the call.
      taken();
      if (open.sendingSince !== undefined) return;
      const go = open.heldBack;
      open.heldBack = undefined;
      go?.();
    };
  }

  /** Counts a request; a text says why there is no room for it. */
  #count(open: OpenCall, message: unknown): string | undefined {
    const bytes = typeof message === 'object' && message !== null ? (this.#sizes.get(message) ?? 0) : 0;
    const noRoom = this.#options.bodies.take(bytes);
    if (noRoom === undefined) open.counted += bytes;
    return noRoom;
  }

  #end(open: OpenCall): void {
    if (!this.#calls.delete(open)) return;
    this.#options.bodies.free(open.counted);
  }
}

function newCall(peer: string): OpenCall {
  return { peer, requestSince: undefined, sendingSince: undefined, counted: 0, heldBack: undefined };
}
