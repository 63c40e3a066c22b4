// A sidecar that leaves a held delivery just before its release: the app never had it, whenever that is reported.
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { Passage, TapObserver } from '../../core/ports/tap.ts';
import { AppSide } from '../../core/tap/app-side.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import type { NoReply } from '../../core/tap/exchange.ts';
import { GrpcAppSide } from '../../core/tap/grpc/app-side.ts';
import { framed } from '../../core/tap/grpc/frames.ts';
import { readHead, requestOf } from '../../core/tap/head.ts';
import { OtherCalls } from '../../core/tap/other-calls.ts';
import { Routes } from '../../core/tap/routes.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { orderEvent } from './order-event.ts';
import { unexpected } from './unexpected.ts';

const LEFT: NoReply = { by: 'before', code: 'reset', message: 'the sidecar closed the connection' };

/** The side of an app whose only delivery is held until `release`. */
function stand() {
  const told: string[] = [];
  let release: (how: Passage) => void = () => undefined;
  const passage = new Promise<Passage>((go) => (release = go));
  const observer: TapObserver = {
    stopsOf: () => ({ delivery: true, response: false }),
    published: () => {
      throw new Error('nothing is published here');
    },
    delivering: () => ({
      passage,
      answered: () => void told.push('answered'),
      lost: () => void told.push('lost'),
    }),
    missed: 0,
    missedWhy: '',
    connect: () => undefined,
    catchUp: () => undefined,
    reportFailed: unexpected,
    unfinished: () => 0,
  };
  const profile = () => PROFILES.dapr;
  const routes = new Routes({ appId: 'shop', profile, keep: () => undefined }, undefined);
  routes.discovered([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }], 'http');
  const reports = new DeferredReports(new ManualClock(), unexpected);
  const common = {
    observer,
    profile,
    appId: 'shop',
    appUrl: 'http://127.0.0.1:8080',
    routes,
    others: new OtherCalls(),
    codec: bufferCodec,
    reports,
    onDelivery: () => undefined,
    onDiscovery: () => undefined,
    onRefused: () => undefined,
  };
  return { told, common, reports, release: () => release({ kind: 'pass' }) };
}

type Common = ReturnType<typeof stand>['common'];

async function overHttp(common: Common) {
  const side = new AppSide({ ...common, decode: (bytes) => Promise.resolve({ bytes }) });
  const head = readHead(Buffer.from('POST /orders HTTP/1.1\r\nHost: a\r\n\r\n'));
  const request = head && requestOf(head);
  if (request === undefined) throw new Error('the head cannot be read');
  const body = Buffer.from('{"id":"e1","topic":"orders","pubsubname":"redis","data":1}');
  const exchange = side.begin(request, '127.0.0.1:5000', true);
  return { exchange, body };
}

async function overGrpc(common: Common) {
  const protocol = await loadProtocol();
  const side = new GrpcAppSide({ ...common, protocol });
  const exchange = side.begin({ path: APP_METHODS.onTopicEvent, headers: [], from: '127.0.0.1:5000' });
  return { exchange, body: framed(Buffer.from(protocol.topicEventRequest.encode(orderEvent()))) };
}

test.each([
  ['HTTP', overHttp],
  ['gRPC', overGrpc],
])(
  'a sidecar that leaves a held delivery over %s leaves no attempt, though it is released before the report',
  async (_, begin) => {
    const { told, common, reports, release } = stand();
    const { exchange, body } = await begin(common);
    const going = exchange.requested(body);
    exchange.lost(LEFT);
    release();
    await going;
    reports.flush();
    expect(told).toEqual(['lost']);
  },
);
