/**
 * Loads the gRPC library at the first connection, so that a sidecar without gRPC clients does not pay for it.
 */

export type GrpcLibrary = typeof import('@grpc/grpc-js');

/** Loads the library once; later calls return the same. */
export async function loadGrpc(): Promise<GrpcLibrary> {
  return import('@grpc/grpc-js');
}
