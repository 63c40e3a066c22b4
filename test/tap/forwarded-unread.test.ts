// The tap forwards plain messages before it reads them, and reports the same as of messages that it reads first.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { BodyRoom } from '../../core/tap/body-room.ts';
import type { Side } from '../../core/tap/exchange.ts';
import { Listener } from '../../core/tap/listener.ts';
import { Requests } from '../../core/tap/requests.ts';
import { Responses } from '../../core/tap/responses.ts';
import { ServerSocket } from '../../core/tap/server-socket.ts';
import { wholeRequest, wholeResponse } from '../../core/tap/whole-message.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { unexpected } from './unexpected.ts';

/**
 * Notes everything that is told, in its order.
 * @param letsPass whether what comes next may go on unread
 */
function notedSide(told: string[], letsPass: () => boolean): Side {
  let n = 0;
  return {
    begin: ({ method, target }, _from, mayStop) => {
      const id = (n += 1);
      const note = (what: string): undefined => {
        told.push(`${id} ${what}`);
      };
      note(`${method} ${target}`);
      return {
        stopsRequest: false,
        stopsResponse: false,
        readsRequest: true,
        readsResponse: true,
        requested: (body) => note(`requested ${body?.toString() ?? ''}${mayStop ? ' at once' : ''}`),
        responded: ({ status }, body) => note(`responded ${status} ${body?.toString() ?? ''}`),
        lost: ({ by }) => note(`lost ${by}`),
      };
    },
    letsPass,
    refused: () => undefined,
    unreachable: () => undefined,
  };
}

interface Stand {
  readonly told: string[];
  readonly reports: DeferredReports;
  readonly client: Socket;
  /** The connection at the server, once it is there. */
  readonly server: Promise<Socket>;
}

async function tapped(
  given: Side | (() => boolean) = () => true,
  reports = new DeferredReports(systemClock(), unexpected),
): Promise<Stand> {
  const told: string[] = [];
  const side = typeof given === 'function' ? notedSide(told, given) : given;
  // The end of a test cuts what is open.
  const real = createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => undefined));
  await new Promise<void>((done) => void real.listen(0, '127.0.0.1', done));
  const { port } = real.address() as AddressInfo;
  const to = { host: '127.0.0.1', port };
  const listener = new Listener(0, { side, to, room: new BodyRoom(), reports });
  await listener.open();
  const server = once(real, 'connection').then(([socket]) => socket as Socket);
  const client = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined);
  onTestFinished(async () => {
    client.destroy();
    await listener.close();
    real.close();
  });
  return { told, reports, client, server };
}

/** Bytes of a connection until `end` has come. */
async function until(socket: Socket, end: string): Promise<string> {
  let got = '';
  while (!got.endsWith(end)) got += String((await once(socket, 'data'))[0]);
  return got;
}

const post = (body: string, more = ''): string =>
  `POST /orders HTTP/1.1\r\nHost: a\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

test('requests one after another get their answers, while the tap changes whether it forwards them unread', async () => {
  let turn = 0;
  const { told, reports, client, server } = await tapped(() => (turn += 1) % 3 > 0);
  const expected: string[] = [];
  for (let n = 1; n <= 9; n += 1) {
    client.write(post(`{${n}}`));
    const at = await server;
    expect(await until(at, `{${n}}`)).toBe(post(`{${n}}`));
    at.write(OK);
    expect(await until(client, 'ok')).toBe(OK);
    const atOnce = n % 3 === 0 ? ' at once' : '';
    expected.push(`${n} POST /orders`, `${n} requested {${n}}${atOnce}`, `${n} responded 200 ok`);
  }
  reports.flush();
  expect(told).toEqual(expected);
});

test('a request without an answer before the connection ends is reported, and then lost', async () => {
  const { told, client, server } = await tapped();
  client.write(post('{}'));
  const at = await server;
  await until(at, '{}');
  client.resume();
  at.end();
  await once(client, 'end');
  expect(told).toEqual(['1 POST /orders', '1 requested {}', '1 lost server']);
});

test('the end of a connection reads what passed on it, and leaves what passed on others', async () => {
  // Nothing pauses for this clock.
  const reports = new DeferredReports(new ManualClock(), unexpected);
  const [staying, ending] = [await tapped(undefined, reports), await tapped(undefined, reports)];
  for (const { client, server } of [staying, ending]) {
    client.write(post('{}'));
    const at = await server;
    await until(at, '{}');
    at.write(OK);
    await until(client, 'ok');
  }
  const ended = once(ending.client, 'close');
  ending.client.resume().end();
  (await ending.server).end();
  await ended;
  const whole = ['1 POST /orders', '1 requested {}', '1 responded 200 ok'];
  expect([staying.told, ending.told]).toEqual([[], whole]);
  reports.flush();
  expect([staying.told, ending.told]).toEqual([whole, whole]);
});

test('a later message that is read first is reported after the messages that were forwarded unread', async () => {
  const { told, reports, client, server } = await tapped();
  client.write(post('{1}'));
  const at = await server;
  await until(at, '{1}');
  client.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await until(at, '\r\n\r\n');
  at.write(`${OK}HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n`);
  await until(client, '\r\n\r\n');
  reports.flush();
  expect(told).toEqual([
    '1 POST /orders',
    '1 requested {1}',
    '2 GET /healthz',
    '2 requested  at once',
    '1 responded 200 ok',
    '2 responded 404 ',
  ]);
});

test.each([
  ['two lengths', post('{1}', 'content-length: 1\r\n')],
  ['a line that is no header', post('{1}', 'nothing\r\n')],
  ['a line that goes on', post('{1}', 'content-length:\r\n 1\r\n')],
])('a request with %s passes unchanged, and is reported as if the tap had read it', async (_, odd) => {
  const told: string[][] = [];
  for (const letsPass of [true, false]) {
    const one = await tapped(() => letsPass);
    one.client.write(odd);
    const at = await one.server;
    expect(await until(at, '{1}')).toBe(odd);
    at.write(OK);
    expect(await until(one.client, 'ok')).toBe(OK);
    one.reports.flush();
    told.push(one.told.map((line) => line.replace(' at once', '')));
  }
  expect(told[0]).toEqual(told[1]);
});

/** Keeps the first request back, or its answer. The hold is gone by the time that the second one comes. */
function holdsFirst(held: 'request' | 'answer') {
  let release: () => void = () => undefined;
  let n = 0;
  const side: Side = {
    begin: () => {
      const isFirst = (n += 1) === 1;
      const go = new Promise<void>((done) => (release = isFirst ? done : release));
      const stops = { request: isFirst && held === 'request', answer: isFirst && held === 'answer' };
      return {
        stopsRequest: stops.request,
        stopsResponse: stops.answer,
        readsRequest: true,
        readsResponse: true,
        requested: () => (stops.request ? go.then(() => ({ kind: 'pass' })) : undefined),
        responded: () => (stops.answer ? go.then(() => undefined) : undefined),
        lost: () => undefined,
      };
    },
    letsPass: () => n > 0,
    refused: () => undefined,
    unreachable: () => undefined,
  };
  return { side, letGo: () => release() };
}

/** Resolves once the tap has read that many pieces of one direction before they went on. */
function piecesReadFirst(direction: typeof Requests | typeof Responses): (count: number) => Promise<void> {
  const push = vi.spyOn(direction.prototype, 'push');
  onTestFinished(() => push.mockRestore());
  return (count) => vi.waitFor(() => expect(push).toHaveBeenCalledTimes(count));
}

test('bytes behind a held request wait for it', async () => {
  const { side, letGo } = holdsFirst('request');
  const { client, server } = await tapped(side);
  const read = piecesReadFirst(Requests);
  client.write(post('{1}'));
  const at = await server;
  await read(1);
  client.write(post('{2}'));
  await read(2);
  letGo();
  expect(await until(at, '{2}')).toBe(post('{1}') + post('{2}'));
});

test('bytes behind a held answer wait for it', async () => {
  const { side, letGo } = holdsFirst('answer');
  const { client, server } = await tapped(side);
  const read = piecesReadFirst(Responses);
  client.write(post('{1}'));
  const at = await server;
  await until(at, '{1}');
  at.write(OK);
  await read(1);
  client.write(post('{2}'));
  await until(at, '{2}');
  const second = 'HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\n2';
  at.write(second);
  await read(2);
  letGo();
  expect(await until(client, '\r\n\r\n2')).toBe(OK + second);
});

test('a server that sends much behind a held answer waits for its release', async () => {
  const { side, letGo } = holdsFirst('answer');
  const { client, server } = await tapped(side);
  const pause = vi.spyOn(ServerSocket.prototype, 'pause');
  onTestFinished(() => pause.mockRestore());
  client.write(post('{1}') + post('{2}'));
  const at = await server;
  await until(at, '{2}');
  const second = `HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n${'x'.repeat(4_999_999)}!`;
  at.write(OK + second);
  await vi.waitFor(() => expect(pause).toHaveBeenCalled());
  letGo();
  expect(await until(client, '!')).toBe(OK + second);
});

test.each([
  ['a plain publish', post('{}'), true],
  ['without a body', 'PUT / HTTP/1.1\r\nHost: a\r\n\r\n', true],
  ['a part of one', post('{}').slice(0, -1), false],
  ['one and more', `${post('{}')}P`, false],
  ['a head that has not ended', 'POST / HTTP/1.1\r\nHost: a\r\n', false],
  ['an upgrade', post('{}', 'Upgrade: websocket\r\n'), false],
  ['an offer of HTTP/2', post('{}', 'Connection: upgrade, http2-settings\r\nUpgrade: h2c\r\n'), false],
  ['HTTP/2 itself', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', false],
  ['one that waits to be told to go on', post('{}', 'Expect: 100-continue\r\n'), false],
  ['chunks', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', false],
  ['another method', 'GET /dapr/subscribe HTTP/1.1\r\nHost: a\r\n\r\n', false],
  ['a long one', post('x'.repeat(20_000)), false],
])('only one whole plain request may pass unread: a request that is %s', (_, text, isWhole) => {
  expect(wholeRequest(Buffer.from(text)) !== undefined).toBe(isWhole);
});

test.each([
  ['a plain one', OK, true],
  ['without a body', 'HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n', true],
  ['with a body to the end of the connection', 'HTTP/1.1 200 OK\r\n\r\nab', false],
  ['on the way', 'HTTP/1.1 100 Continue\r\n\r\n', false],
  ['of another protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', false],
  ['of another version', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
  ['followed by another one', OK + OK, false],
])('only one whole answer may pass unread: an answer that is %s', (_, text, isWhole) => {
  expect(wholeResponse(Buffer.from(text)) !== undefined).toBe(isWhole);
});
