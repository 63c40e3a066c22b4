/** Response rules of the mock app: data that can be shown, saved and sent. */
import type { WireSubscription } from './subscription.ts';

export type BulkStatuses =
  | 'all-success'
  | 'all-retry'
  | 'all-drop'
  | { readonly [entry: string]: 'SUCCESS' | 'RETRY' | 'DROP' | null };

export type Answer =
  | {
      readonly kind: 'respond';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A string is sent as it is, any other value as JSON; absent: no body. */
      readonly body?: unknown;
      readonly delayMs?: number | readonly [number, number];
    }
  | {
      readonly kind: 'respond-bulk';
      readonly status: number;
      readonly statuses: BulkStatuses;
      readonly delayMs?: number | readonly [number, number];
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'ask' };

export type RuleAnswer =
  | Answer
  | {
      readonly kind: 'sequence';
      readonly steps: readonly Answer[];
      readonly then: 'repeat-last' | 'loop' | 'next-rule';
    }
  | { readonly kind: 'random'; readonly of: readonly { readonly share: number; readonly answer: Answer }[] };

export interface ResponseRule {
  readonly ruleId?: string;
  readonly name?: string;
  readonly enabled: boolean;
  /** All that are given must hold. */
  readonly match: {
    readonly topic?: string;
    readonly route?: string;
    readonly eventType?: string;
    readonly filter?: string;
  };
  readonly times?: number;
  readonly per?: 'rule' | 'message';
  readonly answer: RuleAnswer;
  readonly hits?: number;
  readonly lastAt?: string;
}

/** One request that the mock app received. */
export interface MockRequest {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly kind: 'discovery' | 'delivery' | 'bulk' | 'health' | 'binding' | 'other';
  readonly topic?: string;
  readonly eventId?: string;
  readonly durationMs?: number;
  readonly answeredBy?: { readonly ruleId: string; readonly name?: string };
  readonly note?: string;
}

export interface MockAppState {
  readonly appId: string;
  readonly url: string;
  readonly subscriptions: readonly WireSubscription[];
  readonly rules: readonly ResponseRule[];
  /** Newest last; at most 1,000. */
  readonly requests: readonly MockRequest[];
  /** Requests that no rule answered: the default answer did. */
  readonly defaultHits?: number;
  /** Requests since the start or the last reset of the counters; `requests` holds the newest of them. */
  readonly received: number;
  /** False: its port is closed, as an app's that is down. */
  readonly on: boolean;
}

export interface Preset {
  readonly preset: string;
  readonly title: string;
  /** `own`: kept by a person. */
  readonly group: 'single' | 'bulk' | 'set' | 'extra' | 'own';
  /** State the answer leads to, for the menu. */
  readonly leadsTo?: string;
  readonly rules: readonly ResponseRule[];
}

/** A delivery that waits for a person's answer. */
export interface WaitingAnswer {
  readonly deliveryId: string;
  readonly messageId: string;
  readonly appId: string;
  readonly topic: string;
  readonly path: string;
  readonly since: string;
  /** When the sidecar gives up; absent without a timeout. */
  readonly givesUpAt?: string;
  /** Entries of a batch; absent for a single delivery. */
  readonly entries?: readonly { readonly entryId: string; readonly deliveryId?: string }[];
}
