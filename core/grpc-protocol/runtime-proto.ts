/**
 * The part of the runtime's gRPC interface that concerns messages, in the language of protocol buffers.
 * Package, services, methods and field numbers are those that stock SDKs use; the decoder skips all other
 * fields.
 */
export const RUNTIME_PROTO = `
syntax = "proto3";
package dapr.proto.runtime.v1;
import "google/protobuf/empty.proto";
import "google/protobuf/struct.proto";

service Dapr {
  rpc PublishEvent(PublishEventRequest) returns (google.protobuf.Empty);
  rpc BulkPublishEvent(BulkPublishRequest) returns (BulkPublishResponse);
  rpc BulkPublishEventAlpha1(BulkPublishRequest) returns (BulkPublishResponse);
  rpc SubscribeTopicEventsAlpha1(stream SubscribeTopicEventsRequestAlpha1) returns (stream SubscribeTopicEventsResponseAlpha1);
  rpc GetMetadata(GetMetadataRequest) returns (GetMetadataResponse);
  rpc SetMetadata(SetMetadataRequest) returns (google.protobuf.Empty);
  rpc Shutdown(ShutdownRequest) returns (google.protobuf.Empty);
  rpc InvokeBinding(InvokeBindingRequest) returns (InvokeBindingResponse);
}

message PublishEventRequest {
  string pubsub_name = 1;
  string topic = 2;
  bytes data = 3;
  string data_content_type = 4;
  map<string, string> metadata = 5;
}
message BulkPublishRequest {
  string pubsub_name = 1;
  string topic = 2;
  repeated BulkPublishRequestEntry entries = 3;
  map<string, string> metadata = 4;
}
message BulkPublishRequestEntry {
  string entry_id = 1;
  bytes event = 2;
  string content_type = 3;
  map<string, string> metadata = 4;
}
message BulkPublishResponse { repeated BulkPublishResponseFailedEntry failedEntries = 1; }
message BulkPublishResponseFailedEntry {
  string entry_id = 1;
  string error = 2;
}

message SubscribeTopicEventsRequestAlpha1 {
  oneof subscribe_topic_events_request_type {
    SubscribeTopicEventsRequestInitialAlpha1 initial_request = 1;
    SubscribeTopicEventsRequestProcessedAlpha1 event_processed = 2;
  }
}
message SubscribeTopicEventsRequestInitialAlpha1 {
  string pubsub_name = 1;
  string topic = 2;
  map<string, string> metadata = 3;
  optional string dead_letter_topic = 4;
}
message SubscribeTopicEventsRequestProcessedAlpha1 {
  string id = 1;
  TopicEventResponse status = 2;
}
message SubscribeTopicEventsResponseAlpha1 {
  oneof subscribe_topic_events_response_type {
    SubscribeTopicEventsResponseInitialAlpha1 initial_response = 1;
    TopicEventRequest event_message = 2;
  }
}
message SubscribeTopicEventsResponseInitialAlpha1 {}

message GetMetadataRequest {}
message GetMetadataResponse {
  string id = 1;
  repeated ActiveActorsCount active_actors_count = 2;
  repeated RegisteredComponents registered_components = 3;
  map<string, string> extended_metadata = 4;
  repeated PubsubSubscription subscriptions = 5;
  repeated MetadataHTTPEndpoint http_endpoints = 6;
  AppConnectionProperties app_connection_properties = 7;
  string runtime_version = 8;
  repeated string enabled_features = 9;
  ActorRuntime actor_runtime = 10;
}
message ActiveActorsCount {
  string type = 1;
  int32 count = 2;
}
message RegisteredComponents {
  string name = 1;
  string type = 2;
  string version = 3;
  repeated string capabilities = 4;
}
message MetadataHTTPEndpoint { string name = 1; }
enum PubsubSubscriptionType {
  UNKNOWN = 0;
  DECLARATIVE = 1;
  PROGRAMMATIC = 2;
  STREAMING = 3;
}
message PubsubSubscription {
  string pubsub_name = 1;
  string topic = 2;
  map<string, string> metadata = 3;
  PubsubSubscriptionRules rules = 4;
  string dead_letter_topic = 5;
  PubsubSubscriptionType type = 6;
}
message PubsubSubscriptionRules { repeated PubsubSubscriptionRule rules = 1; }
message PubsubSubscriptionRule {
  string match = 1;
  string path = 2;
}
message AppConnectionProperties {
  int32 port = 1;
  string protocol = 2;
  string channel_address = 3;
  int32 max_concurrency = 4;
  AppConnectionHealthProperties health = 5;
}
message AppConnectionHealthProperties {
  string health_check_path = 1;
  string health_probe_interval = 2;
  string health_probe_timeout = 3;
  int32 health_threshold = 4;
}
message ActorRuntime {
  enum ActorRuntimeStatus {
    INITIALIZING = 0;
    DISABLED = 1;
    RUNNING = 2;
  }
  ActorRuntimeStatus runtime_status = 1;
  repeated ActiveActorsCount active_actors = 2;
  bool host_ready = 3;
  string placement = 4;
}
message SetMetadataRequest {
  string key = 1;
  string value = 2;
}
message ShutdownRequest {}

message InvokeBindingRequest {
  string name = 1;
  bytes data = 2;
  map<string, string> metadata = 3;
  string operation = 4;
}
message InvokeBindingResponse {
  bytes data = 1;
  map<string, string> metadata = 2;
}

message TopicEventRequest {
  string id = 1;
  string source = 2;
  string type = 3;
  string spec_version = 4;
  string data_content_type = 5;
  string topic = 6;
  bytes data = 7;
  string pubsub_name = 8;
  string path = 9;
  google.protobuf.Struct extensions = 10;
}
message TopicEventResponse {
  enum TopicEventResponseStatus {
    SUCCESS = 0;
    RETRY = 1;
    DROP = 2;
  }
  TopicEventResponseStatus status = 1;
}
`;

/** Services of an app: discovery, deliveries, bindings, health. */
export const CALLBACK_PROTO = `
syntax = "proto3";
package dapr.proto.runtime.v1;
import "google/protobuf/empty.proto";
import "google/protobuf/struct.proto";

service AppCallback {
  rpc ListTopicSubscriptions(google.protobuf.Empty) returns (ListTopicSubscriptionsResponse);
  rpc OnTopicEvent(TopicEventRequest) returns (TopicEventResponse);
  rpc OnBulkTopicEvent(TopicEventBulkRequest) returns (TopicEventBulkResponse);
  rpc ListInputBindings(google.protobuf.Empty) returns (ListInputBindingsResponse);
  rpc OnBindingEvent(BindingEventRequest) returns (BindingEventResponse);
}
service AppCallbackAlpha {
  rpc OnBulkTopicEventAlpha1(TopicEventBulkRequest) returns (TopicEventBulkResponse);
}
service AppCallbackHealthCheck {
  rpc HealthCheck(google.protobuf.Empty) returns (HealthCheckResponse);
}

message ListTopicSubscriptionsResponse { repeated TopicSubscription subscriptions = 1; }
message TopicSubscription {
  string pubsub_name = 1;
  string topic = 2;
  map<string, string> metadata = 3;
  TopicRoutes routes = 5;
  string dead_letter_topic = 6;
  BulkSubscribeConfig bulk_subscribe = 7;
}
message TopicRoutes {
  repeated TopicRule rules = 1;
  string default = 2;
}
message TopicRule {
  string match = 1;
  string path = 2;
}
message BulkSubscribeConfig {
  bool enabled = 1;
  int32 max_messages_count = 2;
  int32 max_await_duration_ms = 3;
}
message TopicEventCERequest {
  string id = 1;
  string source = 2;
  string type = 3;
  string spec_version = 4;
  string data_content_type = 5;
  bytes data = 6;
  google.protobuf.Struct extensions = 7;
}
message TopicEventBulkRequestEntry {
  string entry_id = 1;
  oneof event {
    bytes bytes = 2;
    TopicEventCERequest cloud_event = 3;
  }
  string content_type = 4;
  map<string, string> metadata = 5;
}
message TopicEventBulkRequest {
  string id = 1;
  repeated TopicEventBulkRequestEntry entries = 2;
  map<string, string> metadata = 3;
  string topic = 4;
  string pubsub_name = 5;
  string type = 6;
  string path = 7;
}
message TopicEventBulkResponse { repeated TopicEventBulkResponseEntry statuses = 1; }
message TopicEventBulkResponseEntry {
  string entry_id = 1;
  TopicEventResponse.TopicEventResponseStatus status = 2;
}
message ListInputBindingsResponse { repeated string bindings = 1; }
message BindingEventRequest {
  string name = 1;
  bytes data = 2;
  map<string, string> metadata = 3;
}
message BindingEventResponse {
  enum BindingEventConcurrency {
    SEQUENTIAL = 0;
    PARALLEL = 1;
  }
  string store_name = 1;
  repeated string to = 3;
  bytes data = 4;
  BindingEventConcurrency concurrency = 5;
}
message HealthCheckResponse {}
`;

/** Details of a refused call beside code and text. */
export const STATUS_PROTO = `
syntax = "proto3";
package google.rpc;
import "google/protobuf/any.proto";

message Status {
  int32 code = 1;
  string message = 2;
  repeated google.protobuf.Any details = 3;
}
message ErrorInfo {
  string reason = 1;
  string domain = 2;
  map<string, string> metadata = 3;
}
message ResourceInfo {
  string resource_type = 1;
  string resource_name = 2;
  string owner = 3;
  string description = 4;
}
`;
