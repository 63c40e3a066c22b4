/** The gRPC library, loaded with the first connection: a sidecar that nobody calls over gRPC pays nothing for it. */

export type GrpcLibrary = typeof import('@grpc/grpc-js');

/** Loaded once; later calls get the same. */
export async function loadGrpc(): Promise<GrpcLibrary> {
  return import('@grpc/grpc-js');
}
