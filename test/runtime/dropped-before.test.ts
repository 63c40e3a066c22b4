/** What an app dropped at a route that it did not serve: once the route is mended, a problem has the number of messages and the act for them. */
import { expect, test, vi } from 'vitest';
import { appBanners } from '../../core/host/app-banners.ts';
import { NO_ROUTE_AT_APP } from '../../core/contract/delivery.ts';
import { heldCount } from '../support/held-count.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const AT = { appId: 'app', pubsubname: 'pubsub', topic: 'orders', path: '/orders' };
const FILTER = `app:app pubsub:pubsub topic:orders route:/orders lastrule:${NO_ROUTE_AT_APP.join(',')}`;

function mended(stand: Stand): readonly { readonly message: string }[] {
  return stand.runtime.topology
    .apps()
    .flatMap((app) => app.problems)
    .filter(({ code }) => code === 'mended-route');
}

const text = (messages: string, were: string, now: string): string =>
  `Reroute ${messages} of topic orders (pubsub): ${were} dropped because the app answered 404 at /orders. The app now takes this topic at ${now}.`;

/** A stand with messages that were dropped at /orders. */
async function dropped(n: number): Promise<{ stand: Stand; ids: readonly string[] }> {
  const stand = await started();
  stand.app.answerWith = () => 404;
  const ids: string[] = [];
  for (let i = 0; i < n; i += 1) ids.push(await stand.publish('orders'));
  expect(mended(stand)).toEqual([]);
  stand.app.answerWith = () => 200;
  return { stand, ids };
}

async function listsNow(stand: Stand, route: string): Promise<void> {
  subscribe(stand, { topic: 'orders', route });
  await stand.runtime.rediscovery.ask('app');
  await stand.settle();
}

test('an app that corrects the route in its list', async () => {
  const { stand, ids } = await dropped(2);
  await listsNow(stand, '/api/orders');
  const message = text('2 messages', 'they were', '/api/orders');
  expect(mended(stand)).toEqual([
    { code: 'mended-route', severity: 'warning', message, filter: FILTER, deliveries: AT },
  ]);
  expect(stand.logged('warn').filter((line) => line === message)).toHaveLength(1);
  expect(appBanners(() => stand.runtime.topology.apps())()).toMatchObject([
    { text: message, filter: FILTER, level: 'warn' },
  ]);
  const problem = { code: 'mended-route', ...AT } as const;
  const told = stand.events.filter(({ type }) => type === 'topology.changed').length;
  expect((await stand.runtime.deliveryActions.reroute({ problem })).changed).toBe(2);
  expect(mended(stand)).toEqual([]);
  expect(stand.events.filter(({ type }) => type === 'topology.changed').length).toBeGreaterThan(told);
  await stand.settle();
  expect(await stand.states(ids[0] ?? '')).toEqual(['processed']);
  expect(stand.app.calls.slice(2).map(({ path }) => path)).toEqual(['/api/orders', '/api/orders']);
});

test('an app that serves the route after all', async () => {
  const { stand } = await dropped(1);
  await stand.publish('orders');
  expect(mended(stand)).toMatchObject([{ message: text('1 message', 'it was', '/orders') }]);
});

test('the number falls with each message that is retried or removed, and the problem ends with the last one', async () => {
  const { stand, ids } = await dropped(3);
  await listsNow(stand, '/api/orders');
  const [first = '', second = '', third = ''] = ids;
  await stand.runtime.deliveryActions.retry({ messageId: first });
  await stand.settle();
  await stand.pass(1000);
  expect(mended(stand)).toMatchObject([{ message: text('2 messages', 'they were', '/api/orders') }]);
  await stand.runtime.removals.remove({ messageIds: [second] });
  await stand.pass(1000);
  await stand.settle();
  expect(mended(stand)).toMatchObject([{ message: text('1 message', 'it was', '/api/orders') }]);
  await stand.runtime.removals.removeAtOnce([third]);
  await stand.pass(1000);
  await stand.settle();
  expect(mended(stand)).toEqual([]);
});

test('a message whose removal is undone counts again, and one that is removed for good does not', async () => {
  const { stand, ids } = await dropped(2);
  await listsNow(stand, '/api/orders');
  const [first = '', second = ''] = ids;
  const pass = async (ms: number): Promise<void> => {
    await stand.pass(ms);
    await stand.settle();
  };
  const { undoToken } = await stand.runtime.removals.remove({ messageIds: [first, second] });
  await pass(1000);
  expect(mended(stand)).toEqual([]);
  await stand.runtime.removals.undo(undoToken);
  await pass(1000);
  expect(mended(stand)).toMatchObject([{ message: text('2 messages', 'they were', '/api/orders') }]);
  await stand.runtime.removals.remove({ messageIds: [second] });
  await pass(15_000);
  expect(mended(stand)).toMatchObject([{ message: text('1 message', 'it was', '/api/orders') }]);
});

test('a message whose removal is undone while the others are counted is not forgotten', async () => {
  const { stand, ids } = await dropped(2);
  await listsNow(stand, '/api/orders');
  const { undoToken } = await stand.runtime.removals.remove({ messageIds: ids });
  let goOn = (): void => undefined;
  const held = new Promise<void>((go) => (goOn = go));
  const counting = vi.spyOn(stand.journal, 'test').mockImplementationOnce(async () => {
    await held;
    return new Set();
  });
  await stand.pass(1000);
  await stand.settle();
  expect(counting).toHaveBeenCalledTimes(1);
  await stand.runtime.removals.undo(undoToken);
  goOn();
  await stand.settle();
  await stand.pass(1000);
  await stand.settle();
  expect(mended(stand)).toMatchObject([{ message: text('2 messages', 'they were', '/api/orders') }]);
});

test('a count that ends after a newer one changes nothing', async () => {
  const { stand, ids } = await dropped(2);
  const goOn = heldCount(stand);
  await listsNow(stand, '/api/orders');
  await stand.runtime.removals.remove({ messageIds: ids.slice(0, 1) });
  await stand.pass(1000);
  await stand.settle();
  expect(mended(stand)).toMatchObject([{ message: text('1 message', 'it was', '/api/orders') }]);
  goOn();
  await stand.settle();
  expect(mended(stand)).toMatchObject([{ message: text('1 message', 'it was', '/api/orders') }]);
});

test('messages that stay hidden because their removal failed are not counted again and again', async () => {
  const { stand, ids } = await dropped(2);
  await listsNow(stand, '/api/orders');
  await stand.runtime.removals.remove({ messageIds: ids });
  vi.spyOn(stand.journal, 'rows').mockRejectedValueOnce(new Error('no room'));
  await stand.pass(15_000);
  await stand.settle();
  expect(stand.logged('error').at(-1)).toBe('Removing messages failed: no room');
  const counting = vi.spyOn(stand.journal, 'test');
  await stand.pass(60_000);
  expect(counting).not.toHaveBeenCalled();
  expect(mended(stand)).toEqual([]);
});

test('a list without the topic, and one whose new route is missing too, are not mended', async () => {
  const { stand } = await dropped(1);
  subscribe(stand, { topic: 'letters', route: '/letters' });
  await stand.runtime.rediscovery.ask('app');
  expect(mended(stand)).toEqual([]);
  await listsNow(stand, '/api/orders');
  stand.app.answerWith = () => 404;
  await stand.publish('orders');
  expect(mended(stand)).toEqual([]);
});

test('a message that a later route dropped too counts there', async () => {
  const { stand } = await dropped(1);
  await listsNow(stand, '/api/orders');
  stand.app.answerWith = () => 404;
  await stand.runtime.deliveryActions.reroute({ problem: { code: 'mended-route', ...AT } });
  await stand.settle();
  expect(mended(stand)).toEqual([]);
  stand.app.answerWith = () => 200;
  await stand.publish('orders');
  expect(mended(stand)).toMatchObject([
    { message: expect.stringContaining('answered 404 at /api/orders.') as string },
  ]);
});

test('an address where nothing answers, and one that still answers 404, mend no route', async () => {
  const { stand } = await dropped(2);
  const turnTo = async (url: string): Promise<void> => {
    stand.app.url = url;
    await stand.during(stand.runtime.rediscovery.ask('app'));
    await stand.settle();
  };
  stand.app.isOpen = false;
  await turnTo('http://app.test:7001');
  expect(mended(stand)).toEqual([]);
  stand.app.isOpen = true;
  stand.app.answerWith = () => 404;
  await turnTo('http://app.test:7002');
  expect(mended(stand)).toEqual([]);
  await stand.publish('orders');
  expect(mended(stand)).toEqual([]);
  await turnTo('http://app.test:7003');
  stand.app.answerWith = () => 200;
  await stand.publish('orders');
  expect(mended(stand)).toMatchObject([{ message: text('3 messages', 'they were', '/orders') }]);
  stand.app.isOpen = false;
  await turnTo('http://app.test:7004');
  expect(mended(stand)).toEqual([]);
});

test('a route of a list that another address gave is not mended', async () => {
  const { stand } = await dropped(1);
  await listsNow(stand, '/api/orders');
  expect(mended(stand)).toHaveLength(1);
  stand.app.url = 'http://app.test:7001';
  stand.app.isOpen = false;
  await stand.during(stand.runtime.rediscovery.ask('app'));
  expect(mended(stand)).toEqual([]);
});

test('messages that were removed before the route was mended are not counted', async () => {
  const { stand, ids } = await dropped(3);
  const [first = '', ...others] = ids;
  await stand.runtime.removals.remove({ messageIds: [first] });
  await listsNow(stand, '/api/orders');
  expect(mended(stand)).toMatchObject([{ message: text('2 messages', 'they were', '/api/orders') }]);
  expect(stand.logged('warn').filter((line) => line.startsWith('Reroute '))).toHaveLength(1);
  await stand.runtime.removals.removeAtOnce(others);
  await stand.pass(1000);
  expect(mended(stand)).toEqual([]);
});

test('messages that were all removed before are counted no longer, and the route is no news when it is mended', async () => {
  const { stand, ids } = await dropped(2);
  await stand.runtime.removals.removeAtOnce(ids);
  await stand.pass(1000);
  const tests = vi.spyOn(stand.journal, 'test');
  await listsNow(stand, '/api/orders');
  expect(mended(stand)).toEqual([]);
  expect(stand.logged('warn').filter((line) => line.startsWith('Reroute '))).toEqual([]);
  expect(tests).not.toHaveBeenCalled();
});
