/** How far the subscriptions of a topic are behind, in the table of topics. */
import { expect, test } from 'vitest';
import { lagCell } from '../../renderer/format/lag.ts';
import { topicLags } from '../../renderer/format/topic-lag.ts';

const NOW = Date.parse('2026-03-01T10:00:12.400Z');
const lag = { unfinished: 30, oldestAt: '2026-03-01T10:00:00.000Z', inPerSecond: 2, outPerSecond: 5 };
const orders = {
  ...{ appId: 'shop', pubsubname: 'pubsub', topic: 'orders', counts: {}, lag },
  state: 'active' as const,
};
const later = { ...lag, unfinished: 6, oldestAt: '2026-03-01T10:00:10.000Z' };

test('a topic with one subscription says what the subscription says', () => {
  expect(topicLags([orders])(orders)(NOW)).toBe(lagCell(orders, NOW));
  expect(lagCell(orders, NOW)).toBe(
    '30 unfinished, oldest 12\u00A0s, done in about 10\u00A0s · 2.0/s in, 5.0/s out',
  );
});

test('the subscriptions of several apps are added, and the oldest delivery of all counts', () => {
  const mail = { ...orders, appId: 'mail', lag: later, counts: { parked: 2 } };
  expect(topicLags([mail, orders])(orders)(NOW)).toBe(
    '36 unfinished, oldest 12\u00A0s, done in about 6\u00A0s · 2 parked · 4.0/s in, 10/s out',
  );
});

test('what is held in one of the subscriptions is left out of the end of all', () => {
  const mail = { ...orders, appId: 'mail', lag: { ...later, held: 6 } };
  expect(topicLags([mail, orders])(orders)(NOW)).toMatch(
    /^36 unfinished, .*, 6 held, the others done in about 5\u00A0s · /,
  );
});

test('two subscriptions of one app to one topic are counted once, because they share their deliveries', () => {
  expect(topicLags([orders, orders])(orders)(NOW)).toBe(lagCell(orders, NOW));
});

test('what is parked is told also where a missing route leaves no backlog', () => {
  const idle = { unfinished: 0, inPerSecond: 0, outPerSecond: 0 };
  const missingRoutes = [{ path: '/orders', answer: '404', times: 2 }];
  const dropping = { ...orders, lag: idle, missingRoutes };
  const mail = { ...orders, appId: 'mail', lag: idle, counts: { parked: 3 } };
  expect(lagCell(dropping, NOW)).toBe('route not served');
  expect(lagCell({ ...dropping, counts: { parked: 5 } }, NOW)).toBe('route not served · 5 parked');
  expect(topicLags([dropping, mail])(orders)(NOW)).toBe('route not served · 3 parked');
});

test('a topic without a subscription, or to which nothing was delivered, has no lag', () => {
  const { lag: _lag, ...silent } = orders;
  expect(topicLags([orders])({ pubsubname: 'pubsub', topic: 'stock' })(NOW)).toBe('no known subscription');
  expect(topicLags([orders])({ pubsubname: 'other', topic: 'orders' })(NOW)).toBe('no known subscription');
  expect(topicLags([silent])(orders)(NOW)).toBe('no deliveries');
});

test('a subscription that is not active is none of its topic', () => {
  const { lag: _lag, ...silent } = orders;
  const inert = { ...silent, state: 'inert' as const };
  expect(topicLags([inert, { ...inert, topic: 'ord*' }])(orders)(NOW)).toBe('no known subscription');
  expect(topicLags([{ ...inert, appId: 'mail' }, orders])(orders)(NOW)).toBe(lagCell(orders, NOW));
});

test('a subscription to many topics names its pattern, because its figures are of all of them', () => {
  const wide = { ...orders, topic: 'ord*', lag: later };
  expect(topicLags([wide])(orders)(NOW)).toMatch(/^6 unfinished, .* \(all topics of ord\*\)$/);
  expect(topicLags([wide, orders])(orders)(NOW)).toMatch(/^30 unfinished.* · 6 unfinished.*ord\*\)$/);
});
