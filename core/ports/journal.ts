/**
 * The journal: the accepted messages and their history. It is written in groups, and read by id, by page and
 * by filter.
 */
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
  /** Row of the message; its `deliveries` is [], because deliveries have records of their own. */
  readonly row: MessageRow;
  /** Bytes that were handed to the component. */
  readonly wire: Wire;
  readonly metadata: Readonly<Record<string, string>>;
  /** Content type as the publisher gave it; "" = none. */
  readonly givenContentType: string;
  /** Holds that released the message and do not catch it again. */
  readonly releasedFrom?: readonly string[];
}

/** A delivery without its attempts and transitions. */
export type StoredDelivery = Omit<Delivery, 'attempts' | 'transitions'> & {
  readonly attemptCount: number;
  /** Number of attempts before the present round (a retry by hand begins a new one). */
  readonly roundStart: number;
  readonly releasedFrom?: readonly string[];
  /** The hold that held it when a person dropped it; only in the state that this drop led to. */
  readonly heldBeforeDrop?: string;
  /**
   * Bytes that "edit & release" changed, for later attempts. A later record without this member leaves them
   * unchanged.
   */
  readonly changedWire?: Wire;
  readonly edits?: DeliveryRow['edits'];
  /** Headers that the component passed on with the message. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly lastAnswer?: DeliveryRow['lastAnswer'];
  readonly lastDurationMs?: number;
  readonly span?: DeliveryRow['span'];
  readonly rule?: DeliveryRow['rule'];
  /** True for an observed delivery that is retrying and was not seen for long: it counts as finished. */
  readonly silent?: true;
};

/** Changes of a message's own members; `null` removes one. */
export type MessagePatch = { readonly [K in keyof MessageRow]?: MessageRow[K] | null } & {
  readonly releasedFrom?: readonly string[];
};

/** Content of a message. A message that was edited by hand keeps its position in the history. */
export type MessageContent = Pick<StoredMessage, 'wire' | 'metadata' | 'givenContentType'>;

export type JournalRecord =
  | { readonly kind: 'message.accepted'; readonly message: StoredMessage }
  /**
   * Changes a message.
   * @param content replaces the content, with `patch` for the row; only while the message has no deliveries
   */
  | {
      readonly kind: 'message.changed';
      readonly messageId: string;
      readonly patch: MessagePatch;
      readonly content?: MessageContent;
    }
  /** Says that the component has the message and that all its deliveries exist. */
  | { readonly kind: 'message.published'; readonly messageId: string }
  /** First or later state of a delivery; `transition` and `attempt` are appended to its history. */
  | {
      readonly kind: 'delivery';
      readonly delivery: StoredDelivery;
      readonly transition?: Transition;
      readonly attempt?: Attempt;
    }
  | { readonly kind: 'message.removed'; readonly messageIds: readonly string[] }
  /** Last sequence number that was assigned, appended with the event that has it. */
  | { readonly kind: 'sequence'; readonly sequence: number }
  /** Small state that survives a restart: mock app, holds, settings. */
  | { readonly kind: 'kept'; readonly key: string; readonly value: unknown };

export interface MessageQuery {
  readonly filter?: Filter;
  readonly order: 'newest' | 'oldest';
  readonly cursor?: string;
  readonly limit: number;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
}

/** One slice of a scan: numbers of matching messages, in the order of the scan. */
export interface ScanSlice {
  readonly numbers: readonly number[];
  /** Number from which the scan continues; undefined: the scan is complete. */
  readonly next?: number;
}

/** The part of a message that grouping and own columns need. */
export interface MessageSummary {
  readonly number: number;
  /** Time of acceptance, ms since 1970. */
  readonly atMs: number;
  readonly state: RowState;
  /** One value for each requested facet; undefined: the message has none. */
  readonly values: readonly (string | undefined)[];
  /**
   * Number of the message at the head of the chain of replays; only for the facet `replay`, and while that
   * message is kept.
   */
  readonly root?: number;
}

/** Values of messages in one column: `values[i]` belongs to `numbers[i]`. */
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
  /** Messages that were accepted earlier are removed, ms since 1970; 0 = none. */
  readonly olderThanMs: number;
  /** Numbers of messages that stay anyway, because acts use them. */
  readonly spared?: readonly number[];
}

export interface JournalStats {
  readonly messages: number;
  readonly bytes: number;
  /** Highest message number that was assigned; 0 = none. */
  readonly lastNumber: number;
  /** Lowest message number that is kept; 0 = none. */
  readonly oldestNumber: number;
}

export interface TopicName {
  readonly pubsubname: string;
  readonly topic: string;
}

/** Counts of a topic's messages and deliveries; also the counts that a removal took away from them. */
export interface TopicTotals extends TopicName {
  readonly messages: number;
  /** Messages without a subscription that were not replayed, apart from those that others may have got. */
  readonly none: number;
  /** Messages without a subscription that were replayed since. */
  readonly replayed: number;
  /** Messages that were refused or expired before any delivery. */
  readonly unpublished: number;
  /** Messages that a person dropped before any delivery. */
  readonly droppedEarly: number;
  /** Time of the newest message, ISO 8601. */
  readonly lastAt?: string;
  readonly deliveries: readonly DeliveryTotals[];
}

/** Counts of a topic without messages. */
export const NO_MESSAGES: Omit<TopicTotals, keyof TopicName | 'lastAt' | 'deliveries'> = {
  messages: 0,
  none: 0,
  replayed: 0,
  unpublished: 0,
  droppedEarly: 0,
};

export interface DeliveryTotals {
  readonly appId: string;
  /** Topic of the subscription, which for a wildcard differs from the message's. */
  readonly subscription: string;
  readonly state: DeliveryState;
  readonly count: number;
}

export interface Pruned {
  readonly removed: number;
  readonly beforeNumber: number;
  /** Numbers of the removed messages. */
  readonly numbers: readonly number[];
  readonly gone: readonly TopicTotals[];
}

/** Messages in use by acts, for a journal that removes old messages by itself when it is short of room. */
export interface RemovalGuard {
  /** Whether an act uses the message with this number, so that it stays. */
  isInUse(number: number): boolean;
  /** Called before the journal removes messages by itself. */
  removing(): void;
  /**
   * Called after it.
   * @param beforeNumber one above the highest number that it has removed; 0 = none
   */
  removed(beforeNumber: number): void;
}

export interface Journal {
  /** True: the journal survives the process. */
  readonly durable: boolean;
  /** Maximum number of bytes of unfinished messages together; absent: the disk is the limit. */
  readonly openBytes?: number | undefined;
  /** Why new messages are refused at present; undefined: they are accepted. */
  readonly trouble?: string | undefined;
  /** Milliseconds for which records without a waiting caller may be collected before they are appended; absent: none. */
  readonly lingerMs?: number | undefined;
  /** Number of messages with damaged bytes that were found while the unfinished ones were read. */
  readonly damaged?: number;
  /**
   * Appends records. Resolves when they are on disk, in order; concurrent calls share one sync. Rejects JournalError: then none of the
   * records count.
   * @param onWritten called before that, once the records survive a kill of the process but not yet a loss of power; a rejection may
   * follow. Not every journal calls it, nor each time.
   */
  append(records: readonly JournalRecord[], onWritten?: () => void): Promise<void>;
  /**
   * Does what `append` does, for a journal that has nothing to wait for: true where the records are stored when it
   * returns. False: writing takes time after all, and nothing has happened. Throws JournalError; absent: writing takes time now,
   * or callers of an earlier `append` have just got their answer and are to go on first.
   */
  readonly appendNow?: ((records: readonly JournalRecord[]) => boolean) | undefined;
  /** Calls back when the messages that come at this moment are there, so that one append takes them all; absent: the journal has no use for that. */
  readonly gather?: ((go: () => void) => void) | undefined;
  /** Messages with an open delivery, a waiting stage, or not yet published; in the order of acceptance. */
  unfinished(): AsyncIterable<Unfinished>;
  page(query: MessageQuery): Promise<{
    readonly items: readonly MessageRow[];
    readonly nextCursor: string | null;
    readonly total: number;
  }>;
  get(messageId: string): Promise<MessageDetailSource | undefined>;
  /**
   * Messages by their numbers, in that order; undefined for one that is not kept. All their bodies are in
   * memory together.
   */
  details(numbers: readonly number[]): Promise<readonly (MessageDetailSource | undefined)[]>;
  /** Id of the message to which a delivery belongs, also a finished one. */
  messageOfDelivery(deliveryId: string): Promise<string | undefined>;
  /**
   * One slice of a filter's scan of the history: it ends after `limit` matches or a bounded amount of work.
   */
  scan(query: {
    filter?: Filter;
    order: 'newest' | 'oldest';
    after?: number;
    limit: number;
    nowMs: number;
    signal?: AbortSignal;
  }): Promise<ScanSlice>;
  /** Rows by message number; undefined for one that is not kept. */
  rows(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]>;
  /**
   * Messages in brief by their numbers, in that order; undefined for one that is not kept. Their bodies are
   * not in memory together.
   */
  summaries(
    numbers: readonly number[],
    facets: readonly Facet[],
  ): Promise<readonly (MessageSummary | undefined)[]>;
  /**
   * Values of these messages in a column by which lists are sorted; messages that are not kept are left out.
   */
  columnValues(numbers: readonly number[], column: Sortable): Promise<ColumnValues>;
  /** Numbers of these messages that match now. */
  test(numbers: readonly number[], filter: Filter, nowMs: number): Promise<ReadonlySet<number>>;
  lastSequence(): Promise<number>;
  kept(key: string): Promise<unknown>;
  stats(): Promise<JournalStats>;
  /**
   * How much is kept, asked often: what was appended last may count only about. Absent: `stats` costs as little.
   */
  readonly size?: (() => Promise<Pick<JournalStats, 'messages' | 'bytes'>>) | undefined;
  /**
   * Counts over the whole history. The cost grows with the number of topics and, for a given topic of which some messages have no delivery,
   * with the number of its messages.
   * @param maybeElsewhere topics of which others may have got messages: a tap showed them, or a broker was to give them to a group
   */
  totals(maybeElsewhere?: readonly TopicName[]): Promise<readonly TopicTotals[]>;
  /** Absent: the journal removes nothing by itself. */
  readonly guardBy?: ((guard: RemovalGuard) => void) | undefined;
  /** Removes the oldest finished, unpinned messages beyond the limits, at most `slice` at a time. */
  prune(keep: Retention, nowMs: number, slice: number): Promise<Pruned>;
  /** Called when the program is idle after much work: its threads return memory to the system. Absent: it has none. */
  readonly rest?: (() => void) | undefined;
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

/** Error of a refused record. `full`: there is no room. `readonly`: the folder is not writable. */
export class JournalError extends Error {
  /** `bug`: not the files or the disk are the cause, but the journal's own code. */
  readonly code: 'full' | 'readonly' | 'closed' | 'broken' | 'bug';
  constructor(code: JournalError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = 'JournalError';
  }
}
