/** The HTTP app channel over both versions of HTTP: what an app gets, and what its answers become, is the same. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import type { HttpAppChannelOptions } from '../../core/adapters/http-app-channel/channel.ts';
import type { AppChannel } from '../../core/ports/app-channel.ts';
import { bodyText, CALL, deliver } from '../support/channel-to.ts';

type Request = IncomingMessage | Http2ServerRequest;
type Response = Pick<
  ServerResponse & Http2ServerResponse,
  'writeHead' | 'setHeader' | 'end' | 'write' | 'destroy' | 'statusCode'
>;
interface Seen {
  readonly line: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}
interface Tried {
  readonly channel: AppChannel;
  readonly port: number;
  readonly seen: readonly Seen[];
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

type Act = (response: Response, seen: Seen) => void;

describe.each(['http', 'h2c'] as const)('over %s', (scheme) => {
  async function serve(act: Act, port = 0): Promise<Omit<Tried, 'channel'>> {
    const seen: Seen[] = [];
    const sockets = new Set<Socket>();
    const answer = (request: Request, response: Response): void => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const one = { line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() };
        seen.push(one);
        act(response, one);
      });
    };
    const server: Server | Http2Server = scheme === 'http' ? createServer() : createHttp2();
    server.on('request', answer);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const close = async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    };
    return { port: (server.address() as AddressInfo).port, seen, sockets, close };
  }

  async function channelTo(
    act: Act,
    { path = '', ...options }: Omit<HttpAppChannelOptions, 'url'> & { readonly path?: string } = {},
  ): Promise<Tried> {
    const app = await serve(act);
    const channel = createHttpAppChannel({ url: `${scheme}://127.0.0.1:${app.port}${path}`, ...options });
    onTestFinished(async () => {
      await channel.close();
      await app.close();
    });
    return { ...app, channel };
  }

  const ok: Act = (response) => void response.end('ok');

  test('a request has method, path, headers, a length and the body', async () => {
    const { channel, seen, port } = await channelTo(ok);
    const headers = {
      'Content-Type': 'application/cloudevents+json',
      'X-Any': 'grün',
      host: 'evil',
      connection: 'close',
      te: 'gzip',
      expect: '100-continue',
      'a b': '1',
      'x-break': 'a\r\nb: c',
      'content-length': '999',
      __proto__: 'x',
    };
    await deliver(channel, { headers, body: '{"ü":1}' });
    expect(seen[0]).toMatchObject({
      line: 'POST /orders',
      body: '{"ü":1}',
      headers: {
        'content-type': 'application/cloudevents+json',
        'x-any': Buffer.from('grün').toString('latin1'),
        'content-length': '8',
        'accept-encoding': 'gzip',
        'user-agent': 'sidelight',
        [scheme === 'http' ? 'host' : ':authority']: `127.0.0.1:${port}`,
      },
    });
    const names = Object.keys(seen[0]?.headers ?? {});
    for (const name of ['te', 'expect', 'a b', 'x-break', 'transfer-encoding'])
      expect(names).not.toContain(name);
  });

  test.each([
    ['/größe?x=ü', '', '/gr%C3%B6%C3%9Fe?x=%C3%BC'],
    ['/a#part', '', '/a'],
    ['/orders', '/base/', '/base/orders'],
  ])('path %s under "%s" is sent as %s', async (path, base, target) => {
    const { channel, seen } = await channelTo(ok, { path: base });
    await deliver(channel, { path, method: 'OPTIONS', body: '' });
    await channel.get(path, {}, 5_000);
    expect(seen.map(({ line }) => line)).toEqual([`OPTIONS ${target}`, `GET ${target}`]);
  });

  test('bodies arrive whole, whatever they are', async () => {
    const { channel, seen } = await channelTo(ok);
    const bodies = ['', 'ü'.repeat(1000), 'x'.repeat(300_000), 'ü'.repeat(300_000)];
    for (const body of [...bodies, new Uint8Array([9, 104, 105, 9]).subarray(1, 3)])
      await deliver(channel, { body });
    expect(seen.map(({ body }) => body)).toEqual([...bodies, 'hi']);
    expect(seen[0]?.headers['content-length']).toBe('0');
  });

  test('an answer has status, headers, body and the times of its phases', async () => {
    const { channel } = await channelTo((response) => {
      response.writeHead(503, { 'X-One': 'grün', 'set-cookie': ['a=1', 'b=2'] }).end('{"status":"DROP"}');
    });
    const answer = await deliver(channel);
    const number = expect.any(Number);
    expect(answer).toMatchObject({
      kind: 'response',
      status: 503,
      headers: { 'x-one': 'grün', 'set-cookie': 'a=1, b=2' },
      timing: { connectMs: number, sendMs: number, waitMs: number, readMs: number },
    });
    expect(bodyText(answer)).toBe('{"status":"DROP"}');
  });

  test.each([204, 301, 404])('a %i without a body is an answer', async (status) => {
    const { channel, seen } = await channelTo((response) => {
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await deliver(channel)).toMatchObject({ kind: 'response', status, body: Buffer.alloc(0) });
    expect(seen).toHaveLength(1);
  });

  test.each([
    ['gzip', gzipSync('hello'), 'hello'],
    ['br', Buffer.from('hello'), 'hello'],
    ['br', brotliCompressSync('hello'.repeat(9)), undefined],
  ])('a body under content-encoding %s is undone or says why not', async (encoding, bytes, text) => {
    const { channel } = await channelTo((response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    });
    const answer = await deliver(channel);
    expect(bodyText(answer)).toBe(text);
    const unread = text === undefined ? { bodyStart: bytes, unread: { reason: 'encoding' } } : {};
    expect(answer).toMatchObject({ status: 200, ...unread });
  });

  test('an answer of gRPC is told as one of another protocol', async () => {
    const { channel } = await channelTo((response) => {
      response.writeHead(200, { 'content-type': 'application/grpc+proto' }).end();
    });
    expect(await deliver(channel)).toMatchObject({ status: 200, isForeign: true });
  });

  test('a body over the limit leaves only its beginning', async () => {
    const { channel } = await channelTo((response) => void response.end('x'.repeat(5_001)), {
      maxBodyBytes: 5_000,
      startBytes: 10,
    });
    expect(await deliver(channel)).toMatchObject({
      status: 200,
      body: undefined,
      bodyStart: Buffer.from('x'.repeat(10)),
      unread: { reason: 'too-large', message: expect.stringMatching(/^The body is larger than 5/) },
    });
    expect(await deliver(channel)).toMatchObject({ status: 200, unread: { reason: 'too-large' } });
  });

  test('no answer is a timeout after the limit, and none without one', async () => {
    const { channel } = await channelTo((response, { line }) => {
      if (line.includes('/slow')) setTimeout(() => response.end('late'), 80);
      else if (line.includes('/half')) response.write('abc');
    });
    const message = 'No answer within 50 ms.';
    const timeout = { kind: 'none', code: 'timeout', message };
    expect(await deliver(channel, { timeoutMs: 50 })).toEqual(timeout);
    expect(await deliver(channel, { path: '/half', timeoutMs: 50 })).toEqual(timeout);
    expect(bodyText(await deliver(channel, { path: '/slow', timeoutMs: 0 }))).toBe('late');
  });

  test('a cancelled call ends at the app, and one that was not sent never reaches it', async () => {
    let closed: Promise<unknown> | undefined;
    const { channel, seen } = await channelTo((response, { line }) => {
      if (line === 'POST /orders') response.end();
      else closed = once(response as unknown as ServerResponse, 'close');
    });
    const never = channel.deliver({ ...CALL, path: '/never' });
    never.cancel('no');
    const thinking = channel.deliver({ ...CALL, path: '/thinks' });
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    thinking.cancel('A person cut the call.');
    thinking.cancel('again');
    const cut = { kind: 'none', code: 'cancelled', message: 'A person cut the call.' };
    expect(await thinking.answer).toEqual(cut);
    expect(await never.answer).toMatchObject({ code: 'cancelled', message: 'no' });
    await closed;
    expect(await deliver(channel)).toMatchObject({ kind: 'response' });
    expect(seen.map(({ line }) => line)).toEqual(['POST /thinks', 'POST /orders']);
  });

  test('a lost connection is a reset, and the next call has another one', async () => {
    const { channel, sockets } = await channelTo((response, { line }) => {
      if (line.includes('/lost')) sockets.forEach((socket) => void socket.destroy());
      else response.end('ok');
    });
    expect(await deliver(channel, { path: '/lost' })).toMatchObject({
      kind: 'none',
      code: 'reset',
      message: expect.stringMatching(/closed before the answer was complete|ECONNRESET/),
    });
    expect(bodyText(await deliver(channel))).toBe('ok');
  });

  test('nobody listens: refused, and an answer once somebody does', async () => {
    const { channel, port, close } = await channelTo(ok);
    expect(await channel.probe(1000)).toBe(true);
    expect(bodyText(await deliver(channel))).toBe('ok');
    await close();
    expect(await channel.probe(1000)).toBe(false);
    expect(await deliver(channel)).toMatchObject({ kind: 'none', code: 'refused' });
    const again = await serve(ok, port);
    onTestFinished(again.close);
    expect(bodyText(await deliver(channel))).toBe('ok');
  });

  test('an unknown host is refused', async () => {
    const channel = createHttpAppChannel({ url: `${scheme}://nowhere.invalid:1` });
    onTestFinished(async () => channel.close());
    expect(await deliver(channel)).toMatchObject({ kind: 'none', code: 'refused' });
  });

  test('connections are used again', async () => {
    const { channel, sockets } = await channelTo(ok);
    let most = 0;
    for (let n = 0; n < 20; n += 1) {
      await deliver(channel);
      most = Math.max(most, sockets.size);
    }
    expect(most).toBeLessThanOrEqual(scheme === 'http' ? 2 : 1);
  });

  test('never more calls in flight than allowed; health and discovery get through', async () => {
    let inFlight = 0;
    let most = 0;
    const hanging: (() => void)[] = [];
    const { channel } = await channelTo(
      (response, { line }) => {
        if (line.startsWith('GET')) return void response.end('ok');
        most = Math.max(most, ++inFlight);
        hanging.push(() => {
          inFlight -= 1;
          response.end();
        });
      },
      { connections: 2 },
    );
    const calls = Array.from({ length: 6 }, () => deliver(channel));
    expect(await channel.get('/healthz', {}, 5000)).toMatchObject({ status: 200 });
    const waiting = channel.deliver({ ...CALL, path: '/waiting' });
    waiting.cancel('no');
    while (hanging.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const answers = Promise.all(calls);
    let isOver = false;
    void answers.then(() => (isOver = true));
    while (!isOver) {
      hanging.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await answers).every(({ kind }) => kind === 'response')).toBe(true);
    expect(most).toBe(2);
  });

  test('close ends every call, also those that come later', async () => {
    const { channel } = await channelTo(() => undefined, { connections: 1 });
    const calls = [deliver(channel), deliver(channel), channel.get('/x', {}, 0)];
    await channel.close();
    const later = [deliver(channel), channel.get('/x', {}, 0)];
    for (const answer of await Promise.all([...calls, ...later]))
      expect(answer).toMatchObject({ kind: 'none', code: 'cancelled' });
    expect(await channel.probe(1000)).toBe(false);
  });

  test('an answer before the whole request was read counts, and the next call works', async () => {
    const app = scheme === 'http' ? createServer() : createHttp2();
    app.on('request', (request: Request, response: Response) => {
      request.on('error', () => undefined);
      request.pause();
      response.end('early');
    });
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    const channel = createHttpAppChannel({
      url: `${scheme}://127.0.0.1:${(app.address() as AddressInfo).port}`,
    });
    onTestFinished(async () => {
      await channel.close();
      app.close();
    });
    const large = { body: 'x'.repeat(16 * 1024 * 1024), timeoutMs: 10_000 };
    for (let n = 0; n < 3; n += 1) expect(bodyText(await deliver(channel, large))).toBe('early');
  });
});
