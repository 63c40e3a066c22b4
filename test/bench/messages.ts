/** What coordinator, app and load say to each other. */

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
  /** Each message is an event for the operation `create` of a binding. */
  readonly create?: true;
}

export interface Loaded {
  readonly kind: 'loaded';
  readonly startedAt: number;
  readonly messages: number;
  readonly refused: number;
  /** Milliseconds from a publish to its answer. */
  readonly ackP50: number;
  readonly ackP99: number;
}

export type AppAsk =
  | { readonly kind: 'start'; readonly discoveryPath: string; readonly subscriptions: readonly unknown[] }
  | { readonly kind: 'reset' }
  /** Answered when `messages` came since the reset, or after `limitMs`. */
  | { readonly kind: 'count'; readonly messages: number; readonly limitMs: number };

export type AppTell =
  | { readonly kind: 'started'; readonly port: number }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'counted';
      readonly messages: number;
      readonly lastAt: number;
      readonly p50: number;
      readonly p99: number;
    };
