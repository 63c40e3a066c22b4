// Requests whose answer comes before they are complete, on connections that stay open: what is told of them.
import { once } from 'node:events';
import { connect as connectHttp2, createServer as createHttp2 } from 'node:http2';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import { framed } from '../../core/tap/grpc/frames.ts';
import { tapped } from './tapped.ts';
import type { Tapped } from './tapped.ts';

const EVENT = '{"id":"e1","topic":"orders","pubsubname":"redis","specversion":"1.0","data":1}';
const LIST = JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }]);
const REFUSED = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 8\r\n\r\nno token';
const BUSY = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy';

const headOf = (target: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

/** A server on bare TCP, and all that it has received over one connection each. */
async function serverThat(serve: (socket: Socket) => void): Promise<{ port: number; got: () => string }> {
  let got = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => (got += part.toString()));
    serve(socket);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, got: () => got };
}

function clientOf(port: number): Socket {
  const client = connect({ port, host: '127.0.0.1', noDelay: true });
  client.on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  return client;
}

const answered = async (client: Socket): Promise<string> => String((await once(client, 'data'))[0]);

/** A tap before a sidecar that answers each publish at its head. */
async function beforeStrict(): Promise<{ at: Tapped; got: () => string }> {
  const app = await serverThat(() => undefined);
  const sidecar = await serverThat((socket) =>
    socket.on('data', (part: Buffer) => {
      if (part.includes('/publish/')) socket.write(REFUSED);
      if (part.includes('/metadata')) socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    }),
  );
  const at = await tapped({
    app: { host: '127.0.0.1', port: app.port, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar.port },
  });
  return { at, got: sidecar.got };
}

test.each([
  ['as a whole', [EVENT]],
  ['in parts', [EVENT.slice(0, 10), EVENT.slice(10)]],
])(
  'a publish that is refused before its body comes %s is one refused message with its body',
  async (_, parts) => {
    const { at, got } = await beforeStrict();
    const client = clientOf(at.tap.address.sidecarPort);
    client.write(headOf('/v1.0/publish/redis/orders', EVENT));
    expect(await answered(client)).toBe(REFUSED);
    for (const part of parts) {
      client.write(part);
      await new Promise((next) => setTimeout(next, 5));
    }
    const row = await at.when('it is told', async () =>
      (await at.rows()).find(({ stage }) => stage === 'refused'),
    );
    expect(row).toMatchObject({ topic: 'orders', tap: 'shop' });
    expect(row.flags?.at(-1)).toContain('401 no token');
    expect(await at.rows()).toHaveLength(1);
    expect(at.tap.row().otherCalls).toEqual([]);
    expect(got()).toContain(`\r\n\r\n${EVENT}`);
    // The next one of the connection is read as well.
    client.write(`${headOf('/v1.0/publish/redis/orders', EVENT)}${EVENT}`);
    expect(await answered(client)).toBe(REFUSED);
    await at.when('both are told', async () => ((await at.rows()).length === 2 ? true : undefined));
  },
);

test('a publish that is refused, and whose body does not come, is listed with that reason once its client is gone', async () => {
  const { at } = await beforeStrict();
  const client = clientOf(at.tap.address.sidecarPort);
  client.write(`${headOf('/v1.0/publish/redis/orders', EVENT)}${EVENT.slice(0, 10)}`);
  expect(await answered(client)).toBe(REFUSED);
  client.end();
  const call = await at.when('it is listed', () => at.tap.row().otherCalls[0]);
  const note = 'It was answered before its body was complete.';
  expect(call).toMatchObject({ to: 'sidecar', path: '/v1.0/publish/redis/orders', status: 401, note });
  expect(at.tap.row().otherCalls).toHaveLength(1);
  expect(await at.rows()).toEqual([]);
});

/** A tap before an app that answers each delivery at its head. */
async function beforeBusy(): Promise<Tapped> {
  const app = await serverThat((socket) =>
    socket.on('data', (part: Buffer) => {
      if (part.includes('/dapr/subscribe'))
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${LIST.length}\r\n\r\n${LIST}`);
      if (part.includes('POST /orders')) socket.write(BUSY);
    }),
  );
  const at = await tapped({ app: { host: '127.0.0.1', port: app.port, protocol: 'http' } });
  const client = clientOf(at.tap.address.appPort);
  client.write('GET /dapr/subscribe HTTP/1.1\r\nHost: a\r\n\r\n');
  await answered(client);
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  client.destroy();
  return at;
}

test('a delivery that the app refuses before it is whole has that answer, and does not stay open', async () => {
  const at = await beforeBusy();
  const sidecar = clientOf(at.tap.address.appPort);
  sidecar.write(`${headOf('/orders', EVENT)}${EVENT.slice(0, 10)}`);
  expect(await answered(sidecar)).toBe(BUSY);
  sidecar.write(EVENT.slice(10));
  const delivery = await at.delivery('retrying');
  expect(delivery.attempts).toMatchObject([{ response: { status: 503, body: 'busy' } }]);
  expect(at.tap.row().otherCalls.filter(({ path }) => path === '/orders')).toEqual([]);
});

test('a delivery that is to be held is still held after its app says 408 before it is whole', async () => {
  const [timedOut, done] = [
    'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n',
    '{"status":"SUCCESS"}',
  ];
  const sockets = new Set<Socket>();
  const app = await serverThat((socket) => {
    sockets.add(socket);
    socket.on('data', (part: Buffer) => {
      const body = part.includes('/dapr/subscribe') ? LIST : done;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    socket.on('close', () => sockets.delete(socket));
  });
  const at = await tapped({ app: { host: '127.0.0.1', port: app.port, protocol: 'http' } });
  const sidecar = clientOf(at.tap.address.appPort);
  sidecar.write('GET /dapr/subscribe HTTP/1.1\r\nHost: a\r\n\r\n');
  await answered(sidecar);
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  await at.stand.runtime.holds.add({ at: 'delivery', filter: '' });
  sidecar.write(
    `POST /orders HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${EVENT.length}\r\n\r\n`,
  );
  expect(await answered(sidecar)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  for (const socket of sockets) socket.end(timedOut);
  await at.when('the app has closed it', () => (sockets.size === 0 ? true : undefined));
  const answer = answered(sidecar);
  sidecar.write(EVENT);
  const { deliveryId } = await at.delivery('held');
  await at.stand.runtime.deliveryActions.release({ deliveryId });
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  expect((await at.delivery('processed')).attempts).toHaveLength(1);
});

test('a delivery that is refused early while answers are held is listed once, and no delivery is opened', async () => {
  const at = await beforeBusy();
  await at.stand.runtime.holds.add({ at: 'response', filter: '' });
  const sidecar = clientOf(at.tap.address.appPort);
  sidecar.write(`${headOf('/orders', EVENT)}${EVENT.slice(0, 10)}`);
  expect(await answered(sidecar)).toBe(BUSY);
  sidecar.write(EVENT.slice(10));
  // A second call shows that the first one was read to its end.
  sidecar.write('GET /dapr/subscribe HTTP/1.1\r\nHost: a\r\n\r\n');
  await answered(sidecar);
  const listed = at.tap.row().otherCalls.filter(({ path }) => path === '/orders');
  expect(listed).toMatchObject([{ status: 503, note: 'It was answered before its body was complete.' }]);
  expect(await at.rows()).toEqual([]);
});

test('a publish over gRPC that is refused before it is whole is listed once, and no message is made of it', async () => {
  const app = await serverThat(() => undefined);
  const refuses = createHttp2();
  refuses.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.resume();
    const refused = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' };
    stream.respond(refused, { endStream: true });
  });
  await new Promise<void>((done) => void refuses.listen(0, '127.0.0.1', done));
  onTestFinished(() => void refuses.close());
  const { port } = refuses.address() as AddressInfo;
  const at = await tapped({
    app: { host: '127.0.0.1', port: app.port, protocol: 'http' },
    sidecarGrpc: { host: '127.0.0.1', port },
  });
  const client = connectHttp2(`http://127.0.0.1:${at.tap.address.grpcPort}`);
  client.on('error', () => undefined);
  onTestFinished(() => client.destroy());
  const { publishEventRequest } = await loadProtocol();
  const whole = framed(
    publishEventRequest.encode({
      pubsub_name: 'redis',
      topic: 'orders',
      data: Buffer.from('1'),
      data_content_type: '',
      metadata: {},
    }),
  );
  const path = '/dapr.proto.runtime.v1.Dapr/PublishEvent';
  const call = client.request({ ':method': 'POST', ':path': path, te: 'trailers' }, { endStream: false });
  call.on('error', () => undefined);
  call.write(whole);
  const [head] = (await once(call, 'response')) as [Record<string, string>];
  expect(head['grpc-status']).toBe('16');
  call.end();
  call.resume();
  await once(call, 'close');
  const listed = await at.when('it is listed', () => at.tap.row().otherCalls[0]);
  const note = 'It was answered before its body was complete.';
  expect(listed).toMatchObject({ to: 'sidecar', protocol: 'grpc', path, status: 16, note });
  expect(at.tap.row()).toMatchObject({ others: 1, publishes: 0 });
  expect(await at.rows()).toEqual([]);
});
