/** A gRPC app whose methods a test writes as functions from request to reply; closed at the end of the test. */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { MessageCodec, Protocol } from '../../core/grpc-protocol/protocol.ts';
import { SELF_SIGNED } from '../support/self-signed.ts';

const TLS = ServerCredentials.createSsl(null, [
  { private_key: Buffer.from(SELF_SIGNED.key), cert_chain: Buffer.from(SELF_SIGNED.cert) },
]);

export interface RawGrpcApp {
  readonly url: string;
  readonly protocol: Protocol;
  /** Metadata of every call, in their order. */
  readonly metadata: Record<string, unknown>[];
  /** Throwing an object with `code` and `details` ends the call with them; `undefined`: it is never answered. */
  on<Request, Response>(
    method: string,
    request: MessageCodec<Request>,
    response: MessageCodec<Response>,
    answer: (request: Request) => Response | undefined,
  ): void;
  close(): void;
}

/** @param isTls whether it speaks TLS, with an untrusted certificate */
export async function rawGrpcApp(isTls = false): Promise<RawGrpcApp> {
  const protocol = await loadProtocol();
  const server = new Server();
  const metadata: Record<string, unknown>[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', isTls ? TLS : ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  const close = (): void => server.forceShutdown();
  onTestFinished(close);
  return {
    url: `${isTls ? 'grpcs' : 'grpc'}://127.0.0.1:${port}`,
    protocol,
    metadata,
    close,
    on: (method, request, response, answer) => {
      const handler = (
        call: ServerUnaryCall<Parameters<typeof answer>[0], Buffer>,
        done: sendUnaryData<Buffer>,
      ): void => {
        metadata.push(call.metadata.getMap());
        try {
          const reply = answer(call.request);
          if (reply !== undefined) done(null, response.encode(reply));
        } catch (error) {
          done(error as { code: number; details: string });
        }
      };
      server.register(
        method,
        handler,
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => request.decode(bytes),
        'unary',
      );
    },
  };
}
