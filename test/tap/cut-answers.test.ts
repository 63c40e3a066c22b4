/** Answers of an app that end before they are complete: their status has reached the sidecar, so it decides. */
import { randomBytes } from 'node:crypto';
import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { tapped } from './tapped.ts';
import type { Tapped } from './tapped.ts';

const EVENT = '{"id":"e1","topic":"orders","pubsubname":"redis","specversion":"1.0","data":1}';
const BATCH = `{"id":"b1","topic":"orders","pubsubname":"redis","type":"com.dapr.event.sent.bulk","entries":[{"entryId":"n1","event":${EVENT},"contentType":"application/cloudevents+json"}]}`;

function requestOf(body: string): string {
  return `POST /orders HTTP/1.1\r\nHost: app\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

type End = (socket: Socket) => void;
const closed: End = (socket) => void socket.end();
const reset: End = (socket) => void setImmediate(() => socket.resetAndDestroy());
const open: End = () => undefined;

interface How {
  /** A hold is there at the answer. */
  readonly holds?: true;
  /** The event comes in a batch. */
  readonly isBulk?: true;
}

/** A tapped app that answers a delivery with these bytes. */
async function delivered(answer: string, end: End, { holds, isBulk }: How = {}): Promise<Tapped> {
  const bulk = isBulk === undefined ? {} : { bulkSubscribe: { enabled: true } };
  const list = JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders', ...bulk }]);
  const app = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      if (part.includes('/dapr/subscribe')) {
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${list.length}\r\n\r\n${list}`);
        return;
      }
      socket.write(answer, 'latin1', () => end(socket));
    });
  });
  await new Promise<void>((done) => void app.listen(0, '127.0.0.1', done));
  onTestFinished(() => void app.close());
  const { port } = app.address() as AddressInfo;
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  if (holds === true) await at.stand.runtime.holds.add({ at: 'response', filter: '' });
  const sidecar = connect(at.tap.address.appPort, '127.0.0.1');
  onTestFinished(() => void sidecar.destroy());
  sidecar.on('error', () => undefined);
  sidecar.resume();
  sidecar.write(requestOf(isBulk === true ? BATCH : EVENT));
  return at;
}

const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';

test.each([
  ['a length that is not reached', 'Content-Length: 50\r\n\r\n{"st', closed],
  ['a length that is not reached, and a reset', 'Content-Length: 50\r\n\r\n{"st', reset],
  ['a chunk that is cut off', `${CHUNKED}9\r\n{"st`, closed],
  ['a wrong chunk', `${CHUNKED}zz\r\n{"status":"RETRY"}\r\n0\r\n\r\n`, open],
])('200 with %s is processed, as by the sidecar', async (_, rest, end) => {
  const at = await delivered(`HTTP/1.1 200 OK\r\n${rest}`, end);
  const { transitions, attempts } = await at.delivery('processed');
  expect(transitions.at(-1)?.rule).toBe('single.2xx.invalid');
  expect(attempts).toMatchObject([
    { response: { status: 200, bodyError: expect.stringContaining('before it was complete') } },
  ]);
});

const CUT = 'HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n';
const chunk = (text: string): string =>
  `HTTP/1.1 200 OK\r\n${CHUNKED}${text.length.toString(16)}\r\n${text}\r\n`;

test.each<[string, string, End, DeliveryState, string]>([
  ['RETRY', `${CUT}{"status":"RETRY"}`, closed, 'retrying', 'single.2xx.retry'],
  ['RETRY, and a reset', `${CUT}{"status":"RETRY"}`, reset, 'retrying', 'single.2xx.retry'],
  ['RETRY in a chunk', chunk('{"status":"RETRY"}'), closed, 'retrying', 'single.2xx.retry'],
  ['DROP', `${CUT}{"status":"DROP"}`, closed, 'dropped', 'single.2xx.drop'],
  ['another word', `${CUT}{"status":"later"}`, closed, 'retrying', 'single.2xx.other'],
  ['no status', `${CUT}{"ok":true}`, closed, 'processed', 'single.2xx.empty'],
  ['no byte', CUT, closed, 'processed', 'single.2xx.invalid'],
])('%s counts that is whole before the cut, as by the sidecar', async (_, answer, end, state, rule) => {
  const at = await delivered(answer, end);
  const { transitions, attempts } = await at.delivery(state);
  expect(transitions.at(-1)?.rule).toBe(rule);
  expect(attempts).toMatchObject([
    { response: { status: 200, bodyTruncated: true, bodyError: expect.stringContaining('before it was') } },
  ]);
});

const ENCODED = 'HTTP/1.1 200 OK\r\nContent-Length: 999\r\nContent-Encoding: ';
const zip = (text: string, missing: number): string => {
  const bytes = gzipSync(text);
  return `${ENCODED}gzip\r\n\r\n${bytes.toString('latin1', 0, bytes.length - missing)}`;
};
const LONG = JSON.stringify({ status: 'RETRY', why: randomBytes(3000).toString('base64') });
const BROTLI = `${ENCODED}br\r\n\r\n${brotliCompressSync('{"status":"RETRY"}').toString('latin1')}`;

test.each<[string, string, DeliveryState, string]>([
  ['gzip without its checksum', zip('{"status":"RETRY"}', 8), 'retrying', 'single.2xx.retry'],
  ['gzip without more than that', zip('{"status":"RETRY"} ', 9), 'retrying', 'single.2xx.retry'],
  ['gzip that lacks the rest of its JSON', zip(LONG, 1000), 'processed', 'single.2xx.invalid'],
  ['half the head of gzip', zip('{"status":"RETRY"}', 30), 'processed', 'single.2xx.invalid'],
  ['gzip by its header only', `${ENCODED}gzip\r\n\r\n{"status":"RETRY"}`, 'processed', 'single.2xx.invalid'],
  ['a text under another word', `${ENCODED}br\r\n\r\n{"status":"RETRY"}`, 'retrying', 'single.2xx.retry'],
  ['bytes of br', BROTLI, 'processed', 'single.2xx.invalid'],
])('%s counts with what can be decoded of it before the cut', async (_, answer, state, rule) => {
  const at = await delivered(answer, closed);
  const { transitions, attempts } = await at.delivery(state);
  expect(transitions.at(-1)?.rule).toBe(rule);
  expect(attempts).toMatchObject([{ response: { status: 200, bodyTruncated: true } }]);
});

const unended = (text: string, missing: number): string => {
  const answer = zip(text, missing);
  return answer.replace('999', String(answer.split('\r\n\r\n', 2).at(1)?.length));
};

test.each<[string, string, DeliveryState, string]>([
  ['without its trailer', unended('{"status":"RETRY"}', 8), 'retrying', 'single.2xx.retry'],
  ['without the rest of its JSON', unended(LONG, 1000), 'processed', 'single.2xx.invalid'],
  ['within its head', unended('{"status":"RETRY"}', 30), 'processed', 'single.2xx.invalid'],
])('gzip that ends %s counts with what can be decoded of it', async (_, answer, state, rule) => {
  const at = await delivered(answer, open);
  const { transitions, attempts } = await at.delivery(state);
  expect(transitions.at(-1)?.rule).toBe(rule);
  const bodyError = expect.stringContaining('not gzip as its header says');
  expect(attempts).toMatchObject([{ response: { status: 200, bodyTruncated: true, bodyError } }]);
});

test.each<[string, string, DeliveryState, string]>([
  ['is whole', `${CUT}{"statuses":[{"entryId":"n1","status":"SUCCESS"}]}`, 'processed', 'bulk.2xx.success'],
  ['is not whole', `${CUT}{"statuses":[{"entryId":"n1","status":"SUCCESS"}]`, 'retrying', 'bulk.2xx.missing'],
])('the answer to a batch counts if its list %s before the cut', async (_, answer, state, rule) => {
  const at = await delivered(answer, closed, { isBulk: true });
  const { transitions } = await at.delivery(state);
  expect(transitions.at(-1)?.rule).toBe(rule);
});

test.each<[string, string, End, DeliveryState, string]>([
  ['is closed', `${CUT}{"st`, closed, 'processed', 'single.2xx.invalid'],
  ['is reset', `${CUT}{"st`, reset, 'processed', 'single.2xx.invalid'],
  ['has said RETRY', `${CUT}{"status":"RETRY"}`, closed, 'retrying', 'single.2xx.retry'],
])('a hold at the answer changes nothing of one whose connection %s', async (_, answer, end, state, rule) => {
  const at = await delivered(answer, end, { holds: true });
  const { transitions, attempts } = await at.delivery(state);
  expect(transitions.at(-1)?.rule).toBe(rule);
  expect(attempts).toMatchObject([{ response: { status: 200 } }]);
});

test('another status decides too, and the attempt shows what came of the body', async () => {
  const at = await delivered('HTTP/1.1 404 Not Found\r\nContent-Length: 50\r\n\r\nno route', closed);
  const { attempts } = await at.delivery('dropped');
  expect(attempts).toMatchObject([
    {
      response: {
        status: 404,
        body: 'no route',
        bodyError: 'The body ended after 8 bytes before it was complete.',
      },
    },
  ]);
});

test('a head that is cut off is no answer', async () => {
  const at = await delivered('HTTP/1.1 200 OK\r\nContent-Le', closed);
  const { transitions, attempts } = await at.delivery('retrying');
  expect(transitions.at(-1)?.rule).toBe('policy.no-answer');
  expect(attempts).toMatchObject([{ error: { code: 'reset' } }]);
});
