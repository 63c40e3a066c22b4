/** The connection to one app: deliveries, discovery, probes. */
import type { AttemptErrorCode } from '../contract/message.ts';
import type { PortProtocol, Protocol } from '../contract/grpc.ts';
import type { Wire } from '../domain/codec.ts';
import type { AppMessage } from '../domain/topic-event.ts';

/** Time within which a port must accept a connection to count as open. */
export const PROBE_MS = 500;

export interface AppCall {
  /** Path, which starts with "/"; over gRPC the full name of the method. */
  readonly path: string;
  readonly method?: 'POST' | 'OPTIONS';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Wire;
  /** The message as a value, for gRPC; `body` is its JSON text. */
  readonly message?: AppMessage;
  /** Timeout; 0 or absent: none. */
  readonly timeoutMs?: number;
}

export interface AppTiming {
  readonly connectMs: number;
  readonly sendMs: number;
  readonly waitMs: number;
  readonly readMs: number;
}

/**
 * Why the body of an answer cannot be read although the status arrived. `message`: one sentence for a person.
 */
export interface UnreadBody {
  readonly reason: 'cut-off' | 'encoding' | 'too-large';
  readonly message: string;
}

export type ReceivedAnswer =
  | {
      readonly kind: 'response';
      /**
       * Protocol of the answer. `grpc`: `status` is a code, `statusText` its name, and the body the reply as
       * JSON or the text of the error. Absent: http.
       */
      readonly protocol?: Protocol;
      readonly status: number;
      readonly statusText?: string;
      readonly headers: Readonly<Record<string, string>>;
      /**
       * Body with gzip decoded; undefined: it cannot be read. Then `unread` says why, and `bodyStart` has the
       * beginning, decoded as far as possible where it was cut off. Through a tap that beginning is the body
       * too, because the real sidecar reads what came.
       */
      readonly body: Uint8Array | undefined;
      readonly bodyStart?: Uint8Array;
      readonly unread?: UnreadBody;
      /** True if a call over gRPC was answered in plain HTTP, or the other way round. */
      readonly isForeign?: true;
      readonly timing?: AppTiming;
    }
  | {
      readonly kind: 'none';
      readonly code: AttemptErrorCode;
      readonly message: string;
      /** True if bytes came that are not of the protocol of the call. */
      readonly isForeign?: true;
      /**
       * True if the stream that carried the call ended: the delivery goes back to the queue, and no attempt
       * counts as failed.
       */
      readonly streamClosed?: true;
    };

export interface PendingAnswer {
  readonly answer: Promise<ReceivedAnswer>;
  /** Cuts the call, whose answer becomes none/cancelled. Idempotent. */
  cancel(reason: string): void;
}

/** One of several instances of an app that share a channel. */
export interface AppInstance {
  readonly url: string;
  /** True if the last probe of the instance's port was accepted. */
  readonly open: boolean;
  /** Calls this instance and no other. */
  get(path: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<ReceivedAnswer>;
  /**
   * Sets whether the instance rests. A resting instance gets no deliveries as long as another one can take
   * them.
   */
  setResting(isResting: boolean): void;
}

export interface AppChannel {
  /**
   * Base address of the app; "" for an app that has none. Such an app only publishes, and nothing can be
   * delivered to it.
   */
  readonly url: string;
  /** Protocol of the calls; absent: http. It may change when the channel gets another address. */
  readonly protocol?: Protocol;
  /** Instances in order; only if several share the channel. */
  readonly instances?: readonly AppInstance[];
  /** Makes a call. It never rejects for a network error, which is an answer of kind 'none'. */
  deliver(call: AppCall): PendingAnswer;
  /** GET of the discovery route or a health path; over gRPC a call of a method without a message. */
  get(path: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<ReceivedAnswer>;
  /** True when the app's port accepts a connection within `timeoutMs`. */
  probe(timeoutMs: number): Promise<boolean>;
  /**
   * Another address of this machine on which the same port is open; undefined: none. The method is absent if
   * the channel cannot test that.
   */
  openBeside?(timeoutMs: number): Promise<string | undefined>;
  /**
   * What the app's port really speaks; undefined: neither HTTP nor gRPC. The method is absent if the channel
   * cannot test that.
   */
  protocolOfPort?(timeoutMs: number): Promise<PortProtocol | undefined>;
  close(): Promise<void>;
}
