/** What the console and scripts see of a message, its deliveries, attempts and transitions. */
import type { Cause, DeliveryState, RuleId } from './delivery.ts';
import type { Protocol } from './grpc.ts';
import type { DeliverySettings } from './subscription.ts';

/** How a message came in. */
export const ORIGINS = [
  'http',
  'bulk',
  'grpc',
  'grpc-bulk',
  'console',
  'replay',
  'binding',
  'dead-letter',
] as const;
export type Origin = (typeof ORIGINS)[number];

/** Where a message stands before or without deliveries. */
export const STAGES = ['held', 'waiting', 'refused', 'dropped', 'expired'] as const;
export type Stage = (typeof STAGES)[number];

/** What one word says of a message, what needs attention most first; `none`: no subscription matched. */
export const ROW_STATES = [
  'parked',
  'dead-lettered',
  'refused',
  'expired',
  'held',
  'retrying',
  'attempting',
  'waiting',
  'queued',
  'dropped',
  'none',
  'processed',
] as const;
export type RowState = (typeof ROW_STATES)[number];

/** The app's last answer in one glance: HTTP status or gRPC code, the word it said, or why none came. */
export interface LastAnswer {
  /** Absent: http. */
  readonly protocol?: Protocol;
  readonly status?: number;
  /** Name of a gRPC code. */
  readonly statusText?: string;
  readonly word?: string;
  readonly error?: string;
}

/** A subscription that a delivery waits for: no attempt is made before the app subscribes to it again. */
export interface AwaitedSubscription {
  readonly pubsubname: string;
  readonly topic: string;
}

/** One delivery as a list row shows it. */
export interface DeliveryRow {
  readonly deliveryId: string;
  readonly appId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly route?: string;
  readonly nextAttemptAt?: string;
  readonly lastDurationMs?: number;
  readonly lastAnswer?: LastAnswer;
  readonly waitsFor?: AwaitedSubscription;
  /** A hold keeps back the app's answer: the delivery is attempting, and can be released. */
  readonly heldAt?: 'response';
}

/** One message as a list row shows it; carries no body. `deliveries: []` without `stage`: no subscription matched the topic. */
export interface MessageRow {
  readonly messageId: string;
  /** Place in the order of acceptance, from 1; survives a restart. */
  readonly number: number;
  readonly at: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** The app whose sidecar took it. */
  readonly appId: string;
  readonly source: Origin;
  readonly eventId?: string;
  readonly eventType?: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly raw: boolean;
  readonly replayOf?: string;
  /** A replay to one delivery: the app that alone was given it. It never was in a broker. */
  readonly replayTo?: string;
  readonly batchId?: string;
  /** This is a copy on a dead-letter topic: of which message and delivery, and the topic it was published to first. */
  readonly deadLetterOf?: { readonly messageId: string; readonly deliveryId: string; readonly topic: string };
  readonly deliveries: readonly DeliveryRow[];
  readonly stage?: Stage;
  readonly heldBy?: string;
  readonly waitingFor?: readonly string[];
  readonly subject?: string;
  readonly traceId?: string;
  readonly expiresAt?: string;
  readonly pinned?: boolean;
  readonly note?: string;
  readonly tags?: readonly string[];
  readonly unread?: boolean;
  /** Where its broker keeps it: `id` names it within its topic (a stream id), `group` and `consumer` first took it. */
  readonly broker?: Readonly<Record<string, string>>;
  /** Something a person should know about how it was taken, for example "Not valid JSON: kept as a string." */
  readonly flags?: readonly string[];
}

export interface Transition {
  readonly from: DeliveryState | null;
  readonly to: DeliveryState;
  readonly at: string;
  readonly sequence: number;
  readonly cause: Cause;
  readonly rule: RuleId;
  readonly note?: string;
}

/** A body as it was sent or received: text, or base64 with `bodyBase64: true`; cut at the cap with `bodyTruncated: true`. */
export interface RecordedBody {
  readonly body: string;
  readonly bodyBase64?: boolean;
  readonly bodyTruncated?: boolean;
}

export const ATTEMPT_ERRORS = ['refused', 'reset', 'timeout', 'cancelled'] as const;
export type AttemptErrorCode = (typeof ATTEMPT_ERRORS)[number];

/**
 * One call to the app. Over gRPC `request.method` is the method's full name, `headers` are the metadata, bodies the messages as JSON
 * (bytes as base64), and `response.status` is the code; the body of an error is its text.
 */
export interface Attempt {
  readonly attemptId: string;
  /** Absent: http. */
  readonly protocol?: Protocol;
  readonly number: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly durationMs?: number;
  readonly bulk?: { readonly entryId: string; readonly batchSize: number };
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  } & RecordedBody;
  readonly response?: {
    readonly status: number;
    /** Name of a gRPC code. */
    readonly statusText?: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Why the body could not be read: it was cut off, too large, or not in the encoding that its header names. */
    readonly bodyError?: string;
  } & RecordedBody;
  /** The status word that the verdict read, cut at 100 characters; absent: the app said none, or the history is older. */
  readonly word?: string;
  readonly error?: { readonly code: AttemptErrorCode; readonly message: string };
  readonly timing?: {
    readonly connectMs: number;
    readonly sendMs: number;
    readonly waitMs: number;
    readonly readMs: number;
  };
  /** Time between the end of the attempt before and this one. */
  readonly waitedMs?: number;
  /** What the retry policy asked for after this attempt; absent where no further one was planned. */
  readonly nextWait?: { readonly policy: 'constant' | 'exponential'; readonly ms: number };
  readonly answeredBy?: { readonly ruleId: string; readonly name?: string };
}

export interface Delivery {
  readonly deliveryId: string;
  readonly messageId: string;
  readonly appId: string;
  readonly subscription: {
    readonly pubsubname: string;
    readonly topic: string;
    readonly source: 'programmatic' | 'declarative' | 'streaming' | 'binding';
    /** Which of several streams of one topic it waits for, from 2; absent: the first, or no stream. */
    readonly stream?: number;
    /** Absent for a binding, and for a delivery of an older history that was not attempted since. */
    readonly settings?: DeliverySettings;
  };
  readonly waitsFor?: AwaitedSubscription;
  /** `path` is "" when none was chosen. */
  readonly route: {
    readonly path: string;
    readonly rule?: { readonly match: string; readonly index: number };
  };
  readonly state: DeliveryState;
  readonly attempts: readonly Attempt[];
  readonly transitions: readonly Transition[];
  readonly nextAttemptAt?: string;
  /** 0 = no limit. */
  readonly maxAttempts: number;
  readonly expiresAt?: string;
  readonly heldBy?: string;
  readonly heldAt?: 'delivery' | 'response';
  /** What is sent instead of the message's own bytes: it was changed before it was released. */
  readonly changed?: RecordedBody;
  /** The copy on the dead-letter topic. */
  readonly deadLetter?: { readonly topic: string; readonly messageId: string };
}

/** Who published over HTTP or gRPC; values of headers that carry keys are masked. */
export interface Caller {
  /** Address and port. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The entry's id in its bulk request. */
  readonly entryId?: string;
}

export interface MessageDetail extends Omit<MessageRow, 'deliveries'> {
  readonly envelope?: Readonly<Record<string, unknown>>;
  /** The payload as a value: JSON, or a string; `dataBase64` instead when it is bytes. */
  readonly data: unknown;
  readonly dataBase64?: string;
  /** The bytes handed to the component, as text (base64 when not UTF-8). */
  readonly wire: RecordedBody;
  readonly metadata: Readonly<Record<string, string>>;
  /** Known of the last 2,000 publishes of this run. */
  readonly caller?: Caller;
  readonly deliveries: readonly Delivery[];
}
