/** What the reason of a delivery says about its route, by the subscriptions of now. */
import { expect, test } from 'vitest';
import { missingText } from '../../renderer/format/subscription.ts';
import { routeNowText } from '../../renderer/format/route-now.ts';

const ROW = { appId: 'shop', pubsubname: 'pubsub', topic: 'orders', rules: [], defaultPath: '/api/orders' };
const DELIVERY = {
  appId: 'shop',
  route: { path: '/orders' },
  state: 'parked',
  subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
} as const;
const OLD =
  'Its route /orders is of an earlier subscription: app shop takes this topic at /api/orders now. Replay it to send it there, or drop it.';

test.each(['queued', 'held', 'attempting', 'retrying', 'parked'] as const)(
  'an old route is said of a delivery that is %s',
  (state) => expect(routeNowText([ROW], { ...DELIVERY, state })).toBe(OLD),
);

test.each(['processed', 'dropped', 'expired', 'dead-lettered'] as const)(
  'an old route is not said of a delivery that is %s',
  (state) => expect(routeNowText([ROW], { ...DELIVERY, state })).toBeUndefined(),
);

test('a route that one of the rules still has is not old', () => {
  const rules = [{ match: 'event.type == "x"', path: '/orders' }];
  expect(routeNowText([{ ...ROW, rules }], DELIVERY)).toBeUndefined();
});

test('nothing is said without a subscription, of a stream, over gRPC, and of another app', () => {
  const { subscription } = DELIVERY;
  expect(routeNowText([], DELIVERY)).toBeUndefined();
  expect(routeNowText([{ ...ROW, appId: 'cart' }], DELIVERY)).toBeUndefined();
  expect(
    routeNowText([ROW], { ...DELIVERY, subscription: { ...subscription, source: 'streaming' } }),
  ).toBeUndefined();
  const settings = { protocol: 'grpc' } as const;
  expect(routeNowText([ROW], { ...DELIVERY, subscription: { ...subscription, settings } })).toBeUndefined();
});

test('a dropped delivery whose route the app does not serve says what is wrong', () => {
  const missingRoutes = [{ path: '/orders', answer: '404', times: 3 }];
  const row = { ...ROW, defaultPath: '/orders', missingRoutes };
  expect(routeNowText([row], { ...DELIVERY, state: 'dropped' })).toBe(
    'App shop has answered 404 at /orders each time so far: correct this route in the subscription or in the app, then replay it.',
  );
  expect(missingText(row)).toBe('The app answers 404 at /orders: 3 dropped.');
  expect(missingText({})).toBeUndefined();
});
