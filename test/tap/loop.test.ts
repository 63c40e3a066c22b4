// Taps whose sidecar is another tap: a chain forwards calls; taps that lead to each other say so and forward none.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect, createServer as createNetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { readHead, requestOf } from '../../core/tap/head.ts';
import { LoopGuard } from '../../core/tap/loop-guard.ts';
import { OtherCalls } from '../../core/tap/other-calls.ts';
import { Replays } from '../../core/tap/replays.ts';
import { SidecarSide } from '../../core/tap/sidecar-side.ts';
import { clientOf } from '../grpc/raw-client.ts';
import { rawGrpcApp } from '../grpc/raw-app.ts';
import { orderEvent } from './order-event.ts';
import { freePort } from '../support/free-port.ts';
import { tapped } from './tapped.ts';
import type { Tapped } from './tapped.ts';
import { unexpected } from './unexpected.ts';

const HOST = '127.0.0.1';
/** Metadata that a sidecar tells of itself. */
const METADATA = '{"id":"shop"}';

/**
 * An app, or a sidecar that tells its metadata.
 * @returns its port, and the headers of each call
 */
async function serverOf(answer: string): Promise<{ port: number; calls: IncomingHttpHeaders[] }> {
  const calls: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    calls.push(request.headers);
    request.resume();
    request.on('end', () => response.end(answer));
  });
  await new Promise<void>((done) => void server.listen(0, HOST, done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, calls };
}

/** A wait takes a fiftieth of its time. */
function hastyClock(): Clock {
  const clock = systemClock();
  return { ...clock, at: (dueMs, run) => clock.at(clock.now() + (dueMs - clock.now()) / 50, run) };
}

/** A `hastyClock` under which a tap does not ask its sidecar again while a test runs. */
function clockThatAsksOnce(): Clock {
  const [clock, hasty] = [systemClock(), hastyClock()];
  return {
    ...clock,
    at: (dueMs, run) => (dueMs - clock.now() > 2_000 ? clock.at(dueMs, run) : hasty.at(dueMs, run)),
  };
}

/** A tap that takes calls at one port and passes them to another. */
async function tapFrom(sidecarPort: number, to: number, clock: Clock = hastyClock()): Promise<Tapped> {
  const { port } = await serverOf('[]');
  return tapped({
    app: { host: HOST, port, protocol: 'http' },
    sidecar: { host: HOST, port: to },
    sidecarPort,
    clock,
  });
}

const whyLoop = (port: number): string =>
  `What listens at http://${HOST}:${port} is a tap with no sidecar behind it: calls through it come back. Give --sidecar-url the address of the sidecar itself; until then the tap answers every call with 508.`;

async function publish(port: number): Promise<[number, string]> {
  const url = `http://${HOST}:${port}/v1.0/publish/redis/orders`;
  const answer = await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(5_000) });
  return [answer.status, await answer.text()];
}

const REFUSED = [508, 'No sidecar is behind this tap: calls through it come back to it.\n'];

test('a request that was forwarded before the loop was found gets no second answer', () => {
  const loopGuard = new LoopGuard('mark');
  const nothing = (): undefined => undefined;
  const side = new SidecarSide({
    observer: {
      stopsOf: () => ({ delivery: false, response: false }),
      published: () => ({ messageIds: ['m1'], ended: nothing }),
      catchUp: nothing,
      reportFailed: nothing,
      delivering: () => {
        throw new Error('nothing is delivered here');
      },
      missed: 0,
      missedWhy: '',
      connect: nothing,
      unfinished: () => 0,
    },
    reports: new DeferredReports(systemClock(), unexpected),
    profile: () => PROFILES.dapr,
    appId: 'shop',
    others: new OtherCalls(),
    onPublish: nothing,
    onUnreachable: nothing,
    onRefused: nothing,
    replays: new Replays(),
    loopGuard,
  });
  const read = readHead(Buffer.from('POST /v1.0/publish/redis/orders HTTP/1.1\r\nHost: a\r\n\r\n'));
  const head = read && requestOf(read);
  if (head === undefined) throw new Error('the head cannot be read');
  loopGuard.asked(true);
  const exchange = (mayStop: boolean) => side.begin(head, '127.0.0.1:5000', mayStop);
  expect(exchange(true)).toMatchObject({ stopsRequest: true });
  expect(exchange(false)).toMatchObject({ stopsRequest: false, readsRequest: true, readsResponse: true });
});

test.each([1, 2, 3])('%i taps that lead to each other report the loop, and refuse calls', async (count) => {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const taps: Tapped[] = [];
  for (const [i, port] of ports.entries()) taps.push(await tapFrom(port, ports[(i + 1) % count] ?? 0));
  for (const [i, at] of taps.entries()) {
    const why = whyLoop(ports[(i + 1) % count] ?? 0);
    await at.when('the tap says so', () => (at.tap.row().problems.includes(why) ? true : undefined));
  }
  for (const port of ports) expect(await publish(port)).toEqual(REFUSED);
});

test('a tap in front of a loop reports the loop and refuses calls', async () => {
  const [first, second, outside] = [await freePort(), await freePort(), await freePort()];
  await tapFrom(first, second);
  await tapFrom(second, first);
  const at = await tapFrom(outside, first);
  await at.when('the tap says so', () => (at.tap.row().problems.includes(whyLoop(first)) ? true : undefined));
  expect(await publish(outside)).toEqual(REFUSED);
});

test('a tap before another tap with a sidecar passes calls on', async () => {
  const { port, calls } = await serverOf('{"runtimeVersion":"1.18.3"}');
  const [first, second] = [await freePort(), await freePort()];
  const behind = await tapFrom(second, port);
  const before = await tapFrom(first, second);
  for (const at of [behind, before])
    await at.when('its sidecar has told', () => (at.tap.row().profile === 'dapr-1.18' ? true : undefined));
  expect(await publish(first)).toEqual([200, '{"runtimeVersion":"1.18.3"}']);
  expect(before.tap.row().problems).toEqual([]);
  expect(calls.at(-1)).not.toHaveProperty('sidelight-tap');
});

test('a loop that has become a chain passes calls on again', async () => {
  const { port } = await serverOf(METADATA);
  const [first, second] = [await freePort(), await freePort()];
  const at = await tapFrom(first, second);
  const other = await tapFrom(second, first);
  await at.when('the tap says so', () =>
    at.tap.row().problems.includes(whyLoop(second)) ? true : undefined,
  );
  await other.tap.close();
  await tapFrom(second, port);
  await at.when('nothing is wrong any more', () => (at.tap.row().problems.length === 0 ? true : undefined));
  expect(await publish(first)).toEqual([200, METADATA]);
});

test('a tap that refuses calls gives the reason until its sidecar has answered the call of the tap', async () => {
  const [first, second] = [await freePort(), await freePort()];
  const at = await tapFrom(first, second, clockThatAsksOnce());
  const other = await tapFrom(second, first);
  await at.when('the tap says so', () =>
    at.tap.row().problems.includes(whyLoop(second)) ? true : undefined,
  );
  await other.tap.close();
  await at.when('the other tap is gone', () => (at.tap.row().sidecarAnswers ? undefined : true));
  const sockets = new Set<Socket>();
  const silent = createNetServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((done) => void silent.listen(second, HOST, done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await at.when('something listens again', () => (at.tap.row().sidecarAnswers ? true : undefined));
  expect(at.tap.row().problems).toEqual([whyLoop(second)]);
  expect(await publish(first)).toEqual(REFUSED);
});

/** A tap that takes gRPC calls at one port and passes them to another. */
async function grpcTapFrom(grpcPort: number, to: number, clock: Clock = hastyClock()): Promise<Tapped> {
  const { port } = await serverOf('[]');
  const sidecar = await serverOf(METADATA);
  return tapped({
    app: { host: HOST, port, protocol: 'http' },
    sidecar: { host: HOST, port: sidecar.port },
    sidecarGrpc: { host: HOST, port: to },
    grpcPort,
    clock,
  });
}

test('closing a tap cuts a client whose refusal is still being sent', async () => {
  const at = await grpcTapFrom(0, await freePort());
  // Such a client has a second to go, which does not pass here.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  // Before all times at which connections pass again.
  const now = vi.spyOn(performance, 'now').mockReturnValue(-1);
  onTestFinished(() => {
    now.mockRestore();
    vi.useRealTimers();
  });
  const client = connect(at.tap.address.grpcPort ?? 0, HOST);
  onTestFinished(() => void client.destroy());
  await once(client, 'data');
  const closed = once(client, 'close');
  await at.tap.close();
  client.resume();
  await closed;
  expect(client.destroyed).toBe(true);
});

/** Any call that is passed on: the tap reads none of its own methods here. */
async function callAt(port: number) {
  const { protocol } = await rawGrpcApp();
  const client = await clientOf(`${HOST}:${port}`);
  const { topicEventRequest, topicEventResponse } = protocol;
  return client.call(APP_METHODS.onTopicEvent, topicEventRequest, orderEvent(), topicEventResponse, {});
}

const whyGrpcLoop = (port: number): string =>
  `What listens at ${HOST}:${port} is a tap with no sidecar behind it: gRPC calls through it come back. Give --sidecar-grpc the address of the sidecar itself.`;

test.each([1, 2, 3])(
  '%i taps whose gRPC ports lead to each other report the loop, and calls fail as unavailable',
  async (count) => {
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const taps: Tapped[] = [];
    for (const [i, port] of ports.entries()) taps.push(await grpcTapFrom(port, ports[(i + 1) % count] ?? 0));
    expect(await callAt(ports[0] ?? 0)).toMatchObject({ code: 'UNAVAILABLE' });
    for (const [i, at] of taps.entries()) {
      const why = whyGrpcLoop(ports[(i + 1) % count] ?? 0);
      await at.when('the tap says so', () => (at.tap.row().problems.includes(why) ? true : undefined));
    }
  },
);

test('a tap before another tap with a gRPC sidecar passes calls on', async () => {
  const sidecar = await rawGrpcApp();
  const { topicEventRequest, topicEventResponse } = sidecar.protocol;
  sidecar.on(APP_METHODS.onTopicEvent, topicEventRequest, topicEventResponse, () => ({ status: 0 }));
  const [first, second] = [await freePort(), await freePort()];
  await grpcTapFrom(second, Number(new URL(sidecar.url.replace('grpc:', 'http:')).port));
  const before = await grpcTapFrom(first, second);
  expect(await callAt(first)).toEqual({ status: 0 });
  expect(before.tap.row().problems).toEqual([]);
});

test('a gRPC loop that has become a chain passes calls on again', async () => {
  const sidecar = await rawGrpcApp();
  const { topicEventRequest, topicEventResponse } = sidecar.protocol;
  sidecar.on(APP_METHODS.onTopicEvent, topicEventRequest, topicEventResponse, () => ({ status: 0 }));
  const [first, second] = [await freePort(), await freePort()];
  const at = await grpcTapFrom(first, second);
  const other = await grpcTapFrom(second, first);
  await callAt(first);
  await at.when('the tap says so', () =>
    at.tap.row().problems.includes(whyGrpcLoop(second)) ? true : undefined,
  );
  await other.tap.close();
  await grpcTapFrom(second, Number(new URL(sidecar.url.replace('grpc:', 'http:')).port));
  const isServed = async (): Promise<true | undefined> =>
    'status' in (await callAt(first)) ? true : undefined;
  expect(await at.when('calls pass', isServed)).toBe(true);
  await at.when('nothing is wrong any more', () => (at.tap.row().problems.length === 0 ? true : undefined));
});

test('a tap whose gRPC loop has ended misses its sidecar until something listens there, without a call', async () => {
  const [first, second] = [await freePort(), await freePort()];
  const at = await grpcTapFrom(first, second);
  const other = await grpcTapFrom(second, first);
  await callAt(first);
  await at.when('the tap says so', () =>
    at.tap.row().problems.includes(whyGrpcLoop(second)) ? true : undefined,
  );
  await other.tap.close();
  const isMissed = (): boolean => at.tap.row().problems.some((text) => text.startsWith('Nothing answers'));
  await at.when('nothing answers', () => (isMissed() ? true : undefined));
  const server = createNetServer((socket) => void socket.on('error', () => undefined));
  await new Promise<void>((done) => void server.listen(second, HOST, done));
  onTestFinished(() => void server.close());
  await at.when('it is missed no more', () => (isMissed() ? undefined : true));
  expect(at.tap.row().problems).toEqual([]);
});

test('a tap whose call found nobody between two looks at its gRPC sidecar sees that something listens again', async () => {
  const [port, sidecar] = [await freePort(), await freePort()];
  const listen = async (): Promise<() => Promise<void>> => {
    const server = createNetServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((done) => void server.listen(sidecar, HOST, done));
    const close = (): Promise<void> => new Promise((done) => void server.close(() => done()));
    onTestFinished(() => void server.close());
    return close;
  };
  // Waits of the tap end when the test says so.
  const due = new Set<() => void>();
  const clock: Clock = {
    ...systemClock(),
    at: (_dueMs, run) => {
      due.add(run);
      return () => void due.delete(run);
    },
  };
  const look = (): void => {
    for (const run of [...due]) {
      due.delete(run);
      run();
    }
  };
  const close = await listen();
  const at = await grpcTapFrom(port, sidecar, clock);
  await close();
  const client = connect(port, HOST);
  onTestFinished(() => void client.destroy());
  await new Promise((done) => client.on('error', () => undefined).once('close', done));
  const isMissed = (): boolean => at.tap.row().problems.some((text) => text.startsWith('Nothing answers'));
  expect(isMissed()).toBe(true);
  await listen();
  look();
  await at.when('it is missed no more', () => (isMissed() ? undefined : true));
});
