/** Names of gRPC that every room and every screen shares: status codes by number, and the methods of an app. */

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

/** Name of a status code; a number beyond the table is shown as `CODE_17`. */
export function grpcCodeName(code: number): string {
  return GRPC_CODES[code] ?? `CODE_${code}`;
}

/** How an app's address may begin. */
export type AppScheme = 'http' | 'https' | 'grpc' | 'grpcs';

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

/** What a message and its answer travel as between sidecar and app. */
export const PROTOCOLS = ['http', 'grpc'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/**
 * A status as filters compare it: HTTP statuses as they are, gRPC codes below zero, so that a comparison by size, which is about HTTP,
 * never meets one.
 */
export function filterStatus(status: number, protocol: Protocol | undefined): number {
  return protocol === 'grpc' ? -1 - status : status;
}

/** What a person writes for a code: `unavailable`, `deadline-exceeded`, `grpc-14`. undefined: it is not one of them. */
export function readFilterCode(text: string): number | undefined {
  const [, number] = /^grpc-(\d{1,9})$/i.exec(text) ?? [];
  if (number !== undefined) return filterStatus(Number(number), 'grpc');
  const at = GRPC_WORDS.indexOf(text.toLowerCase().replaceAll('_', '-'));
  return at < 0 ? undefined : filterStatus(at, 'grpc');
}

/** The word for a code that a filter compares with; undefined: it is none. */
export function printFilterCode(status: number): string | undefined {
  const code = -1 - status;
  if (!Number.isInteger(code) || code < 0 || code > 999_999_999) return undefined;
  return GRPC_WORDS[code] ?? `grpc-${code}`;
}

/** The codes as filters are offered them. */
export const GRPC_WORDS: readonly string[] = GRPC_CODES.map((name) =>
  name.toLowerCase().replaceAll('_', '-'),
);
