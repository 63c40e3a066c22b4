/** The only place where a refusal becomes a status of the sidecar's gRPC edge. */
import type { Metadata, ServiceError, StatusObject } from '@grpc/grpc-js';
import { shortened } from '../contract/cut-place.ts';
import { ERRORS } from '../contract/errors.ts';
import type { ErrorRow } from '../contract/errors.ts';
import { grpcCode } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import { errorBody } from '../domain/refusal.ts';
import type { Refusal, RefusalFacts } from '../domain/refusal.ts';
import { isObject } from '../domain/json.ts';
import type { Protocol } from '../grpc-protocol/protocol.ts';
import type { GrpcLibrary } from './library.ts';

/** Trailer in which clients expect details. */
const DETAILS = 'grpc-status-details-bin';
/**
 * Maximum number of bytes of details. Clients accept 8 KiB of trailers, and some end the whole connection beyond that, so long names and
 * metadata are not repeated there.
 */
const MAX_DETAILS = 4096;
/** Maximum number of characters of a text, of which each may take nine in the trailer. */
const MAX_TEXT = 400;
const TYPE_URL = 'type.googleapis.com/google.rpc.';

/** Ends a call with this code and text; `details` are those of the trailer. */
export class CallRefused extends Error {
  readonly code: number;
  readonly details: readonly ErrorDetail[];

  constructor(code: number, message: string, details: readonly ErrorDetail[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** A refused call. */
export interface RefusedCall {
  readonly path: string;
  /** Name of the code. */
  readonly status: string;
  readonly reason: string;
  /** True if the request is above the limit of one message, so that nobody has read it. */
  readonly isTooLarge?: true;
  /** Absent: the call was refused before it was read. */
  readonly refusal?: RefusalFacts;
}

/** One detail in the form of the HTTP edge: `@type` and the members of that type. */
export type ErrorDetail = Readonly<Record<string, unknown>>;

export interface ErrorFacts {
  /** Metadata of the refused publish, for its details. */
  readonly requestMetadata?: Readonly<Record<string, string>>;
  readonly bulk?: boolean;
}

/** A refusal as a gRPC status: text and details are those of HTTP, the code is that of the error table. */
export function callRefused(refusal: Refusal, profile: Profile, facts: ErrorFacts = {}): CallRefused {
  const { code, params, variant } = refusal;
  const row: ErrorRow = ERRORS[code];
  const chosen = code === 'ERR_PUBSUB_NOT_FOUND' ? notFound(variant) : variant;
  const hasMetadata = code !== 'ERR_PUBSUB_NOT_FOUND' || profile.differences.grpcNotFoundMetadata;
  const body = errorBody(code, params, profile, {
    requestMetadata: hasMetadata ? (facts.requestMetadata ?? {}) : {},
    ...(chosen === undefined ? {} : { variant: chosen }),
  });
  const details = body.details ?? [];
  const isBulkEvent = facts.bulk === true && code === 'ERR_PUBSUB_CLOUD_EVENTS_SER';
  return new CallRefused(
    row.grpc ?? grpcCode('INTERNAL'),
    body.message,
    isBulkEvent ? details.map((one) => withCause(one, profile.differences.grpcBulkCause)) : details,
  );
}

/**
 * Variant of the text. Over gRPC a bulk publish to a component that is missing or not ready has the text of a
 * single publish.
 */
function notFound(variant: string | undefined): string | undefined {
  return variant === 'not-ready' || variant === 'bulk-not-ready' ? 'not-ready' : undefined;
}

/** Adds the cause of a broken event in a bulk publish to a detail. */
function withCause(detail: ErrorDetail, name: string): ErrorDetail {
  const { metadata } = detail;
  if (!isObject(metadata)) return detail;
  const { error, ...others } = metadata;
  return { ...detail, metadata: { ...others, [name]: error } };
}

/** The status of an error with its trailer. */
export function statusOf(
  refused: CallRefused,
  { grpc, protocol }: { readonly grpc: GrpcLibrary; readonly protocol: Protocol },
): Pick<ServiceError, 'code' | 'details' | 'metadata'> {
  const { code } = refused;
  const message = shortened(refused.message, MAX_TEXT);
  const metadata: Metadata = new grpc.Metadata();
  if (refused.details.length > 0) {
    const details = refused.details.flatMap((detail) => encoded(detail, protocol) ?? []);
    const trailer = protocol.status.encode({ code, message, details });
    if (trailer.length <= MAX_DETAILS) metadata.set(DETAILS, trailer);
  }
  return { code, details: message, metadata };
}

/** A status as the error that the gRPC library expects from a handler. */
export function serviceError(status: Partial<StatusObject>): Partial<StatusObject> & Error {
  return Object.assign(new Error(status.details ?? ''), status);
}

function encoded(
  detail: ErrorDetail,
  protocol: Protocol,
): { readonly type_url: string; readonly value: Uint8Array } | undefined {
  const text = (name: string): string => {
    const value = detail[name];
    return typeof value === 'string' ? value : '';
  };
  const url = text('@type');
  switch (url.slice(TYPE_URL.length)) {
    case 'ErrorInfo':
      return {
        type_url: url,
        value: protocol.errorInfo.encode({
          reason: text('reason'),
          domain: text('domain'),
          metadata: textsOf(detail['metadata']),
        }),
      };
    case 'ResourceInfo':
      return {
        type_url: url,
        value: protocol.resourceInfo.encode({
          resource_type: text('resource_type'),
          resource_name: text('resource_name'),
          owner: text('owner'),
          description: text('description'),
        }),
      };
    default:
      return undefined;
  }
}

function textsOf(value: unknown): Record<string, string> {
  const members = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(members.map(([name, one]) => [name, String(one)]));
}
