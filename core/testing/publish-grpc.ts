/** Publishes one event over gRPC, as an app's SDK does. */
import { Client, credentials } from '@grpc/grpc-js';
import type { StepOf } from '../contract/scenario.ts';
import { loadProtocol } from '../grpc-protocol/protocol.ts';
import { PUBSUB } from '../scenario/acts.ts';
import { ExpectationFailed } from '../scenario/expectation-failed.ts';

const METHOD = '/dapr.proto.runtime.v1.Dapr/PublishEvent';
const CALL_MS = 10_000;

/**
 * Publishes an event. A string is sent unchanged, any other value as JSON. Rejects with ExpectationFailed if the sidecar refuses it.
 * @param address HOST:PORT of the sidecar's gRPC port
 */
export async function publishGrpc(
  address: string,
  { pubsubname = PUBSUB, topic, data, contentType, metadata = {} }: StepOf<'publishGrpc'>['publishGrpc'],
): Promise<void> {
  const { publishEventRequest, empty } = await loadProtocol();
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
  const request = {
    pubsub_name: pubsubname,
    topic,
    data: Buffer.from(text),
    data_content_type: contentType ?? (typeof data === 'string' ? 'text/plain' : 'application/json'),
    metadata,
  };
  const client = new Client(address, credentials.createInsecure(), { 'grpc.enable_http_proxy': 0 });
  try {
    await new Promise<void>((resolve, reject) => {
      client.makeUnaryRequest(
        METHOD,
        (value) => publishEventRequest.encode(value),
        (bytes) => empty.decode(bytes),
        request,
        { deadline: Date.now() + CALL_MS },
        (error) =>
          error === null
            ? resolve()
            : reject(new ExpectationFailed([`the sidecar refused it: ${error.message}`])),
      );
    });
  } finally {
    client.close();
  }
}
