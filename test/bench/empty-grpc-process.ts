/** A gRPC server of the library that the product uses, with a publish that does nothing: what the library alone takes. */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';

type Empty = Readonly<Record<string, never>>;

const { publishEventRequest, empty } = await loadProtocol();
const server = new Server();
server.register(
  '/dapr.proto.runtime.v1.Dapr/PublishEvent',
  (_call: ServerUnaryCall<unknown, Empty>, done: sendUnaryData<Empty>) => done(null, {}),
  (reply) => empty.encode(reply),
  (bytes) => publishEventRequest.decode(bytes),
  'unary',
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.send?.({ port });
});
process.on('disconnect', () => process.exit());
