/**
 * A gRPC server of the library that the product uses, with a publish that does nothing: what the library alone takes, and with the front
 * of the product before it.
 */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { openFront } from '../../core/grpc/front.ts';
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
const port = await new Promise<number>((resolve, reject) => {
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
    error === null ? resolve(bound) : reject(error),
  );
});
const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
const front = await openFront({
  hosts: ['127.0.0.1'],
  port: 0,
  take: (socket) => injector.injectConnection(socket),
  http1Answer: () => '',
  onForeign: () => undefined,
});
process.send?.({ port, front: front.port });
process.on('disconnect', () => process.exit());
