/** An app that answers 404 at a route of its subscription: a problem that is said once, counted, and gone when the route answers. */
import { expect, test } from 'vitest';
import { appBanners } from '../../core/host/app-banners.ts';
import { NO_ROUTE_AT_APP } from '../../core/contract/delivery.ts';
import type { RuleId } from '../../core/contract/delivery.ts';
import type { Subscription } from '../../core/contract/subscription.ts';
import { RouteAnswers } from '../../core/runtime/state/route-answers.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const RULES = NO_ROUTE_AT_APP.join(',');

function problems(stand: Stand): readonly object[] {
  return stand.runtime.topology.apps().flatMap((app) => app.problems);
}

function lines(stand: Stand): readonly string[] {
  return stand.lines.filter(({ part }) => part === 'subscriptions').map(({ text }) => text);
}

const ONE =
  'The app answers 404 at /orders, the route of its subscription to orders of pubsub. 1 message was dropped. Serve this route in the app, or correct it in the list that the app gives at http://app.test:6001/sidecar/subscribe. Then reroute what was dropped.';

const MENDED =
  'Reroute 1 message of topic orders (pubsub): it was dropped because the app answered 404 at /orders. The app now takes this topic at /orders.';

test('the first 404 of a route is one line of the log and a banner, which counts the next ones', async () => {
  const stand = await started();
  stand.app.next.push(404, 404, 404);
  await stand.publish('orders');
  const banners = appBanners(() => stand.runtime.topology.problems());
  expect(lines(stand)).toEqual([ONE]);
  expect(banners()).toEqual([
    {
      id: 'app-1',
      appId: 'app',
      level: 'error',
      text: ONE,
      filter: `app:app pubsub:pubsub topic:orders route:/orders lastrule:${RULES}`,
    },
  ]);
  await stand.publish('orders');
  await stand.publish('orders');
  expect(lines(stand)).toHaveLength(1);
  // The number grows, and a banner that a person dismissed stays away.
  expect(banners()).toMatchObject([{ id: 'app-1', text: ONE.replace('1 message was', '3 messages were') }]);
  expect(stand.runtime.topology.subscriptions()).toMatchObject([
    { topic: 'orders', missingRoutes: [{ path: '/orders', answer: '404', times: 3 }] },
  ]);
});

test('an app that drops a message by its answer serves its route', async () => {
  const stand = await started();
  stand.app.next.push('DROP');
  await stand.publish('orders');
  expect(problems(stand)).toEqual([]);
});

test('over gRPC an app without a handler says UNIMPLEMENTED, and has no path', async () => {
  const stand = await started({}, (it) => {
    it.app.protocol = 'grpc';
    it.app.subscriptions = [{ pubsub_name: 'pubsub', topic: 'orders' }];
  });
  stand.app.next.push(12);
  await stand.publish('orders');
  expect(problems(stand)).toMatchObject([
    {
      message: expect.stringContaining(
        'answers UNIMPLEMENTED to events of its subscription to orders of pubsub',
      ) as string,
    },
  ]);
});

test('the problem goes when the route answers otherwise, and a later 404 is the answer of an app that serves it', async () => {
  const stand = await started();
  stand.app.next.push(404, 503, 404);
  await stand.publish('orders');
  expect(problems(stand)).toHaveLength(1);
  await stand.publish('orders');
  expect(problems(stand)).toMatchObject([{ code: 'mended-route', message: MENDED }]);
  expect(lines(stand)).toEqual([ONE, 'The app answers 503 at /orders now.', MENDED]);
  await stand.publish('orders');
  expect(problems(stand)).toHaveLength(1);
});

test('the problem stays while an app that is asked again gives the same subscription', async () => {
  const stand = await started();
  stand.app.next.push(404, 404);
  await stand.publish('orders');
  const banners = appBanners(() => stand.runtime.topology.problems());
  const [before] = banners();
  await stand.runtime.rediscovery.ask('app');
  expect(problems(stand)).toMatchObject([{ code: 'missing-route', message: ONE }]);
  // A banner that a person dismissed stays away.
  expect(banners()).toEqual([before]);
  await stand.publish('orders');
  expect(stand.runtime.topology.subscriptions()).toMatchObject([{ missingRoutes: [{ times: 2 }] }]);
  await stand.publish('orders');
  expect(problems(stand)).toMatchObject([{ code: 'mended-route' }]);
});

test('the problem goes with the subscription, or with its route', async () => {
  for (const now of [[], [{ pubsubname: 'pubsub', topic: 'orders', route: '/new' }]]) {
    const stand = await started();
    stand.app.next.push(404);
    await stand.publish('orders');
    stand.app.subscriptions = now;
    await stand.runtime.rediscovery.ask('app');
    expect(problems(stand).filter((one) => 'code' in one && one.code === 'missing-route')).toEqual([]);
  }
});

test('a route that is gone with its subscription is no longer missing, also when it is back and serves', () => {
  const answers = new RouteAnswers();
  const subscription: Subscription = {
    appId: 'app',
    pubsubname: 'pubsub',
    topic: 'orders',
    source: 'declarative',
    rules: [],
    defaultPath: '/orders',
    metadata: {},
    rawPayload: false,
  };
  const counted = { pubsubname: 'pubsub', topic: 'orders', lane: 'a' };
  const note = (rule: RuleId): void =>
    void answers.note({ counted, route: { path: '/orders' }, subscription }, rule, '404');
  note(NO_ROUTE_AT_APP[0]);
  expect(answers.isMissingNow('a', '/orders')).toBe(true);
  answers.keepOnly([subscription]);
  expect(answers.isMissingNow('a', '/orders')).toBe(true);
  answers.keepOnly([]);
  expect(answers.isMissingNow('a', '/orders')).toBe(false);
  note('single.2xx.empty');
  expect(answers.isMissingNow('a', '/orders')).toBe(false);
});

test('a route that answered before may be missing in an app that is asked again', async () => {
  const stand = await started();
  await stand.publish('orders');
  await stand.runtime.rediscovery.ask('app');
  stand.app.next.push(404);
  await stand.publish('orders');
  expect(problems(stand)).toMatchObject([{ code: 'missing-route', message: ONE }]);
});

test('a call from before a discovery says nothing about the routes of now', async () => {
  const stand = await started();
  stand.app.next.push('hang');
  await stand.publish('orders');
  await stand.runtime.rediscovery.ask('app');
  stand.app.calls.at(-1)?.answer(404);
  await stand.settle();
  expect(problems(stand)).toEqual([]);
});

test('a call that never reaches the app says nothing about its routes', async () => {
  const stand = await started();
  stand.app.next.push('refused', 'reset');
  await stand.publish('orders');
  await stand.publish('orders');
  expect(problems(stand).filter((one) => 'code' in one && one.code === 'missing-route')).toEqual([]);
});

test('under release 1.18 the copy on the dead-letter topic is named', async () => {
  const stand = await started({ profile: 'dapr-1.18' }, (it) =>
    subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'dead' }),
  );
  stand.app.next.push(404);
  await stand.publish('orders');
  await stand.settle();
  expect(problems(stand)).toMatchObject([
    {
      message: expect.stringContaining('1 message was dropped, with a copy on dead.') as string,
    },
  ]);
});

test('each entry of a batch that is answered 404 counts', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, {
      topic: 'orders',
      route: '/orders',
      bulkSubscribe: { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 1000 },
    }),
  );
  stand.app.next.push(404);
  await stand.publish('orders');
  await stand.publish('orders');
  await stand.pass(1000);
  expect(stand.runtime.topology.subscriptions()).toMatchObject([{ missingRoutes: [{ times: 2 }] }]);
});

test('clients are told when it begins, and once a second while the number grows', async () => {
  const stand = await started();
  const told = (): number => stand.events.filter(({ type }) => type === 'topology.changed').length;
  stand.app.next.push(...Array.from({ length: 5 }, () => 404));
  const before = told();
  await stand.publish('orders');
  expect(told() - before).toBe(1);
  for (let i = 0; i < 4; i += 1) await stand.publish('orders');
  expect(told() - before).toBe(1);
  await stand.pass(1000);
  expect(told() - before).toBe(2);
});
