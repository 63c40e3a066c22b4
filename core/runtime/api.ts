/** Shapes in which the edges hand work to the runtime and see it: publish requests, an app's sidecar, events. */
import type { ConsoleEvent } from '../contract/console.ts';
import type { Origin } from '../contract/message.ts';
import type { FailedEntry } from '../contract/publish.ts';
import type { GivenCaller } from './publishing/callers.ts';

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
  /** Over HTTP. */
  readonly caller?: GivenCaller;
}

export interface PublishBulkRequest {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** The JSON array of entries, as bytes, text, or already parsed (console). */
  readonly body: Uint8Array | string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly source: Origin;
  readonly flags?: readonly string[];
  /** Over HTTP. */
  readonly caller?: GivenCaller;
}

/** One app's sidecar, as its HTTP edge needs it. */
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
  readonly healthy: boolean;
  readonly outboundHealthy: boolean;
  /** Members of `GET /v1.0/metadata`, in their order (behaviour 7.2). */
  metadata(): Record<string, unknown>;
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
