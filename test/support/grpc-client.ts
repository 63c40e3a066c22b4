/** A client of one sidecar that sends our messages as bytes and gives back what came: replies, codes, details. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { GRPC_CODES } from '../../core/contract/grpc.ts';
import type { InitialRequest, StreamRequest, StreamResponse } from '../../core/grpc-protocol/messages.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { MessageCodec, Protocol } from '../../core/grpc-protocol/protocol.ts';

export const SERVICE = '/dapr.proto.runtime.v1.Dapr';

export interface Failed {
  readonly code: string;
  readonly text: string;
  /** Reasons and resources of the trailer, in their order. */
  readonly details: readonly object[];
}

export interface RawClient {
  readonly protocol: Protocol;
  /** The reply, or what the call failed with. */
  call<Request, Response>(
    method: string,
    request: MessageCodec<Request>,
    message: Request,
    response: MessageCodec<Response>,
    metadata?: Readonly<Record<string, string | Buffer>>,
  ): Promise<Response | Failed>;
  stream(): RawStream;
}

export interface RawStream {
  send(message: StreamRequest): void;
  subscribe(initial: Partial<InitialRequest>): void;
  /** The next message; what the stream ended with; `ended`. */
  next(): Promise<StreamResponse | Failed | 'ended'>;
  /** Half-close. */
  end(): void;
  cancel(): void;
  /** Takes nothing from the connection until `resume`. */
  pause(): void;
  resume(): void;
}

/**
 * Closed by whoever opens it.
 * @param address `127.0.0.1:50001`
 */
export async function openClient(address: string): Promise<RawClient & { close(): void }> {
  const protocol = await loadProtocol();
  const client = new Client(address, credentials.createInsecure(), { 'grpc.enable_http_proxy': 0 });
  return {
    protocol,
    close: () => client.close(),
    call: (method, request, message, response, metadata = {}) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(
          method.startsWith('/') ? method : `${SERVICE}/${method}`,
          (value) => request.encode(value),
          (bytes: Buffer) => response.decode(bytes),
          message,
          metadataOf(metadata),
          { deadline: Date.now() + 10_000 },
          (error, reply) => resolve(error === null && reply !== undefined ? reply : failed(error, protocol)),
        );
      }),
    stream: () => {
      const call = client.makeBidiStreamRequest<StreamRequest, StreamResponse>(
        `${SERVICE}/SubscribeTopicEventsAlpha1`,
        (value) => protocol.streamRequest.encode(value),
        (bytes) => protocol.streamResponse.decode(bytes),
        new Metadata(),
        {},
      );
      const came: (StreamResponse | Failed | 'ended')[] = [];
      const waiting: ((one: StreamResponse | Failed | 'ended') => void)[] = [];
      const push = (one: StreamResponse | Failed | 'ended'): void => {
        const go = waiting.shift();
        if (go === undefined) came.push(one);
        else go(one);
      };
      call.on('data', push);
      call.on('error', (error: ServiceError) => push(failed(error, protocol)));
      call.on('end', () => push('ended'));
      return {
        send: (message) => void call.write(message),
        subscribe: (initial) =>
          void call.write({
            initial_request: { pubsub_name: 'pubsub', topic: 'orders', metadata: {}, ...initial },
          }),
        next: () => {
          const first = came.shift();
          return first === undefined ? new Promise((go) => waiting.push(go)) : Promise.resolve(first);
        },
        end: () => void call.end(),
        cancel: () => call.cancel(),
        pause: () => void call.pause(),
        resume: () => void call.resume(),
      };
    },
  };
}

function metadataOf(given: Readonly<Record<string, string | Buffer>>): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(given)) metadata.set(key, value);
  return metadata;
}

function failed(error: ServiceError | null, protocol: Protocol): Failed {
  if (error === null) throw new Error('the call had neither reply nor error');
  const [trailer] = error.metadata.get('grpc-status-details-bin');
  const details = Buffer.isBuffer(trailer) ? protocol.status.decode(trailer).details : [];
  return {
    code: GRPC_CODES[error.code] ?? String(error.code),
    text: error.details,
    details: details.map(({ type_url: url, value }) =>
      url.endsWith('ErrorInfo')
        ? { ...protocol.errorInfo.decode(value) }
        : { ...protocol.resourceInfo.decode(value) },
    ),
  };
}
