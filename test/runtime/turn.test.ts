/** The reason why a delivery waits: each one that its queue has at that time, and no other. */
import { expect, test } from 'vitest';
import type { DeliveryTurn } from '../../core/contract/message.ts';
import { filterOf } from '../adapters/journal-records.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

async function publishAll(stand: Stand, topic: string, amount: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < amount; n += 1) ids.push(await stand.publish(topic, n));
  return ids;
}

async function turnOf(stand: Stand, id: string | undefined): Promise<DeliveryTurn | undefined> {
  const { turn } = await stand.delivery(id ?? '');
  return turn;
}

test('a delivery says that it waits for a free call of its subscription, and how many are ahead of it', async () => {
  const stand = await started();
  stand.set('delivery.concurrency', 2);
  stand.app.answerWith = () => 'hang';
  const [first, , third, fourth, fifth] = await publishAll(stand, 'orders', 5);
  expect(await turnOf(stand, first)).toBeUndefined();
  expect(await turnOf(stand, third)).toEqual({ reason: 'calls', ahead: 0, now: 2, most: 2 });
  expect(await turnOf(stand, fifth)).toEqual({ reason: 'calls', ahead: 2, now: 2, most: 2 });
  await stand.runtime.deliveryActions.drop({ messageId: fourth ?? '' });
  expect(await turnOf(stand, fifth)).toEqual({ reason: 'calls', ahead: 1, now: 2, most: 2 });
  expect(await turnOf(stand, fourth)).toBeUndefined();
  stand.app.open[0]?.answer(200);
  await stand.settle();
  expect(await turnOf(stand, first)).toBeUndefined();
  expect(await turnOf(stand, fifth)).toMatchObject({ ahead: 0 });
});

test('a delivery says that it waits for a free call of its app, with the limit of the setting', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'a', route: '/a' }, { topic: 'b', route: '/b' }),
  );
  stand.set('app.maxConcurrency', 1);
  stand.app.answerWith = () => 'hang';
  await publishAll(stand, 'a', 1);
  const [waiting] = await publishAll(stand, 'b', 1);
  expect(await turnOf(stand, waiting)).toEqual({ reason: 'app-calls', ahead: 0, now: 1, most: 1 });
});

test('a delivery says that it waits for its batch to be full or due', async () => {
  const bulkSubscribe = { maxMessagesCount: 3, maxAwaitDurationMs: 200 };
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', route: '/orders', bulkSubscribe }),
  );
  const from = stand.clock.now();
  const [, second] = await publishAll(stand, 'orders', 2);
  expect(await turnOf(stand, second)).toEqual({
    reason: 'batch',
    ahead: 1,
    now: 2,
    most: 3,
    latestAt: new Date(from + 200).toISOString(),
  });
  await publishAll(stand, 'orders', 1);
  expect(await turnOf(stand, second)).toBeUndefined();
});

test('a delivery says that it waits for its app, which is being asked, not healthy, or not known after a restart', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders' });
    it.set('app.health', { enabled: true, path: '/alive', intervalMs: 1000, timeoutMs: 100, threshold: 1 });
  });
  stand.app.health = 503;
  await stand.pass(1000);
  const [waiting] = await publishAll(stand, 'orders', 1);
  expect(await turnOf(stand, waiting)).toEqual({ reason: 'health', ahead: 0 });
  await stand.stop();
  stand.app.health = 'refused';
  await stand.start();
  expect(await turnOf(stand, waiting)).toEqual({ reason: 'discovery', ahead: 0 });
});

test('a due retry says that it waits for a free call, and one that is not due only when it will be', async () => {
  const stand = await started();
  stand.set('delivery.concurrency', 1);
  stand.set('delivery.retry', { maxAttempts: 3, firstDelayMs: 100, factor: 1, maxDelayMs: 100, jitter: 0 });
  stand.app.next.push(503);
  const [again] = await publishAll(stand, 'orders', 1);
  expect(await turnOf(stand, again)).toBeUndefined();
  stand.app.answerWith = () => 'hang';
  await publishAll(stand, 'orders', 1);
  await stand.pass(100);
  expect(await turnOf(stand, again)).toEqual({ reason: 'calls', ahead: 0, now: 1, most: 1 });
});

test('a delivery says that its own call begins when its body is read', async () => {
  const stand = await started({ journal: new LastingJournal({ durable: true }) });
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  const [id = ''] = await publishAll(stand, 'orders', 1);
  let read: () => void = () => undefined;
  stand.journal.reading = new Promise((resolve) => (read = resolve));
  await stand.runtime.deliveryActions.release({ messageId: id });
  const asked = turnOf(stand, id);
  read();
  expect(await asked).toSatisfy(
    (turn) => turn === undefined || (turn as DeliveryTurn).reason === 'preparing',
  );
  await stand.settle();
  expect(await turnOf(stand, id)).toBeUndefined();
});

test('a delivery says that it waits for memory for its body while calls to its app fill it', async () => {
  const stand = await started();
  stand.app.answerWith = () => 'hang';
  // One event of 23 million bytes three times is beyond the 64 MiB that an app's calls may take.
  const text = 'x'.repeat(23_000_000);
  const [, , third, fourth] = [
    await stand.publish('orders', text),
    await stand.publish('orders', text),
    await stand.publish('orders', text),
    await stand.publish('orders', 'small'),
  ];
  const turn = await turnOf(stand, third);
  expect(turn).toMatchObject({ reason: 'bodies', ahead: 0, most: 64 * 1024 * 1024 });
  expect(turn?.now).toBeGreaterThan(46_000_000);
  expect(await turnOf(stand, fourth)).toMatchObject({ reason: 'bodies', ahead: 1 });
  stand.app.open[0]?.answer(200);
  await stand.settle();
  expect(await turnOf(stand, third)).toBeUndefined();
});

test('a delivery says that it waits for an earlier call of its batch', async () => {
  const bulkSubscribe = { maxMessagesCount: 2, maxAwaitDurationMs: 200 };
  const rules = [{ match: 'event.type == "a"', path: '/a' }];
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', routes: { rules, default: '/b' }, bulkSubscribe }),
  );
  stand.app.answerWith = () => 'hang';
  await stand.publish('orders', 1, { metadata: { 'cloudevent.type': 'a' } });
  const other = await stand.publish('orders', 2);
  await stand.settle();
  expect(stand.app.calls.map(({ path }) => path)).toEqual(['/a']);
  expect(await turnOf(stand, other)).toEqual({ reason: 'earlier-call' });
  stand.app.open[0]?.answer(200);
  await stand.settle();
  expect(await turnOf(stand, other)).toBeUndefined();
  expect(stand.app.calls.map(({ path }) => path)).toEqual(['/a', '/b']);
});

test('a delivery of a batch too large for one call says that it waits for the call before its own', async () => {
  const bulkSubscribe = { maxMessagesCount: 2, maxAwaitDurationMs: 200 };
  const stand = await started({}, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders', bulkSubscribe });
    it.set('delivery.bulkBytes', 65_536);
  });
  stand.app.answerWith = () => 'hang';
  const [, other] = [
    await stand.publish('orders', 'x'.repeat(50_000)),
    await stand.publish('orders', 'x'.repeat(50_000)),
  ];
  await stand.settle();
  expect(stand.app.calls).toHaveLength(1);
  expect(await turnOf(stand, other)).toEqual({ reason: 'earlier-call' });
});

test('a delivery without a route yet says in row and detail that it waits for match rules of other messages', async () => {
  const dear = 'event.data.items.all(a, event.data.items.exists_one(b, b.sku == a.sku))';
  const rules = [{ match: dear, path: '/dear' }];
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', routes: { rules, default: '/all' } }),
  );
  const items = Array.from({ length: 1000 }, (_, sku) => ({ sku }));
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await stand.publish('orders', { items }));
  const [second = '', third = ''] = ids.slice(-2);
  expect(await turnOf(stand, third)).toEqual({ reason: 'rules', ahead: 2 });
  expect(await stand.delivery(second)).toMatchObject({
    state: 'queued',
    route: { path: '' },
    transitions: [],
    turn: { reason: 'rules', ahead: 1 },
  });
  const rows = stand.events.flatMap((event) =>
    'row' in event && event.row.messageId === third ? event.row : [],
  );
  expect(rows.at(-1)?.deliveries).toMatchObject([{ state: 'queued' }]);
  // A list that is opened now reads the journal, which does not have the delivery yet.
  const { journal } = stand.runtime;
  const number = rows.at(-1)?.number ?? 0;
  const matching = async (filter: string): Promise<readonly boolean[]> => {
    const query = {
      filter: filterOf(filter),
      order: 'newest',
      limit: 100,
      nowMs: stand.clock.now(),
    } as const;
    const [page, scan] = [await journal.page(query), await journal.scan(query)];
    const found = await journal.test([number], query.filter, query.nowMs);
    return [
      page.items.some((item) => item.number === number),
      scan.numbers.includes(number),
      found.has(number),
    ];
  };
  expect((await journal.rows([number]))[0]?.deliveries).toMatchObject([{ state: 'queued' }]);
  expect(await matching('state:none')).toEqual([false, false, false]);
  expect((await matching('state:queued')).slice(1)).toEqual([true, true]);
  await stand.pass(100);
  expect(await turnOf(stand, third)).toBeUndefined();
  expect((await journal.rows([number]))[0]?.deliveries).toMatchObject([{ state: 'parked' }]);
  expect(await matching('state:parked')).toEqual([true, true, true]);
  expect(await stand.states(third)).toEqual(['parked']);
});

test('an overdue retry after a restart says that it waits for its app, which does not listen', async () => {
  const stand = await started();
  stand.set('delivery.retry', {
    maxAttempts: 3,
    firstDelayMs: 1000,
    factor: 1,
    maxDelayMs: 1000,
    jitter: 0,
  });
  stand.app.next.push(503);
  const [again] = await publishAll(stand, 'orders', 1);
  await stand.stop();
  stand.app.isOpen = false;
  await stand.start();
  expect(await turnOf(stand, again)).toBeUndefined();
  await stand.pass(60_000);
  expect(await turnOf(stand, again)).toEqual({ reason: 'discovery', ahead: 0 });
});

test('a delivery whose subscription is gone says only that', async () => {
  const stand = await started();
  stand.set('delivery.concurrency', 1);
  stand.app.answerWith = () => 'hang';
  const [, waiting] = await publishAll(stand, 'orders', 2);
  subscribe(stand, { topic: 'others', route: '/others' });
  await stand.runtime.rediscovery.ask();
  await stand.settle();
  const { turn, waitsFor } = await stand.delivery(waiting ?? '');
  expect({ turn, waitsFor }).toEqual({
    turn: undefined,
    waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
  });
});
