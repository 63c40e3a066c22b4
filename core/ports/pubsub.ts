/** A pub/sub component: publish, subscribe, close. */
import type { FailedEntry } from '../contract/publish.ts';
import type { Wire } from '../domain/codec.ts';

export interface OutboundMessage {
  /** Our id; a component that can carry it gives it back in `InboundMessage.messageId`. */
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
  /** Absent: written by someone else. */
  readonly messageId?: string;
  readonly topic: string;
  /** Absent: handed over once more, and published from here. Whoever takes it has the bytes, or reads them by `messageId`. */
  readonly wire?: Wire;
  /** Headers of the delivery besides the fixed ones. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Where the broker keeps it, for the console: `id` names it within its topic, the same for every group. */
  readonly broker?: Readonly<Record<string, string>>;
  /** Names it among all there are, the same for every group and every hand-over; letters and digits. Only asked for what is not known here. */
  readonly brokerKey?: () => string;
}

export interface SubscribeOptions {
  /** The app: messages go to every group, and to one consumer within a group. */
  readonly group: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Told when the broker did not know the group: it begins with what the broker has. */
  readonly onNew?: () => void;
  /** Told of messages that the broker had accepted from here and has lost before it handed them to this group. */
  readonly onLost?: (messageIds: readonly string[]) => void;
}

/** `done`: never hand it over again. `redeliver`: the broker may. */
export type Taken = 'done' | 'redeliver';

/** What a taker gives that is done before it returns. Whoever handed the message over knows it by itself, and need not wait for it. */
export const DONE_AT_ONCE: Promise<Taken> = Promise.resolve('done');

export interface BrokerSubscription {
  /** Resolves when no `take` is running. */
  close(): Promise<void>;
}

/** The server was there and is away; it is tried again for as long as the component is loaded. */
export interface LostConnection {
  /** ms since 1970. */
  readonly sinceMs: number;
  readonly reason: string;
  /** Tries since then that failed. */
  readonly tries: number;
  /** ms since 1970; absent: not known. */
  readonly nextTryMs?: number;
}

/** A publish that a component did not take, with the status that retry policies compare. Any other error has none. */
export class PublishFailure extends Error {
  /** 503: its server refused it or is away. 400: it can never be taken. */
  readonly status: 503 | 400;

  constructor(status: 503 | 400, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export interface PubSub {
  readonly features: {
    readonly bulkPublish: boolean;
    readonly bulkSubscribe: boolean;
    readonly ttl: boolean;
    readonly wildcards: boolean;
    /** A group that subscribes later still gets what was published before. */
    readonly keepsHistory: boolean;
    /** Hands every open message over again after a restart of the sidecar. */
    readonly redelivers: boolean;
  };
  readonly capabilities: readonly string[];
  /**
   * Resolves when the broker has it; undefined: it has it already. Rejects with an Error that says why, a PublishFailure where its kind
   * is known: then it does not.
   */
  publish(message: OutboundMessage): Promise<void> | undefined;
  /** Failed entries only; [] = all published. */
  publishBulk?(entries: readonly OutboundEntry[]): Promise<readonly FailedEntry[]>;
  /** Ready to be used; rejects with the reason. */
  start(): Promise<void>;
  /** Only where there is a server. undefined: it is there. */
  lost?(): LostConnection | undefined;
  /** Calls back whenever `lost` says something else. One listener. */
  onConnection?(changed: () => void): void;
  subscribe(
    topic: string,
    options: SubscribeOptions,
    take: (message: InboundMessage) => Promise<Taken>,
  ): Promise<BrokerSubscription>;
  close(): Promise<void>;
}
