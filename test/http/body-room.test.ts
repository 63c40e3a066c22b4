/** Bodies of requests count while they are in memory: what finds no room is refused with the limit, like any other publish. */
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { edgeOf } from './fake-sidecar.ts';
import type { Edge } from './fake-sidecar.ts';
import { CountedBodies } from '../support/counted-bodies.ts';

const REASON =
  'the limit of 1,000 bytes for the bodies of requests that wait (a part of the heap, see node --max-old-space-size) is reached';

function room(): Edge & { readonly bodies: CountedBodies } {
  const bodies = new CountedBodies(1000);
  return Object.assign(edgeOf({ bodies }), { bodies });
}

test.each([
  ['/v1.0/publish/pubsub/a/b', 500, 'ERR_PUBSUB_PUBLISH_MESSAGE', `topic a/b in pubsub pubsub: ${REASON}`],
  [
    '/v1.0-alpha1/publish/bulk/pubsub/t',
    500,
    'ERR_PUBSUB_PUBLISH_MESSAGE',
    `topic t in pubsub pubsub: ${REASON}`,
  ],
  ['/v1.0/publish/pubsub/%zz', 400, 'ERR_MALFORMED_REQUEST', ''],
  ['/v1.0/nothing', 400, 'ERR_MALFORMED_REQUEST', REASON],
  ['/v1.0/bindings/mine', 500, 'ERR_INVOKE_OUTPUT_BINDING', `binding mine: ${REASON}`],
])(
  'POST %s without room for its body is refused in the words of its route',
  async (url, status, errorCode, says) => {
    const { server, fake, bodies } = room();
    const answer = await server.inject({ method: 'POST', url, payload: 'x'.repeat(1001) });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ errorCode, message: expect.stringContaining(says) as unknown });
    expect([fake.published, fake.bulk, fake.invoked]).toEqual([[], [], []]);
    expect(bodies.bytes).toBe(0);
  },
);

test('a request that waits has its room until it is answered, and the next one is refused meanwhile', async () => {
  const { server, fake, bodies } = room();
  let go: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (go = resolve));
  const { publish } = fake.view;
  fake.view.publish = async (given) => waiting.then(async () => publish(given));
  const url = '/v1.0/publish/pubsub/t';
  const first = server.inject({ method: 'POST', url, payload: 'x'.repeat(700) });
  while (bodies.bytes === 0) await turn();
  expect(bodies.bytes).toBe(700);
  const second = await server.inject({ method: 'POST', url, payload: 'x'.repeat(400) });
  expect(second.json()).toMatchObject({ message: expect.stringContaining(REASON) as unknown });
  go();
  expect((await first).statusCode).toBe(204);
  expect(bodies.bytes).toBe(0);
  expect((await server.inject({ method: 'POST', url, payload: 'x'.repeat(1000) })).statusCode).toBe(204);
});

test('a client that goes away in the middle of its body gives its room back', async () => {
  const { server, bodies } = room();
  await server.start();
  onTestFinished(async () => server.close(0));
  const outgoing = request(`${server.url}/v1.0/publish/pubsub/t`, {
    method: 'POST',
    headers: { 'content-length': '900' },
  });
  outgoing.on('error', () => undefined);
  outgoing.write('x'.repeat(500));
  while (bodies.bytes === 0) await turn();
  const closed = new Promise<void>((resolve) => void outgoing.once('close', resolve));
  outgoing.destroy();
  await closed;
  while (bodies.bytes !== 0) await turn();
  expect(bodies.bytes).toBe(0);
});

test.each([
  ['read', 'PUT', 900, ['204', '204', '204', '500']],
  ['left unread', 'POST', 300, ['204', '204', '204', '204']],
])('the bodies of waiting requests on one connection are %s', async (_how, method, most, statuses) => {
  const { server, fake, bodies } = room();
  let go: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (go = resolve));
  const { publish } = fake.view;
  fake.view.publish = async (given) => waiting.then(async () => publish(given));
  await server.start();
  onTestFinished(async () => server.close(0));
  const text = `${method} /v1.0/publish/pubsub/t HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 300\r\n\r\n${'x'.repeat(300)}`;
  const socket = connect(server.port, '127.0.0.1');
  let answers = '';
  socket.on('data', (chunk: Buffer) => void (answers += chunk.toString()));
  socket.write(text.repeat(4));
  while (bodies.bytes < most) await turn();
  expect(bodies.bytes).toBe(most);
  go();
  while (answers.split('HTTP/1.1').length < 5) await turn();
  socket.destroy();
  const got = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(got.toSorted()).toEqual(statuses);
  expect(bodies.bytes).toBe(0);
});

test.each([
  ['bulk', '/v1.0-alpha1/publish/bulk/pubsub/t', 'POST'],
  ['put', '/v1.0/publish/pubsub/t', 'PUT'],
])(
  'a client that resets its connection with answers that it did not read gives all room back: %s',
  async (_how, url, method) => {
    const { server, fake, bodies } = room();
    let go: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (go = resolve));
    const { publish, publishBulk } = fake.view;
    fake.view.publish = async (given) => waiting.then(async () => publish(given));
    fake.view.publishBulk = async (given) => waiting.then(async () => publishBulk(given));
    await server.start();
    onTestFinished(async () => server.close(0));
    const text = `${method} ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200\r\n\r\n${'x'.repeat(200)}`;
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text.repeat(4));
    while (bodies.bytes < 800) await turn();
    const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    socket.resetAndDestroy();
    await closed;
    for (let n = 0; n < 20; n += 1) await turn();
    go();
    await expect.poll(() => bodies.bytes).toBe(0);
  },
);

test('large answers count until they are read, one of a connection at a time, and one without room is refused', async () => {
  const bodies = new CountedBodies(7_000_000);
  const { server, fake } = edgeOf({ bodies });
  fake.extended['big'] = 'x'.repeat(3_000_000);
  const asked = vi.spyOn(fake.view, 'metadata');
  await server.start();
  onTestFinished(async () => server.close(0));
  const deaf = async (): Promise<Socket> => {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).pause();
    socket.write('GET /v1.0/metadata HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(100));
    return socket;
  };
  const [first, second] = [await deaf(), await deaf()];
  await expect.poll(() => bodies.bytes).toBeGreaterThan(6_000_000);
  const answer = await fetch(`${server.url}/v1.0/metadata`);
  expect([answer.status, await answer.json()]).toMatchObject([
    500,
    {
      errorCode: 'ERR_ANSWER_NO_ROOM',
      message: expect.stringMatching(
        /^the answer has no room in memory: the limit of 7,000,000 bytes/,
      ) as unknown,
    },
  ]);
  for (let n = 0; n < 50; n += 1) await turn();
  // Nearly all of the 200 wait: the system takes the first answer of a connection at most.
  expect(asked.mock.calls.length).toBeLessThan(10);
  first.destroy();
  second.destroy();
  await expect.poll(() => bodies.bytes).toBe(0);
  expect((await fetch(`${server.url}/v1.0/metadata`)).status).toBe(200);
  await expect.poll(() => bodies.bytes).toBe(0);
});

test('the answer to an act that was done is sent also without room for it', async () => {
  const bodies = new CountedBodies(100_000);
  const { server, fake } = edgeOf({ bodies });
  const failedEntries = [{ entryId: '1', error: 'x'.repeat(200_000) }];
  fake.view.publishBulk = async () => ({ messageIds: [], failedEntries });
  const url = '/v1.0-alpha1/publish/bulk/pubsub/t';
  const answer = await server.inject({ method: 'POST', url, payload: '[]' });
  expect([answer.statusCode, answer.json()]).toEqual([
    500,
    { failedEntries, errorCode: 'ERR_PUBSUB_PUBLISH_MESSAGE' },
  ]);
  expect(bodies.bytes).toBe(0);
});

test('the body of a request takes no room from its own answer', async () => {
  const bodies = new CountedBodies(100_000);
  const { server, fake } = edgeOf({ bodies });
  const failedEntries = [{ entryId: '1', error: 'x'.repeat(70_000) }];
  fake.view.publishBulk = async () => ({ messageIds: [], failedEntries });
  const take = vi.spyOn(bodies, 'take');
  const url = '/v1.0-alpha1/publish/bulk/pubsub/t';
  await server.inject({ method: 'POST', url, payload: ' '.repeat(60_000) });
  const [ofBody, ofAnswer] = take.mock.calls.map(([bytes]) => bytes);
  expect(ofBody).toBe(60_000);
  expect(ofAnswer).toBeGreaterThan(70_000);
  expect(take.mock.results.map(({ value }) => value as unknown)).toEqual([undefined, undefined]);
  expect(bodies.bytes).toBe(0);
});
