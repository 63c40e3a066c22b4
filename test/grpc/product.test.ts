/** The product as a whole over gRPC: a mock app that speaks it, and apps and clients of the stock JavaScript SDK, unmodified. */
import { createServer } from 'node:net';
import { CommunicationProtocolEnum, DaprClient, DaprServer, LogLevel } from '@dapr/dapr';
import { afterEach, expect, test } from 'vitest';
import type { Product } from '../e2e/product.ts';
import { freePort } from '../support/free-port.ts';
import { atEnd, count, product } from './running-product.ts';

const GRPC = CommunicationProtocolEnum.GRPC;

afterEach(() => {
  // The SDK leaves its ports in the environment, where the next product would inherit them.
  for (const name of ['DAPR_SERVER_PORT', 'DAPR_CLIENT_PORT']) delete process.env[name];
});

function portOf(run: Product): string {
  return run.ready.apps[0]?.grpc?.split(':').at(-1) ?? '';
}

function client(run: Product): DaprClient {
  const one = new DaprClient({
    daprHost: '127.0.0.1',
    daprPort: portOf(run),
    communicationProtocol: GRPC,
    logger: { level: LogLevel.Error },
  });
  atEnd(() => one.stop());
  return one;
}

test('the mock app answers over gRPC, and its rules can answer with codes', async () => {
  const run = await product('--app-protocol', 'grpc');
  expect(run.ready.apps[0]).toMatchObject({ protocol: 'grpc', mock: true });
  expect(run.ready.apps[0]?.app).toMatch(/^grpc:\/\/127\.0\.0\.1:\d+$/);
  await run.rpc('mockApp.setRules', {
    rules: [
      {
        ruleId: 'r1',
        match: { filter: 'data.n:1' },
        enabled: true,
        answer: { kind: 'respond', status: 503 },
        times: 1,
      },
      {
        ruleId: 'r2',
        match: { filter: 'data.n:2' },
        enabled: true,
        answer: { kind: 'respond', status: 501 },
      },
    ],
  });
  for (const n of [1, 2, 3]) await run.publish('orders', { n });
  await count(run, 'state:processed protocol:grpc', 2);
  await count(run, 'rule:grpc.unimplemented state:dropped', 1);
  await count(run, 'status:unavailable rule:grpc.error', 1);
  await count(run, 'status:grpc-12', 1);
  await count(run, 'status<600', 0);
  const { items } = await run.rpc('messages.list', { filter: 'status:unavailable' });
  const { deliveries } = await run.rpc('messages.get', { messageId: items[0]?.messageId ?? '' });
  expect(deliveries[0]?.attempts[0]).toMatchObject({
    protocol: 'grpc',
    request: { method: '/dapr.proto.runtime.v1.AppCallback/OnTopicEvent' },
    response: { status: 14, statusText: 'UNAVAILABLE' },
    answeredBy: { ruleId: 'r1' },
  });
}, 60_000);

test('an unmodified app of the JavaScript SDK publishes and subscribes over gRPC', async () => {
  const appPort = await freePort();
  const run = await product('--app-url', `grpc://127.0.0.1:${appPort}`);
  const server = new DaprServer({
    serverHost: '127.0.0.1',
    serverPort: String(appPort),
    communicationProtocol: GRPC,
    clientOptions: { daprHost: '127.0.0.1', daprPort: portOf(run) },
    logger: { level: LogLevel.Error },
  });
  atEnd(() => server.stop());
  const got: unknown[] = [];
  const batches: unknown[] = [];
  await server.pubsub.subscribe('pubsub', 'orders', async (data: unknown) => {
    got.push(data);
    return Promise.resolve();
  });
  await server.pubsub.subscribeBulk(
    'pubsub',
    'many',
    async (data: unknown) => {
      batches.push(data);
      return Promise.resolve();
    },
    { maxMessagesCount: 2, maxAwaitDurationMs: 50 },
  );
  await server.start();
  const sdk = client(run);
  await sdk.pubsub.publish('pubsub', 'orders', { n: 1 });
  await sdk.pubsub.publish('pubsub', 'orders', 'text');
  const { failedMessages } = await sdk.pubsub.publishBulk('pubsub', 'many', ['a', { b: 1 }]);
  expect(failedMessages).toEqual([]);
  await count(run, 'state:processed', 4);
  expect(got).toEqual([{ n: 1 }, 'text']);
  expect(batches).toEqual(expect.arrayContaining(['a', { b: 1 }]));
  await count(run, 'origin:grpc', 2);
  await count(run, 'origin:grpc-bulk', 2);
  expect(await sdk.metadata.get()).toMatchObject({ id: 'app' });
}, 60_000);

test('with --grpc-port off there is no gRPC port', async () => {
  const run = await product('--grpc-port', 'off');
  expect(run.ready.apps[0]).not.toHaveProperty('grpc');
  expect(await run.stop()).toBe(0);
}, 60_000);

test('health and apps name the gRPC port', async () => {
  const run = await product();
  const { healthz } = await run.rpc('health.get', {});
  const { grpc } = run.ready.apps[0] ?? {};
  expect(healthz.parts).toContainEqual({
    name: 'gRPC port',
    ok: true,
    detail: `${grpc} is open`,
    counts: false,
  });
  const { items } = await run.rpc('apps.list', {});
  expect(items[0]?.grpc).toBe(grpc);
}, 60_000);

test('if the default port is taken the next free one is used, and the log says so', async () => {
  const owner = createServer();
  const listens = async (port: number): Promise<boolean> =>
    new Promise((go) => {
      owner.once('error', () => go(false));
      owner.listen(port, '127.0.0.1', () => go(true));
    });
  let given = await freePort();
  while (!(await listens(given + 1))) given = await freePort();
  atEnd(async () => new Promise((go) => owner.close(go)));
  const run = await product('--grpc-port', String(given), '--app', 'other=none,0');
  const said = `; the gRPC port of app other listens on ${run.ready.apps[1]?.grpc?.split(':').at(-1)}`;
  const { items } = await run.rpc('logs.list', { level: 'warn' });
  const told = items.find(({ text }) => text.startsWith(`${given + 1} is in use by `));
  expect(told?.text).toContain(said);
}, 60_000);
