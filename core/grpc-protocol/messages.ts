/**
 * Shapes of the messages, named as on the wire. A member that was not sent has its zero value; bytes that
 * were not sent are `[]`.
 */
import type { Wire } from '../domain/codec.ts';
import type { TopicEvent } from '../domain/topic-event.ts';

type Texts = Readonly<Record<string, string>>;
/** Bytes that were received; `[]` if none were sent. */
type ReadBytes = Uint8Array | readonly number[];

export type Empty = Readonly<Record<string, never>>;

export interface PublishEventRequest {
  readonly pubsub_name: string;
  readonly topic: string;
  readonly data: ReadBytes;
  readonly data_content_type: string;
  readonly metadata: Texts;
}

export interface BulkPublishRequest {
  readonly pubsub_name: string;
  readonly topic: string;
  readonly entries: readonly {
    readonly entry_id: string;
    readonly event: ReadBytes;
    readonly content_type: string;
    readonly metadata: Texts;
  }[];
  readonly metadata: Texts;
}

export interface BulkPublishResponse {
  readonly failedEntries: readonly { readonly entry_id: string; readonly error: string }[];
}

/** Status of one event: 0 SUCCESS, 1 RETRY, 2 DROP; an app may send any other number. */
export interface TopicEventResponse {
  readonly status: number;
}

export interface InitialRequest {
  readonly pubsub_name: string;
  readonly topic: string;
  readonly metadata: Texts;
  readonly dead_letter_topic?: string | null;
}

export interface StreamRequest {
  readonly initial_request?: InitialRequest | null;
  readonly event_processed?: { readonly id: string; readonly status?: TopicEventResponse | null } | null;
}

export interface StreamResponse {
  readonly initial_response?: Empty;
  readonly event_message?: EncodedTopicEvent;
}

export interface GetMetadataResponse {
  readonly id: string;
  readonly registered_components: readonly {
    readonly name: string;
    readonly type: string;
    readonly version: string;
    readonly capabilities: readonly string[];
  }[];
  readonly extended_metadata: Texts;
  readonly subscriptions: readonly {
    readonly pubsub_name: string;
    readonly topic: string;
    readonly metadata: Texts;
    readonly rules: { readonly rules: readonly { readonly match: string; readonly path: string }[] };
    readonly dead_letter_topic: string;
    readonly type: number;
  }[];
  readonly app_connection_properties: {
    readonly port: number;
    readonly protocol: string;
    readonly channel_address: string;
    readonly max_concurrency: number;
    readonly health?: {
      readonly health_check_path: string;
      readonly health_probe_interval: string;
      readonly health_probe_timeout: string;
      readonly health_threshold: number;
    };
  };
  readonly runtime_version: string;
  readonly enabled_features: readonly string[];
  readonly actor_runtime: { readonly runtime_status: number; readonly placement: string };
}

export interface SetMetadataRequest {
  readonly key: string;
  readonly value: string;
}

export interface InvokeBindingRequest {
  readonly name: string;
  readonly data: ReadBytes;
  readonly metadata: Texts;
  readonly operation: string;
}

export interface InvokeBindingResponse {
  readonly data: Uint8Array;
  readonly metadata: Texts;
}

/** An event in the form that is encoded; see `topicEventOf`. */
export interface EncodedTopicEvent extends Omit<TopicEvent, 'data' | 'extensions'> {
  readonly data: Uint8Array;
  readonly extensions: Struct;
}

export interface TopicEventBulkRequest {
  readonly id: string;
  readonly entries: readonly {
    readonly entry_id: string;
    readonly bytes?: Uint8Array;
    readonly cloud_event?: Omit<EncodedTopicEvent, 'topic' | 'pubsub_name' | 'path'>;
    readonly content_type: string;
    readonly metadata: Texts;
  }[];
  readonly metadata: Texts;
  readonly topic: string;
  readonly pubsub_name: string;
  readonly type: string;
  readonly path: string;
}

export interface TopicEventBulkResponse {
  readonly statuses: readonly { readonly entry_id: string; readonly status: number }[];
}

export interface ListTopicSubscriptionsResponse {
  readonly subscriptions: readonly {
    readonly pubsub_name: string;
    readonly topic: string;
    readonly metadata: Texts;
    readonly routes?: {
      readonly rules: readonly { readonly match: string; readonly path: string }[];
      readonly default: string;
    } | null;
    readonly dead_letter_topic: string;
    readonly bulk_subscribe?: {
      readonly enabled: boolean;
      readonly max_messages_count: number;
      readonly max_await_duration_ms: number;
    } | null;
  }[];
}

export interface ListInputBindingsResponse {
  readonly bindings: readonly string[];
}

export interface BindingEventRequest {
  readonly name: string;
  readonly data: ReadBytes;
  readonly metadata: Texts;
}

export interface BindingEventResponse {
  readonly to: readonly string[];
  readonly data: ReadBytes;
}

/** Details of a refused call beside its code and text. */
export interface StatusDetails {
  readonly code: number;
  readonly message: string;
  readonly details: readonly { readonly type_url: string; readonly value: Uint8Array }[];
}

export interface ErrorInfo {
  readonly reason: string;
  readonly domain: string;
  readonly metadata: Texts;
}

export interface ResourceInfo {
  readonly resource_type: string;
  readonly resource_name: string;
  readonly owner: string;
  readonly description: string;
}

/** JSON as protocol buffers: an object, and a value inside one. */
export interface Struct {
  readonly fields: Readonly<Record<string, StructValue>>;
}

export type StructValue =
  | { readonly nullValue: 0 }
  | { readonly numberValue: number }
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly structValue: Struct }
  | { readonly listValue: { readonly values: readonly StructValue[] } };

/** Copies the bytes of a text or of bytes, so that a member does not keep the decoded message in memory. */
export function ownBytes(bytes: ReadBytes | Wire): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : Buffer.from(bytes);
}
