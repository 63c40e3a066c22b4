/** What the embedded event router shows of its work: topics, subscriptions, deliveries with their attempts, handshakes, dead letters. */
import type { Cause, DeliveryState } from '../delivery.ts';
import type { AdvancedFilter, EvrCode, InputSchema, SubscriptionFilter, SubscriptionRecord } from './wire.ts';

/** Outcome names of an attempt that did not succeed. */
export const ROUTER_OUTCOMES = [
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'PayloadTooLarge',
  'NotFound',
  'TimedOut',
  'Busy',
  'Aborted',
  'SocketError',
  'ResolutionError',
] as const;
export type RouterOutcome = (typeof ROUTER_OUTCOMES)[number];

export type DeadLetterReason =
  | 'MaxDeliveryAttemptsExceeded'
  | 'TimeToLiveExceeded'
  | 'UndeliverableByResponse'
  | 'MovedByHand';

/** What may be done with a delivery by hand. */
export const ROUTER_ACTS = ['retry', 'hold', 'release', 'drop', 'dead-letter', 'park'] as const;
export type RouterAct = (typeof ROUTER_ACTS)[number];

/** From which states each act is possible. */
export const ROUTER_ACT_FROM: Readonly<Record<RouterAct, readonly DeliveryState[]>> = {
  retry: ['queued', 'retrying', 'held', 'parked', 'dropped', 'expired', 'dead-lettered'],
  hold: ['queued', 'retrying'],
  release: ['held'],
  drop: ['queued', 'retrying', 'held', 'parked'],
  'dead-letter': ['queued', 'retrying', 'held', 'parked', 'expired', 'dropped'],
  park: ['queued', 'retrying', 'held'],
};

export interface RouterTransition {
  readonly from: DeliveryState | null;
  readonly to: DeliveryState;
  readonly at: string;
  readonly cause: Cause;
  readonly rule: string;
  readonly note?: string;
}

/** A delivery in a list. Times are ISO 8601. */
export interface RouterDeliveryRow {
  readonly deliveryId: string;
  /** `id` of the event as published. */
  readonly eventId: string;
  readonly eventType: string;
  readonly subject?: string;
  readonly topic: string;
  /** Id of the event subscription's record, and its name. */
  readonly subscriptionId: string;
  readonly subscriptionName: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly publishedAt: string;
  readonly expiresAt: string;
  readonly nextAttemptAt?: string;
  readonly lastOutcome?: RouterOutcome;
  readonly lastStatus?: number;
  /** What broke on the way of the last attempt. */
  readonly lastCode?: EvrCode;
  /** Rule of the last transition. */
  readonly rule: string;
  readonly sizeBytes: number;
  readonly deadLetter?: {
    readonly reason: DeadLetterReason;
    readonly file?: string;
    readonly topic?: string;
  };
}

/** Claims of the token that a request carried, never the token. */
export interface ShownToken {
  readonly kid?: string;
  readonly iss?: string;
  readonly aud?: string | readonly string[];
  readonly caller?: string;
  readonly expiresAt?: string;
  readonly roles?: readonly string[];
}

export interface RouterAttempt {
  readonly attemptId: string;
  readonly number: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly durationMs?: number;
  /** Events in the request. */
  readonly batchSize: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly bodyTruncated?: boolean;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly bodyTruncated?: boolean;
  };
  readonly error?: { readonly code: string; readonly message: string; readonly evr?: EvrCode };
  readonly outcome?: RouterOutcome;
  readonly rule?: string;
  readonly token?: ShownToken;
}

/** A delivery with everything that happened to it and what is planned. */
export interface RouterDelivery extends RouterDeliveryRow {
  readonly transitions: readonly RouterTransition[];
  readonly history: readonly RouterAttempt[];
  /** Attempts still to come if every one fails, within attempts and time to live. */
  readonly planned: readonly { readonly number: number; readonly at: string }[];
  /** The event as published, and as it is sent. */
  readonly event: string;
  readonly sent: string;
}

export interface RouterDeliveryQuery {
  readonly states?: readonly DeliveryState[];
  readonly subscriptionId?: string;
  readonly topic?: string;
  readonly text?: string;
  readonly cursor?: string;
  /** 1 to 500; default 100. */
  readonly limit?: number;
}

export interface RouterTopic {
  readonly name: string;
  readonly resourceId: string;
  readonly endpoints: readonly string[];
  readonly inputSchema: InputSchema;
  readonly disabled: boolean;
  readonly disableLocalAuth: boolean;
  /** Last four characters of each key. */
  readonly keyHints: { readonly key1: string; readonly key2: string };
  readonly accepted: number;
  readonly rejected: number;
  /** Newest first, at most 20. */
  readonly rejections: readonly {
    readonly at: string;
    readonly status: number;
    readonly reason: string;
    readonly index?: number;
  }[];
}

export interface RouterHandshake {
  readonly at: string;
  readonly kind: 'options' | 'event' | 'callback';
  readonly subscriptionId: string;
  readonly url: string;
  readonly origin: string;
  readonly requestedRate?: string;
  readonly token: 'sent' | 'omitted';
  readonly attempt: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly consent: 'yes' | 'no' | 'pending';
  /** Until when the callback may still be called. */
  readonly callbackUntil?: string;
  readonly error?: string;
  readonly evr?: EvrCode;
}

export interface RouterSubscription {
  readonly record: SubscriptionRecord;
  readonly scopeKind: string;
  /** Topics whose events it gets. */
  readonly topics: readonly string[];
  readonly counts: Readonly<Partial<Record<DeliveryState, number>>>;
  /** Requests per minute that the endpoint allowed. */
  readonly allowedRate?: number;
  /** Probation: nothing is sent before. */
  readonly pausedUntil?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly awaitsCallbackUntil?: string;
}

export interface DeadLetterFile {
  /** Below the dead-letter folder. */
  readonly file: string;
  readonly at: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly subscriptionName: string;
  readonly reason: DeadLetterReason;
  readonly lastOutcome?: RouterOutcome;
  readonly attempts: number;
  readonly sizeBytes: number;
}

/** Events that match it are held in the queue before their first attempt. */
export interface RouterBreakpoint {
  readonly breakpointId: string;
  readonly filter: SubscriptionFilter;
}

export interface BreakpointsParams {
  readonly add?: SubscriptionFilter;
  /** Id of one. What it holds stays held. */
  readonly remove?: string;
}

/** Something changed; who shows it asks again. */
export interface RouterChange {
  readonly kind:
    | 'topic'
    | 'subscription'
    | 'delivery'
    | 'handshake'
    | 'ingress'
    | 'certificate'
    | 'identity'
    | 'fault'
    | 'dead-letter'
    | 'note';
  readonly id?: string;
}

/** Event to run through a subscription's filter without sending it. */
export interface FilterVerdict {
  readonly matches: boolean;
  /** What did not match first. */
  readonly because?: 'type' | 'subject' | AdvancedFilter;
}
