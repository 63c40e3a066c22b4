/** The journal: the messages that were accepted, and what happened to them. Written in groups, read by id, by page and by filter. */
import type { DeliveryState } from '../contract/delivery.ts';
import type {
  Attempt,
  Delivery,
  DeliveryRow,
  MessageRow,
  RowState,
  Transition,
} from '../contract/message.ts';
import type { Wire } from '../domain/codec.ts';
import type { Filter } from '../domain/filter/ast.ts';
import type { Facet } from '../domain/facet.ts';
import type { Sortable, SortValue } from '../domain/row-order.ts';

/** A message with everything that is needed to deliver it again. */
export interface StoredMessage {
  /** `deliveries` is [] here; they have records of their own. */
  readonly row: MessageRow;
  /** The bytes handed to the component. */
  readonly wire: Wire;
  readonly metadata: Readonly<Record<string, string>>;
  /** Content type as the publisher gave it; "" = none. */
  readonly givenContentType: string;
  /** Holds that released it already: they do not catch it again. */
  readonly releasedFrom?: readonly string[];
}

/** A delivery without its attempts and transitions. */
export type StoredDelivery = Omit<Delivery, 'attempts' | 'transitions'> & {
  readonly attemptCount: number;
  /** Attempts made before the present round (a retry by hand opens a new one). */
  readonly roundStart: number;
  readonly releasedFrom?: readonly string[];
  /** Bytes changed by "edit & release", for later attempts. A later record without them leaves them as they are. */
  readonly changedWire?: Wire;
  /** Headers that came with the hand-over. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly lastAnswer?: DeliveryRow['lastAnswer'];
  readonly lastDurationMs?: number;
  readonly span?: DeliveryRow['span'];
  readonly rule?: DeliveryRow['rule'];
  /** Observed by a tap, retrying, and not seen again for long: it counts as finished. */
  readonly silent?: true;
};

/** Changes of a message's own members; `null` removes one. */
export type MessagePatch = { readonly [K in keyof MessageRow]?: MessageRow[K] | null } & {
  readonly releasedFrom?: readonly string[];
};

/** What a message carries; edited by hand it is another one, in the same place of the history. */
export type MessageContent = Pick<StoredMessage, 'wire' | 'metadata' | 'givenContentType'>;

export type JournalRecord =
  | { readonly kind: 'message.accepted'; readonly message: StoredMessage }
  /** @param content replaces what the message carries, with `patch` for its row; only while it has no deliveries */
  | {
      readonly kind: 'message.changed';
      readonly messageId: string;
      readonly patch: MessagePatch;
      readonly content?: MessageContent;
    }
  /** The component has it and every delivery there is was made. */
  | { readonly kind: 'message.published'; readonly messageId: string }
  /** First or later state of a delivery; `transition` and `attempt` are appended to its history. */
  | {
      readonly kind: 'delivery';
      readonly delivery: StoredDelivery;
      readonly transition?: Transition;
      readonly attempt?: Attempt;
    }
  | { readonly kind: 'message.removed'; readonly messageIds: readonly string[] }
  /** Last sequence number given; appended with what it numbers. */
  | { readonly kind: 'sequence'; readonly sequence: number }
  /** Small things that survive a restart: mock app, holds, settings, health of nothing else. */
  | { readonly kind: 'kept'; readonly key: string; readonly value: unknown };

export interface MessageQuery {
  readonly filter?: Filter;
  readonly order: 'newest' | 'oldest';
  readonly cursor?: string;
  readonly limit: number;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
}

/** A slice of a scan: numbers of matching messages, in scan order. */
export interface ScanSlice {
  readonly numbers: readonly number[];
  /** Number to go on after; undefined: the scan is complete. */
  readonly next?: number;
}

/** As much of a message as grouping and own columns need. */
export interface Glimpse {
  readonly number: number;
  /** Accepted, ms since 1970. */
  readonly atMs: number;
  readonly state: RowState;
  /** One for each facet that was asked for; undefined: the message has none. */
  readonly values: readonly (string | undefined)[];
  /** Number of the message at the head of its chain of replays; only for the facet `replay`, and while that one is kept. */
  readonly root?: number;
}

/** What messages have in a column, side by side: `values[i]` is that of `numbers[i]`. */
export interface ColumnValues {
  readonly numbers: readonly number[];
  readonly values: readonly SortValue[];
}

export interface Unfinished {
  readonly message: StoredMessage;
  readonly published: boolean;
  readonly deliveries: readonly {
    readonly delivery: StoredDelivery;
    readonly attempts: readonly Attempt[];
    readonly transitions: readonly Transition[];
  }[];
}

export interface Retention {
  readonly maxMessages: number;
  readonly maxBytes: number;
  /** What was accepted before this moment goes, ms since 1970; 0 = none. */
  readonly olderThanMs: number;
}

export interface JournalStats {
  readonly messages: number;
  readonly bytes: number;
  /** Highest message number given; 0 = none. */
  readonly lastNumber: number;
  /** Lowest message number kept; 0 = none. */
  readonly oldestNumber: number;
}

export interface TopicName {
  readonly pubsubname: string;
  readonly topic: string;
}

/** How many of what a topic's messages and deliveries are; also what a removal took of them. */
export interface TopicTotals extends TopicName {
  readonly messages: number;
  /** Messages of ours that nobody subscribed to. */
  readonly none: number;
  /** The newest one's moment, ISO 8601. */
  readonly lastAt?: string;
  readonly deliveries: readonly DeliveryTotals[];
}

export interface DeliveryTotals {
  readonly appId: string;
  /** Topic of the subscription: that of a wildcard is another than the message's. */
  readonly subscription: string;
  readonly state: DeliveryState;
  readonly count: number;
}

export interface Pruned {
  readonly removed: number;
  readonly beforeNumber: number;
  readonly gone: readonly TopicTotals[];
}

export interface Journal {
  /** True: survives the process. */
  readonly durable: boolean;
  /** Bytes that unfinished messages may have together; absent: as many as there is disk. */
  readonly openBytes?: number | undefined;
  /** Why new messages are refused at present; undefined: they are taken. */
  readonly trouble?: string | undefined;
  /** Milliseconds for which records that nobody waits for may gather before they are appended; absent: none. */
  readonly lingerMs?: number | undefined;
  /** Messages that were not what had been written, found while the unfinished ones were read. */
  readonly damaged?: number;
  /**
   * Resolves when on disk, in order; concurrent calls share one sync. Rejects JournalError: then nothing of it counts.
   * @param onWritten called before that once a kill of the process takes nothing of it, where only a loss of power still would; a
   * rejection may follow. Not called by every journal, nor each time.
   */
  append(records: readonly JournalRecord[], onWritten?: () => void): Promise<void>;
  /** As `append`, for a journal that has nothing to wait for: taken when it returns. Throws JournalError; absent: writing takes time. */
  readonly appendNow?: ((records: readonly JournalRecord[]) => void) | undefined;
  /** Messages with an open delivery, a stage that waits, or not yet published; in the order of acceptance. */
  unfinished(): AsyncIterable<Unfinished>;
  page(query: MessageQuery): Promise<{
    readonly items: readonly MessageRow[];
    readonly nextCursor: string | null;
    readonly total: number;
  }>;
  get(messageId: string): Promise<MessageDetailSource | undefined>;
  /** Messages by their numbers, in that order; undefined where none is kept. Their bodies are in memory together. */
  details(numbers: readonly number[]): Promise<readonly (MessageDetailSource | undefined)[]>;
  /** Row, wire and deliveries by delivery id, also of finished ones. */
  messageOfDelivery(deliveryId: string): Promise<string | undefined>;
  /** One slice of a filter over the history: at most `limit` matches or a bounded amount of work. */
  scan(query: {
    filter?: Filter;
    order: 'newest' | 'oldest';
    after?: number;
    limit: number;
    nowMs: number;
    signal?: AbortSignal;
  }): Promise<ScanSlice>;
  /** Rows by message number; undefined where none is kept. */
  rows(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]>;
  /** Messages in brief by their numbers, in that order; undefined where none is kept. Their bodies are not in memory together. */
  glimpses(numbers: readonly number[], facets: readonly Facet[]): Promise<readonly (Glimpse | undefined)[]>;
  /** What these messages have in a column by which lists are sorted; those that are not kept are left out. */
  columnValues(numbers: readonly number[], column: Sortable): Promise<ColumnValues>;
  /** Which of these messages match now. */
  test(numbers: readonly number[], filter: Filter, nowMs: number): Promise<ReadonlySet<number>>;
  lastSequence(): Promise<number>;
  kept(key: string): Promise<unknown>;
  stats(): Promise<JournalStats>;
  /**
   * Counts over the whole history. The cost follows the number of topics, and for those that taps observed the number of messages
   * without a delivery.
   * @param observed topics of which taps showed messages
   */
  totals(observed?: readonly TopicName[]): Promise<readonly TopicTotals[]>;
  /** Removes the oldest finished, unpinned messages beyond the limits, at most `slice` at a time. */
  prune(keep: Retention, nowMs: number, slice: number): Promise<Pruned>;
  close(): Promise<void>;
}

export interface MessageDetailSource {
  readonly message: StoredMessage;
  readonly row: MessageRow;
  readonly deliveries: readonly {
    readonly delivery: StoredDelivery;
    readonly attempts: readonly Attempt[];
    readonly transitions: readonly Transition[];
  }[];
}

/** Why the journal refused; `full`: no room, `readonly`: the folder cannot be written. */
export class JournalError extends Error {
  readonly code: 'full' | 'readonly' | 'closed' | 'broken';
  constructor(code: JournalError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = 'JournalError';
  }
}
