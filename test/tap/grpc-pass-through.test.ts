// The tap's port for HTTP/2 changes nothing that passes. The long twin has ten thousand streams.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { lastingPort } from '../../core/testing/lasting-port.ts';
import { BodyRoom } from '../../core/tap/body-room.ts';
import type { NoReply } from '../../core/tap/exchange.ts';
import { Connection } from '../../core/tap/grpc/connection.ts';
import { GrpcListener } from '../../core/tap/grpc/listener.ts';
import type { Call } from '../../core/tap/grpc/side.ts';
import { outgoing } from '../../core/tap/grpc/headers.ts';
import { GrpcStand, PATHS, SIDE } from './grpc-pass-through.ts';

const stand = new GrpcStand();
beforeAll(() => stand.open());
afterAll(() => stand.close());

test('random streams arrive as without the tap, whether it passes, reads or holds them', async () => {
  const seeds = Array.from({ length: 12 }, (_, at) => at + 1);
  for (const path of PATHS) {
    await Promise.all(
      seeds.map(async (seed) => {
        const { direct, through } = await stand.try(path, seed);
        expect(through, `${path} ${seed}`).toEqual(direct);
      }),
    );
  }
});

/** 4 MiB as messages of 16 KiB: zeros alone would be 800,000 empty ones, each of which passes by itself. */
function manyMessages(): Buffer {
  const message = Buffer.alloc(16 * 1024);
  message.writeUInt32BE(message.length - 5, 1);
  return Buffer.concat(Array.from({ length: 256 }, () => message));
}

/** Resolves when the other end has read everything that was sent before. */
const roundTrip = (session: Http2Session): Promise<void> =>
  new Promise((done) => void session.ping(() => done()));

test.each([
  ['/pass', 0],
  ['/stream', 0],
  ['/pass', 8],
  ['/stream', 8],
])(
  'the server hears of a reset of an unread stream, and may still answer: %s, code %d',
  async (path, code) => {
    const server = createServer();
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const to = { host: '127.0.0.1', port };
    const tap = new GrpcListener(0, { side: SIDE, to, room: new BodyRoom() });
    await tap.open();
    const client = connect(`http://127.0.0.1:${tap.port}`);
    onTestFinished(async () => {
      client.destroy();
      await tap.close();
      await new Promise((done) => void server.close(done));
    });
    const opened = once(server, 'stream') as Promise<[ServerHttp2Stream]>;
    const sent = client.request({ ':method': 'POST', ':path': path }, { endStream: false });
    sent.on('error', () => undefined);
    sent.write(manyMessages());
    const [stream] = await opened;
    stream.on('error', () => undefined);
    const { session } = stream;
    if (session === undefined) throw new Error('the stream has no session');
    await roundTrip(client);
    const isOver = once(stream, 'close');
    // Both at once: the tap may have either of them first.
    sent.close(code);
    stream.respond({ ':status': '200' });
    await roundTrip(client);
    await roundTrip(session);
    stream.resume();
    await isOver;
    expect(stream.rstCode).toBe(8);
  },
);

/** An app that can be started again at its port; it answers each call with the number of its start. */
async function restartableApp() {
  // Nobody else takes this port while the app is stopped.
  const port = await lastingPort();
  let [starts, connections] = [0, 0];
  let stop = (): Promise<void> => Promise.resolve();
  const start = async (): Promise<void> => {
    starts += 1;
    const number = String(starts);
    connections = 0;
    const sessions = new Set<Http2Session>();
    const server = createServer();
    server.on('session', (session) => {
      connections += 1;
      sessions.add(session);
    });
    server.on('stream', (stream) => {
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200 });
      stream.resume().on('end', () => stream.end(number));
    });
    await new Promise<void>((done) => void server.listen(port, '127.0.0.1', done));
    stop = async () => {
      for (const session of sessions) session.destroy();
      await new Promise((done) => void server.close(done));
    };
  };
  await start();
  onTestFinished(() => stop());
  /** @returns number of connections since the last start */
  const made = (): number => connections;
  return { port, stop: () => stop(), start, made };
}

/** A connection whose calls are held until the test says so, and why each was lost. */
async function holdingClient(to: { readonly host: string; readonly port: number }) {
  let begin = (): Call => {
    throw new Error('no call was made');
  };
  const side = { ...SIDE, begin: () => begin() };
  const tap = new GrpcListener(0, { side, to, room: new BodyRoom() });
  await tap.open();
  const client = connect(`http://127.0.0.1:${tap.port}`);
  client.on('error', () => undefined);
  onTestFinished(async () => {
    client.destroy();
    await tap.close();
  });
  const heldCall = async () => {
    const lost: NoReply[] = [];
    let release = (): void => undefined;
    const stream = client.request({ ':method': 'POST', ':path': '/held' }, { endStream: false });
    const held = new Promise<void>((hold) => {
      begin = () => ({
        kind: 'call',
        ...{ stopsRequest: true, stopsResponse: false, readsRequest: true, readsResponse: true },
        requested: () => {
          hold();
          return new Promise((go) => (release = () => go({ kind: 'pass' })));
        },
        responded: () => undefined,
        lost: (why) => void lost.push(why),
      });
    });
    stream.on('error', () => undefined);
    let got = '';
    stream.on('data', (part: Buffer) => (got += part.toString()));
    const over = new Promise<string>((done) => void stream.on('close', () => done(got)));
    stream.end('event');
    await held;
    return { over, lost, release: () => release() };
  };
  return { client, heldCall };
}

test('a held call goes to its app over a new connection if the app was started again meanwhile', async () => {
  const app = await restartableApp();
  const { client, heldCall } = await holdingClient({ host: '127.0.0.1', port: app.port });
  const { over, lost, release } = await heldCall();
  const isNoticed = once(client, 'goaway');
  await app.stop();
  await isNoticed;
  await app.start();
  release();
  expect([await over, lost]).toEqual(['2', []]);
});

test('a held call that is released before its app is back leaves those beside it held', async () => {
  const app = await restartableApp();
  const { client, heldCall } = await holdingClient({ host: '127.0.0.1', port: app.port });
  const [early, ...others] = [await heldCall(), await heldCall(), await heldCall()];
  const isNoticed = once(client, 'goaway');
  await app.stop();
  await isNoticed;
  early.release();
  expect(await early.over).toBe('');
  expect(early.lost).toMatchObject([{ by: 'before', code: 'refused' }]);
  await app.start();
  for (const { release } of others) release();
  expect(await Promise.all(others.map(({ over }) => over))).toEqual(['2', '2']);
  expect(others.flatMap(({ lost }) => lost)).toEqual([]);
  // Calls that are released together share a connection.
  expect(app.made()).toBe(1);
});

test('a held call whose app has gone says so once it is released, and is cut', async () => {
  const app = await restartableApp();
  const { client, heldCall } = await holdingClient({ host: '127.0.0.1', port: app.port });
  const { over, lost, release } = await heldCall();
  const isNoticed = once(client, 'goaway');
  await app.stop();
  await isNoticed;
  release();
  expect(await over).toBe('');
  expect(lost).toMatchObject([
    { by: 'before', code: 'refused', message: `connect ECONNREFUSED 127.0.0.1:${app.port}` },
  ]);
});

test('a connection that is cut while the real side accepts it ends no other', async () => {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const to = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const reached: (string | undefined)[] = [];
  const side = { ...SIDE, reached: (reason?: string) => void reached.push(reason) };
  const room = new BodyRoom();
  let connection: Connection | undefined;
  const front = createTcpServer(
    (socket) => (connection = new Connection(socket, { side, to, room, onLoop: () => undefined })),
  );
  await new Promise<void>((done) => void front.listen(0, '127.0.0.1', done));
  const isCut = new Promise<void>((done) => {
    const seen = (message: unknown): void => {
      const { socket } = message as { readonly socket: Socket };
      socket.once('connect', () => {
        if (socket.remotePort !== to.port) return;
        // The library tells a session that it is connected, though it was destroyed in the moment before.
        connection?.destroy();
        setImmediate(done);
      });
    };
    subscribe('net.client.socket', seen);
    onTestFinished(() => void unsubscribe('net.client.socket', seen));
  });
  const client = connect(`http://127.0.0.1:${(front.address() as AddressInfo).port}`);
  client.on('error', () => undefined);
  onTestFinished(async () => {
    client.destroy();
    await Promise.all([front, server].map((each) => new Promise((done) => void each.close(done))));
  });
  await isCut;
  expect(reached).toEqual([]);
});

test('values of a name that the library sends once are joined, those of others stay apart', () => {
  const list = [':status 200', 'etag a', 'x-one a', 'etag b', 'x-one b', 'from c'].map((line) => {
    const [name = '', value = ''] = line.split(' ');
    return [name, value] as const;
  });
  expect(outgoing(list)).toEqual({ ':status': '200', etag: 'a, b', 'x-one': ['a', 'b'], from: 'c' });
});
