/** The console contract: every method by its declaration, every notification, and the rules of the stream. */
import { EVENT_ROUTER } from './event-router/console.ts';
import type { ConsoleEvent } from './event.ts';
import { DELIVERIES } from './methods/deliveries.ts';
import { JOBS } from './methods/jobs.ts';
import { MESSAGES } from './methods/messages.ts';
import { MOCK_APP } from './methods/mock-app.ts';
import { MONITORING } from './methods/monitoring.ts';
import { PROCESSES } from './methods/processes.ts';
import { RECORDINGS } from './methods/recordings.ts';
import { SAVED } from './methods/saved.ts';
import { SYSTEM } from './methods/system.ts';
import { TAPS } from './methods/taps.ts';
import { TOPOLOGY } from './methods/topology.ts';
import type { Counts, SystemDescription } from './reports.ts';
import type { Static } from './schema.ts';
import type { AppRow } from './subscription.ts';
import type { ViewChanged } from './view.ts';

export type { ConsoleEvent, LogEntry, Snapshot, StreamStart } from './event.ts';
export type {
  Counts,
  HealthChange,
  HealthProbe,
  HealthReport,
  MetricsHistory,
  MetricsPoint,
  MetricsReport,
  RouteExplanation,
  SystemDescription,
} from './reports.ts';
export type { Changed, DeliveryTarget, RerouteTarget } from './targets.ts';
export type { ViewChanged } from './view.ts';

/** A list that is returned whole, because it is short. */
export interface Whole<T> {
  readonly items: readonly T[];
  readonly nextCursor: null;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface Batch {
  readonly epoch: string;
  readonly from: number;
  readonly to: number;
  readonly events: readonly ConsoleEvent[];
}

/**
 * Which events a connection gets. `views`: events of rows in the ranges that it last read of its views.
 * `opened`: events of messages that it opened lately. Both include events that concern no message, but no log
 * lines.
 */
export type StreamScope = 'all' | 'views' | 'opened';

export interface RuntimeChanged {
  readonly rates: { readonly in: number; readonly out: number };
  readonly counts: Counts;
  readonly kept: number;
  /** Bytes that the kept messages take. */
  readonly keptBytes?: number;
  readonly limit: number;
  readonly health: readonly {
    readonly appId: string;
    readonly healthy: boolean;
    readonly outbound: boolean;
    readonly channel: AppRow['channel'];
    /** True while it is not healthy only because its app has not answered yet. */
    readonly waitsForApp?: boolean;
  }[];
  readonly holds: number;
  readonly waiting: number;
  /**
   * Number of deliveries, and of messages without deliveries, that wait for their app to list its
   * subscriptions or to subscribe again. Absent: none.
   */
  readonly forApp?: number;
  /** Number of queued deliveries that wait for their app to subscribe again. Absent: none. */
  readonly queuedForApp?: number;
  /** Number of messages that were refused or expired before any delivery. Absent: none. */
  readonly unpublished?: number;
  /** Number of messages that a person dropped before any delivery. Absent: none. */
  readonly droppedEarly?: number;
  /** Warnings for a person, as in `system.describe`. */
  readonly banners?: SystemDescription['banners'];
}

export interface Notifications {
  'stream.batch': Batch;
  'stream.reset': { readonly epoch: string };
  'view.changed': ViewChanged;
  'runtime.changed': RuntimeChanged;
}

/** Every method of the console, by its name. */
export const METHODS = {
  ...SYSTEM,
  ...MESSAGES,
  ...JOBS,
  ...DELIVERIES,
  ...MOCK_APP,
  ...TOPOLOGY,
  ...TAPS,
  ...PROCESSES,
  ...MONITORING,
  ...SAVED,
  ...RECORDINGS,
  ...EVENT_ROUTER,
};

export type Method = keyof typeof METHODS;
/** Parameters and result of every method, by its name. */
export type Methods = {
  readonly [M in Method]: {
    readonly params: Static<(typeof METHODS)[M]['params']>;
    readonly result: Static<(typeof METHODS)[M]['result']>;
  };
};
export type Params<M extends Method> = Methods[M]['params'];
export type Result<M extends Method> = Methods[M]['result'];
