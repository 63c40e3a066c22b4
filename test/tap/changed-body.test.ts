// The body of an edited batch: its attempt shows what the app gets, and long bodies are made once.
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { SeenDelivery, TapObserver } from '../../core/ports/tap.ts';
import { AppSide } from '../../core/tap/app-side.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { readHead, requestOf } from '../../core/tap/head.ts';
import { OtherCalls } from '../../core/tap/other-calls.ts';
import { Routes } from '../../core/tap/routes.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { unexpected } from './unexpected.ts';

const BATCH = Buffer.from(
  '{"id":"b","pubsubname":"redis","topic":"orders","entries":[{"entryId":"1","event":{"n":1}},{"entryId":"2","event":{"n":2}}]}',
);
const WIRES = new Map([['2', '{"n":"edited"}']]);

test('an edited batch is made once, for its attempt and for the app', async () => {
  let seen: SeenDelivery | undefined;
  const observer: TapObserver = {
    stopsOf: () => ({ delivery: true, response: false }),
    published: () => ({ messageIds: [], ended: () => undefined }),
    delivering: (delivery) => {
      seen = delivery;
      const passage = Promise.resolve({ kind: 'changed', wires: WIRES } as const);
      return { passage, answered: () => undefined, lost: () => undefined };
    },
    missed: 0,
    missedWhy: '',
    connect: () => undefined,
    catchUp: () => undefined,
    reportFailed: unexpected,
    unfinished: () => 0,
  };
  const profile = () => PROFILES.dapr;
  const routes = new Routes({ appId: 'shop', profile, keep: () => undefined }, undefined);
  routes.discovered(
    [{ pubsubname: 'redis', topic: 'orders', route: '/orders', bulkSubscribe: { enabled: true } }],
    'http',
  );
  let read = 0;
  const side = new AppSide({
    observer,
    profile,
    appId: 'shop',
    appUrl: 'http://127.0.0.1:8080',
    routes,
    others: new OtherCalls(),
    codec: {
      ...bufferCodec,
      toText: (bytes) => {
        if (bytes === BATCH) read += 1;
        return bufferCodec.toText(bytes);
      },
    },
    decode: (bytes) => Promise.resolve({ bytes }),
    reports: new DeferredReports(new ManualClock(), unexpected),
    onDelivery: () => undefined,
    onDiscovery: () => undefined,
    onRefused: () => undefined,
  });
  const head = readHead(Buffer.from(`POST /orders HTTP/1.1\r\nContent-Length: ${BATCH.length}\r\n\r\n`));
  const request = head && requestOf(head);
  if (request === undefined) throw new Error('the head cannot be read');
  const going = side.begin(request, '127.0.0.1:5000', true).requested(BATCH);
  read = 0;
  const recorded = seen?.requestWith(WIRES);
  const decision = await going;
  const body = String(recorded?.body);
  expect(body).toContain('{"entryId":"1","event":{"n":1}},{"entryId":"2","event":{"n":"edited"}}');
  if (decision?.kind !== 'send') throw new Error('it is not sent');
  expect(decision.bytes.toString()).toMatch(new RegExp(`Content-Length: ${body.length}\r\n\r\n`));
  expect(decision.bytes.toString().endsWith(body)).toBe(true);
  expect(read).toBe(1);
});
