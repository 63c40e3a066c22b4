// A tap while its connection to the real side is still being made: a name that takes its time, and one with several addresses.
import dns from 'node:dns';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { BodyRoom } from '../../core/tap/body-room.ts';
import type { Side } from '../../core/tap/exchange.ts';
import { Listener } from '../../core/tap/listener.ts';
import { sideThat } from './pass-through.ts';
import { tapped } from './tapped.ts';
import { unexpected } from './unexpected.ts';

const NAME = 'sidecar.test';

interface Address {
  readonly address: string;
  readonly family: number;
}

type Done = (error: null, all: readonly Address[]) => void;

/** The name is looked up by `look` until the end of the test. */
function lookUpBy(look: (done: Done) => void): void {
  const { lookup } = dns;
  const spy = vi.spyOn(dns, 'lookup');
  const instead = (name: string, options: object, done: Done): unknown =>
    name === NAME ? look(done) : Reflect.apply(lookup, dns, [name, options, done]);
  Reflect.apply(spy.mockImplementation, spy, [instead]);
  onTestFinished(() => spy.mockRestore());
}

/** Lookups of the name that wait for their addresses. */
function lookups(): Done[] {
  const waiting: Done[] = [];
  lookUpBy((done) => waiting.push(done));
  return waiting;
}

const HERE: readonly Address[] = [{ address: '127.0.0.1', family: 4 }];

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A tap's port before this port of the name, with a client that is connected to it. */
async function clientOf(
  port: number,
  side: Side,
): Promise<{ listener: Listener; client: Socket; closed: Promise<void> }> {
  const reports = new DeferredReports(systemClock(), unexpected);
  const listener = new Listener(0, { side, to: { host: NAME, port }, room: new BodyRoom(), reports });
  await listener.open();
  const client = connect({ port: listener.port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  const closed = new Promise<void>((done) => void client.on('close', () => done()));
  onTestFinished(async () => {
    client.destroy();
    await listener.close();
  });
  return { listener, client, closed };
}

test('a request that is larger than a connection takes is read to its end, and then reported as lost', async () => {
  const waiting = lookups();
  const body = Buffer.alloc(2 * 1024 * 1024, 32);
  const told: string[] = [];
  let begin = (): void => undefined;
  const begun = new Promise<void>((done) => (begin = done));
  const noted = sideThat('passes');
  const side: Side = {
    ...noted,
    begin: (...given) => {
      begin();
      return {
        ...noted.begin(...given),
        readsRequest: true,
        requested: (whole) => void told.push(`requested ${whole?.length}`),
        lost: ({ by, code }) => void told.push(`lost ${by} ${code}`),
      };
    },
  };
  const { client, closed } = await clientOf(1, side);
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
  client.write(body);
  await begun;
  await new Promise((next) => setImmediate(next));
  waiting[0]?.(null, HERE);
  await closed;
  expect(told).toEqual([`requested ${body.length}`, 'lost before refused']);
});

test('a closed port makes no connection', async () => {
  const waiting = lookups();
  const ports: (number | undefined)[] = [];
  const server = createServer((socket) => {
    ports.push(socket.remotePort);
    socket.end();
  });
  const port = await listening(server);
  const { listener, client, closed } = await clientOf(port, sideThat('passes'));
  client.write('POST / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  await listener.close();
  await closed;
  waiting[0]?.(null, HERE);
  // This connection comes after one that the tap would make.
  const direct = connect({ port, host: '127.0.0.1' });
  await once(direct, 'connect');
  const own = direct.localPort;
  direct.resume();
  await once(direct, 'close');
  expect(ports).toEqual([own]);
});

test('the problem of a name with several addresses has the reason of each if none answers', async () => {
  lookUpBy((done) => done(null, [...HERE, { address: '127.0.0.2', family: 4 }]));
  const app = await listening(createServer());
  const at = await tapped({
    app: { host: '127.0.0.1', port: app, protocol: 'http' },
    sidecar: { host: NAME, port: 1 },
    sidecarGrpc: { host: NAME, port: 1 },
  });
  const grpc = connect({ port: at.tap.address.grpcPort ?? 0, host: '127.0.0.1' });
  grpc.on('error', () => undefined);
  const problems = await at.when('both are missed', () => {
    const { problems: all } = at.tap.row();
    return all.length === 2 ? all : undefined;
  });
  const why = 'connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1';
  expect(problems.toSorted()).toEqual([
    `Nothing answers at http://${NAME}:1, the sidecar of the app shop: ${why}.`,
    `Nothing answers at ${NAME}:1, the gRPC API of the sidecar of the app shop: ${why}.`,
  ]);
});
