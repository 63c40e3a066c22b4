/** Answers of an app that end before they are complete: their status has reached the sidecar, so it decides. */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { tapped } from './tapped.ts';
import type { Tapped } from './tapped.ts';

const EVENT = '{"id":"e1","topic":"orders","pubsubname":"redis","specversion":"1.0","data":1}';
const REQUEST = `POST /orders HTTP/1.1\r\nHost: app\r\nContent-Length: ${EVENT.length}\r\n\r\n${EVENT}`;

type End = (socket: Socket) => void;
const closed: End = (socket) => void socket.end();
const reset: End = (socket) => void setImmediate(() => socket.resetAndDestroy());
const open: End = () => undefined;

/** A tapped app that answers a delivery with these bytes. */
async function delivered(answer: string, end: End): Promise<Tapped> {
  const list = JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }]);
  const app = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      if (part.includes('/dapr/subscribe')) {
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${list.length}\r\n\r\n${list}`);
        return;
      }
      socket.write(answer, () => end(socket));
    });
  });
  await new Promise<void>((done) => void app.listen(0, '127.0.0.1', done));
  onTestFinished(() => void app.close());
  const { port } = app.address() as AddressInfo;
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' } });
  await (await fetch(`http://127.0.0.1:${at.tap.address.appPort}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  const sidecar = connect(at.tap.address.appPort, '127.0.0.1');
  onTestFinished(() => void sidecar.destroy());
  sidecar.on('error', () => undefined);
  sidecar.resume();
  sidecar.write(REQUEST);
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
