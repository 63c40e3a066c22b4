/** Deliveries whose subscription has ended wait until the app subscribes again, and are sent in their old form. */
import { describe, expect, test } from 'vitest';
import type { SeenCall } from '../support/scripted-app.ts';
import { accepting, BULK, bulkStand, calls, entriesOf, RETRIES, says, SINGLE } from './awaited.ts';

describe('an app that drops its subscription', () => {
  test('gets no waiting delivery, and once subscribed again the batch as it was made', async () => {
    const stand = await bulkStand();
    const id = await stand.publish('orders', 1);
    await says(stand);
    await stand.pass(60_000);
    expect(calls(stand)).toEqual([]);
    expect(await stand.delivery(id)).toMatchObject({
      state: 'queued',
      waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
    });
    expect((await stand.way(id)).at(-1)).toBe('queued policy.no-subscription (policy)');
    expect(stand.logged('warn')).toContain(
      '1 delivery waits for the app to subscribe to pubsub/orders again.',
    );
    expect(stand.runtime.status()).toMatchObject({ forApp: 1, queuedForApp: 1, holds: 0, waiting: 0 });
    await says(stand, BULK);
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 1']);
    expect(await stand.states(id)).toEqual(['processed']);
    expect((await stand.delivery(id)).waitsFor).toBeUndefined();
    expect(stand.runtime.status()).not.toHaveProperty('forApp');
    expect(stand.runtime.status()).not.toHaveProperty('queuedForApp');
  });

  test('a list row says what is waited for, and no longer once the app subscribes', async () => {
    const stand = await bulkStand({
      ...BULK,
      bulkSubscribe: { ...BULK.bulkSubscribe, maxMessagesCount: 10 },
    });
    const id = await stand.publish('orders', 1);
    const row = async (): Promise<unknown> => {
      const { items } = await stand.journal.page({ order: 'oldest', limit: 1, nowMs: stand.clock.now() });
      return items.find(({ messageId }) => messageId === id)?.deliveries[0];
    };
    await says(stand);
    expect(await row()).toMatchObject({ waitsFor: { pubsubname: 'pubsub', topic: 'orders' } });
    await says(stand, BULK);
    expect(await row()).toMatchObject({ state: 'queued' });
    expect(await row()).not.toHaveProperty('waitsFor');
  });

  test('a retrying delivery waits from its due time, and keeps its attempts', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    const id = await stand.publish('orders', 1);
    await says(stand);
    await stand.pass(999);
    expect(await stand.delivery(id)).toMatchObject({ state: 'retrying' });
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(1);
    expect(await stand.delivery(id)).toMatchObject({ state: 'queued', maxAttempts: 3, waitsFor: {} });
    await says(stand, SINGLE);
    expect((await stand.way(id)).slice(-2)).toEqual([
      'attempting policy.retry (policy)',
      'processed single.2xx.success (app)',
    ]);
  });

  test('has the answer to a running batch counted, and the other deliveries wait', async () => {
    const stand = await bulkStand();
    stand.app.next.push('hang');
    const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
    await says(stand);
    expect(calls(stand)).toEqual(['/batches 2']);
    stand.app.calls[0]?.answer(500);
    await stand.pass(60_000);
    expect(calls(stand)).toEqual(['/batches 2']);
    for (const id of ids) expect(await stand.delivery(id)).toMatchObject({ state: 'queued', waitsFor: {} });
    await says(stand, BULK);
    await stand.pass(0);
    expect(calls(stand)).toEqual(['/batches 2', '/batches 2']);
    for (const id of ids) expect(await stand.states(id)).toEqual(['processed']);
  });

  test('has a running batch that uses up its attempts sent to its dead-letter topic', async () => {
    const stand = await bulkStand(BULK, { topic: 'dead', route: '/dead' });
    stand.set('delivery.retry', { ...RETRIES, maxAttempts: 1 });
    stand.app.next.push('hang');
    const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
    await says(stand, { topic: 'dead', route: '/dead' });
    stand.app.calls[0]?.answer(500);
    await stand.pass(0);
    for (const id of ids) expect(await stand.delivery(id)).toMatchObject({ state: 'dead-lettered' });
    expect(calls(stand).slice(1)).toEqual(['/dead 0', '/dead 0']);
  });

  test.each([
    ['another route', { ...BULK, route: '/other' }],
    ['without bulk', { topic: 'orders', route: '/batches' }],
    ['another route, without bulk, with raw payloads', { ...SINGLE, metadata: { rawPayload: 'true' } }],
    ['other limits', { ...BULK, bulkSubscribe: { enabled: true, maxMessagesCount: 50 } }],
  ])('earlier deliveries keep route, form and limits: subscribed again with %s', async (_, next) => {
    const stand = await bulkStand();
    await stand.publish('orders', 1);
    await says(stand);
    await stand.publish('orders', 'nobody');
    stand.crash();
    await stand.start();
    await says(stand, next);
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 1']);
    const [entry] = entriesOf(stand.app.calls[0] as SeenCall);
    expect(entry?.event).toMatchObject({ data: 1, topic: 'orders' });
  });

  test('deliveries never share the limits of an earlier one, made under another subscription', async () => {
    const stand = await bulkStand({
      ...BULK,
      route: '/wide',
      bulkSubscribe: { enabled: true, maxMessagesCount: 5 },
    });
    stand.set('delivery.concurrency', 1);
    stand.app.next.push('hang');
    for (let n = 0; n < 6; n += 1) await stand.publish('orders', n);
    await says(stand, BULK);
    for (let n = 0; n < 4; n += 1) await stand.publish('orders', n);
    stand.app.calls[0]?.answer(404);
    await stand.pass(1000);
    expect(calls(stand)).toEqual(['/wide 5', '/wide 1', '/batches 2', '/batches 2']);
  });

  test('bulk turned on sends earlier deliveries alone to their own route', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    await stand.publish('orders', 1);
    await says(stand, BULK);
    await stand.publish('orders', 2);
    await stand.publish('orders', 3);
    await stand.pass(1000);
    expect(calls(stand)).toEqual(['/single 0', '/batches 2', '/single 0']);
  });

  test('raw and enveloped entries of one route never share a batch', async () => {
    const stand = await bulkStand();
    stand.app.next.push('hang', 'hang');
    await stand.publish('orders', 1);
    await says(stand, { ...BULK, metadata: { rawPayload: 'true' } });
    await stand.publish('orders', 2);
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 1']);
    stand.app.calls[0]?.answer(200);
    await stand.settle();
    expect(calls(stand)).toEqual(['/batches 1', '/batches 1']);
    const forms = stand.app.calls.map((call) => typeof entriesOf(call)[0]?.event);
    expect(forms).toEqual(['object', 'string']);
  });

  test('and subscribes again while its long queue is being stalled gets it in order, with one call at a time', async () => {
    const stand = await bulkStand(SINGLE);
    stand.set('delivery.concurrency', 1);
    stand.app.next.push('hang');
    for (let n = 0; n < 700; n += 1) await stand.publish('orders', n);
    await says(stand);
    const stalled = (): number =>
      stand.events.filter(
        (event) => event.type === 'delivery.changed' && event.transition.rule === 'policy.no-subscription',
      ).length;
    expect(stalled()).toBeGreaterThan(0);
    expect(stalled()).toBeLessThan(699);
    await says(stand, SINGLE);
    stand.app.calls[0]?.answer(200);
    await stand.pass(1000);
    expect(stand.app.calls.map((call) => call.json()['data'])).toEqual(
      Array.from({ length: 700 }, (_, n) => n),
    );
  });

  test('a file that declares the same subscription makes it active again', async () => {
    const stand = await bulkStand();
    const id = await stand.publish('orders', 1);
    await says(stand);
    stand.components.subscriptions = [
      {
        apiVersion: 'sidelight.io/v2alpha1',
        kind: 'Subscription',
        metadata: { name: 'orders' },
        spec: { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/from-file' } },
      },
    ];
    await stand.runtime.resources.reload();
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 1']);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('leaves waiting deliveries that can be dropped, dead-lettered, held and retried by hand, and that still expire', async () => {
    const stand = await bulkStand(SINGLE, { topic: 'dead', route: '/dead' });
    stand.app.answerWith = (call) => (call.path === '/dead' ? 200 : 500);
    const made = [];
    for (const ttl of ['', '', '', '', '30']) {
      const metadata = ttl === '' ? {} : { metadata: { ttlInSeconds: ttl } };
      made.push(await stand.publish('orders', 1, metadata));
    }
    const [dropped = '', copied = '', held = '', retried = ''] = made;
    await says(stand, { topic: 'dead', route: '/dead' });
    await stand.runtime.deliveryActions.retry({ messageId: retried });
    expect(await stand.delivery(retried)).toMatchObject({ state: 'queued', waitsFor: {} });
    await stand.pass(5000);
    const before = stand.app.calls.length;
    await stand.runtime.deliveryActions.drop({ messageId: dropped });
    await stand.runtime.deliveryActions.deadLetter({ messageId: copied }, 'dead');
    await stand.runtime.deliveryActions.hold({ messageId: held });
    expect((await stand.delivery(held)).waitsFor).toBeUndefined();
    await stand.runtime.deliveryActions.release({ messageId: held });
    expect(await stand.delivery(held)).toMatchObject({ state: 'queued', waitsFor: {} });
    await stand.pass(30_000);
    const states = await Promise.all(made.map((id) => stand.states(id)));
    expect(states.flat()).toEqual(['dropped', 'dead-lettered', 'queued', 'queued', 'expired']);
    expect(stand.app.calls.slice(before).map(({ path }) => path)).toEqual(['/dead']);
    accepting(stand);
    await says(stand, SINGLE);
    await stand.pass(0);
    expect([await stand.states(held), await stand.states(retried)]).toEqual([['processed'], ['processed']]);
  });

  test('messages that were removed while they waited are not sent later', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    const id = await stand.publish('orders', 1);
    await says(stand);
    await stand.pass(1000);
    await stand.runtime.removals.remove({ messageIds: [id] });
    await stand.pass(11_000);
    await says(stand, SINGLE);
    await stand.pass(0);
    expect(stand.app.calls).toHaveLength(1);
  });
});
