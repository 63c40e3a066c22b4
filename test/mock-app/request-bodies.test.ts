/** Bodies of requests to mock apps share a limit, and give their room back however a request ends. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { RequestBodies } from '../../core/domain/request-bodies.ts';
import { ATTEMPT_HEADER } from '../../core/ports/mock-app.ts';
import { framed } from '../../core/tap/grpc/frames.ts';
import { openClient } from '../support/grpc-client.ts';
import { openMockApp } from '../support/mock-app-parts.ts';
import { orderEvent } from '../tap/order-event.ts';

const PATH = '/orders';
const DISCOVERY = PROFILES.sidecar.discoveryPath;
const rules = [{ ruleId: 'slow', name: 'slow', enabled: true, match: {}, answer: { kind: 'ask' } }] as const;

const post = async (url: string, bytes: number): Promise<number> =>
  (await fetch(`${url}${PATH}`, { method: 'POST', body: 'x'.repeat(bytes) })).status;

test('bodies of requests to all mock apps share one limit, and a refused one names it', async () => {
  const bodies = new RequestBodies(100_000);
  const [one, two] = [await openMockApp({ bodies, rules }), await openMockApp({ bodies })];
  const socket = connect(Number(new URL(one.url).port), '127.0.0.1');
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 80000\r\n\r\n${'x'.repeat(80_000)}`,
  );
  await vi.waitFor(() => expect(one.state().received).toBe(1));
  expect(await post(two.url, 30_000)).toBe(503);
  expect(two.state().requests[0]?.note).toContain('bodies of requests that wait');
  expect(await post(two.url, 200)).toBe(200);
  socket.destroy();
  await vi.waitFor(async () => expect(await post(two.url, 80_000)).toBe(200));
  // A body that was answered, refused or broken off takes no room.
  for (let i = 0; i < 5; i += 1) expect(await post(two.url, 80_000)).toBe(200);
});

test('small requests that wait count with their own memory and what their JSON becomes', async () => {
  const [plain, listed] = [new RequestBodies(100_000), new RequestBodies(4_000_000)];
  const [app, other] = [
    await openMockApp({ bodies: plain, rules }),
    await openMockApp({ bodies: listed, rules }),
  ];
  const body = `[${'[],'.repeat(20_000)}1]`;
  const one = (length: number): string =>
    `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`;
  for (const [to, text, bodies, limit] of [
    [app, `${one(1)}x`, plain, 100_000],
    [other, `${one(body.length)}${body}`, listed, 4_000_000],
  ] as const) {
    const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
    socket.on('error', () => undefined).write(text.repeat(20));
    await vi.waitFor(() => expect(to.state().requests.at(-1)?.status).toBe(503));
    socket.destroy();
    await vi.waitFor(() => expect(to.waiting()).toEqual([]));
    await vi.waitFor(() => expect(bodies.take(limit) ?? bodies.free(limit)).toBeUndefined());
  }
});

test('a connection with more than 1,000 requests that wait is closed', async () => {
  const lines: string[] = [];
  const log = { write: (_level: string, _component: string, text: string) => void lines.push(text) };
  const app = await openMockApp({ rules, log });
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  const isClosed = once(socket.on('error', () => undefined).resume(), 'close');
  const one = `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\n\r\nx`;
  socket.write(one.repeat(1_000));
  await vi.waitFor(() => expect(app.waiting()).toHaveLength(1_000));
  expect(socket.destroyed).toBe(false);
  socket.write(one.repeat(3));
  await isClosed;
  await vi.waitFor(() => expect(app.waiting()).toEqual([]));
  expect(app.state().received).toBe(1_000);
  expect(lines).toEqual([
    'app: more than 1,000 requests of one connection waited for their answers, so the connection was closed.',
  ]);
});

test('a body that breaks off, and answers that wait behind each other, give their room back with the connection', async () => {
  const bodies = new RequestBodies(100_000);
  const app = await openMockApp({ bodies, rules });
  const free = await openMockApp({ bodies });
  const head = `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 30000\r\n\r\n`;
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  await once(socket, 'connect');
  // Two whole requests of which the second waits for the answer of the first, and the beginning of a third one.
  socket.write(`${head}${'x'.repeat(30_000)}${head}${'x'.repeat(30_000)}${head}${'x'.repeat(12_000)}`);
  await vi.waitFor(async () => expect(await post(free.url, 100)).toBe(503));
  socket.destroy();
  await vi.waitFor(async () => expect(await post(free.url, 80_000)).toBe(200));
});

test('a body counts with what its small values become, and one without room for them is refused', async () => {
  const bodies = new RequestBodies(4_000_000);
  const app = await openMockApp({ bodies });
  const send = async (body: string): Promise<number> =>
    (await fetch(`${app.url}${PATH}`, { method: 'POST', body })).status;
  const lists = `{"entries":[${'[],'.repeat(100_000)}1]}`;
  const text = JSON.stringify({ data: ',[{:'.repeat(100_000), quote: '\\"' });
  expect(await send(lists)).toBe(503);
  expect(app.state().requests.at(-1)?.note).toContain('the limit of 4,000,000 bytes');
  expect(await send(text)).toBe(200);
  for (let i = 0; i < 5; i += 1) expect(await send(text)).toBe(200);
});

test('a body of 4 MiB of small lists finds room in a quarter of a heap of 512 MB', async () => {
  const app = await openMockApp({ bodies: new RequestBodies(128 * 1024 * 1024) });
  const lists = `{"specversion":"1.0","data":[${'[],'.repeat((4 * 1024 * 1024) / 3)}1]}`;
  const sent = await fetch(`${app.url}${PATH}`, {
    method: 'POST',
    body: lists,
    headers: { [ATTEMPT_HEADER]: 'a' },
  });
  expect(sent.status).toBe(200);
});

test('requests over gRPC count in the same limit from their first byte on, and until their caller goes', async () => {
  const bodies = new RequestBodies(200_000);
  const [app, other] = [await openMockApp({ bodies, protocol: 'grpc' }), await openMockApp({ bodies })];
  const session = connectHttp2(app.url.replace('grpc:', 'http:'));
  onTestFinished(() => session.destroy());
  const begin = (): ReturnType<typeof session.request> => {
    const stream = session.request({
      ':method': 'POST',
      ':path': APP_METHODS.onTopicEvent,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.on('error', () => undefined);
    stream.write(framed(Buffer.alloc(150_000)).subarray(0, 120_000));
    return stream;
  };
  begin();
  await vi.waitFor(async () => expect(await post(other.url, 100_000)).toBe(503));
  const [headers] = (await once(begin(), 'response')) as [Record<string, unknown>];
  expect(headers).toMatchObject({
    'grpc-status': '8',
    'grpc-message': expect.stringContaining('the%20limit%20of%20200,000%20bytes') as unknown,
  });
  session.destroy();
  await vi.waitFor(async () => expect(await post(other.url, 190_000)).toBe(200));
});

const NO_VALUES: readonly (readonly [what: string, text: string])[] = [
  ['a table', 'a,b,c\n'.repeat(100_000)],
  ['a text of JSON', JSON.stringify(JSON.stringify(Array.from({ length: 200_000 }, () => '')))],
  ['a member of JSON', JSON.stringify({ text: '[],'.repeat(100_000) })],
];

test('the data of a request over gRPC counts with what its small values become', async () => {
  const bodies = new RequestBodies(4_000_000);
  const app = await openMockApp({ bodies, protocol: 'grpc' });
  const client = await openClient(app.url.replace('grpc://', ''));
  onTestFinished(() => client.close());
  const { topicEventRequest, topicEventResponse } = client.protocol;
  const send = (text: string, id = '1'): Promise<object> =>
    client.call(
      APP_METHODS.onTopicEvent,
      topicEventRequest,
      orderEvent({ id, data: Buffer.from(text) }),
      topicEventResponse,
    );
  const lists = `[${'[],'.repeat(100_000)}1]`;
  const refused = {
    code: 'RESOURCE_EXHAUSTED',
    text: expect.stringContaining('the limit of 4,000,000 bytes') as unknown,
  };
  expect(await send(lists)).toMatchObject(refused);
  // A quote elsewhere makes no text of the data.
  expect(await send(lists, '"')).toMatchObject(refused);
  for (let i = 0; i < 5; i += 1) expect(await send('[],'.repeat(1_000))).toMatchObject({ status: 0 });
  // What is in a text becomes no values, nor does what is no JSON.
  for (const [, text] of NO_VALUES) expect(await send(text)).toMatchObject({ status: 0 });
});

test.each(NO_VALUES)('%s of many commas counts as the bytes that it has', async (_, text) => {
  const bodies = new RequestBodies(4_000_000);
  const app = await openMockApp({ bodies });
  const answer = await fetch(`${app.url}${PATH}`, { method: 'POST', body: text });
  expect(answer.status).toBe(200);
});

test('large answers that nobody reads count, and give their room back with their connection', async () => {
  const bodies = new RequestBodies(7_000_000);
  const answer = { kind: 'respond', status: 200, body: 'x'.repeat(3_000_000) } as const;
  const app = await openMockApp({ bodies, rules: [{ enabled: true, match: {}, answer }] });
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write(`POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\n\r\nx`.repeat(4));
  await vi.waitFor(() => expect(app.state().requests.at(-1)?.status).toBe(503));
  expect(app.state().requests.at(-1)?.note).toContain('the limit of 7,000,000 bytes');
  socket.destroy();
  await vi.waitFor(async () => expect(await post(app.url, 1)).toBe(200));
  for (let i = 0; i < 5; i += 1) expect(await post(app.url, 1)).toBe(200);
});

test('a large list of subscriptions that nobody reads counts as well', async () => {
  const bodies = new RequestBodies(1_000_000);
  const app = await openMockApp({ bodies });
  const route = `/${'r'.repeat(1_000)}`;
  const one = { pubsubname: 'pubsub', route };
  app.setSubscriptions(Array.from({ length: 300 }, (_, i) => ({ ...one, topic: `t${i}` })));
  const ask = `GET ${DISCOVERY} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write(ask.repeat(8));
  await vi.waitFor(() => expect(app.state().requests).toHaveLength(8));
  expect(app.state().requests.map(({ status }) => status)).toEqual([200, 200, 200, 503, 503, 503, 503, 503]);
  expect(app.state().requests.at(-1)?.note).toContain('the limit of 1,000,000 bytes');
  socket.destroy();
  await vi.waitFor(async () => expect((await fetch(app.url + DISCOVERY)).status).toBe(200));
  for (let i = 0; i < 5; i += 1) expect(await (await fetch(app.url + DISCOVERY)).json()).toHaveLength(300);
});
