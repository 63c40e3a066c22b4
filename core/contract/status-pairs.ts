/**
 * Translates answers of the mock app into gRPC: its rules are written with HTTP statuses, whatever protocol
 * its app uses.
 */
import { grpcCode } from './grpc.ts';
import type { GrpcCodeName } from './grpc.ts';

/** Usual pairs of status and code. A code is translated back into the first of its statuses. */
const PAIRS: readonly (readonly [status: number, code: GrpcCodeName])[] = [
  [200, 'OK'],
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [408, 'DEADLINE_EXCEEDED'],
  [409, 'ABORTED'],
  [412, 'FAILED_PRECONDITION'],
  [416, 'OUT_OF_RANGE'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [500, 'INTERNAL'],
  [501, 'UNIMPLEMENTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
];

/** gRPC code of an HTTP status: any 2xx is OK, a status without a pair is UNKNOWN. */
export function grpcOfHttp(status: number): number {
  if (status >= 200 && status <= 299) return grpcCode('OK');
  return grpcCode(PAIRS.find(([one]) => one === status)?.[1] ?? 'UNKNOWN');
}

/** HTTP status that a rule needs for this code. A code without a pair becomes 520, which is UNKNOWN again. */
export function httpOfGrpc(code: number): number {
  return PAIRS.find(([, name]) => grpcCode(name) === code)?.[0] ?? 520;
}
