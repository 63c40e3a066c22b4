/** After a crash accepted messages continue at the next start, and ended ones stay ended. */
import { describe, expect, test } from 'vitest';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

describe('after a crash', () => {
  test('a running call is repeated, because twice is better than never', async () => {
    const stand = await started();
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    stand.crash();
    await stand.start();
    expect((await stand.way(id)).slice(2)).toEqual([
      'queued restart.requeued (restart)',
      'attempting policy.attempt (policy)',
      'processed single.2xx.empty (app)',
    ]);
    expect(stand.app.calls).toHaveLength(2);
    expect(stand.runtime.resources.began).toMatchObject({
      kept: 1,
      unfinished: 1,
      requeued: 1,
      republished: 0,
    });
  });

  test('a waiting delivery makes its next attempt when it is due, and its round continues', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 3, firstDelayMs: 10_000, maxDelayMs: 10_000, factor: 1 });
    stand.app.answerWith = () => 500;
    const id = await stand.publish('orders');
    await stand.pass(4000);
    stand.crash();
    await stand.start();
    await stand.pass(5999);
    expect(stand.app.calls).toHaveLength(1);
    await stand.pass(1);
    expect(stand.app.calls).toHaveLength(2);
    await stand.pass(10_000);
    expect(await stand.delivery(id)).toMatchObject({ state: 'parked', maxAttempts: 3 });
  });

  test('an attempt that became due while Sidelight was down is made at once', async () => {
    const stand = await started();
    stand.app.next.push(500);
    const id = await stand.publish('orders');
    stand.crash();
    stand.clock.advance(60_000);
    await stand.start();
    await stand.pass(0);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('held and parked deliveries stay, and a person can still act on them', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.app.next.push(500);
    const parked = await stand.publish('orders');
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const held = await stand.publish('orders');
    stand.crash();
    await stand.start();
    await stand.pass(60_000);
    expect([await stand.states(parked), await stand.states(held)]).toEqual([['parked'], ['held']]);
    expect(stand.runtime.figures.counts()).toMatchObject({ parked: 1, held: 1 });
    await stand.runtime.deliveryActions.release({ messageId: held });
    await stand.runtime.deliveryActions.retry({ messageId: parked });
    await stand.runtime.deliveryActions.release({ messageId: parked });
    await stand.settle();
    expect([await stand.states(parked), await stand.states(held)]).toEqual([['processed'], ['processed']]);
    expect(stand.runtime.holds.list()).toMatchObject([{ hits: 2 }]);
  });

  test('holds for a time continue from their start', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders', releaseAfterMs: 5000 });
    await stand.runtime.holds.add({ at: 'publish', filter: 'topic:letters', releaseAfterMs: 5000 });
    const held = await stand.publish('orders');
    const staged = await stand.publish('letters');
    await stand.pass(3000);
    stand.crash();
    await stand.start();
    await stand.pass(1999);
    expect(await stand.states(held)).toEqual(['held']);
    expect((await stand.message(staged)).stage).toBe('held');
    await stand.pass(1);
    expect(await stand.states(held)).toEqual(['processed']);
    expect((await stand.message(staged)).stage).toBeUndefined();
  });

  test('holds for a time wait no longer if the clock was set back meanwhile', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders', releaseAfterMs: 5000 });
    await stand.runtime.holds.add({ at: 'publish', filter: 'topic:letters', releaseAfterMs: 5000 });
    const held = await stand.publish('orders');
    const staged = await stand.publish('letters');
    stand.crash();
    stand.clock.advance(-3_600_000);
    await stand.start();
    await stand.pass(4999);
    expect(await stand.states(held)).toEqual(['held']);
    expect((await stand.message(staged)).stage).toBe('held');
    await stand.pass(1);
    expect(await stand.states(held)).toEqual(['processed']);
    expect((await stand.message(staged)).stage).toBeUndefined();
  });

  test('a message is not delivered before it was accepted if the clock was set back meanwhile', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
    const id = await stand.publish('orders');
    stand.crash();
    stand.clock.advance(-3_600_000);
    await stand.start();
    await stand.runtime.deliveryActions.release({ messageId: id });
    await stand.settle();
    const [row] = await stand.journal.rows([1]);
    expect(row?.deliveries).toMatchObject([{ state: 'processed', span: { firstMs: 0, endMs: 0 } }]);
  });

  test('TTLs continue, also of messages that are held before they are published', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
    await stand.runtime.holds.add({ at: 'publish', filter: 'topic:letters' });
    const ttl = { metadata: { ttlInSeconds: '10' } };
    const held = await stand.publish('orders', 'x', ttl);
    const staged = await stand.publish('letters', 'x', ttl);
    stand.crash();
    await stand.start();
    await stand.pass(10_000);
    expect(await stand.states(held)).toEqual(['expired']);
    expect((await stand.message(staged)).stage).toBe('expired');
  });

  test('a message that its component may not have had is published again', async () => {
    const stand = await started();
    const records = stand.journal.records.length;
    const accepted = stand.runtime.sidecar('app').publish({
      pubsubname: 'pubsub',
      topic: 'orders',
      body: 'x',
      metadata: {},
      source: 'http',
    });
    // The journal has it; nothing after that got anywhere.
    while (stand.journal.records.length === records) await Promise.resolve();
    stand.crash();
    void accepted;
    await stand.start();
    const { items } = await stand.journal.page({ order: 'oldest', limit: 1, nowMs: stand.clock.now() });
    expect(items[0]?.deliveries.map(({ state }) => state)).toEqual(['processed']);
  });

  test('messages that wait for an app keep waiting', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      it.app.isOpen = false;
    });
    const id = await stand.publish('orders');
    stand.crash();
    await stand.start();
    expect(await stand.message(id)).toMatchObject({ stage: 'waiting', waitingFor: ['app'] });
    stand.app.isOpen = true;
    await stand.pass(200);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('nothing is sent before the app was asked for its subscriptions again', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders', bulkSubscribe: { maxMessagesCount: 1 } }),
    );
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    stand.crash();
    stand.app.isOpen = false;
    await stand.start();
    await stand.pass(5000);
    expect(await stand.states(id)).toEqual(['queued']);
    stand.app.isOpen = true;
    await stand.pass(100);
    expect(stand.app.last.json()).toHaveProperty('entries');
  });

  test('a delivery that used up its attempts just before gets the present dead-letter topic of the app', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'dead' });
      it.set('delivery.retry', { maxAttempts: 1 });
    });
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    const records = stand.journal.records.length;
    stand.app.last.answer(500);
    // The verdict is written, what follows from it is not.
    while (stand.journal.records.length === records) await Promise.resolve();
    stand.crash();
    expect((await stand.delivery(id)).state).toBe('retrying');
    await stand.start();
    await stand.settle();
    expect((await stand.delivery(id)).state).toBe('dead-lettered');
  });

  test('an ended delivery is unchanged', async () => {
    const stand = await started();
    const id = await stand.publish('orders');
    const before = await stand.message(id);
    stand.crash();
    await stand.start();
    await stand.pass(60_000);
    expect(await stand.message(id)).toEqual(before);
    expect(stand.app.calls).toHaveLength(1);
  });
});

test('message numbers and sequences continue over restarts', async () => {
  const stand = await started();
  const first = await stand.publish('orders');
  const sequence = stand.runtime.events.sequence;
  await stand.stop();
  await stand.start();
  const second = await stand.publish('orders');
  expect([(await stand.message(first)).number, (await stand.message(second)).number]).toEqual([1, 2]);
  const transitions = (await stand.delivery(second)).transitions.map((one) => one.sequence);
  expect(Math.min(...transitions)).toBeGreaterThan(sequence - 10);
  const earlier = (await stand.delivery(first)).transitions.map((one) => one.sequence);
  expect(Math.min(...transitions)).toBeGreaterThan(Math.max(...earlier));
});

test('bodies that are no longer in memory are read from a durable journal when they are sent', async () => {
  const stand = await started({ journal: new LastingJournal({ durable: true }), bodyBudgetBytes: 16 * 1024 });
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  const body = 'x'.repeat(1024);
  for (let n = 0; n < 66; n += 1) await stand.publish('orders', body);
  expect(stand.runtime.figures.counts().held).toBe(66);
  await stand.runtime.deliveryActions.release({ filter: '' });
  await stand.settle();
  expect(stand.runtime.figures.counts()).toMatchObject({ held: 0, processed: 66 });
  expect(new Set(stand.app.calls.map(({ text }) => text.length)).size).toBe(1);
});

test('a delivery whose body cannot be read is parked with the reason, and can be retried', async () => {
  const stand = await started({ journal: new LastingJournal({ durable: true }) });
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  // The body of a held message is never in memory.
  const id = await stand.publish('orders', 'x'.repeat(1024));
  stand.journal.unreadable = new Error('a bad sector');
  await stand.runtime.deliveryActions.release({ filter: '' });
  await stand.settle();
  stand.journal.unreadable = undefined;
  expect((await stand.delivery(id)).transitions.at(-1)).toMatchObject({
    to: 'parked',
    note: 'a bad sector',
  });
  await stand.runtime.deliveryActions.retry({ messageId: id });
  await stand.settle();
  expect(await stand.states(id)).toEqual(['processed']);
});

test('counters and topics after a restart are those of the history', async () => {
  const stand = await started();
  stand.set('delivery.retry', { maxAttempts: 1 });
  await stand.publish('orders');
  await stand.publish('nobody-listens');
  stand.app.next.push(500);
  await stand.publish('orders');
  stand.app.next.push('hang');
  await stand.publish('orders');
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  await stand.publish('orders');
  const topics = stand.runtime.topology.topics();
  stand.crash();
  await stand.start();
  await stand.settle();
  expect(stand.runtime.resources.began).toMatchObject({
    kept: 5,
    unfinished: 3,
    ended: 1,
    requeued: 1,
    wentOn: 0,
    republished: 0,
    held: 1,
    parked: 1,
    none: 1,
    damaged: 0,
  });
  expect(stand.runtime.resources.began.text).toContain(
    '1 was finished before, 1 has no subscription. No message',
  );
  expect(stand.runtime.resources.began.text).toContain('No message that Sidelight accepted is missing.');
  // The call that was cut is held now, like every attempt.
  expect(stand.runtime.figures.counts()).toMatchObject({ processed: 1, parked: 1, held: 2 });
  const again = stand.runtime.topology.topics();
  expect(again.map(({ topic, published, lastAt }) => [topic, published, lastAt])).toEqual(
    topics.map(({ topic, published, lastAt }) => [topic, published, lastAt]),
  );
  expect(again.find(({ topic }) => topic === 'nobody-listens')?.counts).toEqual({ none: 1 });
  expect(stand.runtime.topology.subscriptions()[0]?.counts).toEqual({ processed: 1, parked: 1, held: 2 });
  await stand.stop();
});

test('the report of a start leaves out no message: those that nobody got and that were replayed are counted', async () => {
  const stand = await started();
  await stand.publish('nobody-listens');
  const { messageId } = await stand.runtime.replay.replay(
    await stand.publish('nobody-listens'),
    { topic: 'orders' },
    undefined,
  );
  await stand.settle();
  expect(await stand.states(messageId)).toEqual(['processed']);
  stand.crash();
  await stand.start();
  const { began } = stand.runtime.resources;
  expect(began).toMatchObject({ kept: 3, ended: 1, none: 1, replayed: 1 });
  expect(began.text).toContain(
    '1 was finished before, 1 has no subscription, 1 had no subscription and was replayed. No message',
  );
  await stand.stop();
});

test('counters are updated when messages are pruned or removed', async () => {
  const stand = await started();
  for (let n = 0; n < 1002; n += 1) await stand.publish('orders');
  const last = await stand.publish('orders');
  await stand.settle();
  stand.set('storage.maxMessages', 1000);
  await stand.pass(2000);
  expect(stand.runtime.figures.counts().processed).toBe(1000);
  expect(stand.runtime.topology.topics()[0]).toMatchObject({ published: 1000, counts: { processed: 1000 } });
  await stand.runtime.removals.removeAtOnce([last]);
  expect(stand.runtime.topology.topics()[0]).toMatchObject({ published: 999, counts: { processed: 999 } });
});

test('a start without history reports nothing', async () => {
  const stand = await started();
  expect(stand.runtime.resources.began.kept).toBe(0);
});
