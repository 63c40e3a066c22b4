/** Interfaces between the edges and the runtime: publish requests, an app's sidecar, events. */
import type { ConsoleEvent } from '../contract/console.ts';
import type { Origin } from '../contract/message.ts';
import type { FailedEntry } from '../contract/publish.ts';
import type { GivenEntries } from '../domain/bulk-publish.ts';
import type { StepTurns } from '../domain/step-turns.ts';
import type { AppChannel } from '../ports/app-channel.ts';
import type { GivenCaller } from './publishing/callers.ts';

export interface PublishRequest {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** Bytes over HTTP; a string from the console. */
  readonly body: Uint8Array | string;
  /** The body exceeds its limit and only its start is here: refused at that check. */
  readonly isBeginning?: boolean;
  readonly contentType?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly source: Origin;
  readonly replayOf?: string;
  /** Holds that have already released the original message. */
  readonly releasedFrom?: readonly string[];
  /** Query parameter that is no metadata and probably stands for the time to live; absent: there is none. */
  readonly misplacedTtl?: string;
  /** Caller of the publish, over HTTP or gRPC. */
  readonly caller?: GivenCaller;
}

export interface PublishBulkRequest {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** The JSON array of entries as bytes or text, or the entries themselves, with their events as bytes (gRPC). */
  readonly body: Uint8Array | string | GivenEntries;
  /** The body exceeds its limit and only its start is here: refused at that check, unless the array is complete. */
  readonly isBeginning?: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly source: Origin;
  readonly flags?: readonly string[];
  /** Query parameter that is no metadata and probably stands for the time to live; absent: there is none. */
  readonly misplacedTtl?: string;
  /** Caller of the publish, over HTTP or gRPC. */
  readonly caller?: GivenCaller;
  /** Aborted when the caller has left: if nothing was published yet, nothing is. */
  readonly signal?: AbortSignal;
}

/** Members of `GET /v1.0/metadata`, in order; empty ones are left out (behaviour 7.2). */
export interface SidecarMetadata {
  readonly id: string;
  readonly runtimeVersion: string;
  readonly enabledFeatures?: readonly string[];
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
  readonly actorRuntime: {
    readonly runtimeStatus: 'DISABLED' | 'INITIALIZING';
    readonly hostReady: boolean;
    readonly placement?: string;
  };
  readonly resiliencies?: readonly { readonly name: string }[];
}

/** Subscription that the client of a stream requests. */
export interface StreamRequest {
  readonly pubsubname: string;
  readonly topic: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly deadLetterTopic?: string;
  /** Stream for the deliveries of this subscription. */
  readonly channel: AppChannel;
}

/** A subscription that lives as long as its stream. */
export interface OpenStream {
  /**
   * Ends the stream; deliveries that it has not answered wait for the next one.
   * @param how `ended`: its client ended the subscription. `lost`: it may return, and messages published meanwhile wait for it
   */
  close(how: 'ended' | 'lost'): Promise<void>;
}

/** Interface of one app's sidecar for its HTTP and gRPC edges. */
export interface SidecarView {
  readonly appId: string;
  /** Whether a pub/sub component of this name is ready for the app. */
  hasPubsub(name: string): boolean;
  /**
   * Publishes a request. Order of checks: behaviour 1.2. Throws Refusal, or rejects with it; returns no promise if nothing has to be
   * awaited.
   */
  publish(request: Omit<PublishRequest, 'appId'>): { messageId: string } | Promise<{ messageId: string }>;
  publishBulk(
    request: Omit<PublishBulkRequest, 'appId'>,
  ): Promise<{ messageIds: readonly string[]; failedEntries: readonly FailedEntry[] }>;
  /** Throws Refusal ERR_MALFORMED_REQUEST or ERR_INVOKE_OUTPUT_BINDING; undefined = nothing returned (204). */
  invokeBinding(
    name: string,
    body: Uint8Array | string,
    trace: { traceparent?: string; tracestate?: string },
    given?: { readonly isBeginning: boolean },
  ): Promise<{ data?: Uint8Array | string; metadata?: Readonly<Record<string, string>> } | undefined>;
  /** Invokes an operation. Throws Refusal ERR_INVOKE_OUTPUT_BINDING; `data` reaches the component unchanged. */
  invokeOperation(
    name: string,
    operation: string,
    data: Uint8Array,
    metadata: Readonly<Record<string, string>>,
  ): Promise<{ data?: Uint8Array | string; metadata?: Readonly<Record<string, string>> } | undefined>;
  /** Throws Refusal ERR_PUBSUB_NOT_FOUND or ERR_PUBSUB_SUBSCRIBE_FORBIDDEN. Resolves once the subscription is served. */
  openStream(request: StreamRequest): Promise<OpenStream>;
  /** Turns in which the channel of a stream returns what its client has not answered. */
  readonly turns: Pick<StepTurns, 'make'>;
  /** True once the sidecar is being stopped: no new work begins. */
  readonly stopping: boolean;
  readonly healthy: boolean;
  readonly outboundHealthy: boolean;
  /** Names of the parts that are not ready; `runtime` while the app is awaited. */
  readonly notReady: readonly string[];
  metadata(): SidecarMetadata;
  setMetadata(key: string, value: string): void;
}

/**
 * A numbered event, built only when it is read. The object belongs to the ring and is overwritten when the ring has gone round, so call
 * `read` before keeping it for longer.
 */
export interface NotedEvent {
  readonly sequence: number;
  readonly type: ConsoleEvent['type'];
  /** Number of the event's message; undefined: the event is about no message, or names it by id only. */
  readonly number: number | undefined;
  readonly messageId: string | undefined;
  /** Approximate size of the event as JSON, in bytes. */
  readonly size: number;
  /** True: only what stands above is left of the event, and `read` throws. */
  readonly isGivenUp: boolean;
  read(): ConsoleEvent;
}

/** Source of the runtime's events for the console's streams. */
export interface EventSource {
  readonly epoch: string;
  /** Last number given. */
  readonly sequence: number;
  /** Last number up to which every event is published: one that is given may still be on its way. */
  readonly published: number;
  /** Number of the oldest event that the ring has; one above `sequence`: it has none. */
  readonly oldest: number;
  /** The event with this number; undefined: the ring does not have it. */
  at(sequence: number): NotedEvent | undefined;
  /** Events after `since` if the ring still has all that they say, else undefined. */
  since(since: number, limit: number): readonly NotedEvent[] | undefined;
  /**
   * Gives up what events say about messages with a number below `least`, oldest first, up to the first one about another message. It does
   * nothing while a client may ask for missed events.
   */
  giveUp(least: number): void;
  /**
   * From now on events about messages with this number or a higher one are counted and not kept, and the watch hears of them; Infinity: all events
   * are kept, as they are as soon as anybody else listens.
   * @returns whether any are counted: none are while somebody else listens, or a client may ask for missed events
   */
  countFrom(least: number): boolean;
  /** Called once per event, in order, synchronously; must not throw. */
  onEvent(take: (event: NotedEvent) => void): () => void;
  /** Watches without a call per event, for readers that take events out of the ring many at a time. Returns a function that ends it. */
  watch(watch: EventWatch): () => void;
}

/** One who reads events out of the ring later. `due` must not throw. */
export interface EventWatch {
  /** Number of the event with which `due` is called, and with each one after it. */
  dueAt: number;
  /** Bytes of events, as they are counted from now on, with which `due` is called as well. */
  dueBytes: number;
  /**
   * @param number number of the event that the ring has just taken
   * @param bytes bytes of events counted so far
   */
  due(number: number, bytes: number): void;
  /** Called with the number of a message that is new or has another row, if the event is counted and not kept. */
  counted(message: number): void;
}
