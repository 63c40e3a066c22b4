/** The one table of error codes: the text of each, and its status or number at every edge. */

/** Names the facts that the ErrorInfo of a refused publish has in its `metadata`. */
export type ErrorInfoFacts = 'request-metadata' | 'app' | 'app-error' | 'topic-error';

/** The machine-readable part of a refused publish. `reason` is written without the profile's prefix. */
export interface ErrorDetails {
  readonly reason: string;
  readonly facts: ErrorInfoFacts;
  /** Whether a ResourceInfo follows the ErrorInfo. */
  readonly resource: boolean;
  /** Text of the ResourceInfo; absent: the message. */
  readonly description?: string;
}

/** A second text under the same code. */
export interface ErrorVariant {
  readonly says: string;
  readonly details?: ErrorDetails;
}

/**
 * One error code. `says` is its text: `{name}` is filled from `params`, and `{name|text}` becomes `text`
 * without that parameter. `publish`, `bulk`, `health`, `binding` and `other` are HTTP statuses by route,
 * `grpc` is the gRPC code, `rpc` the JSON-RPC number.
 */
export interface ErrorRow {
  readonly says: string;
  readonly publish?: number;
  readonly bulk?: number;
  readonly health?: number;
  readonly binding?: number;
  readonly other?: number;
  /** gRPC status code; absent: INTERNAL. */
  readonly grpc?: number;
  readonly rpc?: number;
  readonly details?: ErrorDetails;
  readonly variants?: Readonly<Record<string, ErrorVariant>>;
}

export const ERRORS = {
  ERR_PUBSUB_NOT_FOUND: {
    says: 'pubsub {pubsubname} is not found',
    publish: 404,
    bulk: 400,
    grpc: 3,
    rpc: -32004,
    details: { reason: 'NOT_FOUND', facts: 'request-metadata', resource: false },
    variants: {
      bulk: {
        says: "pubsub '{pubsubname}' not found",
        details: { reason: 'TESTNOT_FOUND', facts: 'topic-error', resource: true },
      },
      'not-ready': {
        says: 'pubsub {pubsubname} is not ready: {reason}',
        details: { reason: 'NOT_FOUND', facts: 'request-metadata', resource: false },
      },
      'bulk-not-ready': {
        says: 'pubsub {pubsubname} is not ready: {reason}',
        details: { reason: 'TESTNOT_FOUND', facts: 'topic-error', resource: true },
      },
    },
  },
  ERR_PUBSUB_EMPTY: {
    says: 'pubsub name is empty',
    publish: 404,
    bulk: 404,
    grpc: 3,
    rpc: -32602,
    details: { reason: 'NAME_EMPTY', facts: 'request-metadata', resource: true },
  },
  ERR_TOPIC_EMPTY: {
    says: 'topic is empty in pubsub {pubsubname}',
    publish: 404,
    bulk: 404,
    grpc: 3,
    rpc: -32602,
    details: { reason: 'TOPICNAME_EMPTY', facts: 'request-metadata', resource: true },
  },
  ERR_PUBSUB_FORBIDDEN: {
    says: 'topic {topic} is not allowed for app id {appId}',
    publish: 403,
    bulk: 403,
    grpc: 7,
    rpc: -32003,
    details: { reason: 'FORBIDDEN', facts: 'topic-error', resource: true },
  },
  ERR_PUBSUB_SUBSCRIBE_FORBIDDEN: {
    says: "failed to create subscription for {pubsubname}: subscription to topic '{topic}' on pubsub '{pubsubname}' is not allowed",
    grpc: 7,
  },
  ERR_PUBSUB_REQUEST_METADATA: {
    says: 'failed deserializing metadata. Error: {reason}',
    publish: 400,
    bulk: 400,
    grpc: 3,
    rpc: -32602,
    details: { reason: 'METADATA_DESERIALIZATION', facts: 'request-metadata', resource: true },
  },
  ERR_PUBSUB_CLOUD_EVENTS_SER: {
    says: 'cannot create cloudevent',
    publish: 500,
    grpc: 3,
    rpc: -32602,
    details: { reason: 'CLOUD_EVENT_CREATION', facts: 'app-error', resource: true },
  },
  ERR_PUBSUB_EVENTS_SER: {
    says: 'error when unmarshaling the request for topic {topic} pubsub {pubsubname}: {reason}',
    bulk: 400,
    grpc: 3,
    rpc: -32602,
    details: { reason: 'UNMARSHAL_EVENTS', facts: 'app', resource: true },
    variants: {
      event: {
        says: 'error marshaling events to bytes for topic {topic} pubsub {pubsubname}. error: {reason}',
        details: {
          reason: 'MARSHAL_EVENTS',
          facts: 'app-error',
          resource: true,
          description: 'error marshaling events to bytes for topic {topic} pubsub {pubsubname}',
        },
      },
      entry: {
        says: 'error marshaling events to bytes for topic {topic} pubsub {pubsubname}. error: {reason}',
        details: {
          reason: 'MARSHAL_EVENTS',
          facts: 'app-error',
          resource: true,
          description: 'error marshaling events to bytes for topic {topic} pubsub {pubsubname}',
        },
      },
    },
  },
  ERR_PUBSUB_PUBLISH_MESSAGE: {
    says: 'error when publishing to topic {topic} in pubsub {pubsubname}: {reason}',
    publish: 500,
    bulk: 500,
    grpc: 13,
    rpc: -32010,
    details: { reason: 'PUBLISH_MESSAGE', facts: 'topic-error', resource: true },
  },
  ERR_HEALTH_NOT_READY: {
    says: '{product} is not ready',
    health: 500,
    variants: { parts: { says: '{product} is not ready: [{parts}]' } },
  },
  ERR_OUTBOUND_HEALTH_NOT_READY: { says: '{product} outbound is not ready', health: 500 },
  ERR_HEALTH_APPID_NOT_MATCH: { says: '{product} app-id does not match', health: 500 },
  ERR_DIRECT_INVOKE: {
    says: 'failed getting app id either from the URL path or the header {product}-app-id',
    other: 404,
  },
  ERR_INVOKE_OUTPUT_BINDING: {
    says: 'error invoking output binding {name}: {reason}',
    binding: 500,
    grpc: 13,
  },
  ERR_MALFORMED_REQUEST: {
    says: 'failed deserializing HTTP body: {reason}',
    publish: 400,
    bulk: 400,
    health: 400,
    binding: 400,
    other: 400,
    grpc: 3,
    variants: {
      path: { says: 'the path has a % without two hexadecimal digits after it' },
      request: { says: 'the request cannot be read: {reason}' },
      attributes: { says: 'too many metadata attributes: {reason}' },
    },
  },
  ERR_ANSWER_NO_ROOM: { says: 'the answer has no room in memory: {reason}', other: 500 },
  PARSE_ERROR: {
    says: 'The request is not JSON: {reason|it could not be read}.',
    rpc: -32700,
    variants: { depth: { says: 'The request is nested deeper than {levels|1000} levels.' } },
  },
  INVALID_REQUEST: {
    says: 'Not a JSON-RPC 2.0 request: {reason|jsonrpc, method or params are wrong}.',
    rpc: -32600,
  },
  METHOD_NOT_FOUND: { says: 'There is no method {method}.', rpc: -32601 },
  INVALID_PARAMS: { says: '{reason|The parameters are not valid.}', rpc: -32602 },
  NOT_FOUND: { says: '{reason|There is no such thing.}', rpc: -32004 },
  TRANSITION_NOT_ALLOWED: {
    says: '{reason|The state of this delivery does not allow it.}',
    rpc: -32009,
  },
  FILTER_SYNTAX: { says: '{reason|The filter could not be read.}', rpc: -32602 },
  TOO_LARGE: { says: '{reason|Over a size limit.}', grpc: 8, rpc: -32013 },
  UNAUTHORIZED: { says: '{reason|No token, or a wrong one.}', rpc: -32001 },
  INTERNAL: { says: '{reason|Something went wrong inside Sidelight.}', rpc: -32603 },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof ERRORS;

/** JSON of the sidecar's HTTP errors. The members are sent in this order. */
export interface ErrorBody {
  /** A code of the table, or the code that another release of the reference uses instead. */
  readonly errorCode: string;
  readonly message: string;
  readonly details?: readonly Readonly<Record<string, unknown>>[];
}
