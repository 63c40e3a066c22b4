/** Acts by hand on several deliveries: by filter, by ids, by message, and by two people at the same time. */
import { describe, expect, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { MemoryBroker } from '../../core/adapters/memory-pubsub/broker.ts';
import { createMemoryPubSub } from '../../core/adapters/memory-pubsub/pubsub.ts';
import type { PubSub } from '../../core/ports/pubsub.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

describe('several at once', () => {
  async function fiveParked(): Promise<{ stand: Stand; ids: string[] }> {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.app.answerWith = () => 500;
    const ids: string[] = [];
    for (let n = 1; n <= 5; n += 1) ids.push(await stand.publish('orders', { n }));
    stand.app.answerWith = () => 200;
    return { stand, ids };
  }

  async function all(stand: Stand, ids: readonly string[]): Promise<DeliveryState[]> {
    return (await Promise.all(ids.map((id) => stand.states(id)))).flat();
  }

  test('an act by filter changes the matching deliveries that allow it', async () => {
    const { stand, ids } = await fiveParked();
    const processed = await stand.publish('orders', { n: 6 });
    const { deliveryId } = await stand.delivery(processed);
    expect(await stand.runtime.deliveryActions.retry({ filter: 'data.n>2' })).toEqual({
      changed: 3,
      refused: [{ deliveryId, code: 'TRANSITION_NOT_ALLOWED', state: 'processed' }],
    });
    await stand.settle();
    expect(await all(stand, ids)).toEqual(['parked', 'parked', 'processed', 'processed', 'processed']);
    expect((await stand.delivery(processed)).attempts).toHaveLength(1);
  });

  test('an act by filter up to a number leaves later messages alone', async () => {
    const { stand, ids } = await fiveParked();
    expect(await stand.runtime.deliveryActions.drop({ filter: 'state:parked', upTo: 3 })).toEqual({
      changed: 3,
    });
    expect(await all(stand, ids)).toEqual(['dropped', 'dropped', 'dropped', 'parked', 'parked']);
  });

  test('an act by ids changes each delivery that allows it, with the reason for the others', async () => {
    const { stand, ids } = await fiveParked();
    const processed = await stand.publish('orders');
    const deliveries = await Promise.all([...ids, processed].map((id) => stand.delivery(id)));
    const deliveryIds = [...deliveries.map(({ deliveryId }) => deliveryId), 'dlv_none'];
    const result = await stand.runtime.deliveryActions.drop({ deliveryIds });
    expect(result.changed).toBe(5);
    expect(result.refused).toEqual([
      { deliveryId: 'dlv_none', code: 'NOT_FOUND', state: '' },
      { deliveryId: deliveries[5]?.deliveryId, code: 'TRANSITION_NOT_ALLOWED', state: 'processed' },
    ]);
    expect(await all(stand, ids)).toEqual(['dropped', 'dropped', 'dropped', 'dropped', 'dropped']);
  });

  test('a finished delivery of a matching message is no refusal', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    stand.appOf('one').next.push('RETRY');
    await stand.publish('orders');
    expect(await stand.runtime.deliveryActions.drop({ filter: 'topic:orders' })).toEqual({ changed: 1 });
  });

  test('an act by message changes each of its deliveries', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    stand.appOf('one').next.push('RETRY');
    const id = await stand.publish('orders');
    const result = await stand.runtime.deliveryActions.drop({ messageId: id });
    expect(result).toMatchObject({ changed: 1, refused: [{ state: 'processed' }] });
    expect((await stand.states(id)).toSorted()).toEqual(['dropped', 'processed']);
  });

  test('dead-lettering by a filter that the copies match too ends', async () => {
    const stand = await started({}, (it) => subscribe(it, { topic: 'a*', route: '/a' }));
    stand.app.answerWith = () => 'RETRY';
    for (let n = 0; n < 3; n += 1) await stand.publish('asides');
    expect(await stand.runtime.deliveryActions.deadLetter({ filter: 'topic:asides' }, 'asides')).toEqual({
      changed: 3,
    });
    const counts = stand.runtime.figures.counts();
    expect(counts['dead-lettered']).toBe(3);
    expect(counts.retrying).toBe(3);
  });

  test('a filter that matches thousands needs no more than slices of them in memory', async () => {
    const stand = await started();
    stand.app.answerWith = () => 404;
    for (let n = 0; n < 1200; n += 1) {
      await stand.runtime.sidecar('app').publish({
        pubsubname: 'pubsub',
        topic: 'orders',
        body: 'x',
        metadata: {},
        source: 'http',
      });
    }
    await stand.settle();
    expect(stand.runtime.figures.counts().dropped).toBe(1200);
    stand.app.answerWith = () => 200;
    const retrying = stand.runtime.deliveryActions.retry({ filter: '' });
    expect(await stand.during(retrying)).toEqual({ changed: 1200 });
    await stand.settle();
    expect(stand.runtime.figures.counts()).toMatchObject({ dropped: 0, processed: 1200 });
    const again = await stand.runtime.deliveryActions.retry({ filter: '' });
    expect([again.changed, again.refused?.length]).toEqual([0, 500]);
  });

  test('an act needs exactly one way to name its deliveries', async () => {
    const stand = await started();
    await expect(stand.runtime.deliveryActions.drop({})).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(
      stand.runtime.deliveryActions.drop({ filter: '', messageId: 'msg_1' }),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
    await expect(stand.runtime.deliveryActions.drop({ deliveryId: 'dlv_none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(stand.runtime.deliveryActions.drop({ messageId: 'msg_none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(stand.runtime.deliveryActions.drop({ filter: 'a:(' })).rejects.toMatchObject({
      code: 'FILTER_SYNTAX',
    });
    const tooMany = Array.from({ length: 501 }, (_, i) => `dlv_${i}`);
    await expect(stand.runtime.deliveryActions.drop({ deliveryIds: tooMany })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
  });
});

test('one of two people who act at the same time is refused, and nothing happens twice', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'aside' }),
  );
  stand.app.next.push('RETRY');
  const id = await stand.publish('orders');
  const { deliveryId } = await stand.delivery(id);
  const results = await Promise.allSettled([
    stand.runtime.deliveryActions.deadLetter({ deliveryId }),
    stand.runtime.deliveryActions.drop({ deliveryId }),
    stand.runtime.deliveryActions.deadLetter({ deliveryId }),
  ]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await stand.way(id)).toEqual([
    'queued policy.accepted (policy)',
    'attempting policy.attempt (policy)',
    'retrying single.2xx.retry (app)',
    'dead-lettered user.dead-letter (user)',
  ]);
  const page = await stand.journal.page({ order: 'oldest', limit: 10, nowMs: stand.clock.now() });
  expect(page.items.filter(({ source }) => source === 'dead-letter')).toHaveLength(1);
});

test('an attempt that became due during a failed act is made afterwards', async () => {
  const broker = gatedPubSub();
  const stand = await started({}, (it) => {
    it.components.own.set('pubsub', () => broker);
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  stand.app.next.push('RETRY');
  const id = await stand.publish('orders');
  const trying = stand.runtime.deliveryActions.deadLetter({ messageId: id }, 'aside');
  await stand.pass(1000);
  expect(await stand.states(id)).toEqual(['retrying']);
  broker.open(new Error('no such topic'));
  await expect(trying).rejects.toMatchObject({ code: 'ERR_PUBSUB_PUBLISH_MESSAGE' });
  await stand.settle();
  expect(await stand.states(id)).toEqual(['processed']);
});

test('an act on a delivery that has just ended uses its state in memory', async () => {
  const stand = await started();
  stand.app.next.push('hang');
  const id = await stand.publish('orders');
  stand.journal.failure = new Error('full');
  stand.app.last.answer('DROP');
  await stand.settle();
  expect((await stand.journal.get(id))?.deliveries[0]?.delivery.state).toBe('attempting');
  void stand.runtime.deliveryActions.retry({ messageId: id });
  await stand.settle();
  expect(stand.app.calls).toHaveLength(2);
  stand.journal.failure = undefined;
  await stand.pass(1000);
  expect(await stand.way(id)).toEqual([
    'queued policy.accepted (policy)',
    'attempting policy.attempt (policy)',
    'dropped single.2xx.drop (app)',
    'queued user.retry (user)',
    'attempting policy.retry (policy)',
    'processed single.2xx.empty (app)',
  ]);
});

/** A broker in memory that takes nothing on other topics than `orders` until it is opened, and then says no. */
function gatedPubSub(): PubSub & { open(reason: Error): void } {
  const inner = createMemoryPubSub({
    broker: new MemoryBroker({ clock: new ManualClock(), log: { write: () => undefined } }),
  });
  let open: (reason: Error) => void = () => undefined;
  const gate = new Promise<never>((_, reject) => (open = reject));
  gate.catch(() => undefined);
  return {
    features: inner.features,
    capabilities: inner.capabilities,
    start: () => inner.start(),
    close: () => inner.close(),
    subscribe: (topic, options, take) => inner.subscribe(topic, options, take),
    publish: (message) => (message.topic === 'orders' ? inner.publish(message) : gate),
    open: (reason) => open(reason),
  };
}
