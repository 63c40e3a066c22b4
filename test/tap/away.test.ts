// Calls through a tap whose sidecar is away, or goes before it answers: what is told of them, and what the app is answered.
import { Client, credentials, Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import type { sendUnaryData } from '@grpc/grpc-js';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { forbidPort } from '../support/forbidden-port.ts';
import { freePort } from '../support/free-port.ts';
import { tapped } from './tapped.ts';
import type { Tapped, TappedEnds } from './tapped.ts';

const APP = { host: '127.0.0.1', port: 0, protocol: 'http' } as const;

/** A tap whose app listens. */
async function withApp(ends: Partial<TappedEnds> = {}): Promise<Tapped> {
  const port = await listening(() => undefined);
  return tapped({ ...ends, app: { ...APP, port } });
}

/** Port of a server that is closed at the end of the test. */
async function listening(took: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    took(socket);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const BODY = '{"n":1}';
const HEAD = `POST /v1.0/publish/redis/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
const PLAIN = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
const AWAY = 'It did not reach the sidecar, and the app got no answer: connect ECONNREFUSED 127.0.0.1:1';

/** A connection to the port for the app, and how it ends. */
function client(at: Tapped): { readonly socket: Socket; readonly ended: Promise<string> } {
  const socket = connect({ port: at.tap.address.sidecarPort, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const ended = new Promise<string>((done) => {
    socket.on('data', (bytes: Buffer) => done(bytes.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    socket.on('close', () => done('closed'));
  });
  return { socket, ended };
}

test.each([
  ['in one piece', [PLAIN]],
  ['in two', [PLAIN.slice(0, -3), PLAIN.slice(-3)]],
  ['in chunks', [`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, `7\r\n${BODY}\r\n0\r\n\r\n`]],
])(
  'a publish that comes %s while the sidecar does not answer is a message with the reason',
  async (_, parts) => {
    const at = await withApp();
    const { socket, ended } = client(at);
    await once(socket, 'connect');
    for (const part of parts) {
      socket.write(part);
      await new Promise((next) => setTimeout(next, 5));
    }
    expect(await ended).toBe('ECONNRESET');
    const row = await at.when('it is told', async () =>
      (await at.rows()).find(({ stage }) => stage === 'refused'),
    );
    expect(row).toMatchObject({ topic: 'orders', tap: 'shop', source: 'http', deliveries: [] });
    expect(row.flags?.at(-1)).toBe(AWAY);
    expect(await at.rows()).toHaveLength(1);
  },
);

test('a silent client is cut while the sidecar does not answer', async () => {
  const at = await withApp();
  const { ended } = client(at);
  expect(await ended).toBe('ECONNRESET');
  expect(await at.rows()).toEqual([]);
});

test('a publish whose answer is lost may have been taken, and is joined with its event', async () => {
  const sidecar = await listening((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  const at = await withApp({ sidecar: { host: '127.0.0.1', port: sidecar } });
  const { socket, ended } = client(at);
  socket.write(PLAIN);
  expect(await ended).toBe('ECONNRESET');
  const row = await at.when('it is told', async () =>
    (await at.rows()).find(({ flags = [] }) => flags.length > 1),
  );
  expect(row).not.toHaveProperty('stage');
  expect(row.flags?.at(-1)).toMatch(/^The sidecar gave the app no answer, and may still have accepted it: /);
});

test('the error of a replay has the reason why its sidecar did not answer', async () => {
  const at = await withApp();
  const { socket, ended } = client(at);
  socket.write(PLAIN);
  await ended;
  const row = await at.when('it is told', async () => (await at.rows())[0]);
  await expect(at.stand.runtime.replay.replay(row.messageId, undefined, undefined)).rejects.toMatchObject({
    message: expect.stringContaining('the sidecar did not answer: connect ECONNREFUSED 127.0.0.1:1'),
  });
});

test('a replay of an event that its sidecar would have named has an id of its own', async () => {
  const bodies: string[] = [];
  const sidecar = await listening((socket) =>
    socket.on('data', (bytes: Buffer) => {
      if (bytes.includes('POST ')) bodies.push(bytes.toString().split('\r\n\r\n')[1] ?? '');
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    }),
  );
  const at = await withApp({ sidecar: { host: '127.0.0.1', port: sidecar } });
  const { socket, ended } = client(at);
  socket.write(PLAIN);
  await ended;
  const row = await at.when('it is told', async () => (await at.rows())[0]);
  for (const changes of [undefined, { attributes: { id: 'mine' } }])
    await at.stand.runtime.replay.replay(row.messageId, changes, undefined);
  const ids = bodies.slice(1).map((body): unknown => JSON.parse(body).id);
  expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), 'mine']);
});

test('a gRPC call that waits for its sidecar waits as without the tap', async () => {
  const port = await freePort();
  const at = await withApp({ sidecarGrpc: { host: '127.0.0.1', port } });
  const client = new Client(`127.0.0.1:${at.tap.address.grpcPort}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  const asItIs = (bytes: Buffer): Buffer => bytes;
  const waits = { waitForReady: true };
  const answered = new Promise((done) => {
    client.makeUnaryRequest('/a.B/C', asItIs, asItIs, Buffer.from('q'), new Metadata(waits), (error, reply) =>
      done(error ?? reply?.toString()),
    );
  });
  await at.when('it is missed', () => at.tap.row().problems.find((text) => text.includes('gRPC API')));
  const server = new Server();
  const answer = (_: unknown, done: sendUnaryData<Buffer>): void => done(null, Buffer.from('a'));
  server.register('/a.B/C', answer, asItIs, asItIs, 'unary');
  await new Promise<void>((done, fail) => {
    const credential = ServerCredentials.createInsecure();
    server.bindAsync(`127.0.0.1:${port}`, credential, (error) => (error === null ? done() : fail(error)));
  });
  onTestFinished(() => server.forceShutdown());
  expect(await answered).toBe('a');
});

test('a gRPC API that does not answer is named before any call, until it answers', async () => {
  const port = await freePort();
  const at = await withApp({ sidecarGrpc: { host: '127.0.0.1', port } });
  const away = (): string | undefined => at.tap.row().problems.find((text) => text.includes('gRPC API'));
  expect(await at.when('it is missed', away)).toBe(
    `Nothing answers at 127.0.0.1:${port}, the gRPC API of the sidecar of the app shop: connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
  const server = createServer((socket) => void socket.on('error', () => undefined));
  await new Promise<void>((done) => void server.listen(port, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  await at.when('it answers', () => (away() === undefined ? true : undefined));
});

test('the log says of a program that listens again no more than is known of it', async () => {
  const [port, grpcPort] = [await freePort(), await freePort()];
  const lines: string[] = [];
  const at = await withApp({
    sidecar: { host: '127.0.0.1', port },
    sidecarGrpc: { host: '127.0.0.1', port: grpcPort },
    logged: (text) => lines.push(text),
  });
  const isAway = (): boolean =>
    at.tap.row().problems.filter((text) => text.startsWith('Nothing')).length === 2;
  await at.when('both are missed', () => (isAway() ? true : undefined));
  for (const each of [port, grpcPort]) {
    const server = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((done) => void server.listen(each, '127.0.0.1', done));
    onTestFinished(() => void server.close());
  }
  await at.when('both are seen', () =>
    lines.filter((text) => text.startsWith('Something listens now')).length === 2 ? true : undefined,
  );
  expect(lines).toContain(
    `Something listens now at http://127.0.0.1:${port}, the address given for the sidecar of the app shop: calls go there.`,
  );
  expect(
    lines.filter((text) => text.endsWith('sidecar answers.') || /^The sidecar .* answers/.test(text)),
  ).toEqual([]);
});

test('a tap that may not listen for the sidecar names the port and the reason', async () => {
  const app = createServer();
  await new Promise<void>((done) => void app.listen(0, '127.0.0.1', done));
  const { port } = app.address() as AddressInfo;
  const at = await tapped({ app: { ...APP, port } });
  app.close();
  await at.when('the app is away', () => (at.tap.row().appAnswers ? undefined : true));
  const { appPort } = at.tap.address;
  forbidPort(appPort);
  app.listen(port, '127.0.0.1');
  onTestFinished(() => void app.close());
  const why = await at.when('it says why', () =>
    at.tap.row().problems.find((text) => text.startsWith('The tap cannot')),
  );
  expect(why).toBe(`The tap cannot listen for the sidecar: the system keeps port ${appPort} for itself.`);
});
