/** Publishes keep the pace of an app that answers: how long a 204 may wait, for what it never waits, and that nothing hangs. */
import { describe, expect, test } from 'vitest';
import { LANE_CALLS, MAX_WAIT_MS, QUEUED_CALLS } from '../../core/runtime/state/backpressure.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const FEW_MORE = QUEUED_CALLS + 10;

/** A publish whose answer may wait; `isAnswered` says whether it still does. */
function publishing(stand: Stand, topic = 'orders', source: 'http' | 'console' = 'http') {
  const one = { isAnswered: false, answered: Promise.resolve() };
  const request = { pubsubname: 'pubsub', topic, body: '1', metadata: {} };
  const { runtime } = stand;
  const published =
    source === 'console'
      ? runtime.publishByHand.one(request)
      : runtime.sidecar('app').publish({ ...request, source: 'http' });
  one.answered = Promise.resolve(published).then(() => void (one.isAnswered = true));
  return one;
}

/** The app answers one call, and then lets all calls hang while so many publishes come at the same time. */
async function flooded(stand: Stand, count: number): Promise<void> {
  await stand.publish('orders');
  stand.app.answerWith = () => 'hang';
  for (let n = 0; n < count; n += 1) publishing(stand);
  await stand.settle();
}

describe('a publish for an app with much before it', () => {
  test('waits until a call has ended', async () => {
    const stand = await started();
    await flooded(stand, LANE_CALLS - 1);
    const [first, second] = [publishing(stand), publishing(stand)];
    await stand.settle();
    expect([first.isAnswered, second.isAnswered]).toEqual([false, false]);
    for (const call of stand.app.open.slice(0, 3)) call.answer(200);
    await stand.settle();
    expect([first.isAnswered, second.isAnswered]).toEqual([true, true]);
  });

  test('waits for at most 250 ms, and is accepted', async () => {
    const stand = await started();
    await flooded(stand, LANE_CALLS);
    const one = publishing(stand);
    await stand.pass(MAX_WAIT_MS - 1);
    expect(one.isAnswered).toBe(false);
    await stand.pass(1);
    expect(one.isAnswered).toBe(true);
    expect(MAX_WAIT_MS).toBe(250);
  });

  test('a bulk publish waits the same way', async () => {
    const stand = await started();
    await flooded(stand, LANE_CALLS);
    let isAnswered = false;
    const body = JSON.stringify([{ entryId: '1', event: 1, contentType: 'application/json' }]);
    const request = { pubsubname: 'pubsub', topic: 'orders', body: Buffer.from(body), metadata: {} };
    const sidecar = stand.runtime.sidecar('app');
    void sidecar.publishBulk({ ...request, source: 'http' }).then(() => (isAnswered = true));
    await stand.pass(MAX_WAIT_MS - 1);
    expect(isAnswered).toBe(false);
    await stand.pass(1);
    expect(isAnswered).toBe(true);
  });

  test('is answered at once when the runtime stops', async () => {
    const stand = await started();
    await flooded(stand, LANE_CALLS);
    const one = publishing(stand);
    await stand.settle();
    expect(one.isAnswered).toBe(false);
    await stand.stop();
    expect(one.isAnswered).toBe(true);
  });

  test('does not wait if a person publishes in the console', async () => {
    const stand = await started();
    await flooded(stand, FEW_MORE);
    const one = publishing(stand, 'orders', 'console');
    await stand.settle();
    expect(one.isAnswered).toBe(true);
  });

  test('a publish to another subscription of the app does not wait until the app has too many calls', async () => {
    const topics = Array.from({ length: 6 }, (_, n) => `t${n}`);
    const stand = await started({}, (it) =>
      subscribe(it, ...topics.map((topic) => ({ topic, route: `/${topic}` }))),
    );
    await stand.publish('t5');
    stand.app.answerWith = () => 'hang';
    const isNextAnswered = async (): Promise<boolean> => {
      const one = publishing(stand, 't5');
      await stand.settle();
      return one.isAnswered;
    };
    const full = Math.ceil(QUEUED_CALLS / LANE_CALLS) - 1;
    for (const topic of topics.slice(0, full))
      for (let n = 0; n < LANE_CALLS; n += 1) publishing(stand, topic);
    await stand.settle();
    expect(await isNextAnswered()).toBe(true);
    for (let n = full * LANE_CALLS + 1; n < QUEUED_CALLS - 1; n += 1) publishing(stand, 't4');
    await stand.settle();
    expect(await isNextAnswered()).toBe(false);
  });

  test('a publish to another app does not wait', async () => {
    const stand = await started({ apps: ['app', 'other'] }, (it) => {
      it.appOf('app').subscriptions = [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }];
      it.appOf('other').subscriptions = [{ pubsubname: 'pubsub', topic: 'mails', route: '/mails' }];
    });
    await flooded(stand, FEW_MORE);
    const one = publishing(stand, 'mails');
    await stand.settle();
    expect(one.isAnswered).toBe(true);
  });
});

/** More than enough deliveries that do not wait for a call of an app that answers. */
const NOT_COUNTED: readonly (readonly [string, (stand: Stand) => Promise<void>])[] = [
  [
    'held ones',
    async (stand) => {
      await stand.publish('orders');
      await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    },
  ],
  [
    'retried ones',
    async (stand) => {
      stand.set('delivery.retry', { maxAttempts: 0, firstDelayMs: 600_000 });
      stand.app.answerWith = () => 500;
    },
  ],
  [
    'parked ones',
    async (stand) => {
      stand.set('delivery.retry', { maxAttempts: 1 });
      stand.app.answerWith = () => 500;
    },
  ],
  [
    'those with an answer that is held',
    async (stand) => {
      await stand.publish('orders');
      await stand.runtime.holds.add({ at: 'response', filter: '' });
    },
  ],
  [
    'those of an app that has not answered yet',
    async (stand) => {
      stand.app.answerWith = () => 'hang';
    },
  ],
  [
    'those of an app that has not answered for some time',
    async (stand) => {
      await stand.publish('orders');
      stand.app.answerWith = () => 'hang';
      await stand.pass(1001);
    },
  ],
  [
    'those that wait for their app to be discovered',
    async (stand) => {
      await stand.stop();
      stand.app.isOpen = false;
      await stand.start();
    },
  ],
  [
    'those that nobody subscribes to any more',
    async (stand) => {
      await flooded(stand, FEW_MORE);
      stand.app.subscriptions = [];
      await stand.runtime.rediscovery.ask('app');
      for (const call of stand.app.open) call.answer(200);
      await stand.settle();
    },
  ],
];

describe('deliveries for which a publish does not wait', () => {
  test.each(NOT_COUNTED)('%s do not count', async (_name, prepare) => {
    const stand = await started();
    await prepare(stand);
    for (let n = 0; n < FEW_MORE; n += 1) {
      const one = publishing(stand);
      await stand.settle();
      expect(one.isAnswered).toBe(true);
    }
  });

  test('calls of another subscription that wait for a person do not count', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'asked', route: '/asked' }, { topic: 'orders', route: '/orders' }),
    );
    stand.app.answerWith = ({ path }) => (path === '/asked' ? 'hang' : 200);
    for (let n = 0; n < FEW_MORE; n += 1) publishing(stand, 'asked');
    await stand.pass(1001);
    await stand.publish('orders');
    for (const topic of ['orders', 'asked']) {
      const one = publishing(stand, topic);
      await stand.settle();
      expect([topic, one.isAnswered]).toEqual([topic, true]);
    }
  });

  test('entries that wait for their batch do not count', async () => {
    const bulkSubscribe = { enabled: true, maxMessagesCount: 1000, maxAwaitDurationMs: 500 };
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders', bulkSubscribe }),
    );
    await stand.publish('orders');
    await stand.pass(500);
    for (let n = 0; n < 998; n += 1) publishing(stand);
    await stand.settle();
    const one = publishing(stand);
    await stand.settle();
    expect(one.isAnswered).toBe(true);
  });
});

describe('a flood', () => {
  test('slows its publishers down, so that few accepted messages are undelivered', async () => {
    const stand = await started();
    let mostOpen = 0;
    let published = 0;
    const publisher = async (): Promise<void> => {
      for (let n = 0; n < 10; n += 1) {
        await publishing(stand).answered;
        published += 1;
        mostOpen = Math.max(mostOpen, published - stand.app.calls.length);
      }
    };
    // Calls end one by one, a little later than they came.
    stand.app.answerWith = (call) => {
      setImmediate(() => setImmediate(() => call.answer(200)));
      return 'hang';
    };
    await stand.publish('orders');
    const all = Promise.all(Array.from({ length: 64 }, publisher));
    let isOver = false;
    void all.then(() => (isOver = true));
    while (!isOver) await stand.settle();
    expect(mostOpen).toBeLessThanOrEqual(LANE_CALLS + 64);
    expect(published).toBe(64 * 10);
  });

  test('a handler that publishes and waits for its 204 continues, one call at a time', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders' }, { topic: 'mails', route: '/mails' }),
    );
    stand.set('delivery.concurrency', 1);
    const waits: number[] = [];
    let handled = 0;
    stand.app.answerWith = (call) => {
      if (call.path === '/mails') return 200;
      const from = stand.clock.now();
      void publishing(stand, 'mails').answered.then(() => {
        waits.push(stand.clock.now() - from);
        handled += 1;
        call.answer(200);
      });
      return 'hang';
    };
    const flood = Array.from({ length: 2 * QUEUED_CALLS }, () => publishing(stand));
    while (handled < flood.length) {
      const before = handled;
      await stand.pass(MAX_WAIT_MS);
      expect(handled).toBeGreaterThan(before);
    }
    await stand.settle();
    expect(flood.every(({ isAnswered }) => isAnswered)).toBe(true);
    expect(Math.max(...waits)).toBeLessThanOrEqual(MAX_WAIT_MS);
    expect(stand.runtime.status().counts['processed']).toBe(2 * flood.length);
  });
});
