/** A pub/sub component: publish, subscribe, close. */
import type { FailedEntry } from '../contract/publish.ts';
import type { Wire } from '../domain/codec.ts';

export interface OutboundMessage {
  /** Sidelight's id. A component that can carry it returns it in `InboundMessage.messageId`. */
  readonly messageId: string;
  readonly topic: string;
  readonly wire: Wire;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface OutboundEntry extends OutboundMessage {
  readonly entryId: string;
}

export interface InboundMessage {
  /** Sidelight's id of the message; absent: another program published it. */
  readonly messageId?: string;
  readonly topic: string;
  /**
   * Bytes of the message; absent: the message was published here and is delivered by its component. The subscriber has the bytes, or reads
   * them by `messageId`.
   */
  readonly wire?: Wire;
  /** Headers of the delivery besides the fixed ones. */
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * Position of the message at the broker, for the console: `id` names it within its topic, equal for every
   * group.
   */
  readonly broker?: Readonly<Record<string, string>>;
  /**
   * Makes the key of the message among all of the broker's, equal for every group and every hand-over;
   * letters and digits. It is called only for messages that are unknown here.
   */
  readonly brokerKey?: () => string;
}

export interface SubscribeOptions {
  /** Group of the app: messages go to every group, and to one consumer within a group. */
  readonly group: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Called if the broker did not know the group: the group begins with what the broker has. */
  readonly onNew?: () => void;
  /** Called with messages that the broker accepted and lost before it handed them to this group. */
  readonly onLost?: (messageIds: readonly string[]) => void;
}

/** Result of a delivery by the component. `done`: the message must not be delivered again. `redeliver`: the broker may do so. */
export type Taken = 'done' | 'redeliver';

/**
 * Result of a taker that is done before it returns. The caller recognises this promise and need not wait for
 * it.
 */
export const DONE_AT_ONCE: Promise<Taken> = Promise.resolve('done');

export interface BrokerSubscription {
  /** Ends the subscription; resolves when no `take` is running. */
  close(): Promise<void>;
}

/** Facts about a lost connection to a server. The component tries again as long as it is loaded. */
export interface LostConnection {
  /** Start of the loss, ms since 1970. */
  readonly sinceMs: number;
  readonly reason: string;
  /** Number of failed tries since then. */
  readonly tries: number;
  /** Time of the next try, ms since 1970; absent: unknown. */
  readonly nextTryMs?: number;
}

/**
 * Error of a publish that a component did not accept, with the status that retry policies compare. Any other
 * error has no status.
 */
export class PublishFailure extends Error {
  /** 503: the server refused the message or is not reachable. 400: the message can never be accepted. */
  readonly status: 503 | 400;
  /** The broker would refuse this message in the same way each time: no wait changes that, only a person does. */
  readonly isForGood: boolean;

  constructor(
    status: 503 | 400,
    message: string,
    { isForGood = false, ...options }: ErrorOptions & { readonly isForGood?: boolean } = {},
  ) {
    super(message, options);
    this.status = status;
    this.isForGood = isForGood;
  }
}

export interface PubSub {
  readonly features: {
    readonly bulkPublish: boolean;
    readonly bulkSubscribe: boolean;
    readonly ttl: boolean;
    readonly wildcards: boolean;
    /** Whether a group that subscribes later gets earlier messages. */
    readonly keepsHistory: boolean;
    /** Whether the component hands every open message over again after a restart of the sidecar. */
    readonly redelivers: boolean;
  };
  readonly capabilities: readonly string[];
  /**
   * Publishes a message. Resolves when the broker has it; undefined: it has it already. If the broker does
   * not have it, rejects with an Error that says why, and with a PublishFailure if its kind is known.
   */
  publish(message: OutboundMessage): Promise<void> | undefined;
  /** Publishes several messages. The result has the failed entries only; [] = all published. */
  publishBulk?(entries: readonly OutboundEntry[]): Promise<readonly FailedEntry[]>;
  /** Starts the component. Resolves when it is ready to be used; rejects with the reason. */
  start(): Promise<void>;
  /** Facts about a lost connection, for components with a server. undefined: it is connected. */
  lost?(): LostConnection | undefined;
  /** Calls back whenever the result of `lost` changes. One listener. */
  onConnection?(changed: () => void): void;
  subscribe(
    topic: string,
    options: SubscribeOptions,
    take: (message: InboundMessage) => Promise<Taken>,
  ): Promise<BrokerSubscription>;
  close(): Promise<void>;
}
