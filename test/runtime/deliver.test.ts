/** From a publish to the app and back: what is sent, what each answer leads to, and that every step says why. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { LiveSet } from '../../core/runtime/state/live-set.ts';
import type { Scripted } from '../support/scripted-app.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

describe('a message is published and delivered', () => {
  test('a published message is processed, each step with its rule', async () => {
    const stand = await started();
    const id = await stand.publish('orders', { n: 1 });
    expect(await stand.way(id)).toEqual([
      'queued policy.accepted (policy)',
      'attempting policy.attempt (policy)',
      'processed single.2xx.empty (app)',
    ]);
    expect(stand.app.calls.map(({ method, path }) => [method, path])).toEqual([['POST', '/orders']]);
    expect(stand.app.last.json()).toMatchObject({ data: { n: 1 }, topic: 'orders', pubsubname: 'pubsub' });
  });

  test('the call has the headers an app knows from the reference', async () => {
    const stand = await started({ appApiToken: 'secret' }, (it) =>
      subscribe(it, {
        topic: 'orders',
        route: 'orders',
        metadata: { rawPayload: 'false', 'Content-Type': 'text/html', Note: 'Grüße' },
      }),
    );
    await stand.publish('orders');
    expect(stand.app.last.headers).toMatchObject({
      'content-type': 'application/cloudevents+json',
      pubsubname: 'pubsub',
      'sidecar-api-token': 'secret',
      'user-agent': 'sidelight/0.0.0-test',
      rawpayload: 'false',
      note: 'Gr%C3%BC%C3%9Fe',
    });
  });

  test("the publisher's trace continues, with its state and a new span", async () => {
    const stand = await started();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await stand.publish('orders', 'x', {
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      tracestate: 'vendor=1',
    });
    const { headers } = stand.app.last;
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(headers['traceparent']).not.toContain('b7ad6b7169203331');
    expect(headers['tracestate']).toBe('vendor=1');
  });

  test('a message without a trace gets one; there is no state to send', async () => {
    const stand = await started();
    await stand.publish('orders');
    const { headers } = stand.app.last;
    expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(headers['tracestate']).toBeUndefined();
    expect(stand.app.last.json()['traceid']).toContain(headers['traceparent']?.slice(3, 35));
  });

  test("a caller's own event keeps the trace it came with, wherever its members stand", async () => {
    const stand = await started();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    await stand.publish(
      'orders',
      {
        id: '1',
        source: 's',
        type: 't',
        specversion: '1.0',
        traceid: traceparent,
        zeta: { tracestate: 'no' },
      },
      { contentType: 'application/cloudevents+json' },
    );
    expect(stand.app.last.headers['traceparent']).toMatch(
      /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/,
    );
    expect(stand.app.last.headers['tracestate']).toBeUndefined();
  });
});

describe('each answer has its rule', () => {
  const rows: readonly (readonly [Scripted, string, string, string?])[] = [
    [204, 'processed', 'single.2xx.empty'],
    [{ body: {} }, 'processed', 'single.2xx.empty'],
    [{ body: { status: '' } }, 'processed', 'single.2xx.empty'],
    ['SUCCESS', 'processed', 'single.2xx.success'],
    [{ body: 'thanks' }, 'processed', 'single.2xx.invalid'],
    [{ body: { status: 5 } }, 'processed', 'single.2xx.invalid'],
    ['RETRY', 'retrying', 'single.2xx.retry'],
    ['DROP', 'dropped', 'single.2xx.drop', 'warn'],
    [{ body: { status: 'success' } }, 'retrying', 'single.2xx.other', 'error'],
    [404, 'dropped', 'single.404', 'error'],
    [302, 'retrying', 'single.other', 'warn'],
    [{ status: 500, body: 'db down' }, 'retrying', 'single.other', 'warn'],
    ['reset', 'retrying', 'policy.no-answer', 'warn'],
    ['refused', 'retrying', 'policy.no-answer', 'warn'],
  ];
  for (const [answer, state, rule, level] of rows) {
    test(`${JSON.stringify(answer)} -> ${state} by ${rule}`, async () => {
      const stand = await started();
      stand.app.next.push(answer);
      const id = await stand.publish('orders');
      const delivery = await stand.delivery(id);
      expect(delivery.state).toBe(state);
      expect(delivery.transitions.at(-1)?.rule).toBe(rule);
      expect(delivery.attempts).toHaveLength(1);
      const line = stand.lines.find((one) => one.rule === rule);
      expect(line?.level).toBe(level);
      const where = level === undefined ? undefined : { messageId: id, deliveryId: delivery.deliveryId };
      expect(line && { messageId: line.messageId, deliveryId: line.deliveryId }).toEqual(where);
    });
  }

  test.each([
    [{ body: { Status: 'WAT' } }, 'WAT'],
    [{ body: { STATUS: 'drop' } }, 'drop'],
    [{ body: { status: 'x'.repeat(101) } }, 'x'.repeat(100)],
    [{ status: 503, body: { status: 'BUSY' } }, 'BUSY'],
    [204, undefined],
    ['reset', undefined],
  ] as const)('%j: the attempt keeps the word that was judged (%s)', async (answer, word) => {
    const stand = await started();
    stand.app.next.push(answer);
    const id = await stand.publish('orders');
    const { attempts } = await stand.delivery(id);
    expect(attempts.map((attempt) => attempt.word)).toEqual([word]);
    expect((await stand.journal.get(id))?.deliveries[0]?.attempts[0]?.word).toBe(word);
  });

  test('a call without an answer in time ends and is repeated', async () => {
    const stand = await started();
    stand.set('delivery.attemptTimeoutMs', 1000);
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    const { givesUpAt = '' } = await stand.delivery(id);
    expect(Date.parse(givesUpAt) - stand.clock.now()).toBe(1000);
    await stand.pass(999);
    expect(await stand.states(id)).toEqual(['attempting']);
    await stand.pass(1);
    expect(await stand.delivery(id)).not.toHaveProperty('givesUpAt');
    expect((await stand.delivery(id)).attempts.at(-1)).toMatchObject({
      number: 1,
      durationMs: 1000,
      error: { code: 'timeout' },
    });
    await stand.pass(100);
    expect(await stand.way(id)).toEqual([
      'queued policy.accepted (policy)',
      'attempting policy.attempt (policy)',
      'retrying policy.no-answer (policy)',
      'attempting policy.retry (policy)',
      'processed single.2xx.empty (app)',
    ]);
  });
});

describe('several subscriptions', () => {
  test('each subscribed app gets a delivery of its own', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    stand.appOf('two').next.push('DROP');
    const id = await stand.publish('orders');
    const { deliveries } = await stand.message(id);
    expect(deliveries.map(({ appId, state }) => [appId, state])).toEqual([
      ['one', 'processed'],
      ['two', 'dropped'],
    ]);
    expect(new Set(deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(2);
  });

  test('an app that subscribes to a wildcard and to the exact topic gets two deliveries', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/exact' }, { topic: 'ord*', route: '/wild' }),
    );
    const id = await stand.publish('orders');
    expect((await stand.states(id)).length).toBe(2);
    expect(stand.app.calls.map(({ path }) => path).toSorted()).toEqual(['/exact', '/wild']);
  });

  test('the first matching rule chooses the path, else the default', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, {
        topic: 'orders',
        routes: {
          rules: [
            { match: 'event.type == "a"', path: '/a' },
            { match: 'event.data.n == 1', path: '/one' },
          ],
          default: '/rest',
        },
      }),
    );
    const type = { 'cloudevent.type': 'a' };
    const first = await stand.publish('orders', { n: 1 }, { metadata: type });
    const second = await stand.publish('orders', { n: 1 });
    const third = await stand.publish('orders', { n: 2 });
    expect(stand.app.calls.map(({ path }) => path)).toEqual(['/a', '/one', '/rest']);
    expect((await stand.delivery(first)).route.rule?.index).toBe(0);
    expect((await stand.delivery(second)).route.rule?.index).toBe(1);
    expect((await stand.delivery(third)).route.rule).toBeUndefined();
  });

  test('without a subscription the message is kept and counted, and a later subscription does not get it', async () => {
    const stand = await started();
    const id = await stand.publish('letters');
    expect(await stand.message(id)).toMatchObject({ deliveries: [] });
    expect((await stand.message(id)).stage).toBeUndefined();
    expect(stand.runtime.topology.topics().find(({ topic }) => topic === 'letters')?.counts).toEqual({
      none: 1,
    });
    subscribe(stand, { topic: 'letters', route: '/letters' });
    await stand.runtime.rediscovery.ask();
    await stand.settle();
    expect(stand.app.calls).toHaveLength(0);
    await stand.publish('letters');
    expect(stand.app.calls).toHaveLength(1);
  });
});

test('journal, row and counters say the same', async () => {
  const stand = await started();
  stand.app.next.push('SUCCESS', 'DROP', 500);
  const ids = [await stand.publish('orders'), await stand.publish('orders'), await stand.publish('orders')];
  const { items } = await stand.journal.page({ order: 'oldest', limit: 10, nowMs: stand.clock.now() });
  expect(items.map(({ messageId }) => messageId)).toEqual(ids);
  expect(items.flatMap(({ deliveries }) => deliveries.map(({ state }) => state))).toEqual([
    'processed',
    'dropped',
    'retrying',
  ]);
  const counts = stand.runtime.figures.counts();
  expect(DELIVERY_STATES.filter((state) => counts[state] > 0)).toEqual(['retrying', 'processed', 'dropped']);
});

test('a call that cannot be made leaves nothing of its attempt in memory, and its delivery is parked with the reason', async () => {
  const begun = vi.spyOn(LiveSet.prototype, 'beginAttempt');
  const ended = vi.spyOn(LiveSet.prototype, 'endAttempt');
  onTestFinished(() => void vi.restoreAllMocks());
  const stand = await started();
  vi.spyOn(stand.app, 'deliver').mockImplementationOnce(() => {
    throw new Error('no such way');
  });
  const id = await stand.publish('orders');
  const { state, transitions } = await stand.delivery(id);
  expect([state, transitions.at(-1)?.note]).toEqual(['parked', 'no such way']);
  expect(begun).toHaveBeenCalledTimes(1);
  expect(ended.mock.calls.map(([attemptId]) => attemptId)).toEqual(
    begun.mock.calls.map(([attemptId]) => attemptId),
  );
});
