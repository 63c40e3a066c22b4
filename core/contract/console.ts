/** The console contract: every method with what goes in and out, every event, and the rules of the stream. */
import type { DeliveryState, RuleId } from './delivery.ts';
import type { EventRouterMethods } from './event-router/methods.ts';
import type { HeldItem, Hold, HoldChange, HoldParams } from './hold.ts';
import type { DeliveryRow, MessageDetail, MessageRow, Transition } from './message.ts';
import type { Answer, MockAppState, Preset, ResponseRule, WaitingAnswer } from './mock-app.ts';
import type { JobMethods, RecordingMethods } from './recording.ts';
import type { ActingMethods } from './jobs.ts';
import type {
  FailedEntry,
  MessageChanges,
  ReplayChanges,
  PublishBulkParams,
  PublishParams,
} from './publish.ts';
import type { Counts, HealthChange, HealthReport, MetricsReport, ProbeAnswer } from './reports.ts';
import type { RouteExplanation, SystemDescription } from './reports.ts';
import type { SavedMethods } from './saved.ts';
import type { SettingItem } from './settings.ts';
import type {
  AppRow,
  NewApp,
  ComponentRow,
  DiscoveryState,
  Problem,
  ResourceFile,
  SubscriptionRow,
  TopicRow,
  WireSubscription,
} from './subscription.ts';
import type { ViewChanged, ViewMethods } from './view.ts';

export type {
  Counts,
  HealthChange,
  HealthProbe,
  HealthReport,
  MetricsHistory,
  MetricsPoint,
  MetricsReport,
  RouteExplanation,
  StartReport,
  SystemDescription,
} from './reports.ts';
export type { ViewChanged } from './view.ts';

/** A list that is short enough to be given whole. */
export interface Whole<T> {
  readonly items: readonly T[];
  readonly nextCursor: null;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface LogEntry {
  readonly at: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly part: string;
  readonly text: string;
  readonly messageId?: string;
  readonly deliveryId?: string;
  readonly attemptId?: string;
  readonly rule?: RuleId;
}

export type ConsoleEvent = { readonly sequence: number } & (
  | { readonly type: 'message.added'; readonly row: MessageRow }
  | {
      readonly type: 'delivery.changed';
      readonly messageId: string;
      readonly deliveryId: string;
      readonly transition: Transition;
      readonly attempts: number;
      readonly nextAttemptAt?: string;
      /** The delivery's part of the row after the change, so that a list needs nothing else. */
      readonly delivery: DeliveryRow;
      /** `number` of the message; views find its place by it. */
      readonly number?: number;
    }
  | { readonly type: 'topology.changed'; readonly appId: string }
  | { readonly type: 'hold.changed'; readonly holdId: string }
  | { readonly type: 'log.added'; readonly entry: LogEntry }
  | { readonly type: 'messages.pruned'; readonly beforeSequence: number; readonly count: number }
);

export interface Batch {
  readonly epoch: string;
  readonly from: number;
  readonly to: number;
  readonly events: readonly ConsoleEvent[];
}

export interface Snapshot {
  readonly rows: readonly MessageRow[];
  readonly counts: Counts;
  readonly oldestKept: number;
}

/** `views`: events of rows in the connection's views; `opened`: of messages it opened lately. Both: no log lines, and what is about no message. */
export type StreamScope = 'all' | 'views' | 'opened';

/** Exactly one of `missed` and `snapshot` is given. */
export interface StreamStart {
  readonly epoch: string;
  readonly sequence: number;
  readonly missed?: readonly ConsoleEvent[];
  readonly snapshot?: Snapshot;
}

export interface RuntimeChanged {
  readonly rates: { readonly in: number; readonly out: number };
  readonly counts: Counts;
  readonly kept: number;
  /** What they take. */
  readonly keptBytes?: number;
  readonly limit: number;
  readonly health: readonly {
    readonly appId: string;
    readonly healthy: boolean;
    readonly outbound: boolean;
    readonly channel: AppRow['channel'];
  }[];
  readonly holds: number;
  readonly waiting: number;
  /** What waits for its app to tell its subscriptions, or to have one for it again: deliveries, and messages without deliveries. Absent: none. */
  readonly forApp?: number;
  /** What a person must know now; as in `system.describe`. */
  readonly banners?: SystemDescription['banners'];
}

export interface Notifications {
  'stream.batch': Batch;
  'stream.reset': { readonly epoch: string };
  'view.changed': ViewChanged;
  'runtime.changed': RuntimeChanged;
}

/** One, several, all of a filter, or all of a message. Exactly one member is given. */
export interface DeliveryTarget {
  readonly deliveryId?: string;
  readonly deliveryIds?: readonly string[];
  readonly filter?: string;
  readonly messageId?: string;
}

export interface Changed {
  /** Number of deliveries (or messages held at publish) changed. */
  readonly changed: number;
  /** What was meant and may not; of a filter the deliveries of messages on which nothing could be done, at most 500. */
  readonly refused?: readonly {
    readonly deliveryId: string;
    readonly code: string;
    readonly state: string;
  }[];
}

type None = Readonly<Record<string, never>>;

/** name -> what goes in, what comes out. Every action of the console is one of these. */
export interface Methods
  extends EventRouterMethods, RecordingMethods, JobMethods, ActingMethods, SavedMethods, ViewMethods {
  'system.describe': { params: None; result: SystemDescription };
  'system.link': { params: None; result: { url: string } };
  'system.revoke': { params: None; result: { readonly pages: number } };
  'messages.list': {
    params: {
      filter?: string;
      cursor?: string;
      limit?: number;
      order?: 'newest' | 'oldest';
      recordingId?: string;
    };
    result: Page<MessageRow> & { readonly total: number };
  };
  'messages.get': { params: { messageId: string; recordingId?: string }; result: MessageDetail };
  'messages.publish': { params: PublishParams; result: { messageId: string } };
  'messages.publishBulk': {
    params: PublishBulkParams;
    result: { messageIds: readonly string[]; failedEntries: readonly FailedEntry[] };
  };
  'messages.replay': {
    params: { messageId: string; changes?: ReplayChanges; to?: string };
    result: { messageId: string };
  };
  'deliveries.retry': { params: DeliveryTarget; result: Changed };
  'deliveries.drop': { params: DeliveryTarget; result: Changed };
  'deliveries.hold': { params: DeliveryTarget; result: Changed };
  'deliveries.release': {
    params: DeliveryTarget & { changes?: MessageChanges; answer?: Answer };
    result: Changed;
  };
  'deliveries.deadLetter': { params: DeliveryTarget & { topic?: string }; result: Changed };
  'deliveries.cancelAttempt': { params: { deliveryId: string }; result: { changed: number } };
  'deliveries.answer': { params: { deliveryId: string; answer: Answer }; result: { changed: number } };
  'holds.list': { params: None; result: Whole<Hold> };
  'holds.queue': { params: { limit?: number }; result: Whole<HeldItem> & { readonly total: number } };
  'holds.add': { params: HoldParams; result: Hold };
  'holds.update': { params: { holdId: string } & HoldChange; result: Hold };
  'holds.remove': { params: { holdId: string; release?: boolean }; result: Hold };
  'mockApp.get': { params: { appId?: string }; result: MockAppState };
  'mockApp.setSubscriptions': {
    params: { appId?: string; subscriptions: readonly WireSubscription[] };
    result: MockAppState & { readonly problems: readonly Problem[] };
  };
  'mockApp.setRules': { params: { appId?: string; rules: readonly ResponseRule[] }; result: MockAppState };
  'mockApp.presets': { params: { appId?: string }; result: Whole<Preset> };
  'mockApp.usePreset': { params: { appId?: string; preset: string }; result: MockAppState };
  'mockApp.savePreset': {
    params: { title: string; rules: readonly ResponseRule[]; preset?: string };
    result: Preset;
  };
  'mockApp.removePreset': { params: { preset: string }; result: Preset };
  'mockApp.resetCounters': { params: { appId?: string }; result: MockAppState };
  'mockApp.turn': { params: { appId?: string; on: boolean }; result: MockAppState };
  'mockApp.waiting': { params: { appId?: string }; result: Whole<WaitingAnswer> };
  'topics.list': { params: None; result: Whole<TopicRow> };
  'subscriptions.list': {
    params: None;
    result: Whole<SubscriptionRow> & {
      readonly discovery: readonly ({ appId: string } & DiscoveryState)[];
      /** Problems of subscription files, each at its line and column. */
      readonly problems: readonly Problem[];
    };
  };
  'subscriptions.discover': {
    params: { appId?: string };
    result: { subscriptions: readonly SubscriptionRow[]; problems: readonly Problem[] };
  };
  'components.list': {
    params: None;
    result: Whole<ComponentRow> & {
      readonly problems: readonly Problem[];
      readonly files: readonly ResourceFile[];
      readonly folder?: string;
      /** Files that were last found changed on disk by another hand, and when they were loaded. */
      readonly changed?: { readonly at: string; readonly files: readonly string[] };
    };
  };
  'components.validate': { params: { file: string; text: string }; result: { problems: readonly Problem[] } };
  'components.save': { params: { file: string; text: string }; result: { problems: readonly Problem[] } };
  'components.read': { params: { file: string }; result: { file: string; text: string } };
  'components.reveal': { params: { file: string }; result: null };
  'components.reload': {
    params: None;
    result: Whole<ComponentRow> & {
      readonly problems: readonly Problem[];
      readonly files: readonly ResourceFile[];
    };
  };
  'apps.list': { params: None; result: Whole<AppRow> };
  'apps.add': { params: NewApp; result: AppRow };
  'apps.remove': { params: { appId: string }; result: { readonly unfinished: number } };
  'routes.explain': {
    params: { appId?: string; pubsubname: string; topic: string; event: unknown };
    result: { subscriptions: readonly RouteExplanation[] };
  };
  'verdict.explain': {
    params: { kind: 'single' | 'bulk'; status: number; body?: string; entryId?: string };
    /** `word`: the status word that the verdict read. */
    result: { state: DeliveryState; rule: RuleId; word?: string };
  };
  'stream.open': { params: { epoch?: string; since?: number; scope?: StreamScope }; result: StreamStart };
  'stream.ack': { params: { sequence: number }; result: null };
  'stream.close': { params: None; result: null };
  'events.since': {
    params: { sequence: number; limit?: number; waitMs?: number };
    result: { events: readonly ConsoleEvent[]; sequence: number; reset?: true };
  };
  'logs.list': {
    params: { level?: LogEntry['level']; filter?: string; cursor?: string; limit?: number };
    result: Page<LogEntry>;
  };
  'metrics.get': { params: { rangeSeconds?: number }; result: MetricsReport };
  'health.get': { params: { appId?: string }; result: HealthReport };
  'health.call': { params: { appId?: string; probe: HealthChange['probe'] }; result: ProbeAnswer };
  'health.simulate': { params: { appId?: string; healthy: boolean | null }; result: HealthReport };
  'messages.update': {
    params: { messageId: string; pinned?: boolean; note?: string; tags?: readonly string[]; read?: boolean };
    result: MessageRow;
  };
  'settings.get': { params: None; result: { items: readonly SettingItem[] } };
  'settings.set': { params: { key: string; value: unknown }; result: { items: readonly SettingItem[] } };
  'samples.add': { params: None; result: { added: readonly string[]; messageIds: readonly string[] } };
  'samples.remove': { params: None; result: { removed: readonly string[] } };
}

export type Method = keyof Methods;
export type Params<M extends Method> = Methods[M]['params'];
export type Result<M extends Method> = Methods[M]['result'];

/** Bounds of the stream; the rules that use them are in console/stream/stream.ts. */
export const STREAM = {
  batchMs: 33,
  batchEvents: 500,
  batchBytes: 256 * 1024,
  unacknowledged: 4,
  snapshotRows: 100,
  ringEvents: 10_000,
  ringBytes: 16 * 1024 * 1024,
} as const;
