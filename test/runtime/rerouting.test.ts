/** Rerouting: deliveries go to the present route of their app. Nobody else gets anything, and no message is removed or published again. */
import { expect, test } from 'vitest';
import type { RerouteTarget } from '../../core/contract/targets.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const ONCE = { maxAttempts: 1, firstDelayMs: 1000, maxDelayMs: 1000, factor: 1 };
const OFTEN = { ...ONCE, maxAttempts: 5 };
const OLD = { pubsubname: 'pubsub', topic: 'orders', route: '/orders' };
const NEW = { ...OLD, route: '/api/orders' };

type Problem = NonNullable<RerouteTarget['problem']>;

const AT: Problem = {
  code: 'old-route',
  appId: 'shop',
  pubsubname: 'pubsub',
  topic: 'orders',
  path: '/orders',
};

function codes(stand: Stand): readonly (string | undefined)[] {
  return stand.runtime.topology.apps().flatMap(({ problems }) => problems.map(({ code }) => code));
}

function pathsOf(stand: Stand, appId: string): readonly string[] {
  return stand.appOf(appId).calls.map(({ path }) => path);
}

/** Two apps that subscribe to `orders`. */
async function two(retry: object = ONCE): Promise<Stand> {
  const stand = await started({ apps: ['shop', 'cart'] });
  stand.set('delivery.retry', retry);
  return stand;
}

/** The first app lists these subscriptions now. */
async function lists(stand: Stand, ...subscriptions: readonly object[]): Promise<void> {
  stand.appOf('shop').subscriptions = subscriptions;
  await stand.runtime.rediscovery.ask('shop');
  await stand.settle();
  for (const app of stand.apps.values()) app.calls.length = 0;
}

async function reroute(stand: Stand, target: RerouteTarget = { problem: AT }): Promise<object> {
  const changed = await stand.runtime.deliveryActions.reroute(target);
  await stand.settle();
  return changed;
}

/** State and route of each delivery of a message, by app. */
async function routes(stand: Stand, messageId: string): Promise<Readonly<Record<string, string>>> {
  const { deliveries } = await stand.message(messageId);
  return Object.fromEntries(deliveries.map(({ appId, state, route }) => [appId, `${state} ${route.path}`]));
}

test('what is parked at an old route goes to the present one of its app, and another app gets nothing', async () => {
  const stand = await two();
  stand.appOf('shop').answerWith = () => 500;
  stand.appOf('cart').next.push(200, 500);
  const [first, second] = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
  expect(await routes(stand, first)).toEqual({ shop: 'parked /orders', cart: 'processed /orders' });
  expect(await routes(stand, second)).toEqual({ shop: 'parked /orders', cart: 'parked /orders' });
  stand.appOf('shop').answerWith = () => 200;
  await lists(stand, NEW);
  expect(await reroute(stand)).toEqual({ changed: 2 });
  expect(pathsOf(stand, 'shop')).toEqual(['/api/orders', '/api/orders']);
  expect(pathsOf(stand, 'cart')).toEqual([]);
  expect(await routes(stand, first)).toEqual({ shop: 'processed /api/orders', cart: 'processed /orders' });
  expect(await routes(stand, second)).toEqual({ shop: 'processed /api/orders', cart: 'parked /orders' });
  expect((await stand.journal.stats()).lastNumber).toBe(2);
  const [shop] = (await stand.message(first)).deliveries;
  expect(shop?.transitions.find(({ rule }) => rule === 'user.retry')).toMatchObject({
    cause: 'user',
    note: 'Rerouted from /orders to /api/orders.',
  });
});

test('the problem is gone with the act, and its end is told at once', async () => {
  const stand = await two();
  stand.appOf('shop').answerWith = () => 500;
  await stand.publish('orders');
  await lists(stand, NEW);
  stand.appOf('shop').answerWith = () => 200;
  expect(codes(stand)).toContain('old-route');
  const before = stand.events.filter(({ type }) => type === 'topology.changed').length;
  await reroute(stand);
  expect(codes(stand)).not.toContain('old-route');
  expect(stand.events.filter(({ type }) => type === 'topology.changed').length).toBe(before + 1);
});

test('what waits for its next attempt is sent once, to the present route', async () => {
  const stand = await two(OFTEN);
  stand.appOf('shop').next.push(500);
  const id = await stand.publish('orders');
  await lists(stand, NEW);
  expect(await reroute(stand)).toEqual({ changed: 1 });
  await stand.pass(10_000);
  expect(pathsOf(stand, 'shop')).toEqual(['/api/orders']);
  expect(await routes(stand, id)).toEqual({ shop: 'processed /api/orders', cart: 'processed /orders' });
});

test('what waits in the queue is sent once, in the form and with the settings of the current subscription', async () => {
  const stand = await two();
  stand.set('delivery.concurrency', 1);
  stand.appOf('shop').next.push('hang');
  await stand.publish('orders', 1);
  const ids = [await stand.publish('orders', 2), await stand.publish('orders', 3)];
  const bulkSubscribe = { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 50 };
  const [hanging] = stand.appOf('shop').open;
  await lists(stand, { ...NEW, bulkSubscribe, deadLetterTopic: 'dead' });
  stand.appOf('shop').answerWith = () => 200;
  const changed = await reroute(stand);
  expect(changed).toMatchObject({ changed: 2, refused: [{ state: 'attempting' }] });
  hanging?.answer(200);
  await stand.pass(1000);
  expect(pathsOf(stand, 'shop')).toEqual(['/api/orders']);
  expect(stand.appOf('shop').last.json()['entries']).toHaveLength(2);
  for (const id of ids) {
    const d = (await stand.message(id)).deliveries.find(({ appId }) => appId === 'shop');
    expect(d?.subscription.settings).toMatchObject({
      deadLetterTopic: 'dead',
      bulk: { maxMessagesCount: 2 },
    });
    expect([d?.route.path, d?.attempts.length]).toEqual(['/api/orders', 1]);
  }
});

test('what waits for an earlier call of its batch goes with those of its present route alone', async () => {
  const stand = await two();
  const bulkSubscribe = { enabled: true, maxMessagesCount: 3, maxAwaitDurationMs: 50 };
  const at = (path: string, n: number): object => ({ match: `event.data.n == ${n}`, path });
  const bulk = { pubsubname: 'pubsub', topic: 'orders', bulkSubscribe };
  await lists(stand, { ...bulk, routes: { rules: [at('/first', 1)], default: '/orders' } });
  stand.appOf('shop').next.push('hang');
  for (const n of [1, 2, 3]) await stand.publish('orders', { n });
  const [hanging] = stand.appOf('shop').open;
  expect(pathsOf(stand, 'shop')).toEqual(['/first']);
  await lists(stand, { ...bulk, routes: { rules: [at('/two', 2), at('/three', 3)] } });
  expect(await reroute(stand)).toEqual({ changed: 2 });
  stand.appOf('shop').answerWith = () => 200;
  hanging?.answer(200);
  await stand.pass(1000);
  const { calls } = stand.appOf('shop');
  expect(calls.map(({ path }) => path).toSorted()).toEqual(['/three', '/two']);
  for (const call of calls) expect(call.json()['entries']).toHaveLength(1);
});

test('what is held stays held, and goes to the present route when it is released', async () => {
  const stand = await two();
  await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const id = await stand.publish('orders');
  await lists(stand, NEW);
  expect(await reroute(stand)).toEqual({ changed: 1 });
  expect(await routes(stand, id)).toEqual({ shop: 'held /api/orders', cart: 'held /orders' });
  expect(codes(stand)).not.toContain('old-route');
  await stand.runtime.deliveryActions.release({ messageId: id });
  await stand.settle();
  expect(pathsOf(stand, 'shop')).toEqual(['/api/orders']);
  expect(pathsOf(stand, 'cart')).toEqual(['/orders']);
});

test('each delivery goes by the rules for its own event', async () => {
  const stand = await two();
  stand.appOf('shop').answerWith = () => 500;
  await stand.publish('orders', { n: 1 });
  await stand.publish('orders', { n: 2 });
  const rules = [{ match: 'event.data.n == 2', path: '/two' }];
  await lists(stand, { pubsubname: 'pubsub', topic: 'orders', routes: { rules, default: '/one' } });
  stand.appOf('shop').answerWith = () => 200;
  await reroute(stand);
  expect([...pathsOf(stand, 'shop')].toSorted()).toEqual(['/one', '/two']);
});

test('what no present rule takes is refused, and stays as it was', async () => {
  const stand = await two();
  stand.appOf('shop').answerWith = () => 500;
  const id = await stand.publish('orders', { n: 1 });
  const rules = [{ match: 'event.data.n == 2', path: '/two' }];
  await lists(stand, { pubsubname: 'pubsub', topic: 'orders', routes: { rules } });
  expect(await reroute(stand)).toMatchObject({
    changed: 0,
    refused: [
      {
        code: 'TRANSITION_NOT_ALLOWED',
        state: 'parked',
        reason: 'it has no route: no rule matches and the subscription has no default route',
      },
    ],
  });
  expect(await routes(stand, id)).toMatchObject({ shop: 'parked /orders' });
});

test('what an app dropped with 404 goes to this app alone, and once', async () => {
  const stand = await two();
  stand.appOf('shop').answerWith = () => 404;
  stand.appOf('cart').next.push(404);
  const id = await stand.publish('orders', 1);
  const other = await stand.publish('orders', 2);
  await stand.runtime.deliveryActions.reroute({ problem: { ...AT, code: 'missing-route', path: '/none' } });
  for (const app of stand.apps.values()) app.calls.length = 0;
  stand.appOf('shop').answerWith = () => 200;
  const target = { problem: { ...AT, code: 'missing-route' } } as const;
  expect(await reroute(stand, target)).toEqual({ changed: 2 });
  expect(pathsOf(stand, 'shop')).toEqual(['/orders', '/orders']);
  expect(pathsOf(stand, 'cart')).toEqual([]);
  expect(await routes(stand, id)).toEqual({ shop: 'processed /orders', cart: 'dropped /orders' });
  expect(await routes(stand, other)).toEqual({ shop: 'processed /orders', cart: 'processed /orders' });
  expect(codes(stand)).not.toContain('missing-route');
  expect(await reroute(stand, target)).toEqual({ changed: 0 });
});

test.each([
  ['a path', { path: `/${'x'.repeat(12_000)}` }],
  ['a topic', { topic: 't'.repeat(12_000) }],
  ['a path with signs that a filter escapes', { path: `/${'"'.repeat(6000)}` }],
])(
  'what was dropped under %s that is longer than a filter can be rerouted, and is shown',
  async (_what, long) => {
    const { topic, path } = { topic: 'orders', path: '/orders', ...long };
    const stand = await two();
    await lists(stand, { pubsubname: 'pubsub', topic, route: path });
    stand.appOf('shop').answerWith = ({ path: called }) => (called === path ? 404 : 200);
    await stand.publish(topic, 1);
    await stand.settle();
    const [problem] = stand.runtime.topology.apps().flatMap(({ problems }) => problems);
    expect(parseFilter(problem?.filter ?? '')).toMatchObject({ ok: true });
    await lists(stand, { pubsubname: 'pubsub', topic, route: '/api/orders' });
    const missing = { ...AT, code: 'missing-route' as const, topic, path };
    expect(await reroute(stand, { problem: missing })).toEqual({ changed: 1 });
    expect(pathsOf(stand, 'shop')).toEqual(['/api/orders']);
  },
);

test('one delivery can be rerouted by its id; a processed one, and one without a subscription, are refused', async () => {
  const stand = await two();
  stand.appOf('shop').answerWith = () => 500;
  const id = await stand.publish('orders');
  const ids = new Map((await stand.message(id)).deliveries.map((d) => [d.appId, d.deliveryId]));
  const refused = { code: 'TRANSITION_NOT_ALLOWED' };
  await expect(reroute(stand, { deliveryId: ids.get('cart') ?? '' })).rejects.toMatchObject(refused);
  await lists(stand, { ...OLD, topic: 'letters' });
  await expect(reroute(stand, { deliveryId: ids.get('shop') ?? '' })).rejects.toMatchObject(refused);
  await lists(stand, NEW);
  stand.appOf('shop').answerWith = () => 200;
  expect(await reroute(stand, { deliveryId: ids.get('shop') ?? '' })).toEqual({ changed: 1 });
  expect(pathsOf(stand, 'shop')).toEqual(['/api/orders']);
});

test('what was dropped at a route that its subscription no longer has can be rerouted by its id', async () => {
  const stand = await two();
  stand.appOf('shop').answerWith = () => 404;
  const id = await stand.publish('orders');
  const dropped = (await stand.message(id)).deliveries.find(({ appId }) => appId === 'shop');
  await lists(stand, NEW);
  stand.appOf('shop').answerWith = () => 200;
  expect(await reroute(stand, { deliveryId: dropped?.deliveryId ?? '' })).toEqual({ changed: 1 });
  expect(pathsOf(stand, 'shop')).toEqual(['/api/orders']);
  expect(await routes(stand, id)).toEqual({ shop: 'processed /api/orders', cart: 'processed /orders' });
});

test('a route that was given by the act is still there after a crash', async () => {
  const stand = await started();
  await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const id = await stand.publish('orders');
  subscribe(stand, NEW);
  await stand.runtime.rediscovery.ask('app');
  await stand.settle();
  await reroute(stand, { problem: { ...AT, appId: 'app' } });
  stand.crash();
  await stand.start();
  expect(await routes(stand, id)).toEqual({ app: 'held /api/orders' });
});

test('a message that is removed while its route is looked for is refused, and does not come back', async () => {
  const stand = await started({ journal: new LastingJournal({ durable: true }) });
  await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
  const id = await stand.publish('orders');
  subscribe(stand, NEW);
  await stand.runtime.rediscovery.ask('app');
  await stand.settle();
  let go: () => void = () => undefined;
  stand.journal.reading = new Promise((resolve) => (go = resolve));
  const rerouting = stand.runtime.deliveryActions.reroute({ problem: { ...AT, appId: 'app' } });
  await stand.settle();
  const removing = stand.runtime.removals.removeAtOnce([id]);
  const from = stand.events.length;
  go();
  expect(await rerouting).toMatchObject({ changed: 0, refused: [{ code: 'NOT_FOUND' }] });
  await removing;
  await stand.settle();
  expect(stand.events.slice(from).map(({ type }) => type)).not.toContain('message.added');
});

test('an app that is not there is refused', async () => {
  const stand = await two();
  await expect(reroute(stand, { problem: { ...AT, appId: 'none' } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
