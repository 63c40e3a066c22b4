/** Bodies that a person changed for a delivery are bounded as those of messages are: in memory, in the backlog, in a batch. */
import { expect, test } from 'vitest';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand, StandOptions } from '../support/runtime-stand.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** An app that subscribes to `orders`, and a hold that catches every delivery to it. */
async function holding(durable: boolean, bulk: object = {}, options: StandOptions = {}): Promise<Stand> {
  const stand = await started({ journal: new LastingJournal({ durable }), ...options }, (it) =>
    subscribe(it, { topic: 'orders', route: '/orders', ...bulk }),
  );
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  return stand;
}

async function edited(stand: Stand, id: string, data: unknown): Promise<void> {
  await stand.runtime.deliveryActions.release({ messageId: id }, { data });
  await stand.settle();
}

const NO_ROOM = expect.stringMatching(
  /^the backlog limit of 2 MiB of unfinished messages \(delivery\.backlogBytes\) is reached/,
);

test('a changed body leaves memory while its delivery waits for a person, and is delivered', async () => {
  const stand = await holding(true);
  stand.app.answerWith = () => 503;
  const id = await stand.publish('orders', { n: 1 });
  await edited(stand, id, { n: 2 });
  expect(await stand.states(id)).toEqual(['retrying']);
  await stand.runtime.deliveryActions.hold({ messageId: id });
  stand.journal.unreadable = new Error('a bad sector');
  await stand.runtime.deliveryActions.release({ messageId: id });
  await stand.settle();
  // The body had to be read: it was not in memory.
  stand.journal.unreadable = undefined;
  expect(await stand.states(id)).toEqual(['parked']);
  stand.app.answerWith = () => 200;
  await stand.runtime.deliveryActions.retry({ messageId: id });
  await stand.settle();
  expect(await stand.states(id)).toEqual(['processed']);
  expect(stand.app.last.json()['data']).toEqual({ n: 2 });
  expect(await stand.delivery(id)).toMatchObject({ changed: { body: expect.stringContaining('"n":2') } });
});

test('changed bodies that are retried share the memory of other bodies, and the rest is read back', async () => {
  const stand = await holding(true, {}, { bodyBudgetBytes: 64 * KIB });
  stand.set('delivery.retry', { firstDelayMs: 1000, factor: 1, maxAttempts: 0 });
  stand.app.answerWith = () => 503;
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) ids.push(await stand.publish('orders', n));
  for (const id of ids) await edited(stand, id, 'x'.repeat(8 * KIB));
  stand.journal.unreadable = new Error('a bad sector');
  await stand.pass(1000);
  stand.journal.unreadable = undefined;
  const states = await Promise.all(ids.map((id) => stand.states(id)));
  // 64 KiB hold seven of them.
  expect(states.flat().filter((state) => state === 'parked')).toHaveLength(3);
});

test('a changed body is delivered after a restart', async () => {
  const stand = await holding(true);
  stand.app.answerWith = () => 503;
  const id = await stand.publish('orders', { n: 1 });
  await edited(stand, id, { n: 2 });
  stand.crash();
  stand.app.answerWith = () => 200;
  await stand.start();
  await stand.pass(60_000);
  expect(await stand.states(id)).toEqual(['processed']);
  expect(stand.app.last.json()['data']).toEqual({ n: 2 });
});

test.each([true, false])(
  'the bytes of a changed body count in the backlog; kept on disk: %s',
  async (durable) => {
    const stand = await holding(durable);
    stand.set('delivery.backlogBytes', 2 * MIB);
    stand.app.answerWith = () => 'hang';
    const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
    const large = 'x'.repeat(1.5 * MIB);
    await edited(stand, ids[0] ?? '', large);
    await expect(
      stand.runtime.deliveryActions.release({ messageId: ids[1] ?? '' }, { data: large }),
    ).rejects.toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
      params: { reason: NO_ROOM },
    });
    // A refused release changes nothing.
    expect(await stand.delivery(ids[1] ?? '')).toMatchObject({ state: 'held' });
    await stand.runtime.deliveryActions.release(
      { messageId: ids[1] ?? '' },
      { data: 'x'.repeat(0.25 * MIB) },
    );
    const more = 'x'.repeat(0.2 * MIB);
    await expect(stand.publish('orders', more)).rejects.toMatchObject({ params: { reason: NO_ROOM } });
    // An ended delivery releases its bytes.
    stand.app.open[0]?.answer(200);
    await stand.settle();
    await stand.publish('orders', more);
  },
);

test('the bytes of a changed message that is held at publish count in the backlog', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/orders' }));
  stand.set('delivery.backlogBytes', 2 * MIB);
  await stand.runtime.holds.add({ at: 'publish', filter: '' });
  const id = await stand.publish('orders', 1);
  const release = stand.runtime.deliveryActions.release({ messageId: id }, { data: 'x'.repeat(1.9 * MIB) });
  await expect(release).rejects.toMatchObject({ params: { reason: NO_ROOM } });
  expect(await stand.message(id)).toMatchObject({ stage: 'held', data: 1 });
});

test('the bytes of a changed dead letter count for its original topic', async () => {
  const stand = await started({}, (it) =>
    subscribe(
      it,
      { topic: 'orders', route: '/orders', deadLetterTopic: 'dead' },
      { topic: 'dead', route: '/orders' },
    ),
  );
  stand.set('delivery.backlogBytes', 2 * MIB);
  stand.set('delivery.retry', { maxAttempts: 1 });
  stand.app.answerWith = () => 503;
  await stand.publish('orders', 'x'.repeat(1.4 * MIB));
  await stand.settle();
  await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:dead' });
  await stand.publish('orders', 1);
  await stand.settle();
  const { items } = await stand.journal.page({ order: 'newest', limit: 10, nowMs: stand.clock.now() });
  const held = items.find(({ deliveries }) => deliveries.some(({ state }) => state === 'held'));
  // There are 0.6 MiB left for all topics, of which `orders` may have 0.4 MiB.
  const release = stand.runtime.deliveryActions.release(
    { messageId: held?.messageId ?? '' },
    { data: 'x'.repeat(0.45 * MIB) },
  );
  await expect(release).rejects.toMatchObject({
    params: { reason: expect.stringContaining('for topic orders') },
  });
});

test('a changed body has its new size in a batch', async () => {
  const stand = await holding(true, {
    bulkSubscribe: { enabled: true, maxMessagesCount: 10, maxAwaitDurationMs: 10 },
  });
  stand.set('delivery.bulkBytes', 10_000);
  for (const data of [1, 2]) await stand.publish('orders', data);
  await stand.pass(10);
  await stand.runtime.deliveryActions.release({ filter: 'state:held' }, { data: 'x'.repeat(8000) });
  await stand.pass(10);
  expect(stand.app.calls.map(({ json }) => (json()['entries'] as unknown[]).length)).toEqual([1, 1]);
});
