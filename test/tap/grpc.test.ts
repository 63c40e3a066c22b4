// gRPC through a tap: calls of the sidecar to the app, and of the app to its sidecar, as messages, deliveries and attempts.
import { Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerDuplexStream, sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { createServer as createHttp2Server } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import type { EncodedTopicEvent, StreamRequest, StreamResponse } from '../../core/grpc-protocol/messages.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { Protocol } from '../../core/grpc-protocol/protocol.ts';
import { clientOf, SERVICE } from '../grpc/raw-client.ts';
import type { RawClient } from '../grpc/raw-client.ts';
import { rawGrpcApp } from '../grpc/raw-app.ts';
import type { RawGrpcApp } from '../grpc/raw-app.ts';
import { orderEvent } from './order-event.ts';
import { tapped } from './tapped.ts';
import type { Tapped } from './tapped.ts';

const { onTopicEvent, onBulkTopicEvent, onBulkTopicEventAlpha1, listTopicSubscriptions } = APP_METHODS;

const MIB = 1024 * 1024;

let app: RawGrpcApp;
let at: Tapped;
/** Stands in for the real sidecar: calls the app through the tap. */
let sidecar: RawClient;
let protocol: Protocol;
/** Calls that the app received, newest last. */
let got: EncodedTopicEvent[];
let answer: number | { readonly code: number; readonly details: string };

const portOf = (url: string): number => Number(new URL(url.replace('grpc:', 'http:')).port);

const deliver = (message = orderEvent(), metadata: Record<string, string> = {}) =>
  sidecar.call(onTopicEvent, protocol.topicEventRequest, message, protocol.topicEventResponse, metadata);

beforeEach(async () => {
  protocol = await loadProtocol();
  app = await rawGrpcApp();
  got = [];
  answer = 0;
  app.on(onTopicEvent, protocol.topicEventRequest, protocol.topicEventResponse, (request) => {
    got.push(request);
    if (typeof answer !== 'number') throw Object.assign(new Error(answer.details), answer);
    return { status: answer };
  });
  at = await tapped({ app: { host: '127.0.0.1', port: portOf(app.url), protocol: 'grpc' } });
  sidecar = await clientOf(`127.0.0.1:${at.tap.address.appPort}`);
});

test('an event passes with its metadata and is a delivery with its attempt', async () => {
  expect(await deliver(orderEvent(), { 'x-more': 'yes' })).toEqual({ status: 0 });
  expect(got).toEqual([orderEvent()]);
  expect(app.metadata[0]).toMatchObject({ 'x-more': 'yes' });
  const delivery = await at.delivery('processed');
  expect(delivery).toMatchObject({ route: { path: '' }, subscription: { topic: 'orders' } });
  expect(delivery.attempts).toMatchObject([
    {
      tap: 'shop',
      protocol: 'grpc',
      request: { method: onTopicEvent, url: `${app.url}${onTopicEvent}`, headers: { 'x-more': 'yes' } },
      response: { status: 0, statusText: 'OK', body: '{"status":"SUCCESS"}' },
      word: 'SUCCESS',
    },
  ]);
  expect(JSON.parse(delivery.attempts[0]?.request.body ?? '')).toMatchObject({
    id: 'e1',
    data: 'eyJuIjoxfQ==',
  });
});

test.each([
  [1, 'retrying', 'grpc.retry'],
  [2, 'dropped', 'grpc.drop'],
  [9, 'retrying', 'grpc.unknown-status'],
] as const)('status %j leads to %s by the same table', async (status, state, rule) => {
  answer = status;
  expect(await deliver()).toEqual({ status });
  const delivery = await at.delivery(state);
  expect(delivery.transitions.at(-1)?.rule).toBe(rule);
});

test.each([
  [14, 'UNAVAILABLE', 'retrying', 'grpc.error'],
  [12, 'UNIMPLEMENTED', 'dropped', 'grpc.unimplemented'],
] as const)('code %j %s leads to %s by the same table', async (code, name, state, rule) => {
  const details = 'not today: 100 % größer';
  answer = { code, details };
  expect(await deliver()).toMatchObject({ code: name, text: details });
  const delivery = await at.delivery(state);
  expect(delivery.transitions.at(-1)?.rule).toBe(rule);
  expect(delivery.attempts[0]?.response).toMatchObject({ status: code, statusText: name, body: details });
});

test('an event that its app refuses before it is whole is listed with that reason', async () => {
  const large = orderEvent({ data: Buffer.alloc(16 * MIB) });
  expect(await deliver(large)).toMatchObject({ code: 'RESOURCE_EXHAUSTED' });
  const call = await at.when('it is listed', () =>
    at.tap.row().otherCalls.find(({ path }) => path === onTopicEvent),
  );
  expect(call).toMatchObject({ to: 'app', status: 8, note: 'It was answered before its body was complete.' });
});

test('an unreadable answer to the discovery passes, and the tap continues', async () => {
  const asItIs = { encode: (bytes: Buffer) => bytes, decode: (bytes: Uint8Array) => Buffer.from(bytes) };
  const broken = Buffer.from([0x0a, 0xff]);
  app.on(listTopicSubscriptions, protocol.empty, asItIs, () => broken);
  expect(await sidecar.call(listTopicSubscriptions, protocol.empty, {}, asItIs)).toEqual(broken);
  expect(await deliver()).toEqual({ status: 0 });
  expect(at.tap.row()).toMatchObject({ subscriptions: [], otherCalls: [{ path: listTopicSubscriptions }] });
});

test('the subscriptions that the app lists on the way are known, and raw events are read by what was stored', async () => {
  const subscription = {
    pubsub_name: 'redis',
    topic: 'raw',
    metadata: { rawPayload: 'true' },
    dead_letter_topic: '',
  };
  app.on(listTopicSubscriptions, protocol.empty, protocol.listTopicSubscriptionsResponse, () => ({
    subscriptions: [subscription],
  }));
  await sidecar.call(listTopicSubscriptions, protocol.empty, {}, protocol.listTopicSubscriptionsResponse);
  await at.when('the subscription is known', () => at.tap.row().subscriptions[0]);
  expect(at.tap.row()).toMatchObject({
    subscriptions: [{ pubsubname: 'redis', topic: 'raw', routes: [''] }],
    otherCalls: [{ to: 'app', protocol: 'grpc', path: listTopicSubscriptions, status: 0 }],
  });
  await deliver(
    orderEvent({ topic: 'raw', data: Buffer.from([0, 255]), data_content_type: 'application/octet-stream' }),
  );
  const [row] = await at.when('it is there', async () => {
    const rows = await at.rows();
    return rows[0]?.deliveries[0]?.state === 'processed' ? rows : undefined;
  });
  const { wire } = await at.stand.message(row?.messageId ?? '');
  expect(wire).toMatchObject({ body: 'AP8=', bodyBase64: true });
});

test('each entry of a batch has its own verdict, and an app that knows only the older method is called again', async () => {
  app.on(
    onBulkTopicEventAlpha1,
    protocol.topicEventBulkRequest,
    protocol.topicEventBulkResponse,
    ({ entries }) => ({
      statuses: entries.map(({ entry_id }, i) => ({ entry_id, status: i })),
    }),
  );
  const { topic: _t, pubsub_name: _p, path: _r, ...one } = orderEvent();
  const batch = {
    id: 'b1',
    entries: ['1', '2'].map((entry_id) => ({
      entry_id,
      cloud_event: { ...one, id: `e${entry_id}` },
      content_type: 'application/cloudevents+json',
      metadata: {},
    })),
    metadata: {},
    topic: 'orders',
    pubsub_name: 'redis',
    type: 'com.dapr.event.sent.bulk',
    path: '',
  };
  for (const method of [onBulkTopicEvent, onBulkTopicEventAlpha1])
    await sidecar.call(method, protocol.topicEventBulkRequest, batch, protocol.topicEventBulkResponse);
  const rows = await at.when('both have ended', async () => {
    const all = await at.rows();
    const haveEnded = all.every(
      ({ deliveries: [d] }) => d !== undefined && d.attempts === 2 && d.state !== 'attempting',
    );
    return all.length === 2 && haveEnded ? all : undefined;
  });
  expect(rows).toMatchObject([
    { eventId: 'e1', deliveries: [{ state: 'processed' }] },
    { eventId: 'e2', deliveries: [{ state: 'retrying' }] },
  ]);
});

test('a delivery is held, changed and released; the next one is answered by hand', async () => {
  const { holdId } = await at.stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const first = deliver();
  const { deliveryId } = await at.delivery('held');
  await at.stand.runtime.deliveryActions.release({ deliveryId }, { data: { n: 2 } });
  expect(await first).toEqual({ status: 0 });
  expect(Buffer.from(got[0]?.data ?? []).toString()).toBe('{"n":2}');
  expect(got[0]).toMatchObject({ id: 'e1', topic: 'orders', pubsub_name: 'redis' });
  const [attempt] = (await at.delivery('processed')).attempts;
  expect(JSON.parse(attempt?.request.body ?? '')).toMatchObject({
    id: 'e1',
    data: Buffer.from('{"n":2}').toString('base64'),
  });
  await at.stand.runtime.deliveryActions.removeHold(holdId, true);
  await at.stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const second = deliver(orderEvent({ id: 'e2' }));
  const held = await at.when('the second is held', async () =>
    (await at.rows())[1]?.deliveries.find(({ state }) => state === 'held'),
  );
  const retry = { kind: 'respond', status: 200, body: { status: 'RETRY' } } as const;
  await at.stand.runtime.deliveryActions.release({ deliveryId: held.deliveryId }, undefined, retry);
  expect(await second).toEqual({ status: 1 });
  expect(got).toHaveLength(1);
});

test('a held answer is changed to another word, and to an error', async () => {
  await at.stand.runtime.holds.add({ at: 'response', filter: 'topic:orders' });
  const sent = deliver();
  const { deliveryId } = await at.when('its answer is held', async () =>
    (await at.rows())[0]?.deliveries.find(({ heldAt }) => heldAt === 'response'),
  );
  await at.stand.runtime.deliveryActions.release({ deliveryId }, undefined, {
    kind: 'respond',
    status: 503,
    body: 'später',
  });
  expect(await sent).toMatchObject({ code: 'UNAVAILABLE', text: 'später' });
  expect((await at.delivery('retrying')).transitions.at(-1)?.rule).toBe('grpc.error');
});

test('a held delivery whose sidecar gives up says so', async () => {
  await at.stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const { Client, credentials } = await import('@grpc/grpc-js');
  const client = new Client(`127.0.0.1:${at.tap.address.appPort}`, credentials.createInsecure(), {
    'grpc.enable_http_proxy': 0,
  });
  onTestFinished(() => client.close());
  const call = client.makeUnaryRequest(
    onTopicEvent,
    (bytes: Buffer) => bytes,
    (bytes: Buffer) => bytes,
    protocol.topicEventRequest.encode(orderEvent()),
    new Metadata(),
    () => undefined,
  );
  await at.delivery('held');
  call.cancel();
  expect((await at.delivery('retrying')).transitions.at(-1)).toMatchObject({ rule: 'tap.lost' });
  expect(got).toEqual([]);
});

test.each([
  ['', ['delivery']],
  [' where answers are held too', ['delivery', 'response']],
] as const)(
  'a released delivery that does not reach its app%s has an attempt that says so',
  async (_, points) => {
    for (const point of points) await at.stand.runtime.holds.add({ at: point, filter: 'topic:orders' });
    const sent = deliver();
    const { deliveryId } = await at.delivery('held');
    app.close();
    await at.when('the app is missed', () => (at.tap.row().appAnswers ? undefined : true));
    await at.stand.runtime.deliveryActions.release({ deliveryId });
    expect(await sent).toHaveProperty('code');
    expect((await at.delivery('retrying')).attempts).toMatchObject([
      { number: 1, error: { code: 'refused', message: `connect ECONNREFUSED 127.0.0.1:${portOf(app.url)}` } },
    ]);
  },
);

/** A gRPC sidecar that a test scripts. */
class RealSidecar {
  readonly server = new Server();
  port = 0;
  stream: ServerDuplexStream<StreamRequest, StreamResponse> | undefined;
  readonly said: StreamRequest[] = [];

  async open(port = 0): Promise<this> {
    const {
      publishEventRequest,
      bulkPublishRequest,
      bulkPublishResponse,
      empty,
      streamRequest,
      streamResponse,
    } = protocol;
    this.server.register(
      `${SERVICE}/PublishEvent`,
      (call: ServerUnaryCall<{ topic: string }, object>, done: sendUnaryData<object>) =>
        call.request.topic === 'forbidden'
          ? done({ code: 7, details: 'topic is not allowed' })
          : done(null, {}),
      () => empty.encode({}),
      (bytes: Buffer) => publishEventRequest.decode(bytes),
      'unary',
    );
    this.server.register(
      `${SERVICE}/BulkPublishEventAlpha1`,
      (_: ServerUnaryCall<object, object>, done: sendUnaryData<object>) => done(null, {}),
      () => bulkPublishResponse.encode({ failedEntries: [] }),
      (bytes: Buffer) => bulkPublishRequest.decode(bytes),
      'unary',
    );
    this.server.register(
      `${SERVICE}/SubscribeTopicEventsAlpha1`,
      (call: ServerDuplexStream<StreamRequest, StreamResponse>) => {
        this.stream = call;
        call.on('data', (request: StreamRequest) => {
          this.said.push(request);
          if (Object.hasOwn(request, 'initial_request')) call.write({ initial_response: {} });
        });
        call.on('end', () => call.end());
        call.on('error', () => undefined);
      },
      (message: StreamResponse) => streamResponse.encode(message),
      (bytes: Buffer) => streamRequest.decode(bytes),
      'bidi',
    );
    this.port = await new Promise<number>((resolve, reject) => {
      this.server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
    onTestFinished(() => this.server.forceShutdown());
    return this;
  }
}

async function withSidecar() {
  const real = await new RealSidecar().open();
  at = await tapped({
    app: { host: '127.0.0.1', port: portOf(app.url), protocol: 'grpc' },
    sidecarGrpc: { host: '127.0.0.1', port: real.port },
  });
  const client = await clientOf(`127.0.0.1:${at.tap.address.grpcPort}`);
  return { real, client };
}

test('a port that answers in HTTP where the gRPC API should be is named, until a gRPC API answers', async () => {
  // The sidecar's HTTP port takes HTTP/2 as well.
  const http = createHttp2Server((_request, response) => {
    response.writeHead(404);
    response.end();
  });
  const sessions: { close(): void }[] = [];
  http.on('session', (session) => sessions.push(session));
  await new Promise<void>((go) => http.listen(0, '127.0.0.1', go));
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  at = await tapped({
    app: { host: '127.0.0.1', port: portOf(app.url), protocol: 'grpc' },
    sidecarGrpc: { host: '127.0.0.1', port },
  });
  const { empty } = protocol;
  const ask = async () => {
    const client = await clientOf(`127.0.0.1:${at.tap.address.grpcPort}`);
    return client.call('GetMetadata', empty, {}, empty);
  };
  const problems = () => at.tap.row().problems.filter((text) => text.includes('--sidecar-grpc'));
  expect(await ask()).toMatchObject({ code: 'UNIMPLEMENTED' });
  const named = `What listens at 127.0.0.1:${port} is not the gRPC API of the sidecar: it answered a call with HTTP status 404 alone. Give --sidecar-grpc the address of that API.`;
  expect(problems()).toEqual([named]);
  await ask();
  expect(problems()).toEqual([named]);
  const closed = new Promise<void>((go) => http.close(() => go()));
  for (const session of sessions) session.close();
  await closed;
  const isMissed = () =>
    at.tap.row().problems.some((text) => text.startsWith(`Nothing answers at 127.0.0.1:${port}`));
  await at.when('nothing answers', () => (isMissed() ? true : undefined));
  await new RealSidecar().open(port);
  await at.when('the tap sees the API without a call', () => (isMissed() ? undefined : true));
  await ask();
  expect(problems()).toEqual([]);
});

test('publishes of the app are messages, refused ones with the reason, and other methods are listed', async () => {
  const { client } = await withSidecar();
  const { publishEventRequest, bulkPublishRequest, bulkPublishResponse, empty } = protocol;
  const publish = (topic: string) =>
    client.call(
      'PublishEvent',
      publishEventRequest,
      {
        pubsub_name: 'redis',
        topic,
        data: Buffer.from('{"n":1}'),
        data_content_type: 'application/json',
        metadata: { key: 'a' },
      },
      empty,
    );
  expect(await publish('orders')).toEqual({});
  expect(await publish('forbidden')).toMatchObject({
    code: 'PERMISSION_DENIED',
    text: 'topic is not allowed',
  });
  const entries = ['1', '2'].map((entry_id) => ({
    entry_id,
    event: Buffer.from(entry_id),
    content_type: 'text/plain',
    metadata: {},
  }));
  await client.call(
    'BulkPublishEventAlpha1',
    bulkPublishRequest,
    { pubsub_name: 'redis', topic: 'many', entries, metadata: {} },
    bulkPublishResponse,
  );
  expect(await client.call('GetState', empty, {}, empty)).toMatchObject({ code: 'UNIMPLEMENTED' });
  const rows = await at.when('all are there', async () => {
    const all = await at.rows();
    return all.length === 4 ? all : undefined;
  });
  expect(rows).toMatchObject([
    { topic: 'orders', source: 'grpc', tap: 'shop', contentType: 'application/json' },
    { topic: 'forbidden', stage: 'refused' },
    { topic: 'many', source: 'grpc-bulk' },
    { topic: 'many', source: 'grpc-bulk' },
  ]);
  expect(rows[1]?.flags?.at(-1)).toBe('The sidecar refused it: PERMISSION_DENIED topic is not allowed');
  expect(at.tap.row()).toMatchObject({
    publishes: 3,
    otherCalls: [{ to: 'sidecar', protocol: 'grpc', path: `${SERVICE}/GetState`, status: 12 }],
  });
  // An event that was published without an id is recognised when it is delivered.
  sidecar = await clientOf(`127.0.0.1:${at.tap.address.appPort}`);
  await deliver();
  await at.when('it is joined', async () =>
    (await at.rows()).find(
      ({ topic, eventId, deliveries }) => topic === 'orders' && eventId === 'e1' && deliveries.length === 1,
    ),
  );
});

test('a call whose topic or content type is too long passes, and is listed', async () => {
  const { client } = await withSidecar();
  const { publishEventRequest, bulkPublishRequest, bulkPublishResponse, empty } = protocol;
  const long = 'x'.repeat(20_000);
  const event = { pubsub_name: 'redis', topic: 'orders', data: Buffer.from('1'), metadata: {} };
  for (const more of [
    { topic: long, data_content_type: '' },
    { topic: 'orders', data_content_type: long },
  ])
    expect(await client.call('PublishEvent', publishEventRequest, { ...event, ...more }, empty)).toEqual({});
  const entries = [{ entry_id: '1', event: Buffer.from('1'), content_type: long, metadata: {} }];
  const many = { pubsub_name: 'redis', topic: 'many', entries, metadata: {} };
  await client.call('BulkPublishEventAlpha1', bulkPublishRequest, many, bulkPublishResponse);
  sidecar = await clientOf(`127.0.0.1:${at.tap.address.appPort}`);
  await deliver({ ...orderEvent(), topic: long });
  expect(got).toMatchObject([{ topic: long }]);
  const others = await at.when('all are listed', async () => {
    const { otherCalls } = at.tap.row();
    return otherCalls.length === 4 ? otherCalls : undefined;
  });
  expect(others.map(({ note }) => note).filter((note) => note?.endsWith('too long.'))).toHaveLength(4);
  expect(await at.rows()).toEqual([]);
});

test('events of a stream are deliveries that its words answer, a held one is answered by hand, and the end leaves none open', async () => {
  const { real, client } = await withSidecar();
  const stream = client.stream();
  stream.subscribe({ pubsub_name: 'redis', topic: 'orders' });
  expect(await stream.next()).toHaveProperty('initial_response');
  const send = (message: EncodedTopicEvent) => real.stream?.write({ event_message: message });
  const says = (id: string, status: number) => stream.send({ event_processed: { id, status: { status } } });

  send(orderEvent({ path: '/' }));
  expect(await stream.next()).toMatchObject({ event_message: { id: 'e1' } });
  says('e1', 1);
  const delivery = await at.delivery('retrying');
  expect(delivery).toMatchObject({
    subscription: { source: 'streaming' },
    attempts: [
      { protocol: 'grpc', word: 'RETRY', request: { method: `${SERVICE}/SubscribeTopicEventsAlpha1` } },
    ],
  });
  expect(real.said.at(-1)?.event_processed).toMatchObject({ id: 'e1', status: { status: 1 } });

  const { holdId } = await at.stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  send(orderEvent({ id: 'e2' }));
  const held = await at.when('it is held', async () =>
    (await at.rows())[1]?.deliveries.find(({ state }) => state === 'held'),
  );
  await at.stand.runtime.deliveryActions.release({ deliveryId: held.deliveryId }, undefined, {
    kind: 'respond',
    status: 200,
    body: { status: 'DROP' },
  });
  await at.when('the sidecar has the answer', () =>
    real.said.find(({ event_processed: one }) => one?.id === 'e2' && one.status?.status === 2),
  );
  await at.stand.runtime.deliveryActions.removeHold(holdId, true);

  await at.stand.runtime.holds.add({ at: 'response', filter: 'id:e3' });
  send(orderEvent({ id: 'e3' }));
  expect(await stream.next()).toMatchObject({ event_message: { id: 'e3' } });
  says('e3', 0);
  await at.when('its answer is held', () => at.stand.runtime.messages.held(1).items[0]);
  send(orderEvent({ id: 'e4' }));
  expect(await stream.next()).toMatchObject({ event_message: { id: 'e4' } });
  stream.cancel();
  for (const n of [2, 3])
    await at.when('the one that was open is left to its sidecar', async () =>
      (await at.rows())[n]?.deliveries.find(({ state }) => state === 'retrying'),
    );
  expect(at.stand.runtime.messages.held(1).items).toEqual([]);
});

test('a hold keeps 32 MiB of events of a stream; the sidecar waits with the rest', async () => {
  const { real, client } = await withSidecar();
  const stream = client.stream();
  stream.subscribe({ pubsub_name: 'redis', topic: 'orders' });
  await stream.next();
  const { holdId } = await at.stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const data = Buffer.alloc(MIB, 'x');
  const all = 48;
  for (let n = 0; n < all; n += 1)
    real.stream?.write({ event_message: orderEvent({ id: `big-${n}`, path: '/', data }) });
  const count = async (): Promise<number> => (await at.rows()).length;
  await at.when('as much as fits has come', async () => ((await count()) >= 32 ? true : undefined));
  await at.when('nothing more comes', async () => {
    const before = await count();
    await sleep(200);
    return (await count()) === before ? true : undefined;
  });
  expect(await count()).toBeLessThan(40);
  const removed = at.stand.runtime.deliveryActions.removeHold(holdId, true);
  for (let n = 0; n < all; n += 1)
    expect(await stream.next()).toMatchObject({ event_message: { id: `big-${n}` } });
  await removed;
}, 30_000);

test('an unreachable gRPC API is a problem, and the call fails as it would without the tap', async () => {
  const { real, client } = await withSidecar();
  real.server.forceShutdown();
  const { publishEventRequest, empty } = protocol;
  const message = { pubsub_name: 'redis', topic: 'orders', data: [], data_content_type: '', metadata: {} };
  expect(await client.call('PublishEvent', publishEventRequest, message, empty)).toMatchObject({
    code: 'UNAVAILABLE',
  });
  await at.when('it is said', () =>
    at.tap
      .row()
      .problems.find((text) => text.startsWith(`Nothing answers at 127.0.0.1:${real.port}, the gRPC API`)),
  );
});
