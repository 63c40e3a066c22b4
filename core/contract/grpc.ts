/** Names of gRPC that all rooms and screens share: status codes by number, and the methods of an app. */

/** Status codes in the order of their numbers, from 0. */
export const GRPC_CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;
export type GrpcCodeName = (typeof GRPC_CODES)[number];

/** Number of a status code. */
export function grpcCode(name: GrpcCodeName): number {
  return GRPC_CODES.indexOf(name);
}

/** Name of a status code; a number without a name becomes `CODE_17`. */
export function grpcCodeName(code: number): string {
  return GRPC_CODES[code] ?? `CODE_${code}`;
}

/** Schemes of an app's address; `h2c` is HTTP/2 without TLS that is not gRPC. */
export type AppScheme = 'http' | 'https' | 'h2c' | 'grpc' | 'grpcs';

/**
 * What a port speaks. `http2-tls`: HTTP/2 over TLS that is not gRPC, which no scheme names. `some-http2` and
 * `some-http2-tls`: HTTP/2, and it is not known whether gRPC.
 */
export type PortProtocol = AppScheme | 'http2-tls' | 'some-http2' | 'some-http2-tls';

/** Content type of gRPC, with its variants behind it. */
export const GRPC_TYPE = 'application/grpc';

/** Whether a content type is one of gRPC, in the letter case that the reference wants. */
export function isGrpcType(type: string | undefined): boolean {
  return type !== undefined && /^application\/grpc(?:$|[+;])/.test(type);
}

const CALLBACK = '/dapr.proto.runtime.v1.AppCallback';

/** Full names of the methods that an app serves. They are the same in every profile: stock SDKs know no others. */
export const APP_METHODS = {
  listTopicSubscriptions: `${CALLBACK}/ListTopicSubscriptions`,
  onTopicEvent: `${CALLBACK}/OnTopicEvent`,
  onBulkTopicEvent: `${CALLBACK}/OnBulkTopicEvent`,
  onBulkTopicEventAlpha1: '/dapr.proto.runtime.v1.AppCallbackAlpha/OnBulkTopicEventAlpha1',
  listInputBindings: `${CALLBACK}/ListInputBindings`,
  onBindingEvent: `${CALLBACK}/OnBindingEvent`,
  healthCheck: '/dapr.proto.runtime.v1.AppCallbackHealthCheck/HealthCheck',
} as const;

/** Protocols of messages and answers between sidecar and app. */
export const PROTOCOLS = ['http', 'grpc'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/**
 * A status as filters compare it. HTTP statuses stay as they are; gRPC codes become negative, so that a
 * comparison by size, which is about HTTP, never matches one.
 */
export function filterStatus(status: number, protocol: Protocol | undefined): number {
  return protocol === 'grpc' ? -1 - status : status;
}

/**
 * Reads a code as a person writes it: `unavailable`, `deadline-exceeded`, `grpc-14`. undefined: the text is
 * no code.
 */
export function readFilterCode(text: string): number | undefined {
  const [, number] = /^grpc-(\d{1,9})$/i.exec(text) ?? [];
  if (number !== undefined) return filterStatus(Number(number), 'grpc');
  const at = GRPC_WORDS.indexOf(text.toLowerCase().replaceAll('_', '-'));
  return at < 0 ? undefined : filterStatus(at, 'grpc');
}

/** The word for a code that a filter compares with; undefined: the status is no gRPC code. */
export function printFilterCode(status: number): string | undefined {
  const code = -1 - status;
  if (!Number.isInteger(code) || code < 0 || code > 999_999_999) return undefined;
  return GRPC_WORDS[code] ?? `grpc-${code}`;
}

/** Words that a filter offers for gRPC codes. */
const GRPC_WORDS: readonly string[] = GRPC_CODES.map((name) => name.toLowerCase().replaceAll('_', '-'));
