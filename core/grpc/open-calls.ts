/**
 * The calls of one gRPC server that are not over. A client that does not take what it is sent, or does not finish what it sends, loses
 * its connection; and what requests carry counts among the bodies that wait.
 */
import type { ServerInterceptor } from '@grpc/grpc-js';
import { grpcCode, grpcCodeName } from '../contract/grpc.ts';
import { sayDuration } from '../domain/duration.ts';
import type { Silence } from '../domain/http-edge.ts';
import type { BodyCount } from '../runtime/publishing/request-bodies.ts';
import { CallRefused } from './errors.ts';
import type { RefusedCall, statusOf } from './errors.ts';
import type { GrpcLibrary } from './library.ts';

export interface OpenCallsOptions {
  readonly silence: Pick<Silence, 'requestMs' | 'unreadMs'>;
  /** Counts the requests that are whole and not answered yet. */
  readonly bodies: BodyCount;
  /** Milliseconds from any moment on. */
  readonly now: () => number;
  /** Closes the connection of a client. @param peer its address and port @param why a clause for the log */
  readonly close: (peer: string, why: string) => void;
  readonly onRefused: (info: RefusedCall) => void;
}

/** One call that is not over. */
interface OpenCall {
  readonly peer: string;
  /** Since when its request is awaited; undefined: it is whole, or the call has many. */
  requestSince: number | undefined;
  /** Since when its newest message waits for the client; undefined: the client has taken all. */
  sendingSince: number | undefined;
  /** Bytes of its request that are counted. */
  counted: number;
  /** Hands over a request that came while an answer waits. */
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

  /** Notes how many bytes a request had before it was read. */
  measured<Request>(message: Request, bytes: number): Request {
    if (typeof message === 'object' && message !== null) this.#sizes.set(message, bytes);
    return message;
  }

  /** Closes the connections whose clients keep us waiting too long; to be called now and then. */
  look(): void {
    const { silence, now, close } = this.#options;
    const nowMs = now();
    for (const { peer, requestSince = nowMs, sendingSince = nowMs } of this.#calls) {
      if (nowMs - sendingSince >= silence.unreadMs)
        close(peer, `it did not take an answer or event within ${sayDuration(silence.unreadMs)}`);
      else if (nowMs - requestSince >= silence.requestMs)
        close(peer, `it did not finish a request within ${sayDuration(silence.requestMs)}`);
    }
  }

  /**
   * Follows every call of a server.
   * @param own path of the stream whose client may answer while events wait for it; of any other the next request waits until the
   * client has taken the answers to those before
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
          // Not before: a call that was cancelled by now is never told of its end.
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

  /** What is called once the client has taken the message that is sent now. */
  #sending(open: OpenCall, taken: () => void): () => void {
    open.sendingSince = this.#options.now();
    return () => {
      open.sendingSince = undefined;
      // The next message of the call may be sent by this.
      taken();
      if (open.sendingSince !== undefined) return;
      const go = open.heldBack;
      open.heldBack = undefined;
      go?.();
    };
  }

  /** A text: why there is no room for the request. */
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
