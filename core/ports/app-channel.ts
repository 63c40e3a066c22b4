/** The way to one app: deliveries, discovery, probes. */
import type { AttemptErrorCode } from '../contract/message.ts';
import type { AppScheme, Protocol } from '../contract/grpc.ts';
import type { Wire } from '../domain/codec.ts';
import type { AppMessage } from '../domain/topic-event.ts';

export interface AppCall {
  /** Starts with "/"; over gRPC the full name of the method. */
  readonly path: string;
  readonly method?: 'POST' | 'OPTIONS';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Wire;
  /** Over gRPC: the message of which `body` is the JSON text. */
  readonly message?: AppMessage;
  /** 0 or absent: none. */
  readonly timeoutMs?: number;
}

export interface AppTiming {
  readonly connectMs: number;
  readonly sendMs: number;
  readonly waitMs: number;
  readonly readMs: number;
}

/** Why an answer's body cannot be read although its status came. `message`: one sentence for a person. */
export interface UnreadBody {
  readonly reason: 'cut-off' | 'encoding' | 'too-large';
  readonly message: string;
}

export type ReceivedAnswer =
  | {
      readonly kind: 'response';
      /** `grpc`: `status` is a code, `statusText` its name, and the body the reply as JSON or the text of the error. Absent: http. */
      readonly protocol?: Protocol;
      readonly status: number;
      readonly statusText?: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Decoded (gzip undone); undefined: cannot be read, `unread` then says why and `bodyStart` has the beginning. */
      readonly body: Uint8Array | undefined;
      readonly bodyStart?: Uint8Array;
      readonly unread?: UnreadBody;
      readonly timing?: AppTiming;
    }
  | {
      readonly kind: 'none';
      readonly code: AttemptErrorCode;
      readonly message: string;
      /** The stream that carried it ended: the delivery goes back to the queue, and no attempt counts as failed. */
      readonly streamClosed?: true;
    };

export interface PendingAnswer {
  readonly answer: Promise<ReceivedAnswer>;
  /** Cuts the call: the answer becomes none/cancelled. Idempotent. */
  cancel(reason: string): void;
}

/** One of several instances behind one channel. */
export interface AppInstance {
  readonly url: string;
  /** True when the port of the instance answered the last look at it. */
  readonly open: boolean;
  /** Asks this one and no other. */
  get(path: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<ReceivedAnswer>;
  /** While it rests it gets no deliveries as long as another one may have them. */
  rest(isResting: boolean): void;
}

export interface AppChannel {
  /** Base address of the app; "" for one that has none: it only publishes, and nothing can be delivered to it. */
  readonly url: string;
  /** What calls travel as; absent: http. A channel that is turned to another address may change it. */
  readonly protocol?: Protocol;
  /** Only where several instances share the channel, in their order. */
  readonly instances?: readonly AppInstance[];
  /** Never rejects for trouble on the way: that is an answer of kind 'none'. */
  deliver(call: AppCall): PendingAnswer;
  /** GET of the discovery route or a health path; over gRPC a method without a message. */
  get(path: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<ReceivedAnswer>;
  /** True when the app's port accepts a connection within `timeoutMs`. */
  probe(timeoutMs: number): Promise<boolean>;
  /** Another address of this machine with the same port at which somebody listens; undefined: none. Absent: it cannot be asked. */
  openBeside?(timeoutMs: number): Promise<string | undefined>;
  /** What the app's port really speaks; undefined: nothing that an address can begin with. Absent: it cannot be asked. */
  spokenScheme?(timeoutMs: number): Promise<AppScheme | undefined>;
  close(): Promise<void>;
}
