/** The HTTP app channel when no answer comes, and how it uses its connections. */
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import type { AppChannel } from '../../core/ports/app-channel.ts';
import { bodyText, CALL, channelTo, deliver, OK, replies } from '../support/channel-to.ts';
import { startRawApp } from '../support/raw-app.ts';
import { SELF_SIGNED } from '../support/self-signed.ts';

const HALF = 'HTTP/1.1 201 Created\r\ncontent-length: 9\r\n\r\nabc';
const CHUNKED = 'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n';

describe('no answer', () => {
  test('is a refused connection while no program listens, and an answer once one does', async () => {
    const { app, channel } = await channelTo(replies(OK));
    await app.close();
    expect(await deliver(channel)).toMatchObject({ kind: 'none', code: 'refused' });
    const again = await startRawApp(replies(OK), app.port);
    onTestFinished(again.close);
    expect(await deliver(channel)).toMatchObject({ kind: 'response', status: 200 });
  });

  test('is a refused connection for an unknown host', async () => {
    const channel = createHttpAppChannel({ url: 'http://nowhere.invalid:1' });
    onTestFinished(async () => channel.close());
    expect(await deliver(channel)).toMatchObject({ kind: 'none', code: 'refused' });
  });

  test.each([
    ['reset before any byte', (socket: Socket) => void socket.resetAndDestroy()],
    ['closed before any byte', (socket: Socket) => void socket.end()],
    [
      'reset in the middle of the head',
      (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\ncont', () => socket.resetAndDestroy()),
    ],
    ['closed in the middle of the head', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncont')],
    ['not HTTP', (socket: Socket) => void socket.write('SSH-2.0-OpenSSH_9\r\n\r\n')],
    ['a status that is no number', (socket: Socket) => void socket.write('HTTP/1.1 ABC OK\r\n\r\n')],
    [
      'more than the length says, then the end',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\nabc'),
    ],
    [
      'a header without end',
      (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`),
    ],
    [
      'an upgrade nobody asked for',
      (socket: Socket) =>
        void socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
  ])('a connection that is %s gives no answer', async (_name, act) => {
    const { channel } = await channelTo(act);
    expect(await deliver(channel, { timeoutMs: 10_000 })).toMatchObject({
      kind: 'none',
      code: 'reset',
      message: expect.stringMatching(/./),
    });
  });

  test.each([
    ['a reset', (socket: Socket) => void socket.write(HALF, () => socket.resetAndDestroy())],
    ['the end', (socket: Socket) => void socket.end(HALF)],
    ['the end within a chunk', (socket: Socket) => void socket.end(`${CHUNKED}9\r\nabc`)],
    ['what is no chunk', (socket: Socket) => void socket.write(`${CHUNKED}3\r\nabc\r\nxyz\r\n`)],
    [
      'the end after an interim answer',
      (socket: Socket) => void socket.end(`HTTP/1.1 102 Processing\r\n\r\n${HALF}`),
    ],
  ])('the status decides for an answer whose body is cut off by %s', async (_name, act) => {
    const { channel } = await channelTo(act);
    expect(await deliver(channel, { timeoutMs: 10_000 })).toMatchObject({
      kind: 'response',
      status: 201,
      body: undefined,
      bodyStart: Buffer.from('abc'),
      unread: {
        reason: 'cut-off',
        message: expect.stringMatching(/^The body ended after 3 bytes before it was complete: ./),
      },
    });
  });

  test.each([
    ['nothing comes', () => undefined],
    ['half a head', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\n')],
    ['half a body', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')],
    ['only interim answers', (socket: Socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n')],
  ])('is a timeout after the limit: %s', async (_name, act) => {
    const { channel } = await channelTo(act);
    expect(await deliver(channel, { timeoutMs: 50 })).toEqual({
      kind: 'none',
      code: 'timeout',
      message: 'No answer within 50 ms.',
    });
  });

  test('is a timeout if the app sends single bytes without end', async () => {
    const timers: NodeJS.Timeout[] = [];
    const { channel } = await channelTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
      timers.push(setInterval(() => socket.write('.'), 5));
    });
    const answer = await deliver(channel, { timeoutMs: 100 });
    for (const timer of timers) clearInterval(timer);
    expect(answer).toMatchObject({ kind: 'none', code: 'timeout' });
  });

  test('is never a timeout with a limit of 0', async () => {
    const { channel } = await channelTo((socket) => void setTimeout(() => socket.write(OK), 80));
    expect(await deliver(channel, { timeoutMs: 0 })).toMatchObject({ kind: 'response', status: 200 });
  });

  test('is a cancellation while the app thinks, and a second one changes nothing', async () => {
    const { app, channel } = await channelTo(() => undefined);
    const pending = channel.deliver(CALL);
    while (app.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = [...app.sockets].map(
      async (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    pending.cancel('A person cut the call.');
    pending.cancel('again');
    expect(await pending.answer).toEqual({
      kind: 'none',
      code: 'cancelled',
      message: 'A person cut the call.',
    });
    await Promise.all(closed);
  });

  test('is a cancellation before the call was sent, and the app never sees it', async () => {
    const { app, channel } = await channelTo(replies(OK));
    const pending = channel.deliver({ ...CALL, path: '/never' });
    pending.cancel('no');
    expect(await pending.answer).toMatchObject({ code: 'cancelled' });
    expect(await deliver(channel)).toMatchObject({ kind: 'response' });
    expect(app.requests.map(({ line }) => line)).toEqual(['POST /orders HTTP/1.1']);
  });

  test('close ends every call, also those that come later', async () => {
    const { channel } = await channelTo(() => undefined, { connections: 1 });
    const calls = [deliver(channel), deliver(channel), channel.get('/x', {}, 0)];
    await channel.close();
    for (const answer of [
      ...(await Promise.all(calls)),
      await deliver(channel),
      await channel.get('/x', {}, 0),
    ]) {
      expect(answer).toMatchObject({ kind: 'none', code: 'cancelled' });
    }
    expect(await channel.probe(1000)).toBe(false);
  });
});

describe('connections', () => {
  test('connections are used again', async () => {
    const { app, channel } = await channelTo(replies(OK));
    let most = 0;
    for (let n = 0; n < 20; n++) {
      await deliver(channel);
      most = Math.max(most, app.sockets.size);
    }
    expect(app.requests).toHaveLength(20);
    expect(most).toBeLessThanOrEqual(2);
  });

  test('unrequested bytes of an app are no answer to the next call, and end the connection', async () => {
    const { app, channel } = await channelTo(
      replies('HTTP/1.1 200 OK\r\nkeep-alive: timeout=60\r\ncontent-length: 0\r\n\r\n'),
    );
    await deliver(channel);
    const [socket] = app.sockets;
    const closed = new Promise((resolve) => socket?.once('close', resolve));
    socket?.write('HTTP/1.1 500 Unasked\r\ncontent-length: 0\r\n\r\n');
    await closed;
    expect(await deliver(channel)).toMatchObject({ kind: 'response', status: 200 });
  });

  test('the first of two answers to one request counts, and the next call has its own', async () => {
    const { channel } = await channelTo(replies(`${OK}HTTP/1.1 500 Twice\r\ncontent-length: 0\r\n\r\n`));
    for (let n = 0; n < 5; n++) expect(await deliver(channel)).toMatchObject({ status: 200 });
  });

  test('no call is lost to an app that closes after each answer without notice', async () => {
    const { app, channel } = await channelTo((socket) => void socket.end(OK));
    for (let n = 0; n < 50; n++) expect(await deliver(channel)).toMatchObject({ status: 200 });
    await Promise.all(Array.from({ length: 50 }, async () => deliver(channel))).then((answers) => {
      for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
    });
    expect(app.requests).toHaveLength(100);
  });

  test('after an app that answers before it has read all, the next call has a connection of its own', async () => {
    const server = createServer((socket) => {
      // Bytes still to come when the channel cuts the connection lead to a reset.
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.pause();
        socket.write(OK);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const channel = createHttpAppChannel({ url: `http://127.0.0.1:${port}` });
    onTestFinished(async () => {
      await channel.close();
      server.close();
    });
    const large = { body: 'x'.repeat(16 * 1024 * 1024), timeoutMs: 5_000 };
    for (let n = 0; n < 3; n++) expect(await deliver(channel, large)).toMatchObject({ status: 200 });
  });

  test('an idle connection is closed', async () => {
    const { app, channel } = await channelTo(replies(OK));
    await deliver(channel);
    const [socket] = app.sockets;
    await new Promise((resolve) => socket?.once('close', resolve));
    expect(app.sockets.size).toBe(0);
    expect(await deliver(channel)).toMatchObject({ kind: 'response', status: 200 });
  });

  test('a body that is not ASCII, and one that is large, arrive whole', async () => {
    const { app, channel } = await channelTo(replies(OK));
    for (const body of ['ü'.repeat(1000), 'x'.repeat(300_000), 'ü'.repeat(300_000)]) {
      await deliver(channel, { body });
      expect(Buffer.from(app.requests.at(-1)?.body ?? '', 'latin1').toString()).toBe(body);
    }
  });

  test('never more calls in flight than connections', async () => {
    let inFlight = 0;
    let most = 0;
    const { channel } = await channelTo(
      (socket) => {
        most = Math.max(most, ++inFlight);
        setTimeout(() => {
          inFlight--;
          socket.write(OK);
        }, 5);
      },
      { connections: 2 },
    );
    await Promise.all(Array.from({ length: 8 }, async () => deliver(channel)));
    expect(most).toBe(2);
  });

  test('calls that were cancelled while they waited do not make room for more', async () => {
    let inFlight = 0;
    let most = 0;
    const { channel } = await channelTo(
      (socket) => {
        most = Math.max(most, ++inFlight);
        setTimeout(() => {
          inFlight--;
          socket.write(OK);
        }, 5);
      },
      { connections: 1 },
    );
    const first = deliver(channel);
    for (let n = 0; n < 5; n++) channel.deliver(CALL).cancel('no');
    await Promise.all([first, ...Array.from({ length: 5 }, async () => deliver(channel))]);
    expect(most).toBe(1);
  });

  test('waiting for a connection does not count as the app being late', async () => {
    const { channel } = await channelTo(
      (socket, request) => {
        if (request.line.includes('/slow')) setTimeout(() => socket.write(OK), 700);
        else socket.write(OK);
      },
      { connections: 1 },
    );
    const slow = deliver(channel, { path: '/slow', timeoutMs: 0 });
    expect(await deliver(channel, { timeoutMs: 500 })).toMatchObject({ kind: 'response' });
    expect(await slow).toMatchObject({ kind: 'response' });
  });

  test('a call that was cancelled while it waited leaves its place', async () => {
    const { app, channel } = await channelTo(
      (socket, request) => {
        if (!request.line.includes('/hang')) socket.write(OK);
      },
      { connections: 1 },
    );
    const hanging = channel.deliver({ ...CALL, path: '/hang' });
    const waiting = channel.deliver({ ...CALL, path: '/waiting' });
    const last = channel.deliver(CALL);
    waiting.cancel('no');
    hanging.cancel('no');
    expect(await last.answer).toMatchObject({ kind: 'response' });
    expect(app.requests.map(({ line }) => line)).not.toContain('POST /waiting HTTP/1.1');
  });

  test('health and discovery calls get through while every delivery hangs', async () => {
    const { channel } = await channelTo(
      (socket, request) => {
        if (request.line.startsWith('GET')) socket.write(OK);
      },
      { connections: 2 },
    );
    const hanging = [channel.deliver(CALL), channel.deliver(CALL), channel.deliver(CALL)];
    expect(await channel.get('/healthz', {}, 5000)).toMatchObject({ kind: 'response', status: 200 });
    for (const call of hanging) call.cancel('end');
  });

  test('the probe says whether the port accepts connections', async () => {
    const { app, channel } = await channelTo(replies(OK));
    expect(await channel.probe(1000)).toBe(true);
    await app.close();
    expect(await channel.probe(1000)).toBe(false);
  });

  test('over https any certificate is accepted', async () => {
    const { channel } = await secureChannel();
    expect(bodyText(await deliver(channel))).toBe('secure');
  });

  test('a probe over https is a whole handshake, which no server logs as an error', async () => {
    const { server, channel } = await secureChannel();
    const errors: Error[] = [];
    server.on('tlsClientError', (error) => errors.push(error));
    const closed = new Promise<void>((resolve) =>
      server.once('secureConnection', (socket: Socket) => socket.once('close', () => resolve())),
    );
    expect(await channel.probe(10_000)).toBe(true);
    await closed;
    expect(errors).toEqual([]);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(await channel.probe(10_000)).toBe(false);
  });

  test('a probe over https finds a port open that speaks no TLS', async () => {
    const app = await startRawApp(() => undefined);
    onTestFinished(app.close);
    const channel = createHttpAppChannel({ url: app.url.replace('http:', 'https:') });
    onTestFinished(async () => channel.close());
    expect(await channel.probe(10_000)).toBe(true);
  });

  test('closing the channel ends all calls, however many wait', async () => {
    const { channel } = await channelTo(() => undefined, { connections: 1 });
    const answers = Array.from({ length: 20_000 }, () => deliver(channel));
    await channel.close();
    const ended = await Promise.all(answers);
    expect(ended.every((answer) => answer.kind === 'none' && answer.code === 'cancelled')).toBe(true);
  });

  test.each(['ftp://127.0.0.1', 'not a url'])('%s is no address of an app', (url) => {
    expect(() => createHttpAppChannel({ url })).toThrow(TypeError);
  });

  test.each([0, 1025, 1.5])('connections: %d is refused', (connections) => {
    expect(() => createHttpAppChannel({ url: 'http://127.0.0.1:1', connections })).toThrow(/1 to 1024/);
  });
});

test('an https address of an app without TLS is refused with the reason in one line', async () => {
  const app = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(app, 'listening');
  const channel = createHttpAppChannel({ url: `https://127.0.0.1:${(app.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await channel.close();
    app.close();
  });
  expect(await deliver(channel)).toEqual({
    kind: 'none',
    code: 'refused',
    isForeign: true,
    message: expect.stringMatching(/^the TLS handshake failed: [a-z ]+$/),
  });
});

async function secureChannel(): Promise<{ readonly server: Server; readonly channel: AppChannel }> {
  const server = createTlsServer(SELF_SIGNED, (request, reply) => {
    request.resume();
    reply.end('secure');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  const channel = createHttpAppChannel({ url: `https://127.0.0.1:${port}` });
  onTestFinished(async () => channel.close());
  return { server, channel };
}
