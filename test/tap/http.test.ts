// HTTP through a tap with the runtime behind it: raw subscriptions, held deliveries, and the sidecar's metadata.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { connect, createServer as createTcp } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { SELF_SIGNED } from '../support/self-signed.ts';
import { tapped } from './tapped.ts';

/** A server that is closed at the end of the test. */
async function serverThat(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('a held delivery of a raw subscription that is released with changes reaches the app in the same wrapper', async () => {
  const got: string[] = [];
  const port = await serverThat((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (request.url === '/dapr/subscribe') {
        const metadata = { rawPayload: 'true' };
        response.end(JSON.stringify([{ pubsubname: 'redis', topic: 'raw', route: '/raw', metadata }]));
        return;
      }
      got.push(body);
      response.end('{}');
    });
  });
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  const app = `http://127.0.0.1:${at.tap.address.appPort}`;
  await (await fetch(`${app}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  await at.stand.runtime.holds.add({ at: 'delivery', filter: 'topic:raw' });
  const wrapper = (data: string): string =>
    `{"id":"w1", "data_base64":"${Buffer.from(data).toString('base64')}", "topic":"raw","pubsubname":"redis","specversion":"1.0"}`;
  const sent = fetch(`${app}/raw`, { method: 'POST', body: wrapper('{"n":1}') });
  const { deliveryId } = await at.delivery('held');
  await at.stand.runtime.deliveryActions.release({ deliveryId }, { data: { n: 2 } });
  expect((await sent).status).toBe(200);
  expect(got).toEqual([wrapper('{"n":2}')]);
  const { attempts } = await at.delivery('processed');
  const length = String(wrapper('{"n":2}').length);
  expect(attempts).toMatchObject([{ request: { headers: { 'content-length': length }, body: got[0] } }]);
});

test.each([
  [
    'a long topic',
    `/v1.0/publish/redis/${'x'.repeat(20_000)}`,
    'Content-Length: 2',
    'too long for a message.',
  ],
  [
    'a long content type',
    '/v1.0/publish/redis/a',
    `Content-Type: ${'x'.repeat(20_000)}\r\nContent-Length: 2`,
    'too long for a message.',
  ],
  ['two lengths', '/v1.0/publish/redis/a', 'Content-Length: 2\r\nContent-Length: 3', 'ends cannot be read.'],
  ['a length that is no number', '/v1.0/publish/redis/a', 'Content-Length: +2', 'ends cannot be read.'],
])(
  'a publish with %s passes, and is listed with the reason once it is answered',
  async (_, target, header, note) => {
    let got = '';
    const sidecar = createTcp((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (part: Buffer) => {
        if (part.includes('/metadata')) socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
        else if ((got += part.toString()).endsWith('\r\n\r\n{}'))
          socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    await new Promise<void>((done) => void sidecar.listen(0, '127.0.0.1', done));
    onTestFinished(() => void sidecar.close());
    const port = await serverThat((_request, response) => response.end());
    const at = await tapped({
      app: { host: '127.0.0.1', port, protocol: 'http' },
      sidecar: { host: '127.0.0.1', port: (sidecar.address() as AddressInfo).port },
    });
    const client = connect(at.tap.address.sidecarPort, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    const bytes = `POST ${target} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n{}`;
    client.write(bytes);
    expect(String((await once(client, 'data'))[0])).toBe('HTTP/1.1 204 No Content\r\n\r\n');
    expect(got).toBe(bytes);
    const [call] = at.tap.row().otherCalls;
    expect(call).toMatchObject({ to: 'sidecar', status: 204, note: expect.stringContaining(note) });
    expect(await at.rows()).toEqual([]);
  },
);

test('a long answer to a refused publish shows where it was cut', async () => {
  const app = await serverThat((_request, response) => response.end());
  const sidecar = await serverThat((request, response) => {
    request.resume();
    response.writeHead(403).end('b'.repeat(400));
  });
  const at = await tapped({
    app: { host: '127.0.0.1', port: app, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar },
  });
  const url = `http://127.0.0.1:${at.tap.address.sidecarPort}/v1.0/publish/redis/orders`;
  await (await fetch(url, { method: 'POST', body: '{}' })).text();
  const row = await at.when('it is told', async () =>
    (await at.rows()).find(({ stage }) => stage === 'refused'),
  );
  expect(row.flags?.at(-1)).toContain(`403 ${'b'.repeat(300)}…`);
});

test.each([
  ['closes its connection', 'HTTP/1.1 200 OK\r\nConnection: close\r\n', 'Connection: close'],
  ['ends its answer with its connection', 'HTTP/1.1 200 OK\r\nServer: a\r\n', 'Connection: close'],
  ['answers in HTTP/1.0', 'HTTP/1.0 200 OK\r\n', 'Connection: close'],
  ['keeps its connection', 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n', undefined],
])('a changed answer of an app that %s says so to the sidecar', async (_, head, expected) => {
  const list = JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }]);
  const app = createTcp((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      const body = part.includes('/dapr/subscribe') ? list : '{"status":"SUCCESS"}';
      const length = head.includes('Server: a') ? '' : `Content-Length: ${body.length}\r\n`;
      socket.write(`${head}${length}\r\n${body}`);
      if (expected !== undefined) socket.end();
    });
  });
  await new Promise<void>((done) => void app.listen(0, '127.0.0.1', done));
  onTestFinished(() => void app.close());
  const { port } = app.address() as AddressInfo;
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  await at.stand.runtime.holds.add({ at: 'response', filter: '' });
  const sidecar = connect(at.tap.address.appPort, '127.0.0.1');
  onTestFinished(() => void sidecar.destroy());
  const body = '{"id":"e1","topic":"orders","pubsubname":"redis","specversion":"1.0","data":1}';
  sidecar.write(`POST /orders HTTP/1.1\r\nHost: app\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const { deliveryId } = await at.when('the answer is held', async () =>
    (await at.rows())[0]?.deliveries.find(({ heldAt }) => heldAt === 'response'),
  );
  const instead = { kind: 'respond', status: 200, body: '{"status":"RETRY"}' } as const;
  await at.stand.runtime.deliveryActions.release({ deliveryId }, undefined, instead);
  const [bytes] = (await once(sidecar, 'data')) as [Buffer];
  const lines = bytes.toString().split('\r\n');
  expect(lines.at(-1)).toBe(instead.body);
  expect(lines.find((line) => /^connection:/i.test(line))).toBe(expected);
});

test.each([
  ['closes its connection', 'resetAndDestroy', 'the sidecar closed the connection before the app answered'],
  [
    'ends its sending, and may still wait,',
    'end',
    'the sidecar ended its side of the connection, and the app then closed its own without an answer',
  ],
] as const)('a sidecar that %s before the app answers is said to have done that', async (_, end, message) => {
  let asked: () => void = () => undefined;
  const called = new Promise<void>((done) => void (asked = done));
  const port = await serverThat((request, response) => {
    request.resume();
    if (request.url === '/dapr/subscribe')
      response.end(JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }]));
    else asked();
  });
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  const sidecar = connect(at.tap.address.appPort, '127.0.0.1');
  sidecar.on('error', () => undefined);
  onTestFinished(() => void sidecar.destroy());
  const body = '{"id":"e1","topic":"orders","pubsubname":"redis","specversion":"1.0","data":1}';
  sidecar.write(`POST /orders HTTP/1.1\r\nHost: app\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await called;
  sidecar[end]();
  const { attempts } = await at.delivery('retrying');
  expect(attempts).toMatchObject([{ error: { message } }]);
});

test('a delivery whose sidecar closes its connection while the answer is held says so, and keeps the answer', async () => {
  const port = await serverThat((request, response) => {
    request.resume();
    response.end(
      request.url === '/dapr/subscribe'
        ? JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }])
        : '{"status":"SUCCESS"}',
    );
  });
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  const app = `http://127.0.0.1:${at.tap.address.appPort}`;
  await (await fetch(`${app}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  await at.stand.runtime.holds.add({ at: 'response', filter: '' });
  const sidecar = connect(at.tap.address.appPort, '127.0.0.1');
  // The tap may reset what this sidecar has closed.
  sidecar.on('error', () => undefined);
  onTestFinished(() => void sidecar.destroy());
  const body = '{"id":"e1","topic":"orders","pubsubname":"redis","specversion":"1.0","data":1}';
  sidecar.write(`POST /orders HTTP/1.1\r\nHost: app\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await at.when('the answer is held', () => at.stand.runtime.messages.held(1).items[0]);
  sidecar.end();
  const delivery = await at.delivery('retrying');
  expect(delivery.attempts).toMatchObject([{ response: { status: 200, body: '{"status":"SUCCESS"}' } }]);
  expect(delivery.transitions.at(-1)).toMatchObject({
    rule: 'tap.lost',
    note: 'The sidecar closed the connection while the answer was held. The sidecar decides when it is sent again.',
  });
  expect(at.stand.runtime.messages.held(1).items).toEqual([]);
});

test.each([
  ['closes', ''],
  ['answers with 408 and closes', 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'],
])(
  'a delivery is held while its app %s the quiet connection, and goes out after its release',
  async (_, last) => {
    let isQuit = false;
    const got: string[] = [];
    const server = createServer((request, response) => {
      if (request.url === '/dapr/subscribe') {
        response.end(JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }]));
        return;
      }
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        got.push(body);
        response.end('{"status":"SUCCESS"}');
      });
    });
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        isQuit = true;
      });
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
    const app = `http://127.0.0.1:${at.tap.address.appPort}`;
    await (await fetch(`${app}/dapr/subscribe`)).text();
    await at.when('the route is known', () => at.tap.row().subscriptions[0]);
    await at.stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const event = JSON.stringify({ id: 'e1', topic: 'orders', pubsubname: 'redis', data: { n: 1 } });
    const sent = fetch(`${app}/orders`, { method: 'POST', body: event });
    const { deliveryId } = await at.delivery('held');
    isQuit = false;
    for (const socket of sockets) socket.end(last);
    await at.when('the app has closed it', () => (isQuit && sockets.size === 0 ? true : undefined));
    await at.stand.runtime.deliveryActions.release({ deliveryId });
    expect(await (await sent).text()).toBe('{"status":"SUCCESS"}');
    expect(got).toEqual([event]);
    expect((await at.delivery('processed')).attempts).toHaveLength(1);
  },
);

test.each([
  ['', ['delivery']],
  [' where answers are held too', ['delivery', 'response']],
] as const)(
  'a released delivery that does not reach its app%s has an attempt that says so',
  async (_, points) => {
    const subscriptions = [{ pubsubname: 'redis', topic: 'orders', route: '/orders' }];
    const server = createServer((_request, response) => response.end(JSON.stringify(subscriptions)));
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
    const app = `http://127.0.0.1:${at.tap.address.appPort}`;
    await (await fetch(`${app}/dapr/subscribe`)).text();
    await at.when('the route is known', () => at.tap.row().subscriptions[0]);
    for (const point of points) await at.stand.runtime.holds.add({ at: point, filter: '' });
    const event = JSON.stringify({ id: 'e1', topic: 'orders', pubsubname: 'redis', data: { n: 1 } });
    const sent = fetch(`${app}/orders`, { method: 'POST', body: event });
    const { deliveryId } = await at.delivery('held');
    server.closeAllConnections();
    await new Promise((done) => void server.close(done));
    await at.when('the app is missed', () => (at.tap.row().appAnswers ? undefined : true));
    await at.stand.runtime.deliveryActions.release({ deliveryId });
    await expect(sent).rejects.toThrow('fetch failed');
    expect((await at.delivery('retrying')).attempts).toMatchObject([
      { number: 1, error: { code: 'refused', message: `connect ECONNREFUSED 127.0.0.1:${port}` } },
    ]);
  },
);

function inGrpc(_request: Http2ServerRequest, response: Http2ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/grpc' }).end();
}

test.each([
  ['HTTPS', () => createHttps({ ...SELF_SIGNED }), 'it speaks TLS, and the tap passes HTTP without TLS'],
  [
    'gRPC',
    () => createHttp2(inGrpc),
    'it speaks HTTP/2 only, as the gRPC API does, which --sidecar-grpc names',
  ],
  ['h2c', () => createHttp2((_, response) => response.end()), 'it speaks HTTP/2 only, and not gRPC'],
] as const)(
  'a port for %s instead of the HTTP API of the sidecar is reported as such',
  async (_, server, what) => {
    const sidecar = server();
    await new Promise<void>((done) => void sidecar.listen(0, '127.0.0.1', done));
    onTestFinished(() => void sidecar.close());
    const app = await serverThat((_request, response) => void response.end('[]'));
    const at = await tapped({
      app: { host: '127.0.0.1', port: app, protocol: 'http' },
      sidecar: { host: '127.0.0.1', port: (sidecar.address() as AddressInfo).port },
    });
    const said = await at.when('it is said', () => at.tap.row().problems[0]);
    expect(said).toMatch(/^What listens at http:\/\/127\.0\.0\.1:\d+ is not the HTTP API of a sidecar: /);
    expect(said).toContain(what);
  },
);

/** The machine's clock, or another one, with the waits that are under way. */
function watchedClock(clock = systemClock()): Clock & { readonly waits: ReadonlySet<object> } {
  const waits = new Set<object>();
  return {
    waits,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    at: (dueMs, run) => {
      const wait = {};
      waits.add(wait);
      const cancel = clock.at(dueMs, () => {
        waits.delete(wait);
        run();
      });
      return () => {
        waits.delete(wait);
        cancel();
      };
    },
  };
}

test('a tap that is closed right after a discovery leaves no wait, which would keep its process alive', async () => {
  const app = await serverThat((_request, response) => void response.end('[]'));
  const clock = watchedClock();
  const at = await tapped({ app: { host: '127.0.0.1', port: app, protocol: 'http' }, clock });
  await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).text();
  await at.when('the call is listed', () => at.tap.row().otherCalls[0]);
  await at.tap.close();
  expect(clock.waits.size).toBe(0);
});

test(
  'a tap that is closed cuts its own call to a sidecar that does not answer',
  { timeout: 8_000 },
  async () => {
    let isCut = false;
    const sidecar = await serverThat((request) => void request.socket.on('close', () => (isCut = true)));
    const app = await serverThat((_request, response) => void response.end('[]'));
    const at = await tapped({
      app: { host: '127.0.0.1', port: app, protocol: 'http' },
      sidecar: { host: '127.0.0.1', port: sidecar },
    });
    await at.when('its sidecar answers', () => (at.tap.row().sidecarAnswers ? true : undefined));
    await at.tap.close();
    expect(await at.when('the call is cut', () => (isCut ? true : undefined))).toBe(true);
  },
);

test.each([
  ['a chunk that is none', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 'Where its body ends cannot be read.'],
  [
    'a body of more than 16 MiB',
    `Content-Length: ${17 * 1024 * 1024}\r\n\r\n${' '.repeat(17 * 1024 * 1024)}`,
    'Its body is too large to be read.',
  ],
])('a publish with %s is listed among the other calls with the reason', async (_, rest, note) => {
  const sidecar = await serverThat((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(413).end());
  });
  const app = await serverThat((_request, response) => void response.end('[]'));
  const at = await tapped({
    app: { host: '127.0.0.1', port: app, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar },
  });
  const client = connect(at.tap.address.sidecarPort, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.write(`POST /v1.0/publish/redis/orders HTTP/1.1\r\nHost: x\r\n${rest}`);
  const call = await at.when('it is listed', () =>
    at.tap.row().otherCalls.find(({ method }) => method === 'POST'),
  );
  expect(call).toMatchObject({ note });
});

test.each([
  ['too large', Buffer.alloc(17 * 1024 * 1024, ' '), 'Its body is too large to be read.'],
  ['no event', Buffer.from('[]'), 'Its body cannot be read as an event.'],
  [
    'an event of more than 400,000 values',
    Buffer.from(`{"id":"1","specversion":"1.0","data":[${'1,'.repeat(400_000)}1]}`),
    'Its body cannot be read as an event.',
  ],
])('a delivery whose body is %s is listed among the other calls with the reason', async (_, body, note) => {
  const port = await serverThat((request, response) => {
    request.resume();
    request.on('end', () => {
      const subscriptions = [{ pubsubname: 'redis', topic: 'orders', route: '/orders' }];
      response.end(request.url === '/orders' ? '{}' : JSON.stringify(subscriptions));
    });
  });
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  const app = `http://127.0.0.1:${at.tap.address.appPort}`;
  await (await fetch(`${app}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  await (await fetch(`${app}/orders`, { method: 'POST', body })).text();
  const call = await at.when('it is listed', () =>
    at.tap.row().otherCalls.find(({ path }) => path === '/orders'),
  );
  expect(call).toMatchObject({ status: 200, note });
});

test('each entry of a batch has its own verdict, also one that the answer does not name', async () => {
  const bulkSubscribe = { enabled: true };
  const listed = [{ pubsubname: 'redis', topic: 'many', routes: { default: '/many' }, bulkSubscribe }];
  const statuses = ['SUCCESS', 'RETRY', 'DROP', 'other'].map((status, i) => ({ entryId: String(i), status }));
  const port = await serverThat((request, response) => {
    response.end(JSON.stringify(request.url === '/many' ? { statuses } : listed));
  });
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  const app = `http://127.0.0.1:${at.tap.address.appPort}`;
  await (await fetch(`${app}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  const entries = [0, 1, 2, 3, 4].map((i) => ({
    entryId: String(i),
    contentType: 'application/cloudevents+json',
    event: { id: `e${i}`, topic: 'many', pubsubname: 'redis', specversion: '1.0', data: i },
  }));
  const batch = { id: 'b', topic: 'many', pubsubname: 'redis', type: 'com.dapr.event.sent.bulk', entries };
  await (await fetch(`${app}/many`, { method: 'POST', body: JSON.stringify(batch) })).text();
  const rows = await at.when('all have an answer', async () => {
    const all = await at.rows();
    const isOver = all.length === 5 && all.every(({ deliveries }) => deliveries[0]?.state !== 'attempting');
    return isOver ? all : undefined;
  });
  const seen = await Promise.all(
    rows.map(async ({ messageId }) => {
      const { state, transitions, attempts } = await at.stand.delivery(messageId);
      return [attempts[0]?.bulk?.entryId, state, transitions.at(-1)?.rule];
    }),
  );
  expect(seen).toEqual([
    ['0', 'processed', 'bulk.2xx.success'],
    ['1', 'retrying', 'bulk.2xx.retry'],
    ['2', 'dropped', 'bulk.2xx.drop'],
    ['3', 'retrying', 'bulk.2xx.other'],
    ['4', 'retrying', 'bulk.2xx.missing'],
  ]);
});

test.each(['/ü x/ß', '/a%2Fb', '/50%', '/[a]?q=ü'])(
  'a delivery to the route %s is recognised, however its path is escaped',
  async (route) => {
    const subscriptions = [{ pubsubname: 'redis', topic: 'orders', route }];
    const port = await serverThat((request, response) => {
      response.end(request.url === '/dapr/subscribe' ? JSON.stringify(subscriptions) : '{}');
    });
    const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
    const app = `http://127.0.0.1:${at.tap.address.appPort}`;
    await (await fetch(`${app}/dapr/subscribe`)).text();
    await at.when('the route is known', () => at.tap.row().subscriptions[0]);
    const event = JSON.stringify({ id: 'e1', topic: 'orders', pubsubname: 'redis', data: 1 });
    // `fetch` escapes what is not ASCII, as the sidecar does.
    await (await fetch(app + route, { method: 'POST', body: event })).text();
    expect(await at.delivery('processed')).toMatchObject({ route: { path: route } });
  },
);

test('a list of more values than other answers may have is not read', async () => {
  const one = { pubsubname: 'redis', topic: 'orders', route: '/orders' };
  let list = JSON.stringify([one, ...Array.from({ length: 400_000 }, () => 0)]);
  const port = await serverThat((_request, response) => void response.end(list));
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  const asked = async (): Promise<number> => {
    await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).text();
    return at.tap.subscriptions.length;
  };
  await at.when('the app is there', () => (at.tap.row().appAnswers ? true : undefined));
  expect(await asked()).toBe(0);
  list = JSON.stringify([one]);
  await at.when('a short list is read', async () => ((await asked()) === 1 ? true : undefined));
});

test('a sidecar that does not answer is listed as one problem, also after many discoveries', async () => {
  const port = await serverThat((_request, response) => void response.end('[]'));
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' }, clock: hastyClock() });
  const problem =
    'Nothing answers at http://127.0.0.1:1, the sidecar of the app shop: connect ECONNREFUSED 127.0.0.1:1.';
  await at.when('the sidecar is missed', () => (at.tap.row().problems.includes(problem) ? true : undefined));
  // The sidecar is asked after each of them.
  for (let asked = 0; asked < 100; asked += 1)
    await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).text();
  expect(at.tap.row().problems).toEqual([problem]);
});

test('a sidecar that does not list its subscriptions is asked again once, also after many discoveries', async () => {
  let asked = 0;
  const sidecar = await serverThat((_request, response) => {
    asked += 1;
    response.writeHead(403).end('no');
  });
  const port = await serverThat((_request, response) => void response.end('[]'));
  const clock = watchedClock(hastyClock());
  const at = await tapped({
    app: { host: '127.0.0.1', port, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar },
    clock,
  });
  const discoveries = 40;
  for (let n = 0; n < discoveries; n += 1)
    await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).text();
  await at.when('it was asked after each', () => (asked > discoveries ? true : undefined));
  expect(clock.waits.size).toBeLessThan(10);
});

test.each([
  ['1.13.6', 'dapr', 'single.404'],
  ['1.18.3', 'dapr-1.18', 'single.404.drop'],
])('a sidecar of release %s is read as %s', async (runtimeVersion, profile, rule) => {
  const sidecar = await serverThat((_request, response) => {
    const subscriptions = [{ pubsubname: 'redis', topic: 'orders', rules: [{ path: '/orders' }] }];
    response.end(JSON.stringify({ id: 'shop', runtimeVersion, subscriptions }));
  });
  const port = await serverThat((_request, response) => void response.writeHead(404).end());
  const at = await tapped({
    app: { host: '127.0.0.1', port, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar },
  });
  await at.when('the metadata are read', () => at.tap.row().runtimeVersion);
  expect(at.tap.row().profile).toBe(profile);
  const event = JSON.stringify({ id: 'e1', topic: 'orders', pubsubname: 'redis', data: 1 });
  await fetch(`http://127.0.0.1:${at.tap.address.appPort}/orders`, { method: 'POST', body: event });
  const dropped = await at.delivery('dropped');
  expect(dropped.transitions.at(-1)?.rule).toBe(rule);
  // Our own policy says nothing about what that sidecar does.
  expect(dropped).not.toHaveProperty('policy');
});

test.each(['[]', '{"status":"SUCCESS"}', '"ok"'])(
  'a program that answers the question for metadata with %s is no sidecar, until one answers there',
  async (body) => {
    let told = body;
    const sidecar = await serverThat((_request, response) => void response.end(told));
    const port = await serverThat((_request, response) => response.end());
    const at = await tapped({
      app: { host: '127.0.0.1', port, protocol: 'http' },
      sidecar: { host: '127.0.0.1', port: sidecar },
      clock: hastyClock(),
    });
    const said = await at.when('it is said', () => at.tap.row().problems[0]);
    expect(said).toBe(
      `What listens at http://127.0.0.1:${sidecar} does not answer as a sidecar does: GET /v1.0/metadata names no app. Give --sidecar-url the address of the sidecar's HTTP API.`,
    );
    told = '{"id":"shop","runtimeVersion":"1.13.6"}';
    await at.when('it is one', () => (at.tap.row().problems.length === 0 ? true : undefined));
    expect(at.tap.row().runtimeVersion).toBe('1.13.6');
  },
);

/** The machine's clock, on which every wait is a fiftieth as long. */
function hastyClock(): Clock {
  const clock = systemClock();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    at: (dueMs, run) => clock.at(clock.now() + (dueMs - clock.now()) / 50, run),
  };
}

test('an answer of the sidecar that comes right after the discovery is no proof that it lists nothing', async () => {
  const asked: (() => void)[] = [];
  const sidecar = await serverThat((_request, response) => {
    asked.push(() => response.end('{"id":"shop","runtimeVersion":"1.13.6"}'));
  });
  const port = await serverThat((_request, response) => {
    response.end('[{"pubsubname":"redis","topic":"orders","route":"/orders"}]');
  });
  const at = await tapped({
    app: { host: '127.0.0.1', port, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar },
  });
  await at.when('its sidecar is asked', () => asked[0]);
  await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).arrayBuffer();
  await at.when('the app is known', () => at.tap.row().subscriptions[0]);
  asked[0]?.();
  await at.when('its sidecar has told', () => at.tap.row().runtimeVersion);
  expect(at.tap.row().problems).toEqual([]);
});

test('a subscription that the sidecar does not list is a problem until the sidecar lists it', async () => {
  const told: { listed?: readonly object[] } = {};
  const sidecar = await serverThat((_request, response) => {
    response.end(JSON.stringify({ runtimeVersion: '1.13.6', subscriptions: told.listed }));
  });
  const port = await serverThat((_request, response) => {
    const topics = ['orders', 'bills'];
    response.end(JSON.stringify(topics.map((topic) => ({ pubsubname: 'redis', topic, route: `/${topic}` }))));
  });
  const at = await tapped({
    app: { host: '127.0.0.1', port, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar },
    clock: hastyClock(),
  });
  await at.when('its sidecar has told', () => at.tap.row().runtimeVersion);
  // Nobody asked the app yet: there is nothing to list.
  expect(at.tap.row().problems).toEqual([]);
  const ask = async () =>
    (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).arrayBuffer();
  await ask();
  const said = await at.when('it is said', () => at.tap.row().problems[0]);
  expect(said).toBe(
    `The sidecar at http://127.0.0.1:${sidecar} does not list what the app shop subscribes to: orders of redis, bills of redis. It delivers nothing there; its own log says why.`,
  );
  expect(at.tap.row().subscriptions).toMatchObject([{ unserved: true }, { unserved: true }]);

  told.listed = ['orders', 'bills'].map((topic) => ({
    pubsubname: 'redis',
    topic,
    rules: [{ match: '', path: `/${topic}` }],
  }));
  await ask();
  await at.when('nothing is wrong any more', () => (at.tap.row().problems.length === 0 ? true : undefined));
  expect(at.tap.row().subscriptions.map(({ unserved }) => unserved)).toEqual([undefined, undefined]);
});

test('a sidecar that was given the port of the app itself is named, until something passes the tap', async () => {
  const of: { port?: number } = {};
  const sidecar = await serverThat((_request, response) => {
    const appConnectionProperties = { port: of.port, protocol: 'http', channelAddress: '127.0.0.1' };
    response.end(JSON.stringify({ runtimeVersion: '1.13.6', appConnectionProperties }));
  });
  const port = await serverThat((_request, response) => response.end('[]'));
  of.port = port;
  const at = await tapped({
    app: { host: '127.0.0.1', port, protocol: 'http' },
    sidecar: { host: '127.0.0.1', port: sidecar },
  });
  const { appPort } = at.tap.address;
  const said = await at.when('it is said', () => at.tap.row().problems[0]);
  expect(said).toBe(
    `The sidecar at http://127.0.0.1:${sidecar} calls the app shop directly, at port ${port}: no delivery passes the tap. Start the sidecar with --app-port ${appPort}.`,
  );
  await (await fetch(`http://127.0.0.1:${appPort}/dapr/subscribe`)).arrayBuffer();
  await at.when('nothing is wrong any more', () => (at.tap.row().problems.length === 0 ? true : undefined));
});
