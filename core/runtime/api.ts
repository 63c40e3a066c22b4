/** What the edges (http, console, host) may ask of the runtime. Every method that refuses throws `Refusal` (domain/refusal.ts). */
import type {
  Changed,
  ConsoleEvent,
  Counts,
  DeliveryTarget,
  HealthReport,
  LogEntry,
  MetricsReport,
  Page,
  RouteExplanation,
  RuntimeChanged,
  StartReport,
} from '../contract/console.ts';
import type { DeliveryState, RuleId } from '../contract/delivery.ts';
import type { HeldItem, Hold, HoldChange, HoldParams } from '../contract/hold.ts';
import type { ReplayJob, ReplayManyParams } from '../contract/jobs.ts';
import type { MessageDetail, MessageRow, Origin } from '../contract/message.ts';
import type { Answer, WaitingAnswer } from '../contract/mock-app.ts';
import type { FailedEntry, MessageChanges, ReplayChanges } from '../contract/publish.ts';
import type {
  AppRow,
  ComponentRow,
  DiscoveryState,
  Problem,
  ResourceFile,
  SubscriptionRow,
  TopicRow,
} from '../contract/subscription.ts';
import type { GivenEntry } from '../domain/bulk-publish.ts';
import type { AppChannel } from '../ports/app-channel.ts';
import type { Journal } from '../ports/journal.ts';
import type { GivenCaller } from './publishing/callers.ts';

/** What a person marks a message with. */
export interface MessageMarks {
  readonly pinned?: boolean;
  readonly note?: string;
  readonly tags?: readonly string[];
  readonly read?: boolean;
}

export interface PublishRequest {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** Bytes over HTTP; a string from the console. */
  readonly body: Uint8Array | string;
  readonly contentType?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly source: Origin;
  readonly replayOf?: string;
  /** Holds that let the original go. */
  readonly releasedFrom?: readonly string[];
  readonly flags?: readonly string[];
  /** Over HTTP or gRPC. */
  readonly caller?: GivenCaller;
}

export interface PublishBulkRequest {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** The JSON array of entries as bytes or text, or the entries themselves, with their events as bytes (gRPC). */
  readonly body: Uint8Array | string | readonly GivenEntry[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly source: Origin;
  readonly flags?: readonly string[];
  /** Over HTTP or gRPC. */
  readonly caller?: GivenCaller;
}

/** Members of `GET /v1.0/metadata`, in their order; what is empty is left out (behaviour 7.2). */
export interface SidecarMetadata {
  readonly id: string;
  readonly runtimeVersion: string;
  readonly components?: readonly {
    readonly name: string;
    readonly type: string;
    readonly version: string;
    readonly capabilities?: readonly string[];
  }[];
  readonly extended: Readonly<Record<string, string>>;
  readonly subscriptions?: readonly {
    readonly pubsubname: string;
    readonly topic: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly rules?: readonly { readonly match?: string; readonly path: string }[];
    readonly deadLetterTopic: string;
    readonly type: 'DECLARATIVE' | 'PROGRAMMATIC' | 'STREAMING';
  }[];
  readonly appConnectionProperties: {
    readonly port?: number;
    readonly protocol: string;
    readonly channelAddress: string;
    readonly maxConcurrency?: number;
    readonly health?: {
      readonly healthCheckPath?: string;
      readonly healthProbeInterval: string;
      readonly healthProbeTimeout: string;
      readonly healthThreshold: number;
    };
  };
  readonly actorRuntime: { readonly runtimeStatus: 'DISABLED' | 'INITIALIZING'; readonly hostReady: boolean };
}

/** What a stream wants to be sent. */
export interface StreamWish {
  readonly pubsubname: string;
  readonly topic: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly deadLetterTopic?: string;
  /** Where its deliveries go. */
  readonly channel: AppChannel;
}

/** A subscription that lives as long as its stream. */
export interface OpenStream {
  /**
   * The stream is over; what it had not answered waits for the next one.
   * @param how `ended`: its client gave the subscription up. `lost`: it may come back, and what is published meanwhile waits for it.
   */
  close(how: 'ended' | 'lost'): Promise<void>;
}

/** One app's sidecar, as its HTTP and gRPC edges need it. */
export interface SidecarView {
  readonly appId: string;
  /** Has a component that this app may use that name? Order of checks: behaviour 1.2. */
  publish(request: Omit<PublishRequest, 'appId'>): Promise<{ messageId: string }>;
  publishBulk(
    request: Omit<PublishBulkRequest, 'appId'>,
  ): Promise<{ messageIds: readonly string[]; failedEntries: readonly FailedEntry[] }>;
  /** Throws Refusal ERR_MALFORMED_REQUEST or ERR_INVOKE_OUTPUT_BINDING; undefined = nothing returned (204). */
  invokeBinding(
    name: string,
    body: Uint8Array | string,
    trace: { traceparent?: string; tracestate?: string },
  ): Promise<{ data?: Uint8Array | string; metadata?: Readonly<Record<string, string>> } | undefined>;
  /** Throws Refusal ERR_INVOKE_OUTPUT_BINDING; `data` reaches the component as it is. */
  invokeOperation(
    name: string,
    operation: string,
    data: Uint8Array,
    metadata: Readonly<Record<string, string>>,
  ): Promise<{ data?: Uint8Array | string; metadata?: Readonly<Record<string, string>> } | undefined>;
  /** Throws Refusal ERR_PUBSUB_NOT_FOUND or ERR_PUBSUB_SUBSCRIBE_FORBIDDEN. Resolves once the subscription is served. */
  openStream(wish: StreamWish): Promise<OpenStream>;
  /** True once it is being stopped: nothing new begins. */
  readonly stopping: boolean;
  readonly healthy: boolean;
  readonly outboundHealthy: boolean;
  metadata(): SidecarMetadata;
  setMetadata(key: string, value: string): void;
}

/** Where the runtime's events come from for the console's streams. */
export interface EventSource {
  readonly epoch: string;
  /** Last number given. */
  readonly sequence: number;
  /** Events after `since` if the ring still has them all, else undefined. */
  since(since: number, limit: number): readonly ConsoleEvent[] | undefined;
  /** Called once per event, in order, synchronously; must not throw. */
  onEvent(take: (event: ConsoleEvent) => void): () => void;
}

/** Replays of many messages. */
export interface Jobs {
  has(jobId: string): boolean;
  start(params: ReplayManyParams): Promise<{ jobId: string; count: number }>;
  get(jobId: string): ReplayJob;
  list(): readonly ReplayJob[];
  cancel(jobId: string): ReplayJob;
}

export interface RuntimeApi {
  /** Resolves when everything that was done so far is on disk, or as soon as the disk refuses it for now. Never rejects. */
  written(): Promise<void>;
  readonly journal: Journal;
  readonly events: EventSource;
  readonly jobs: Jobs;
  /** Taking messages away: out of sight at once, really removed after 10 s. */
  readonly bin: {
    remove(what: {
      messageIds?: readonly string[];
      filter?: string;
    }): Promise<{ removed: number; undoToken: string }>;
    undo(token: string): Promise<{ restored: number }>;
  };
  /** @param appUrl address of one of several instances; absent: the first one's */
  sidecar(appId: string, appUrl?: string): SidecarView;

  publish(
    request: Omit<PublishRequest, 'appId' | 'source'> & { appId?: string },
  ): Promise<{ messageId: string }>;
  publishBulk(
    request: Omit<PublishBulkRequest, 'appId' | 'source'> & { appId?: string },
  ): Promise<{ messageIds: readonly string[]; failedEntries: readonly FailedEntry[] }>;
  replay(
    messageId: string,
    changes: ReplayChanges | undefined,
    to: string | undefined,
  ): Promise<{ messageId: string }>;
  message(messageId: string): Promise<MessageDetail>;
  updateMessage(messageId: string, change: MessageMarks): Promise<MessageRow>;

  retry(target: DeliveryTarget): Promise<Changed>;
  drop(target: DeliveryTarget): Promise<Changed>;
  hold(target: DeliveryTarget): Promise<Changed>;
  release(target: DeliveryTarget, changes?: MessageChanges, answer?: Answer): Promise<Changed>;
  deadLetter(target: DeliveryTarget, topic?: string): Promise<Changed>;
  cancelAttempt(deliveryId: string): Promise<{ changed: number }>;
  answer(deliveryId: string, answer: Answer): Promise<{ changed: number }>;
  waiting(appId?: string): readonly WaitingAnswer[];

  holds(): readonly Hold[];
  heldQueue(limit: number): { readonly items: readonly HeldItem[]; readonly total: number };
  addHold(hold: HoldParams): Promise<Hold>;
  updateHold(holdId: string, change: HoldChange): Promise<Hold>;
  removeHold(holdId: string, release: boolean): Promise<Hold>;

  topics(): readonly TopicRow[];
  subscriptions(): readonly SubscriptionRow[];
  discoveries(): readonly ({ appId: string } & DiscoveryState)[];
  discover(
    appId?: string,
  ): Promise<{ subscriptions: readonly SubscriptionRow[]; problems: readonly Problem[] }>;
  components(): readonly ComponentRow[];
  /** Problems of files and documents that hold no component, or those of subscription documents alone. */
  resourceProblems(only?: 'subscriptions'): readonly Problem[];
  /** What came of every file of the resources folder. */
  resourceFiles(): readonly ResourceFile[];
  /** What this start found in the journal. */
  readonly began: StartReport;
  reload(): Promise<void>;
  apps(): readonly AppRow[];
  explainRoutes(request: {
    appId?: string;
    pubsubname: string;
    topic: string;
    event: unknown;
  }): readonly RouteExplanation[];
  explainVerdict(request: { kind: 'single' | 'bulk'; status: number; body?: string; entryId?: string }): {
    state: DeliveryState;
    rule: RuleId;
  };

  health(appId?: string): HealthReport;
  simulateHealth(appId: string | undefined, healthy: boolean | null): HealthReport;
  /** With a range the history of the last so many seconds comes along, at most an hour. */
  metrics(rangeSeconds?: number): MetricsReport;
  status(): RuntimeChanged;
  counts(): Counts;
  logs(query: {
    level?: LogEntry['level'];
    filter?: string;
    cursor?: string;
    limit?: number;
  }): Page<LogEntry>;

  start(): Promise<void>;
  /** Stop taking publishes, let attempts end (at most `graceMs`), cut the rest, flush, close. */
  stop(graceMs: number): Promise<void>;
}
