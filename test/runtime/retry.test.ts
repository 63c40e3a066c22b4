/** The retry schedule, on a manual clock: its waits, its end, and the state after it. */
import { describe, expect, test } from 'vitest';
import { causeSentence } from '../../core/contract/cause.ts';
import type { Delivery, Transition } from '../../core/contract/message.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const said = (transition: Transition, delivery: Delivery): string =>
  causeSentence(transition, delivery, { at: '', metadata: {} }, () => undefined);

/** Waits between the calls made so far, in ms. */
function waits(stand: Stand): number[] {
  return stand.app.calls.slice(1).map((call, i) => call.atMs - (stand.app.calls[i]?.atMs ?? 0));
}

const DEFAULT_WAITS = [100, 150, 225, 338, 506, 759, 1139, 1709, 2563];

describe('the default policy', () => {
  test('makes ten attempts after 100 ms and half as much again each time, and then parks', async () => {
    const stand = await started();
    stand.app.answerWith = () => 500;
    const id = await stand.publish('orders');
    await stand.pass(60_000);
    expect(waits(stand)).toEqual(DEFAULT_WAITS);
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({ state: 'parked', maxAttempts: 10 });
    expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(delivery.attempts.map(({ waitedMs }) => waitedMs)).toEqual([undefined, ...DEFAULT_WAITS]);
    expect((await stand.way(id)).slice(-3)).toEqual([
      'attempting policy.retry (policy)',
      'retrying single.other (app)',
      'parked policy.exhausted (policy)',
    ]);
    expect(stand.logged('warn').at(-1)).toBe('All 10 attempts used; the last answer was 500. Parked.');
  });

  test('the row says when the next attempt is due', async () => {
    const stand = await started();
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders');
    const due = new Date(stand.clock.now() + 100).toISOString();
    expect(await stand.delivery(id)).toMatchObject({ state: 'retrying', nextAttemptAt: due });
    const changed = stand.events.findLast((event) => event.type === 'delivery.changed');
    expect(changed).toMatchObject({ nextAttemptAt: due, delivery: { nextAttemptAt: due }, number: 1 });
  });

  test('the row has the reason and the time span of its attempts', async () => {
    const stand = await started();
    stand.app.next.push('RETRY');
    await stand.publish('orders');
    const last = () => stand.events.findLast((event) => event.type === 'delivery.changed');
    expect(last()).toMatchObject({ delivery: { rule: 'single.2xx.retry', span: { firstMs: 0, endMs: 0 } } });
    await stand.pass(200);
    expect(last()).toMatchObject({
      delivery: { state: 'processed', rule: 'single.2xx.empty', span: { firstMs: 0, endMs: 100 } },
    });
  });

  test('a retry by hand of a parked delivery opens a new round, and its numbers continue', async () => {
    const stand = await started();
    stand.app.answerWith = () => 500;
    const id = await stand.publish('orders');
    await stand.pass(60_000);
    const { deliveryId } = await stand.delivery(id);
    await stand.runtime.deliveryActions.retry({ deliveryId });
    await stand.pass(60_000);
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({ state: 'parked', maxAttempts: 20 });
    expect(delivery.attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    expect(waits(stand).slice(10)).toEqual(DEFAULT_WAITS);
  });
});

describe('the policy of a delivery', () => {
  test('is the default, a setting, or the setting for the topic', async () => {
    const stand = await started();
    const id = await stand.publish('orders');
    const policy = async () => (await stand.delivery(id)).policy;
    const asDefault = { maxAttempts: 10, lastAttempt: 10, firstDelayMs: 100, factor: 1.5, maxDelayMs: 5000 };
    expect(await policy()).toEqual({ ...asDefault, from: 'default' });
    stand.set('delivery.retryByTopic', { 'pubsub/orders': { maxAttempts: 2 } });
    expect(await policy()).toEqual({ ...asDefault, maxAttempts: 2, lastAttempt: 2, from: 'topic' });
    stand.set('delivery.retryByTopic', null);
    stand.set('delivery.retry', { maxAttempts: 3 });
    expect(await policy()).toMatchObject({ maxAttempts: 3, from: 'here' });
  });
});

describe('lag', () => {
  test('every place that shows a rate shows the same one', async () => {
    const stand = await started();
    for (let n = 0; n < 30; n += 1) {
      await stand.publish('orders');
      await stand.pass(100);
    }
    // The last full second has gone by for all of them.
    await stand.pass(1000);
    const { rates } = stand.runtime.figures.metrics();
    const [topic] = stand.runtime.topology.topics();
    const [subscription] = stand.runtime.topology.subscriptions();
    expect(rates.in).toBeGreaterThan(0);
    expect(topic?.rate).toBe(rates.in);
    expect(subscription?.lag).toMatchObject({ inPerSecond: rates.in, outPerSecond: rates.out });
  });

  test('has the unfinished deliveries, their age, and the rates of the last seconds', async () => {
    const stand = await started();
    stand.app.answerWith = () => 500;
    const lag = () => stand.runtime.topology.subscriptions()[0]?.lag;
    const first = new Date(stand.clock.now()).toISOString();
    await stand.publish('orders');
    await stand.pass(1000);
    await stand.publish('orders');
    await stand.pass(1000);
    expect(lag()).toEqual({ unfinished: 2, oldestAt: first, inPerSecond: 0.4, outPerSecond: 0 });
    stand.app.answerWith = () => 200;
    await stand.pass(10_000);
    expect(lag()).toEqual({ unfinished: 0, inPerSecond: 0, outPerSecond: 0 });
  });
});

describe('the backlog of a subscription', () => {
  test('tells apart what is held, before its attempt or at its answer, and nothing else', async () => {
    const stand = await started();
    const lag = () => stand.runtime.topology.subscriptions()[0]?.lag;
    await stand.runtime.holds.add({ at: 'delivery', filter: 'data.n:1' });
    await stand.runtime.holds.add({ at: 'response', filter: 'data.n:2' });
    for (const n of [1, 2]) await stand.publish('orders', { n });
    expect(lag()).toMatchObject({ unfinished: 2, held: 2 });
    stand.app.answerWith = () => 500;
    await stand.publish('orders', { n: 3 });
    expect(lag()).toMatchObject({ unfinished: 3, held: 2 });
    expect(lag()).not.toHaveProperty('asked');
  });

  test('does not grow by deliveries that are parked as fast as they come', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.app.answerWith = () => 500;
    for (let n = 0; n < 10; n += 1) {
      await stand.publish('orders');
      await stand.pass(100);
    }
    await stand.pass(1000);
    const lag = stand.runtime.topology.subscriptions()[0]?.lag;
    expect(lag?.unfinished).toBe(0);
    expect(lag?.inPerSecond).toBeGreaterThan(0);
    expect(lag?.outPerSecond).toBe(lag?.inPerSecond);
  });
});

describe('other policies', () => {
  test('with factor 1 have constant waits', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 4, firstDelayMs: 250, factor: 1 });
    stand.app.answerWith = () => 'RETRY';
    await stand.publish('orders');
    await stand.pass(60_000);
    expect(waits(stand)).toEqual([250, 250, 250]);
  });

  test('grow exponentially to the longest wait', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 6, firstDelayMs: 100, factor: 3, maxDelayMs: 1000 });
    stand.app.answerWith = () => 'RETRY';
    await stand.publish('orders');
    await stand.pass(60_000);
    expect(waits(stand)).toEqual([100, 300, 900, 1000, 1000]);
  });

  test('vary each wait by the share of jitter', async () => {
    const chances = [0, 0.5, 0.75];
    const stand = await started({ random: () => chances.shift() ?? 0.5 });
    stand.set('delivery.retry', { maxAttempts: 4, firstDelayMs: 1000, factor: 1, jitter: 0.5 });
    stand.app.answerWith = () => 'RETRY';
    await stand.publish('orders');
    await stand.pass(60_000);
    expect(waits(stand)).toEqual([500, 1000, 1250]);
  });

  test('for one topic do not change the others', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders' }, { topic: 'letters', route: '/letters' }),
    );
    stand.set('delivery.retryByTopic', { 'pubsub/letters': { maxAttempts: 2 } });
    stand.app.answerWith = () => 500;
    await stand.publish('letters');
    await stand.publish('orders');
    await stand.pass(60_000);
    expect(stand.app.calls.filter(({ path }) => path === '/letters')).toHaveLength(2);
    expect(stand.app.calls.filter(({ path }) => path === '/orders')).toHaveLength(10);
  });

  test('can come from a Resiliency resource for a component, unless the topic has its own', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' }, { topic: 'letters', route: '/letters' });
      it.components.resiliency = [
        {
          spec: {
            policies: {
              retries: { three: { policy: 'constant', duration: '2s', maxRetries: 3 } },
              timeouts: { short: '500ms' },
            },
            targets: { components: { pubsub: { inbound: { retry: 'three', timeout: 'short' } } } },
          },
        },
      ];
    });
    stand.set('delivery.retryByTopic', { 'pubsub/letters': { firstDelayMs: 10 } });
    stand.app.answerWith = () => 'hang';
    const id = await stand.publish('orders');
    await stand.pass(60_000);
    expect(waits(stand)).toEqual([2500, 2500, 2500]);
    expect(await stand.delivery(id)).toMatchObject({
      state: 'parked',
      maxAttempts: 4,
      policy: { from: 'resiliency', file: 'listed.yaml', line: 1 },
    });
    stand.app.calls.length = 0;
    await stand.publish('letters');
    await stand.pass(60_000);
    expect(waits(stand)).toEqual([510, 510, 510]);
  });

  test('end a delivery at once for a status that they do not retry, and the history says so', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      const some = {
        policy: 'constant',
        duration: '1s',
        maxRetries: 4,
        matching: { httpStatusCodes: '429,500-502' },
      };
      it.components.resiliency = [
        {
          spec: {
            policies: { retries: { some } },
            targets: { components: { pubsub: { inbound: { retry: 'some' } } } },
          },
        },
      ];
    });
    stand.app.next.push(500);
    stand.app.answerWith = () => 503;
    const id = await stand.publish('orders');
    await stand.pass(10_000);
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({ state: 'parked', maxAttempts: 5, policy: { lastAttempt: 5 } });
    expect(delivery.policy?.statuses).toEqual([
      { from: 429, to: 429 },
      { from: 500, to: 502 },
    ]);
    expect(delivery.attempts.map(({ notRetried }) => notRetried)).toEqual([undefined, true]);
    expect(delivery.transitions.slice(-4).map((each) => said(each, delivery))).toEqual([
      'The app answered 500: to be retried. A warning was logged.',
      'Attempt 2 of 5.',
      'The app answered 503, which the retry policy does not try again. A warning was logged.',
      'The retry policy does not try 503 again. Parked: retry, replay or drop it.',
    ]);
    expect(stand.logged('warn').slice(-2)).toEqual([
      'The app answered 503: no attempt is left.',
      'The retry policy does not try status 503 again. Parked.',
    ]);
  });

  test('with a lowered limit do not claim it for attempts beyond it', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 10, firstDelayMs: 100, factor: 1 });
    stand.app.answerWith = () => 500;
    const id = await stand.publish('orders');
    await stand.pass(250);
    expect(stand.app.calls.length).toBe(3);
    stand.set('delivery.retry', { maxAttempts: 2, firstDelayMs: 100, factor: 1 });
    await stand.pass(1000);
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({ state: 'parked', maxAttempts: 2, policy: { lastAttempt: 2 } });
    expect(delivery.transitions.slice(-3).map((each) => said(each, delivery))).toEqual([
      'Attempt 4.',
      'The app answered 500; attempt 4 was the last one allowed. A warning was logged.',
      'All 4 attempts used; the last answer was 500. Parked: retry, replay or drop it.',
    ]);
  });

  test('count by rounds: a retry by hand begins a new one', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 3, firstDelayMs: 10, factor: 1 });
    stand.app.answerWith = () => 500;
    const id = await stand.publish('orders');
    await stand.pass(100);
    const { deliveryId } = await stand.delivery(id);
    await stand.runtime.deliveryActions.retry({ deliveryId });
    await stand.pass(100);
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({ state: 'parked', maxAttempts: 6 });
    const sentences = delivery.transitions.map((each) => said(each, delivery));
    expect(sentences.filter((text) => text.includes('Parked'))).toEqual([
      'All 3 attempts used; the last answer was 500. Parked: retry, replay or drop it.',
      'All 3 attempts since your retry used; the last answer was 500. Parked: retry, replay or drop it.',
    ]);
    expect(stand.logged('warn').at(-1)).toBe(
      'All 3 attempts used, 6 with earlier ones; the last answer was 500. Parked.',
    );
  });

  test('without a limit retry on, and a limit set later counts', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 0, firstDelayMs: 100, factor: 1 });
    stand.app.answerWith = () => 500;
    const id = await stand.publish('orders');
    await stand.pass(10_000);
    expect(stand.app.calls.length).toBe(101);
    expect(await stand.delivery(id)).toMatchObject({ state: 'retrying', maxAttempts: 0 });
    stand.set('delivery.retry', { maxAttempts: 50, firstDelayMs: 100, factor: 1 });
    await stand.pass(1000);
    expect(await stand.states(id)).toEqual(['parked']);
  });
});

test('a failed attempt does not hold up later deliveries', async () => {
  const stand = await started();
  stand.set('delivery.concurrency', 1);
  stand.app.next.push(500);
  const first = await stand.publish('orders', 'first');
  const second = await stand.publish('orders', 'second');
  expect(await stand.states(first)).toEqual(['retrying']);
  expect(await stand.states(second)).toEqual(['processed']);
});
