/**
 * Publishers over gRPC, in a process of their own: each sends, waits for the answer, and sends again, all on one connection as the
 * publishers of one app are. Written on HTTP/2 itself, so that the client costs little beside what is measured.
 */
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { Protocol } from '../../core/grpc-protocol/protocol.ts';
import { reportCoordinator } from './coordinator.ts';
import type { Load, Loaded } from './messages.ts';
import { quantile, sharedNow } from './stats.ts';

const HEADERS = {
  ':method': 'POST',
  ':path': '/dapr.proto.runtime.v1.Dapr/PublishEvent',
  'content-type': 'application/grpc',
  te: 'trailers',
};
const OK = '0';
/** A flag of compression and the length stand before each message. */
const PREFIX_BYTES = 5;

/** Resolves with the code of the answer. */
function publish(session: ClientHttp2Session, message: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = session.request(HEADERS);
    let code: unknown;
    // An answer without a message has its code in its headers.
    call.on('response', (headers) => (code = headers['grpc-status']));
    call.on('trailers', (trailers) => (code ??= trailers['grpc-status']));
    call.on('end', () => resolve(String(code)));
    call.on('error', reject);
    call.resume();
    call.end(message);
  });
}

function encode(protocol: Protocol, topic: string, data: string): Buffer {
  const message = protocol.publishEventRequest.encode({
    pubsub_name: 'pubsub',
    topic,
    data: Buffer.from(data),
    data_content_type: 'application/json',
    metadata: {},
  });
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

async function run(load: Load): Promise<Loaded> {
  const protocol = await loadProtocol();
  const padding = 'x'.repeat(load.padding);
  const topic = load.paths[0]?.split('/').at(-1) ?? '';
  const session = connect(load.url);
  await once(session, 'connect');
  const waits: number[] = [];
  let sent = 0;
  let refused = 0;
  let acceptedByEnd = 0;
  const startedAt = sharedNow();
  const end = startedAt + load.seconds * 1_000;
  const publisher = async (): Promise<void> => {
    while (sharedNow() < end && sent < load.mostMessages) {
      sent += 1;
      const askedAt = sharedNow();
      const data = `{"t":${askedAt.toFixed(3)},"p":"${padding}"}`;
      const code = await publish(session, encode(protocol, topic, data));
      const answeredAt = sharedNow();
      waits.push(answeredAt - askedAt);
      if (code !== OK) refused += 1;
      else if (answeredAt <= end) acceptedByEnd += 1;
    }
  };
  await Promise.all(Array.from({ length: load.publishers }, publisher));
  const endedAt = sharedNow();
  session.close();
  const sorted = Float64Array.from(waits).sort();
  return {
    kind: 'loaded',
    startedAt,
    endedAt,
    messages: sent,
    refused,
    acceptedByEnd,
    ackP50: quantile(sorted, 0.5),
    ackP99: quantile(sorted, 0.99),
  };
}

process.on('message', (load: Load) => {
  run(load).then(reportCoordinator, (error: unknown) => {
    throw error;
  });
});
process.on('disconnect', () => process.exit());
