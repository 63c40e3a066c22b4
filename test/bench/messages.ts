/** Messages between coordinator, app and load. */

export interface Load {
  readonly kind: 'load';
  readonly url: string;
  /** Paths are taken in turn. */
  readonly paths: readonly string[];
  readonly publishers: number;
  readonly seconds: number;
  readonly mostMessages: number;
  /** Bytes of padding in each message. */
  readonly padding: number;
  /** Entries per bulk publish; 0 = single publishes. */
  readonly entries: number;
  /** Messages per second of all publishers together; absent: each publisher sends as soon as it has its answer. */
  readonly rate?: number;
  /** Each message is an event for the operation `create` of a binding. */
  readonly create?: true;
}

export interface Loaded {
  readonly kind: 'loaded';
  readonly startedAt: number;
  /** When the last answer came. */
  readonly endedAt: number;
  readonly messages: number;
  readonly refused: number;
  /** Messages that were answered 204 before the load's time was over. */
  readonly acceptedByEnd: number;
  /** Milliseconds from a publish to its answer. */
  readonly ackP50: number;
  readonly ackP99: number;
}

export type AppAsk =
  | { readonly kind: 'start'; readonly subscriptions: readonly unknown[] }
  /** `notes`: from now on each message's event is noted with its moments. Default: only how old it is. */
  | { readonly kind: 'reset'; readonly notes?: boolean }
  /** Answered at once with how many messages came since the reset. */
  | { readonly kind: 'seen' }
  /** Answered with what was noted since the reset. */
  | { readonly kind: 'arrivals' }
  /** From now on each answer is given after so many ms, or none is given. */
  | { readonly kind: 'pace'; readonly answerMs: number | 'never' }
  /** Answered when `messages` came since the reset, or after `limitMs`. `until`: a moment of the shared time. */
  | { readonly kind: 'count'; readonly messages: number; readonly limitMs: number; readonly until?: number };

export type AppTell =
  | { readonly kind: 'started'; readonly port: number }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'counted';
      readonly messages: number;
      /** Calls that had come by `until`. */
      readonly byThen: number;
      readonly lastAt: number;
      readonly p50: number;
      readonly p99: number;
    }
  | { readonly kind: 'seen'; readonly messages: number }
  | { readonly kind: 'arrived'; readonly arrivals: readonly Arrival[] };

/** An event, when its publisher sent it, and when the app had it. */
export interface Arrival {
  readonly eventId: string;
  readonly sentAt: number;
  readonly arrivedAt: number;
}
