/** How many calls at once, in which order, and what keeps them back. */
import type { ReceivedAnswer } from '../../core/ports/app-channel.ts';
import { describe, expect, test } from 'vitest';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

async function publishAll(stand: Stand, topic: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await stand.publish(topic, n));
  return ids;
}

function numbers(stand: Stand): unknown[] {
  return stand.app.calls.map((call) => call.json()['data']);
}

describe('per subscription', () => {
  test('a limit of 1 sends one after another, in the order of publishing', async () => {
    const stand = await started();
    stand.set('delivery.concurrency', 1);
    stand.app.answerWith = () => 'hang';
    await publishAll(stand, 'orders', 5);
    for (let made = 1; made <= 5; made += 1) {
      expect(stand.app.calls).toHaveLength(made);
      stand.app.last.answer('SUCCESS');
      await stand.settle();
    }
    expect(stand.app.mostInFlight).toBe(1);
    expect(numbers(stand)).toEqual([0, 1, 2, 3, 4]);
  });

  test('a limit of n never has more calls, and starts them in order', async () => {
    const stand = await started();
    stand.set('delivery.concurrency', 3);
    stand.app.answerWith = () => 'hang';
    await publishAll(stand, 'orders', 7);
    expect(numbers(stand)).toEqual([0, 1, 2]);
    stand.app.open[1]?.answer(200);
    await stand.settle();
    expect(numbers(stand)).toEqual([0, 1, 2, 3]);
    while (stand.app.open.length > 0) {
      stand.app.open[0]?.answer(200);
      await stand.settle();
    }
    expect(numbers(stand)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(stand.app.mostInFlight).toBe(3);
  });

  test('a higher limit starts waiting deliveries at once', async () => {
    const stand = await started();
    stand.set('delivery.concurrency', 1);
    stand.app.answerWith = () => 'hang';
    await publishAll(stand, 'orders', 4);
    expect(stand.app.calls).toHaveLength(1);
    stand.set('delivery.concurrency', 3);
    await stand.settle();
    expect(stand.app.calls).toHaveLength(3);
  });

  test('a slow topic does not hold up another', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'slow', route: '/slow' }, { topic: 'fast', route: '/fast' }),
    );
    stand.set('delivery.concurrency', 1);
    stand.app.answerWith = ({ path }) => (path === '/slow' ? 'hang' : 200);
    await publishAll(stand, 'slow', 3);
    const [fast = ''] = await publishAll(stand, 'fast', 1);
    expect(await stand.states(fast)).toEqual(['processed']);
  });
});

describe('per app', () => {
  test('an app never has more calls than its limit', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'a', route: '/a' }, { topic: 'b', route: '/b' }),
    );
    stand.set('app.maxConcurrency', 1);
    stand.app.answerWith = () => 'hang';
    await publishAll(stand, 'a', 3);
    await publishAll(stand, 'b', 3);
    expect(stand.app.calls).toHaveLength(1);
    while (stand.app.open.length > 0) {
      stand.app.open[0]?.answer(200);
      await stand.settle();
    }
    expect(stand.app.calls).toHaveLength(6);
    expect(stand.app.mostInFlight).toBe(1);
  });

  test('a topic with much to send leaves room for the others', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'much', route: '/much' }, { topic: 'little', route: '/little' }),
    );
    stand.set('app.maxConcurrency', 1);
    stand.app.answerWith = () => 'hang';
    await publishAll(stand, 'much', 10);
    await publishAll(stand, 'little', 2);
    for (let i = 0; i < 4; i += 1) {
      stand.app.open[0]?.answer(200);
      await stand.settle();
    }
    expect(stand.app.calls.map(({ path }) => path)).toEqual([
      '/much',
      '/much',
      '/little',
      '/much',
      '/little',
    ]);
  });

  test('each app has a limit of its own', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    stand.set('app.maxConcurrency', 1);
    stand.appOf('one').answerWith = () => 'hang';
    await publishAll(stand, 'orders', 2);
    expect(stand.appOf('one').calls).toHaveLength(1);
    expect(stand.appOf('two').calls).toHaveLength(2);
  });
});

describe('app health checks', () => {
  const CHECKS = { enabled: true, path: '/alive', intervalMs: 1000, timeoutMs: 100, threshold: 3 };

  test('three failed probes stop deliveries, and one success continues them without a new discovery', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      it.set('app.health', CHECKS);
    });
    expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
    stand.app.health = 503;
    await stand.pass(2000);
    expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
    await stand.pass(1000);
    const waiting = await stand.publish('orders');
    await stand.pass(10_000);
    expect(await stand.states(waiting)).toEqual(['queued']);
    expect(stand.logged('warn')).toContain(
      'The app is not healthy: its health check /alive answers 503. Its messages wait.',
    );
    stand.app.health = 200;
    await stand.pass(1000);
    expect(await stand.states(waiting)).toEqual(['processed']);
    expect(stand.app.asked.filter(({ path }) => path !== '/alive')).toHaveLength(1);
    expect(stand.runtime.health.of().healthz.healthy).toBe(true);
  });

  test.each([
    ['alone', {}],
    ['in a batch', { bulkSubscribe: { enabled: true, maxMessagesCount: 1 } }],
  ])('an app that becomes unhealthy while a body is read from disk gets no call: %s', async (_, bulk) => {
    const stand = await started({ journal: new LastingJournal({ durable: true }) }, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders', ...bulk });
      it.set('app.health', { ...CHECKS, threshold: 1 });
    });
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const id = await stand.publish('orders');
    let read: () => void = () => undefined;
    stand.journal.reading = new Promise((resolve) => (read = resolve));
    await stand.runtime.deliveryActions.release({ messageId: id });
    stand.app.health = 503;
    await stand.pass(1000);
    read();
    await stand.settle();
    expect(stand.app.calls).toEqual([]);
    expect(await stand.states(id)).toEqual(['queued']);
    stand.app.health = 200;
    await stand.pass(1000);
    expect(stand.app.calls).toHaveLength(1);
  });

  test('the row of the app has the result of the probe, and changes are reported', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      it.set('app.health', CHECKS);
    });
    const probe = (): unknown => stand.runtime.topology.apps()[0]?.appHealth;
    expect(probe()).toMatchObject({ path: '/alive', healthy: true, failures: 0, threshold: 3, status: 200 });
    stand.app.health = 503;
    await stand.pass(1000);
    expect(probe()).toMatchObject({ healthy: true, failures: 1, status: 503 });
    stand.app.health = 'refused';
    await stand.pass(2000);
    expect(probe()).toMatchObject({ healthy: false, failures: 3, error: expect.any(String) as unknown });
    const told = stand.events.length;
    await stand.pass(5000);
    expect(stand.events.length).toBe(told);
    expect(probe()).toMatchObject({ healthy: false, failures: 8 });
    stand.set('app.health', { enabled: false });
    await stand.settle();
    expect(probe()).toBeUndefined();
  });

  test('several unhealthy instances are reported once, each with its address', async () => {
    const stand = await started({}, (it) => {
      it.set('app.health', CHECKS);
      const status = (code: number) =>
        ({ kind: 'response', status: code, headers: {}, body: undefined }) as const;
      const refused = { kind: 'none', code: 'refused', message: 'connection refused' } as const;
      const instance = (url: string, answer: ReceivedAnswer) => ({
        url,
        open: true,
        get: () => Promise.resolve(answer),
        setResting: () => undefined,
      });
      Object.assign(it.app, {
        instances: [
          instance('http://app.test:1', status(503)),
          instance('http://app.test:2', status(500)),
          instance('http://app.test:3', refused),
        ],
      });
    });
    await stand.pass(10_000);
    const said = (what: string): string =>
      `The app is not healthy: its health check /alive ${what}. Its messages wait.`;
    expect(stand.logged('warn').filter((text) => text.includes('not healthy'))).toEqual([
      said('at http://app.test:1 answers 503, at http://app.test:2 answers 500'),
    ]);
    const problems = stand.runtime.topology.apps()[0]?.problems;
    expect(problems?.map(({ message }) => message)).toContain(
      said('at http://app.test:1 answers 503, at http://app.test:2 answers 500'),
    );
  });

  test('until the first success the app is not asked for its subscriptions, and nothing is sent', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      it.set('app.health', CHECKS);
      it.app.health = 'refused';
    });
    const id = await stand.publish('orders');
    await stand.pass(5000);
    expect(await stand.states(id)).toEqual([]);
    expect(stand.app.asked.filter(({ path }) => path === '/sidecar/subscribe')).toEqual([]);
    expect(stand.runtime.topology.apps()[0]?.discovery.state).toBe('waiting');
    expect(stand.runtime.sidecar('app').healthy).toBe(true);
    stand.app.health = 204;
    await stand.pass(1200);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('an app that goes before its first success is no longer called open', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      it.set('app.health', CHECKS);
      it.app.health = 503;
    });
    await stand.pass(2000);
    expect(stand.runtime.topology.apps()[0]?.channel).toBe('answering');
    Object.assign(stand.app, { isOpen: false, health: 'refused' });
    await stand.pass(10_000);
    expect(stand.runtime.topology.apps()[0]?.channel).toBe('not-reachable');
    expect(stand.runtime.health.of().healthz.healthy).toBe(false);
    Object.assign(stand.app, { isOpen: true, health: 200 });
    await stand.pass(2000);
    expect(stand.runtime.topology.apps()[0]).toMatchObject({
      channel: 'answering',
      discovery: { state: 'done', count: 1 },
    });
  });

  test('switching the checks off continues the deliveries of an app that is not healthy', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      it.set('app.health', CHECKS);
      it.app.health = 500;
    });
    const id = await stand.publish('orders');
    stand.set('app.health', { enabled: false });
    await stand.pass(200);
    expect(await stand.states(id)).toEqual(['processed']);
  });
});

describe('the backlog limit', () => {
  test('refuses a publish above it, keeps nothing of it, and accepts again below it', async () => {
    const stand = await started();
    stand.set('delivery.backlog', 3);
    stand.app.answerWith = () => 'hang';
    const ids = await publishAll(stand, 'orders', 3);
    await expect(stand.publish('orders')).rejects.toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
      params: {
        reason:
          'the backlog limit of 3 unfinished deliveries (delivery.backlog) is reached, topic pubsub/orders has most of them',
      },
    });
    expect((await stand.journal.stats()).messages).toBe(3);
    stand.app.open[0]?.answer(200);
    await stand.settle();
    expect(await stand.states(ids[0] ?? '')).toEqual(['processed']);
    await stand.publish('orders');
  });

  test('names the app and the address whose subscriptions the messages wait for', async () => {
    const stand = await started({}, (it) => (it.app.isOpen = false));
    stand.set('delivery.backlog', 2);
    await publishAll(stand, 'orders', 2);
    const reason: unknown = expect.stringMatching(
      /^the backlog limit of 2 .*; messages wait for the app, which has not reported its subscriptions at http:\/\/app\.test:6001\//,
    );
    await expect(stand.publish('orders')).rejects.toMatchObject({ params: { reason } });
  });

  test('is reported while it is reached, and for a moment after a refusal', async () => {
    const stand = await started();
    stand.set('delivery.backlog', 2);
    stand.app.answerWith = () => 'hang';
    expect(stand.runtime.refuses).toBeUndefined();
    await publishAll(stand, 'orders', 2);
    const reason =
      'the backlog limit of 2 unfinished deliveries (delivery.backlog) is reached, topic pubsub/orders has most of them';
    expect(stand.runtime.refuses).toBe(reason);
    await expect(stand.publish('orders')).rejects.toMatchObject({ params: { reason } });
    stand.app.open[0]?.answer(200);
    await stand.settle();
    expect(stand.runtime.refuses).toBe(reason);
    stand.clock.advance(5000);
    expect(stand.runtime.refuses).toBeUndefined();
  });

  test('counts held, parked and waiting deliveries, and no ended ones', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    stand.set('delivery.backlog', 3);
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.appOf('one').next.push(500);
    await stand.publish('orders');
    await stand.runtime.holds.add({ at: 'publish', filter: '' });
    await stand.publish('orders');
    await stand.publish('orders');
    await expect(stand.publish('orders')).rejects.toMatchObject({ code: 'ERR_PUBSUB_PUBLISH_MESSAGE' });
    await stand.runtime.deliveryActions.drop({ filter: 'state:parked' });
    await stand.publish('orders');
  });

  test('does not refuse a dead-letter copy, which replaces the delivery that ends', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'dead' }),
    );
    stand.set('delivery.backlog', 1);
    stand.app.next.push('DROP');
    const id = await stand.publish('orders');
    expect((await stand.delivery(id)).deadLetter?.topic).toBe('dead');
  });
});
