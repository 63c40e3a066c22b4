// Bodies of answers are kept until their report is made: they count towards the memory that waiting reports may use.
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { TapObserver } from '../../core/ports/tap.ts';
import { AppSide } from '../../core/tap/app-side.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { GrpcAppSide } from '../../core/tap/grpc/app-side.ts';
import { readHead, requestOf } from '../../core/tap/head.ts';
import { OtherCalls } from '../../core/tap/other-calls.ts';
import { Routes } from '../../core/tap/routes.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { unexpected } from './unexpected.ts';

const never = (): never => {
  throw new Error('nothing is reported as a message here');
};
const observer: TapObserver = {
  stopsOf: () => ({ delivery: false, response: false }),
  published: never,
  delivering: never,
  missed: 0,
  missedWhy: '',
  connect: () => undefined,
  catchUp: () => undefined,
  reportFailed: unexpected,
  unfinished: () => 0,
};

/** The side of an app, where calls that are no events are listed once they are reported. */
function stand() {
  const profile = () => PROFILES.dapr;
  const routes = new Routes({ appId: 'shop', profile, keep: () => undefined }, undefined);
  routes.discovered([{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }], 'http');
  const others = new OtherCalls();
  const common = {
    observer,
    profile,
    appId: 'shop',
    appUrl: 'http://127.0.0.1:8080',
    routes,
    others,
    codec: bufferCodec,
    reports: new DeferredReports(new ManualClock(), unexpected),
    onPublish: () => undefined,
    onDelivery: () => undefined,
    onDiscovery: () => undefined,
    onRefused: () => undefined,
  };
  return { others, common };
}

/** A call that gets an answer with a body of this size, over each protocol. */
async function overHttp(size: number) {
  const { others, common } = stand();
  const side = new AppSide({ ...common, decode: (bytes) => Promise.resolve({ bytes }) });
  const head = readHead(Buffer.from('POST /orders HTTP/1.1\r\nHost: a\r\n\r\n'));
  const request = head && requestOf(head);
  const answer = readHead(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'));
  if (request === undefined || answer === undefined) throw new Error('the heads cannot be read');
  const call = (): void => {
    const exchange = side.begin(request, '127.0.0.1:5000', true);
    void exchange.requested(Buffer.from('no event'));
    void exchange.responded({ ...answer, status: 200 }, Buffer.alloc(size));
  };
  return { others, call };
}

async function overGrpc(size: number) {
  const { others, common } = stand();
  const side = new GrpcAppSide({ ...common, protocol: await loadProtocol() });
  const call = (): void => {
    const one = side.begin({ path: APP_METHODS.onTopicEvent, headers: [], from: '127.0.0.1:5000' });
    void one.requested(Buffer.from('no event'));
    void one.responded({ headers: [], trailers: [['grpc-status', '0']], body: Buffer.alloc(size) });
  };
  return { others, call };
}

test.each([
  ['HTTP', overHttp],
  ['gRPC', overGrpc],
])('answers over %s that wait for their report count towards 32 MiB', async (_, stand) => {
  const { others, call } = await stand(12 * 1024 * 1024);
  call();
  call();
  expect(others.count).toBe(0);
  call();
  expect(others.count).toBe(3);
});
