// The deadline of a gRPC call (`grpc-timeout`): the console shows it while the call is held, and the delivery says when it has passed.
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { Protocol } from '../../core/grpc-protocol/protocol.ts';
import { deadlineOf } from '../../core/tap/grpc/deadline.ts';
import { rawGrpcApp } from '../grpc/raw-app.ts';
import { orderEvent } from './order-event.ts';
import { tapped } from './tapped.ts';
import type { Tapped } from './tapped.ts';

const { onTopicEvent } = APP_METHODS;
const MINUTE_MS = 60_000;

describe('grpc-timeout', () => {
  test.each([
    ['15S', 15_000, '15 s'],
    ['14998900u', 14_998.9, '15 s'],
    ['250m', 250, '250 ms'],
    ['2M', 120_000, '2 min'],
    ['1H', 3_600_000, '1 h'],
    ['90000000n', 90, '90 ms'],
  ])('the grpc-timeout %s gives the deadline and the time in words', (given, ms, waited) => {
    const deadline = deadlineOf([['grpc-timeout', given]], { ms: 1_000, mono: 500 });
    expect(deadline).toMatchObject({ atMs: Math.round(1_000 + ms), waited });
    expect(deadline?.hasPassed({ ms: 0, mono: 500 + ms })).toBe(true);
    expect(deadline?.hasPassed({ ms: 0, mono: 500 + ms * 0.4 })).toBe(false);
  });

  test.each(['', '15', '15s', '-1S', '123456789S', '1.5S'])('the grpc-timeout %j is ignored', (given) => {
    expect(deadlineOf([['grpc-timeout', given]], { ms: 0, mono: 0 })).toBeUndefined();
  });
});

describe('a call that its sidecar gives up', () => {
  let protocol: Protocol;
  let at: Tapped;
  /** The machine's clock is ahead by so much. */
  let aheadMs: number;
  let isAnswering: boolean;

  beforeEach(async () => {
    protocol = await loadProtocol();
    const app = await rawGrpcApp();
    isAnswering = true;
    app.on(onTopicEvent, protocol.topicEventRequest, protocol.topicEventResponse, () =>
      isAnswering ? { status: 0 } : undefined,
    );
    aheadMs = 0;
    const clock = systemClock();
    at = await tapped({
      app: { host: '127.0.0.1', port: Number(new URL(app.url).port), protocol: 'grpc' },
      clock: {
        now: () => clock.now(),
        monotonic: () => clock.monotonic() + aheadMs,
        at: (dueMs, run) => clock.at(dueMs, run),
      },
    });
  });

  /**
   * Calls the app as the real sidecar does.
   * @returns a function that ends the call
   */
  function deliver(timeout: string): () => void {
    const client = new Client(`127.0.0.1:${at.tap.address.appPort}`, credentials.createInsecure(), {
      'grpc.enable_http_proxy': 0,
    });
    onTestFinished(() => client.close());
    const metadata = new Metadata();
    metadata.set('grpc-timeout', timeout);
    const call = client.makeUnaryRequest(
      onTopicEvent,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      protocol.topicEventRequest.encode(orderEvent()),
      metadata,
      () => undefined,
    );
    return () => call.cancel();
  }

  const held = () => at.stand.runtime.messages.held(10).items[0];

  test('is to be retried with the reason if it was held at delivery', async () => {
    await at.stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const before = Date.now();
    const giveUp = deliver('60S');
    const { givesUpAt = '' } = await at.delivery('held');
    expect(Date.parse(givesUpAt)).toBeGreaterThanOrEqual(before + MINUTE_MS);
    expect(Date.parse(givesUpAt)).toBeLessThanOrEqual(Date.now() + MINUTE_MS);
    expect(held()).toMatchObject({ heldAt: 'delivery', givesUpAt });
    aheadMs = MINUTE_MS;
    giveUp();
    const delivery = await at.delivery('retrying');
    expect(delivery).not.toHaveProperty('givesUpAt');
    expect(delivery.transitions.at(-1)).toMatchObject({
      rule: 'tap.lost',
      note: 'The sidecar gave up: it waits 1 min for a call. The sidecar decides when it is sent again.',
    });
  });

  test('is to be retried with another reason if the sidecar ended the call early', async () => {
    await at.stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const giveUp = deliver('60S');
    await at.delivery('held');
    giveUp();
    expect((await at.delivery('retrying')).transitions.at(-1)?.note).toBe(
      'The sidecar ended the call. The sidecar decides when it is sent again.',
    );
  });

  test('keeps the attempt and its answer if the answer was held, and leaves nothing held', async () => {
    await at.stand.runtime.holds.add({ at: 'response', filter: '' });
    const giveUp = deliver('60S');
    const { givesUpAt } = await at.when('the answer is held', held);
    expect(givesUpAt).toEqual(expect.any(String));
    aheadMs = MINUTE_MS;
    giveUp();
    const delivery = await at.delivery('retrying');
    expect(delivery.attempts).toMatchObject([{ response: { status: 0, body: '{"status":"SUCCESS"}' } }]);
    expect(delivery.transitions.at(-1)).toMatchObject({
      rule: 'tap.lost',
      note: 'The sidecar gave up while the answer was held: it waits 1 min for a call. The sidecar decides when it is sent again.',
    });
    expect(held()).toBeUndefined();
  });

  test('is a timeout of the attempt if the app had not answered', async () => {
    isAnswering = false;
    const giveUp = deliver('60S');
    expect(await at.delivery('attempting')).toHaveProperty('givesUpAt');
    aheadMs = MINUTE_MS;
    giveUp();
    const delivery = await at.delivery('retrying');
    expect(delivery.attempts).toMatchObject([
      {
        error: {
          code: 'timeout',
          message: 'the sidecar gave up before the app answered: it waits 1 min for a call',
        },
      },
    ]);
  });
});
