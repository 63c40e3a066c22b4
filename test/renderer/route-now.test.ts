/** What the reason of a delivery says about its route: what the host says of the routes of now. */
import { expect, test } from 'vitest';
import { missingText } from '../../renderer/format/subscription.ts';
import type { RuleId } from '../../core/contract/delivery.ts';
import { transitionBy } from './samples.ts';
import { routeNowText } from '../../renderer/format/route-now.ts';

const ROW = { appId: 'shop', pubsubname: 'pubsub', topic: 'orders' };
const TAKES = { ...ROW, source: 'programmatic', state: 'active', rules: [], defaultPath: '/orders' } as const;
const PROBLEM = {
  code: 'old-route',
  message: '',
  deliveries: { ...ROW, path: '/orders' },
  pathsNow: 'at /api/orders, /b and 3 more',
};
const DELIVERY = {
  appId: 'shop',
  route: { path: '/orders' },
  state: 'parked',
  transitions: [],
  subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
} as const;
const NOW = { apps: [{ problems: [PROBLEM] }], subscriptions: [] };
const OLD =
  'Reroute it: app shop now takes this topic at /api/orders, /b and 3 more. The delivery keeps the route /orders of an earlier subscription.';

test.each(['queued', 'held', 'attempting', 'retrying', 'parked'] as const)(
  'an old route is said of a delivery that is %s',
  (state) => expect(routeNowText(NOW, { ...DELIVERY, state })).toBe(OLD),
);

test.each(['processed', 'dropped', 'expired', 'dead-lettered'] as const)(
  'an old route is not said of a delivery that is %s',
  (state) => expect(routeNowText(NOW, { ...DELIVERY, state })).toBeUndefined(),
);

test('nothing is said where the host names no old route, as of an app that speaks gRPC now or was not asked', () => {
  expect(routeNowText({ apps: [{ problems: [] }], subscriptions: [] }, DELIVERY)).toBeUndefined();
  const gone = { ...PROBLEM, code: 'old-subscription' };
  expect(routeNowText({ apps: [{ problems: [gone] }], subscriptions: [] }, DELIVERY)).toBeUndefined();
});

test('nothing is said of another route, another subscription, another app, and of a stream', () => {
  const { subscription } = DELIVERY;
  expect(routeNowText(NOW, { ...DELIVERY, route: { path: '/other' } })).toBeUndefined();
  expect(routeNowText(NOW, { ...DELIVERY, appId: 'cart' })).toBeUndefined();
  for (const other of [{ topic: 'letters' }, { pubsubname: 'p' }, { source: 'streaming' }] as const)
    expect(routeNowText(NOW, { ...DELIVERY, subscription: { ...subscription, ...other } })).toBeUndefined();
});

test('a dropped delivery whose route the app does not serve says what is wrong', () => {
  const missingRoutes = [{ path: '/orders', answer: '404', times: 3 }];
  const subscriptions = [{ ...TAKES, missingRoutes }];
  const dropped = (rule: RuleId) => ({
    ...DELIVERY,
    state: 'dropped' as const,
    transitions: [transitionBy(rule, 'dropped')],
  });
  expect(routeNowText({ apps: [], subscriptions }, dropped('user.drop'))).toBeUndefined();
  expect(routeNowText({ apps: [], subscriptions }, dropped('single.404'))).toBe(
    'App shop has always answered 404 at /orders. Serve this route or correct it in the subscription, then choose More, Reroute.',
  );
  expect(missingText({ missingRoutes })).toBe('The app answers 404 at /orders: 3 dropped.');
  expect(missingText({})).toBeUndefined();
});

test('a dropped delivery with a route that its subscription no longer has says where the app takes the topic', () => {
  const dropped = {
    ...DELIVERY,
    state: 'dropped' as const,
    transitions: [transitionBy('single.404', 'dropped')],
  };
  const said = (more: object): string | undefined =>
    routeNowText({ apps: [], subscriptions: [{ ...TAKES, defaultPath: '/order', ...more }] }, dropped);
  expect(said({})).toBe(
    'Reroute it: app shop now takes this topic at /order. The delivery keeps the route /orders of an earlier subscription.',
  );
  expect(said({ rules: [{ match: '', path: '/orders' }] })).toBeUndefined();
  for (const other of [
    { appId: 'cart' },
    { topic: 'letters' },
    { state: 'invalid' },
    { source: 'streaming' },
  ])
    expect(said(other)).toBeUndefined();
});
