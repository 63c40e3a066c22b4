/** The gRPC edge of a sidecar: what each call asks of the sidecar, and how every refusal leaves. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Client, credentials } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { GRPC_CODES } from '../../core/contract/grpc.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { ShutdownMode } from '../../core/domain/shutdown-kind.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { openFront } from '../../core/grpc/front.ts';
import { openGrpcServer } from '../../core/grpc/server.ts';
import type { GrpcServer, GrpcServerOptions } from '../../core/grpc/server.ts';
import type { AppChannel } from '../../core/ports/app-channel.ts';
import type { OpenStream } from '../../core/runtime/api.ts';
import { fakeSidecar } from '../http/fake-sidecar.ts';
import type { FakeSidecar } from '../http/fake-sidecar.ts';
import { clientOf, SERVICE } from './raw-client.ts';
import type { RawClient } from './raw-client.ts';

interface Edge {
  readonly fake: FakeSidecar;
  readonly server: GrpcServer;
  readonly client: RawClient;
  readonly lines: string[];
  /** How the shutdown that was asked for is to be. */
  readonly shutdown: Promise<ShutdownMode>;
}

async function edge(change: Partial<GrpcServerOptions> = {}): Promise<Edge> {
  const fake = fakeSidecar();
  const lines: string[] = [];
  let asked: (how: ShutdownMode) => void = () => undefined;
  const shutdown = new Promise<ShutdownMode>((go) => (asked = go));
  const server = await openGrpcServer({
    sidecar: fake.view,
    profile: PROFILES.dapr,
    port: 0,
    maxBodyBytes: () => 4_194_304,
    httpUrl: () => 'http://127.0.0.1:3500',
    shutdown: (how) => asked(how),
    log: { write: (level, part, text) => void lines.push(`${level} ${part}: ${text}`) },
    ...change,
  });
  onTestFinished(() => server.close(0));
  return { fake, server, client: await clientOf(server.address), lines, shutdown };
}

const PUBLISH = {
  pubsub_name: 'pubsub',
  topic: 'a/b c%2F+',
  data: Buffer.from('{"n":1}'),
  data_content_type: 'application/json',
  metadata: { ttlInSeconds: '5' },
};

function publish({ client }: Edge, change: Partial<typeof PUBLISH> = {}, metadata = {}) {
  const { publishEventRequest, empty } = client.protocol;
  return client.call('PublishEvent', publishEventRequest, { ...PUBLISH, ...change }, empty, metadata);
}

test.each([
  ['a topic', { topic: 'x'.repeat(16_385) }],
  ['a dead-letter topic', { dead_letter_topic: 'x'.repeat(16_385) }],
])('a stream with %s that is too long is refused', async (what, initial) => {
  const it = await edge();
  const stream = it.client.stream();
  stream.subscribe(initial);
  expect(await stream.next()).toMatchObject({
    code: 'INVALID_ARGUMENT',
    text: `${what} has at most 16384 characters: actual are 16385`,
  });
});

describe('metadata of more keys than a message may have are refused undecoded', () => {
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${n}`, 'v']));
  const details = 'a message has at most 1000 metadata keys: actual are 1001';
  const refused = { code: 'INVALID_ARGUMENT', text: expect.stringContaining(details) };

  test('a publish with too many metadata keys is refused', async () => {
    const it = await edge();
    const { decode } = it.client.protocol.publishEventRequest;
    const seen = vi.spyOn(it.client.protocol.publishEventRequest, 'decode').mockImplementation((bytes) => {
      expect(bytes.length).toBeLessThan(100);
      return decode(bytes);
    });
    expect(await publish(it, { metadata: many as never })).toMatchObject(refused);
    expect(seen).toHaveBeenCalledTimes(1);
    expect(it.fake.published).toEqual([]);
  });

  test.each([
    ['of an entry', {}, many],
    ['of all entries', many, {}],
  ])('a bulk publish with too many metadata keys is refused: %s', async (_, metadata, own) => {
    const { client, fake } = await edge();
    const { bulkPublishRequest, bulkPublishResponse } = client.protocol;
    const entry = { entry_id: '1', event: Buffer.from('1'), content_type: 'text/plain', metadata: {} };
    const entries = [entry, { ...entry, entry_id: '2', metadata: own }];
    const request = { pubsub_name: 'pubsub', topic: 't', entries, metadata };
    const call = client.call('BulkPublishEvent', bulkPublishRequest, request, bulkPublishResponse);
    expect(await call).toMatchObject(refused);
    expect(fake.published).toEqual([]);
  });

  test('a bulk publish with too many entries is refused before they are decoded', async () => {
    const it = await edge();
    const bare = Buffer.alloc(400_000).fill(Buffer.from([0x1a, 0]));
    const { bulkPublishRequest, bulkPublishResponse } = it.client.protocol;
    const named = bulkPublishRequest.encode({ pubsub_name: 'p', topic: 't', metadata: {}, entries: [] });
    const asIs = { encode: (bytes: Buffer) => bytes, decode: (bytes: Uint8Array) => Buffer.from(bytes) };
    const answer = await it.client.call(
      'BulkPublishEvent',
      asIs,
      Buffer.concat([named, bare]),
      bulkPublishResponse,
    );
    expect(answer).toMatchObject({
      code: 'INVALID_ARGUMENT',
      text: 'error when unmarshaling the request for topic t pubsub p: a bulk publish over gRPC has at most 100,000 entries and metadata together',
    });
    expect(it.fake.bulk).toEqual([]);
  });

  test('entries that are too many with their metadata are refused with a limit that is true of them', async () => {
    const { client, fake } = await edge();
    const { bulkPublishRequest, bulkPublishResponse } = client.protocol;
    const entries = Array.from({ length: 50_001 }, (_, n) => ({
      entry_id: `${n}`,
      event: Buffer.from('1'),
      content_type: '',
      metadata: { k: '' },
    }));
    const request = { pubsub_name: 'p', topic: 't', metadata: {}, entries };
    const answer = await client.call('BulkPublishEvent', bulkPublishRequest, request, bulkPublishResponse);
    expect(answer).toMatchObject({
      code: 'INVALID_ARGUMENT',
      text: expect.stringContaining('100,000 entries and metadata together') as unknown,
    });
    expect(fake.bulk).toEqual([]);
  });

  test('a binding call with too many metadata keys is refused', async () => {
    const { client } = await edge();
    const { invokeBindingRequest, invokeBindingResponse } = client.protocol;
    const request = { name: 'b', operation: 'create', data: Buffer.from('1'), metadata: many };
    const call = client.call('InvokeBinding', invokeBindingRequest, request, invokeBindingResponse);
    expect(await call).toMatchObject(refused);
  });

  test('a stream with too many metadata keys is refused', async () => {
    const { client } = await edge();
    const stream = client.stream();
    stream.subscribe({ metadata: many });
    expect(await stream.next()).toMatchObject(refused);
  });

  test('1,000 keys reach the sidecar', async () => {
    const it = await edge();
    const { k0: _, ...metadata } = many;
    await publish(it, { metadata: metadata as never });
    expect(it.fake.published[0]?.metadata).toEqual(metadata);
  });
});

describe('publish', () => {
  test('everything of the request reaches the sidecar as it is', async () => {
    const it = await edge();
    expect(await publish(it)).toEqual({});
    const [request] = it.fake.published;
    expect(request).toMatchObject({
      pubsubname: 'pubsub',
      topic: 'a/b c%2F+',
      contentType: 'application/json',
      metadata: { ttlInSeconds: '5' },
      source: 'grpc',
    });
    expect(String(request?.body)).toBe('{"n":1}');
    expect(request?.caller?.address).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('a publish may have no content type and no data', async () => {
    const it = await edge();
    await publish(it, { data_content_type: '', data: Buffer.alloc(0) });
    expect(it.fake.published[0]).not.toHaveProperty('contentType');
    expect(it.fake.published[0]?.body).toHaveLength(0);
  });

  test('the binary trace comes before that of the text', async () => {
    const it = await edge();
    const bin = Buffer.from('00000af7651916cd43dd8448eb211c80319c01b7ad6b71692033310201', 'hex');
    const traceparent = '00-11111111111111111111111111111111-2222222222222222-01';
    await publish(it, {}, { traceparent, tracestate: 'a=1' });
    await publish(it, {}, { traceparent, 'grpc-trace-bin': bin });
    expect(it.fake.published.map((one) => [one.traceparent, one.tracestate])).toEqual([
      [traceparent, 'a=1'],
      ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
    ]);
  });

  test('a refusal has the code of the table, the text and the details of HTTP', async () => {
    const it = await edge();
    it.fake.refuse = new Refusal('ERR_TOPIC_EMPTY', { pubsubname: 'pubsub' });
    expect(await publish(it)).toEqual({
      code: 'INVALID_ARGUMENT',
      text: 'topic is empty in pubsub pubsub',
      details: [
        {
          reason: 'DAPR_PUBSUB_TOPICNAME_EMPTY',
          domain: 'dapr.io',
          metadata: { ttlInSeconds: '5' },
        },
        {
          resource_type: 'pubsub',
          resource_name: 'pubsub',
          owner: '',
          description: 'topic is empty in pubsub pubsub',
        },
      ],
    });
  });

  test.each([
    ['ERR_PUBSUB_NOT_FOUND', 'INVALID_ARGUMENT', 1],
    ['ERR_PUBSUB_FORBIDDEN', 'PERMISSION_DENIED', 2],
    ['ERR_PUBSUB_PUBLISH_MESSAGE', 'INTERNAL', 2],
  ] as const)('%s is %s with %i details', async (code, expected, details) => {
    const it = await edge();
    it.fake.refuse = new Refusal(code, { pubsubname: 'p', topic: 't', appId: 'a', reason: 'r' });
    const answer = await publish(it);
    expect(answer).toMatchObject({ code: expected });
    expect('details' in answer ? answer.details : []).toHaveLength(details);
  });

  test.each(['not-ready', 'bulk-not-ready'])(
    'a component that is %s is refused with the reason',
    async (variant) => {
      const it = await edge();
      const names = { pubsubname: 'orderpubsub', topic: 't', appId: 'a' };
      const reason = 'Cannot reach Redis at 127.0.0.1:1: it refuses connections';
      it.fake.refuse = new Refusal('ERR_PUBSUB_NOT_FOUND', { ...names, reason }, { variant });
      expect(await publish(it)).toMatchObject({
        code: 'INVALID_ARGUMENT',
        text: `pubsub orderpubsub is not ready: ${reason}`,
        details: [{ reason: 'DAPR_PUBSUB_NOT_FOUND' }],
      });
    },
  );

  test('a refusal of a very long name is cut, and the connection stays open', async () => {
    const it = await edge();
    it.fake.refuse = new Refusal('ERR_TOPIC_EMPTY', { pubsubname: '😀'.repeat(100_000) });
    const refused = await publish(it, { metadata: { ttlInSeconds: 'x'.repeat(1_000_000) } });
    expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT' });
    const text = 'text' in refused ? String(refused.text) : '';
    expect(text).toMatch(/^topic is empty in pubsub (?:😀)+…$/);
    expect(refused).toMatchObject({ details: [] });
    it.fake.refuse = undefined;
    expect(await publish(it)).toEqual({});
  });

  test('a bug is logged, and its text stays inside', async () => {
    const it = await edge();
    it.fake.refuse = new Error('secret path');
    expect(await publish(it)).toMatchObject({
      code: 'INTERNAL',
      text: 'Something went wrong inside Sidelight.',
    });
    expect(it.lines.join('\n')).toContain('secret path');
  });

  test('a message over the limit is refused and reported, and the connection stays of use', async () => {
    const refused: unknown[] = [];
    const it = await edge({ maxBodyBytes: () => 1000, onRefused: (info) => refused.push(info) });
    const { client } = it;
    const { publishEventRequest: request, empty } = client.protocol;
    const large = { ...PUBLISH, data: Buffer.alloc(1001) };
    expect(await publish(it, large)).toMatchObject({ code: 'RESOURCE_EXHAUSTED' });
    // The banner is about publishes, and the log has a line for who looks for another call.
    expect(await client.call('GetMetadata', request, large, empty)).toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
    });
    expect(await publish(it)).toEqual({});
    const reason: unknown = expect.stringMatching(/^Received message larger than max \(\d+ vs 1000\)$/);
    expect(refused).toEqual([
      { path: 'PublishEvent', status: 'RESOURCE_EXHAUSTED', reason, isTooLarge: true },
    ]);
    expect(it.lines).toEqual([
      expect.stringMatching(
        /^debug .*GetMetadata was answered RESOURCE_EXHAUSTED: Received message larger .*\.$/,
      ),
    ]);
  });
});

describe('bulk publish', () => {
  const entry = (entry_id: string) => ({
    entry_id,
    event: Buffer.from('x'),
    content_type: 'image/png',
    metadata: { a: entry_id },
  });
  const bulk = ({ client }: Edge, method: string) => {
    const { bulkPublishRequest, bulkPublishResponse } = client.protocol;
    const message = { pubsub_name: 'p', topic: 't', entries: [entry('1'), entry('2')], metadata: { b: '2' } };
    return client.call(method, bulkPublishRequest, message, bulkPublishResponse);
  };

  test.each(['BulkPublishEvent', 'BulkPublishEventAlpha1'])('%s publishes all entries', async (method) => {
    const it = await edge();
    expect(await bulk(it, method)).toMatchObject({ failedEntries: [] });
    const [request] = it.fake.bulk;
    expect(request).toMatchObject({ source: 'grpc', metadata: { b: '2' }, body: { length: 2 } });
    expect(Array.from<unknown>(request?.body ?? [])).toMatchObject([
      { entryId: '1', contentType: 'image/png', metadata: { a: '1' } },
      { entryId: '2', contentType: 'image/png', metadata: { a: '2' } },
    ]);
  });

  test('an entry that cannot be decoded is answered as the library answers such a request', async () => {
    const it = await edge();
    it.fake.view.publishBulk = async ({ body }) => {
      for (const _entry of body) continue;
      return Promise.resolve({ messageIds: [], failedEntries: [] });
    };
    const { bulkPublishRequest, bulkPublishResponse } = it.client.protocol;
    const whole = bulkPublishRequest.encode({ pubsub_name: 'p', topic: 't', metadata: {}, entries: [] });
    const asIs = { encode: (bytes: Buffer) => bytes, decode: (bytes: Uint8Array) => Buffer.from(bytes) };
    // The entry ends before its event does.
    const broken = Buffer.concat([whole, Buffer.from([0x1a, 2, 0x12, 5])]);
    expect(await it.client.call('BulkPublishEvent', asIs, broken, bulkPublishResponse)).toMatchObject({
      code: 'INTERNAL',
      text: expect.stringMatching(/^Error deserializing request: /) as unknown,
    });
  });

  test('the sidecar learns that the client has left', async () => {
    const it = await edge();
    let seen: (signal: AbortSignal | undefined) => void = () => undefined;
    const signal = new Promise<AbortSignal | undefined>((go) => (seen = go));
    it.fake.view.publishBulk = async (request) => {
      seen(request.signal);
      await new Promise((go) => request.signal?.addEventListener('abort', go));
      throw request.signal?.reason;
    };
    const client = new Client(it.server.address, credentials.createInsecure());
    onTestFinished(() => client.close());
    const { bulkPublishRequest } = it.client.protocol;
    const bytes = bulkPublishRequest.encode({ pubsub_name: 'p', topic: 't', metadata: {}, entries: [] });
    const asIs = (given: Buffer): Buffer => given;
    const answered = new Promise<unknown>((go) => {
      const call = client.makeUnaryRequest(`${SERVICE}/BulkPublishEvent`, asIs, asIs, bytes, go);
      void signal.then((one) => {
        expect(one?.aborted).toBe(false);
        call.cancel();
      });
    });
    expect(await answered).toMatchObject({ code: GRPC_CODES.indexOf('CANCELLED') });
    const asked = await signal;
    await vi.waitFor(() => expect(asked?.aborted).toBe(true));
  });

  test('names each failed entry, and fails if all did', async () => {
    const it = await edge();
    it.fake.failedEntries = [{ entryId: '2', error: 'full' }];
    expect(await bulk(it, 'BulkPublishEvent')).toMatchObject({
      failedEntries: [{ entry_id: '2', error: 'full' }],
    });
    it.fake.failedEntries = [
      { entryId: '1', error: 'full' },
      { entryId: '2', error: 'full' },
    ];
    expect(await bulk(it, 'BulkPublishEvent')).toMatchObject({
      code: 'INTERNAL',
      text: 'error when publishing to topic t in pubsub p: full',
    });
  });
});

describe('other calls', () => {
  test('metadata is set and read', async () => {
    const it = await edge();
    const { setMetadataRequest, getMetadataResponse, empty } = it.client.protocol;
    expect(await it.client.call('SetMetadata', setMetadataRequest, { key: 'k', value: 'v' }, empty)).toEqual(
      {},
    );
    expect(await it.client.call('SetMetadata', setMetadataRequest, { key: '', value: 'v' }, empty)).toEqual(
      {},
    );
    const read = await it.client.call('GetMetadata', empty, {}, getMetadataResponse);
    expect(read).toMatchObject({
      id: 'checkout',
      extended_metadata: { k: 'v' },
      app_connection_properties: { port: 6001, protocol: 'http' },
    });
    expect('extended_metadata' in read ? Object.keys(read.extended_metadata) : []).toEqual(['k']);
  });

  test('a binding gets the bytes that were sent', async () => {
    const it = await edge();
    it.fake.bindingAnswer = { data: Buffer.from('reply'), metadata: { statusCode: '200' } };
    const { invokeBindingRequest, invokeBindingResponse } = it.client.protocol;
    const message = { name: 'out', operation: 'create', data: Buffer.from('raw'), metadata: {} };
    const reply = await it.client.call('InvokeBinding', invokeBindingRequest, message, invokeBindingResponse);
    expect(reply).toMatchObject({ metadata: { statusCode: '200' } });
    expect('data' in reply ? String(reply.data) : '').toBe('reply');
    expect(it.fake.invoked[0]?.slice(0, 2)).toEqual(['out', 'create raw']);
  });

  test('a shutdown is answered before it begins', async () => {
    const it = await edge();
    const { empty } = it.client.protocol;
    expect(await it.client.call('Shutdown', empty, {}, empty)).toEqual({});
    expect(await it.shutdown).toBe('in-order');
  });

  test('Shutdown with dapr-force-shutdown is immediate', async () => {
    const it = await edge();
    const { empty } = it.client.protocol;
    const metadata = { 'dapr-force-shutdown': 'True' };
    expect(await it.client.call('Shutdown', empty, {}, empty, metadata)).toEqual({});
    expect(await it.shutdown).toBe('at-once');
  });

  test.each(['GetState', `${SERVICE}/NoSuchMethod`, '/no.Such/Method'])(
    '%s is not implemented',
    async (method) => {
      const it = await edge();
      const { empty } = it.client.protocol;
      expect(await it.client.call(method, empty, {}, empty)).toMatchObject({ code: 'UNIMPLEMENTED' });
    },
  );

  test('an unserved method of the reference is logged once, with the reason', async () => {
    const it = await edge();
    const { empty } = it.client.protocol;
    for (let i = 0; i < 2; i += 1) await it.client.call('GetState', empty, {}, empty);
    expect(it.lines).toEqual([
      'warn grpc: A client called dapr.proto.runtime.v1.Dapr/GetState: GetState is not implemented by this sidecar (pub/sub only).',
    ]);
  });
});

test('a close waits for calls, and ends streams so that their clients may try again', async () => {
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((go) => (answer = go));
  const { view } = fakeSidecar();
  const it = await edge({
    sidecar: {
      ...view,
      publish: () => asked.then(() => ({ messageId: 'msg_1' })),
      openStream: () => Promise.resolve({ close: () => Promise.resolve() }),
    },
  });
  const stream = it.client.stream();
  stream.subscribe({});
  expect(await stream.next()).toMatchObject({ initial_response: {} });
  const publishing = publish(it);
  const other = it.client.call('GetMetadata', it.client.protocol.empty, {}, it.client.protocol.empty);
  expect(await other).not.toHaveProperty('code');
  const closing = it.server.close(20_000);
  expect(await stream.next()).toMatchObject({ code: 'UNAVAILABLE', text: 'sidecar is shutting down' });
  answer();
  expect(await publishing).toEqual({});
  await closing;
});

test('a message for many streams is sent in several turns of the event loop, and reaches each', async () => {
  const channels: AppChannel[] = [];
  const { view } = fakeSidecar();
  const openStream = ({ channel }: { readonly channel: AppChannel }): Promise<OpenStream> => {
    channels.push(channel);
    return Promise.resolve({ close: () => Promise.resolve() });
  };
  const it = await edge({ sidecar: { ...view, openStream } });
  const streams = Array.from({ length: 250 }, () => it.client.stream());
  for (const stream of streams) stream.subscribe({});
  for (const stream of streams) expect(await stream.next()).toMatchObject({ initial_response: {} });
  const encode = vi.spyOn(it.client.protocol.streamResponse, 'encode');
  onTestFinished(() => encode.mockRestore());
  const facts = { source: 's', type: 't', spec_version: '1.0', data_content_type: 'text/plain' };
  const place = { topic: 'orders', pubsub_name: 'pubsub', path: '/' };
  const event = { id: '1', data: 'x', extensions: {}, ...facts, ...place };
  for (const channel of channels)
    channel.deliver({ path: '/', headers: {}, body: '', message: { kind: 'event', event } });
  expect(encode.mock.calls.length).toBeGreaterThan(50);
  expect(encode.mock.calls.length).toBeLessThan(150);
  for (const stream of streams) expect(await stream.next()).toMatchObject({ event_message: { id: '1' } });
});

describe('token', () => {
  test.each([
    [{}, 'missing api token in request metadata'],
    [{ 'dapr-api-token': 'wrong' }, 'authentication error: api token mismatch'],
  ])('metadata %j is refused as unauthenticated', async (metadata, why) => {
    const it = await edge({ apiToken: 'right' });
    expect(await publish(it, {}, metadata)).toMatchObject({
      code: 'UNAUTHENTICATED',
      text: 'Unauthorized',
      details: [{ reason: 'Unauthorized', metadata: { 'http.code': '401', 'http.error_message': why } }],
    });
    expect(it.fake.published).toEqual([]);
  });

  test('the right token is accepted', async () => {
    const it = await edge({ apiToken: 'right' });
    expect(await publish(it, {}, { 'dapr-api-token': 'right' })).toEqual({});
  });

  test('a stream without a token is refused before it is read', async () => {
    const it = await edge({ apiToken: 'right' });
    expect(await it.client.stream().next()).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('the front', () => {
  test('HTTP/1 is answered with the right port', async () => {
    const kinds: string[] = [];
    const it = await edge({ onForeign: (kind) => void kinds.push(kind) });
    const answer = await fetch(`http://${it.server.address}/v1.0/metadata`);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      'This port speaks gRPC (HTTP/2). The HTTP API of this sidecar is at http://127.0.0.1:3500.\n',
    ]);
    expect(kinds).toEqual(['http1']);
  });

  test.each([
    ['a preface in pieces', [Buffer.from('PRI * HT'), Buffer.from('TP/2.0\r\n\r\nSM\r\n\r\n')], 9, []],
    ['bytes of TLS', [Buffer.from([0x16, 3, 1])], 0, ['tls']],
    ['noise', [Buffer.from([1, 2, 3])], 0, ['other']],
  ] as const)('the front recognises %s', async (_name, pieces, atLeast, foreign) => {
    const kinds: string[] = [];
    const it = await edge({ onForeign: (kind) => void kinds.push(kind) });
    const socket = connect(it.server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const seen: Buffer[] = [];
    socket.on('error', () => undefined);
    const over = new Promise<void>((go) => {
      socket.on('data', (chunk: Buffer) => {
        seen.push(chunk);
        go();
      });
      socket.on('close', () => go());
    });
    for (const piece of pieces) await new Promise<void>((go) => socket.write(piece, () => setImmediate(go)));
    await over;
    expect(Buffer.concat(seen).length).toBeGreaterThanOrEqual(atLeast);
    expect(kinds).toEqual(foreign);
    // Whatever came, the next client is served.
    expect(await publish(it)).toEqual({});
  });

  test('sockets that the front passes on send small frames at once', async () => {
    const taken = new Promise<Socket>((resolve) => {
      void openFront({
        hosts: ['127.0.0.1'],
        port: 0,
        take: resolve,
        http1Answer: () => '',
        onForeign: () => undefined,
      }).then((front) => {
        onTestFinished(() => front.close());
        const client = connect(front.port, '127.0.0.1', () =>
          client.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
        );
        onTestFinished(() => void client.destroy());
      });
    });
    const socket = await taken;
    onTestFinished(() => void socket.destroy());
    // Node tells of the option under a symbol only.
    const option = Object.getOwnPropertySymbols(socket).find(
      ({ description }) => description === 'kSetNoDelay',
    );
    expect(option && Reflect.get(socket, option)).toBe(true);
  });

  test('a taken port is an error', async () => {
    const it = await edge();
    await expect(edge({ port: it.server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

test('a client that cancels 1,500 streams keeps its connection', async () => {
  const it = await edge();
  // Node lets a client reset a thousand at once, and then ends its connection.
  for (let round = 0; round < 15; round += 1) {
    const streams = Array.from({ length: 100 }, () => it.client.stream());
    // Each stream is open on the server when this call is answered.
    expect(await publish(it)).toEqual({});
    for (const stream of streams) stream.cancel();
  }
  expect(await publish(it)).toEqual({});
  const stream = it.client.stream();
  stream.end();
  expect(await stream.next()).toBe('ended');
});

test('random bytes as requests and as frames end in errors, and the server survives', async () => {
  const it = await edge();
  const bytes = { encode: (value: Buffer) => value, decode: (value: Uint8Array) => Buffer.from(value) };
  let seed = 7;
  const noise = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % 256));
  const methods = ['PublishEvent', 'BulkPublishEvent', 'InvokeBinding', 'SetMetadata'];
  await Promise.all(
    Array.from({ length: 400 }, (_, i) =>
      it.client.call(methods[i % methods.length] ?? '', bytes, noise(i % 97), bytes),
    ),
  );
  expect(await publish(it)).toEqual({});
});
