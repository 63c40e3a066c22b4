/** Clients that do not take what they are sent, or do not finish a request: they lose their connection, and nothing gathers for them. */
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { openGrpcServer } from '../../core/grpc/server.ts';
import type { GrpcServer, GrpcServerOptions } from '../../core/grpc/server.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import { framed } from '../../core/tap/grpc/frames.ts';
import { fakeSidecar } from '../http/fake-sidecar.ts';
import type { FakeSidecar } from '../http/fake-sidecar.ts';
import { clientOf } from './raw-client.ts';
import { CountedBodies } from '../support/counted-bodies.ts';

const METHOD = '/dapr.proto.runtime.v1.Dapr';
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
/** A request of reflection that lists the services. */
const LIST_SERVICES = Buffer.from([0x3a, 0x00]);
const SOON = { ...SILENCE, unreadMs: 60, requestMs: 60, everyMs: 10 };
/** A client never waits so long here. */
const LATE = { ...SILENCE, unreadMs: 600_000, requestMs: 600_000 };

interface Opened {
  readonly server: GrpcServer;
  readonly fake: FakeSidecar;
  readonly lines: string[];
}

async function opened(change: Partial<GrpcServerOptions>): Promise<Opened> {
  const fake = fakeSidecar();
  const lines: string[] = [];
  const server = await openGrpcServer({
    sidecar: fake.view,
    profile: PROFILES.dapr,
    port: 0,
    maxBodyBytes: () => 4_194_304,
    httpUrl: () => 'http://127.0.0.1:3500',
    shutdown: () => undefined,
    log: { write: (level, part, text) => void lines.push(`${level} ${part}: ${text}`) },
    ...change,
  });
  onTestFinished(() => server.close(0));
  return { server, fake, lines };
}

/** A client of HTTP/2 that takes `window` bytes of each answer, and no more. */
async function session({ server }: Opened, window: number): Promise<ClientHttp2Session> {
  const client = connect(`http://${server.address}`, { settings: { initialWindowSize: window } });
  onTestFinished(() => client.destroy());
  client.on('error', () => undefined);
  // The server knows the window when it has answered to the settings.
  await new Promise<void>((go) => client.once('localSettings', () => go()));
  return client;
}

function call(
  client: ClientHttp2Session,
  path: string,
  more: Readonly<Record<string, string>> = {},
): ClientHttp2Stream {
  const stream = client.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...more,
  });
  stream.on('error', () => undefined);
  return stream;
}

const closed = (client: ClientHttp2Session): Promise<void> =>
  new Promise((go) => (client.closed ? go() : client.once('close', () => go())));

test('a connection that does not read its answer is closed, and no other', async () => {
  const it = await opened({ silence: SOON });
  const good = await clientOf(it.server.address);
  const bad = await session(it, 0);
  call(bad, `${METHOD}/GetMetadata`).end(framed(Buffer.alloc(0)));
  await closed(bad);
  expect(it.lines.join()).toMatch(
    /^warn grpc: The connection of the client at 127\.0\.0\.1:\d+ was closed: it did not read an answer or event within 60ms\.$/,
  );
  const { empty, getMetadataResponse } = good.protocol;
  expect(await good.call('GetMetadata', empty, {}, getMetadataResponse)).toMatchObject({ id: 'checkout' });
});

test('a stream that does not read its event is disconnected', async () => {
  const it = await opened({ silence: SOON });
  it.fake.stream = { close: async () => undefined };
  const { streamRequest } = await loadProtocol();
  const bad = await session(it, 0);
  const initial = { pubsub_name: 'pubsub', topic: 'orders', metadata: {} };
  call(bad, `${METHOD}/SubscribeTopicEventsAlpha1`).write(
    framed(streamRequest.encode({ initial_request: initial })),
  );
  await closed(bad);
  expect(it.lines.join()).toContain('it did not read an answer or event within 60ms');
});

test('a request that is not finished in time is disconnected', async () => {
  const it = await opened({ silence: SOON });
  const bad = await session(it, 65_535);
  call(bad, `${METHOD}/PublishEvent`).write(framed(Buffer.alloc(1000)).subarray(0, 500));
  await closed(bad);
  expect(it.lines.join()).toContain('it did not finish a request within 60ms');
});

test('a client that reads stays connected, however long a stream or an answer lasts', async () => {
  const it = await opened({ silence: { ...SOON, unreadMs: 20, requestMs: 20, everyMs: 2 } });
  it.fake.stream = { close: async () => undefined };
  const client = await clientOf(it.server.address);
  const stream = client.stream();
  stream.subscribe({});
  expect(await stream.next()).toMatchObject({ initial_response: {} });
  const { publishEventRequest, empty } = client.protocol;
  const message = {
    pubsub_name: 'p',
    topic: 't',
    data: Buffer.from('1'),
    data_content_type: '',
    metadata: {},
  };
  let answer: () => void = () => undefined;
  it.fake.publishing = new Promise((go) => (answer = go));
  const publishing = client.call('PublishEvent', publishEventRequest, message, empty);
  await sleep(100);
  answer();
  expect(await publishing).toEqual({});
  expect(it.lines).toEqual([]);
});

test('requests of a stream wait until the client has read the answers before them', async () => {
  const it = await opened({ silence: LATE });
  const client = await session(it, 0);
  const stream = call(client, REFLECTION);
  const request = framed(LIST_SERVICES);
  const many = Buffer.concat(Array.from({ length: 20_000 }, () => request));
  let isTaken = false;
  stream.write(many, () => (isTaken = true));
  // The server has answered to what came before it, so it has read what it was going to read by itself.
  for (let i = 0; i < 20; i += 1) await new Promise<void>((go) => void client.ping(() => go()));
  expect(isTaken).toBe(false);
});

test('gRPC calls count with their requests in the memory for waiting bodies', async () => {
  const bodies = new CountedBodies(30_000);
  const it = await opened({ bodies });
  const client = await clientOf(it.server.address);
  const { publishEventRequest, empty } = client.protocol;
  const publish = (bytes: number): Promise<unknown> => {
    const message = { pubsub_name: 'p', topic: 't', data: Buffer.alloc(bytes), data_content_type: '' };
    return client.call('PublishEvent', publishEventRequest, { ...message, metadata: {} }, empty);
  };
  let answer: () => void = () => undefined;
  it.fake.publishing = new Promise((go) => (answer = go));
  const first = publish(8000);
  await expect.poll(() => it.fake.published.length).toBe(1);
  expect(await publish(8000)).toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
    text: expect.stringContaining('the limit of 30,000 bytes for the bodies of requests that wait'),
  });
  answer();
  expect(await first).toEqual({});
  it.fake.publishing = undefined;
  // Whatever became of a request, its room is free again.
  await expect.poll(() => publish(9000)).toEqual({});
  expect(it.fake.published.map(({ body }) => body.length)).toEqual([8000, 9000]);
  await expect.poll(() => bodies.bytes).toBe(0);
});

test('the beginning of a request counts, what finds no room is refused, and a client that goes gives its room back', async () => {
  const bodies = new CountedBodies(100_000);
  const refused: unknown[] = [];
  const it = await opened({ bodies, onRefused: (info) => refused.push(info) });
  const client = await session(it, 65_535);
  const begin = (): ClientHttp2Stream => {
    const stream = call(client, `${METHOD}/PublishEvent`);
    stream.write(framed(Buffer.alloc(60_000)).subarray(0, 50_000));
    return stream;
  };
  begin();
  await expect.poll(() => bodies.bytes).toBeGreaterThan(50_000);
  const second = begin();
  const [headers] = (await once(second, 'response')) as [Record<string, unknown>];
  expect(headers).toMatchObject({
    'grpc-status': '8',
    'grpc-message': expect.stringContaining('the%20limit%20of%20100,000%20bytes'),
  });
  expect(refused).toMatchObject([{ path: 'PublishEvent', status: 'RESOURCE_EXHAUSTED' }]);
  client.destroy();
  await expect.poll(() => bodies.bytes).toBe(0);
});

test('a stream gives the room of each request back once it was read, and all of it when it ends', async () => {
  const bodies = new CountedBodies(1_000_000);
  const it = await opened({ bodies });
  it.fake.stream = { close: async () => undefined };
  const client = await clientOf(it.server.address);
  const stream = client.stream();
  stream.subscribe({});
  expect(await stream.next()).toMatchObject({ initial_response: {} });
  const open = bodies.bytes;
  expect(open).toBeGreaterThan(8000);
  const processed = { id: 'x'.repeat(20_000), status: { status: 0 } };
  for (let n = 0; n < 5; n += 1) stream.send({ event_processed: processed });
  await expect.poll(() => it.lines.length).toBe(5);
  expect(bodies.bytes).toBe(open);
  stream.cancel();
  await expect.poll(() => bodies.bytes).toBe(0);
});

test('requests that become far longer once they are decompressed count with their whole length, few at a time', async () => {
  const bodies = new CountedBodies(40_000_000);
  const it = await opened({ bodies });
  const client = await session(it, 65_535);
  const { publishEventRequest } = await loadProtocol();
  const message = { pubsub_name: 'p', topic: 't', data: Buffer.alloc(4_000_000), data_content_type: '' };
  const bomb = framed(gzipSync(publishEventRequest.encode({ ...message, metadata: {} })));
  bomb[0] = 1;
  let most = 0;
  const { take } = bodies;
  bodies.take = (bytes) => {
    const reason = Reflect.apply(take, bodies, [bytes]);
    most = Math.max(most, bodies.bytes);
    return reason;
  };
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      const stream = call(client, `${METHOD}/PublishEvent`, { 'grpc-encoding': 'gzip' });
      stream.resume().end(bomb);
      await once(stream, 'close');
    }),
  );
  expect(it.fake.published.map(({ body }) => body.length)).toEqual(
    Array.from({ length: 30 }, () => 4_000_000),
  );
  expect(most).toBeGreaterThan(4_000_000);
  expect(most).toBeLessThan(30_000_000);
  await expect.poll(() => bodies.bytes).toBe(0);
});

test('large answers count until they are read, and without room a connection with many of them is closed', async () => {
  const bodies = new CountedBodies(3_000_000);
  const it = await opened({ bodies, silence: LATE });
  it.fake.extended['big'] = 'x'.repeat(1_000_000);
  const good = await clientOf(it.server.address);
  const { empty, getMetadataResponse } = good.protocol;
  expect(await good.call('GetMetadata', empty, {}, getMetadataResponse)).toMatchObject({ id: 'checkout' });
  await expect.poll(() => bodies.bytes).toBe(0);
  const bad = await session(it, 0);
  for (let n = 0; n < 2; n += 1) call(bad, `${METHOD}/GetMetadata`).end(framed(Buffer.alloc(0)));
  await expect.poll(() => bodies.bytes).toBeGreaterThan(2_000_000);
  for (let n = 0; n < 3; n += 1) call(bad, `${METHOD}/GetMetadata`).end(framed(Buffer.alloc(0)));
  await closed(bad);
  expect(it.lines.join()).toContain('it has not read its answers, and the limit of 3,000,000 bytes');
  await expect.poll(() => bodies.bytes).toBe(0);
});

test('a client that reads keeps its connection while others have filled the room', async () => {
  const bodies = new CountedBodies(1_000_000);
  const it = await opened({ bodies, silence: LATE });
  it.fake.extended['big'] = 'x'.repeat(1_000_000);
  bodies.take(900_000);
  const { empty, getMetadataResponse } = await loadProtocol();
  const good = await clientOf(it.server.address);
  const ask = (): Promise<unknown> => good.call('GetMetadata', empty, {}, getMetadataResponse);
  const answers = await Promise.all([ask(), ask(), ask()]);
  for (const answer of answers) expect(answer).toMatchObject({ id: 'checkout' });
  expect(it.lines).toEqual([]);
  await expect.poll(() => bodies.bytes).toBe(900_000);
});
