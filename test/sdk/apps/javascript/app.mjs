// The JavaScript app of the SDK suite. ../README.md tells what it is asked to do.
import readline from 'node:readline';
import {
  CommunicationProtocolEnum,
  DaprClient,
  DaprPubSubStatusEnum,
  DaprServer,
  LogLevel,
} from '@dapr/dapr';

const { SDK_MODE, APP_PORT, DAPR_GRPC_PORT, DAPR_HTTP_PORT } = process.env;
const PUBSUB = 'pubsub';
const TOPIC = 'orders';
const DEAD = 'dead';
const retried = new Set();

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** What this app makes of one event. */
function answer(topic, order) {
  say({ got: topic, n: order.n });
  if (topic === DEAD) return DaprPubSubStatusEnum.SUCCESS;
  if (order.do === 'retry') {
    if (retried.has(order.n)) return DaprPubSubStatusEnum.SUCCESS;
    retried.add(order.n);
    return DaprPubSubStatusEnum.RETRY;
  }
  if (order.do === 'drop') return DaprPubSubStatusEnum.DROP;
  return order.do === 'fail' ? DaprPubSubStatusEnum.RETRY : DaprPubSubStatusEnum.SUCCESS;
}

const overGrpc = SDK_MODE !== 'http';
const communicationProtocol = overGrpc ? CommunicationProtocolEnum.GRPC : CommunicationProtocolEnum.HTTP;
const clientOptions = {
  daprHost: '127.0.0.1',
  daprPort: overGrpc ? DAPR_GRPC_PORT : DAPR_HTTP_PORT,
  communicationProtocol,
  logger: { level: LogLevel.Error },
};

async function publish(client) {
  for (const order of [
    { n: 1, do: 'ok' },
    { n: 2, do: 'retry' },
    { n: 3, do: 'drop' },
    { n: 4, do: 'fail' },
  ]) {
    // Since 3.0 the SDK gives the error back instead of throwing it.
    const { error } = await client.pubsub.publish(PUBSUB, TOPIC, order);
    if (error === undefined) say({ published: order.n });
    else say({ failed: 'publish', error: String(error) });
  }
  const { failedMessages } = await client.pubsub.publishBulk(PUBSUB, TOPIC, [
    { n: 5, do: 'ok' },
    { n: 6, do: 'ok' },
  ]);
  if (failedMessages.length === 0) say({ bulk: [5, 6] });
  else say({ failed: 'bulk', error: failedMessages.map(({ error }) => String(error)).join('; ') });
}

const server = new DaprServer({
  serverHost: '127.0.0.1',
  serverPort: APP_PORT,
  communicationProtocol,
  clientOptions,
  logger: { level: LogLevel.Error },
});
await server.pubsub.subscribeWithOptions(PUBSUB, TOPIC, {
  deadLetterTopic: DEAD,
  route: '/orders',
  callback: async (order) => answer(TOPIC, order),
});
await server.pubsub.subscribeWithOptions(PUBSUB, DEAD, {
  route: '/dead',
  callback: async (order) => answer(DEAD, order),
});
await server.start();
const client = new DaprClient(clientOptions);
readline
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line !== 'publish') return;
    publish(client).catch((error) => say({ failed: 'publish', error: String(error) }));
  })
  .on('close', () => process.exit(0));
