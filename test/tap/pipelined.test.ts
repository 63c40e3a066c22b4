// A client that sends many requests before it reads an answer: the tap keeps only so many of them.
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { BodyRoom } from '../../core/tap/body-room.ts';
import { Listener } from '../../core/tap/listener.ts';
import { sideThat } from './pass-through.ts';

const COUNT = 50_000;
const REQUEST = 'GET / HTTP/1.1\r\n\r\n';
const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';

/** A server that answers what it has once nothing more comes. */
async function lateServer(): Promise<number> {
  const server = createServer((socket) => {
    let bytes = 0;
    let answered = 0;
    let late: NodeJS.Timeout | undefined;
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
      clearTimeout(late);
      late = setTimeout(() => {
        const asked = Math.floor(bytes / REQUEST.length);
        socket.write(ANSWER.repeat(asked - answered));
        answered = asked;
      }, 20);
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('requests beyond a limit wait for answers, and all are answered', async () => {
  const side = sideThat('passes');
  let [waiting, most] = [0, 0];
  const listener = new Listener(0, {
    side: {
      ...side,
      begin: (...given) => {
        waiting += 1;
        most = Math.max(most, waiting);
        return { ...side.begin(...given), responded: () => void (waiting -= 1) };
      },
    },
    to: { host: '127.0.0.1', port: await lateServer() },
    room: new BodyRoom(),
    reports: new DeferredReports(systemClock()),
  });
  await listener.open();
  const client = connect({ port: listener.port, host: '127.0.0.1' });
  onTestFinished(async () => {
    client.destroy();
    await listener.close();
  });
  client.write(REQUEST.repeat(COUNT));
  let got = 0;
  await new Promise<void>((done) => {
    client.on('data', (part: Buffer) => {
      got += part.length;
      if (got === ANSWER.length * COUNT) done();
    });
  });
  expect(waiting).toBe(0);
  // What the tap had already read when it paused the client comes on top of the limit.
  expect(most).toBeLessThan(10_000);
});
