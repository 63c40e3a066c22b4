/** The Route tab explains by the current rules: it says where the message took another route. */
import { expect, test } from 'vitest';
import type { RouteExplanation } from '../../core/contract/console.ts';
import {
  inOrderFor,
  noRoute,
  routeNote,
  isTaken,
  routeRows,
  routeSentence,
  routeThen,
} from '../../renderer/components/detail/RouteTab.tsx';

const SUBSCRIPTION = { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' as const };
const explains = (path?: string, appId = 'app') => ({
  ...SUBSCRIPTION,
  appId,
  ...(path === undefined ? {} : { path }),
});
const went = (path: string, state: 'processed' | 'parked' | 'queued' = 'processed') => ({
  appId: 'app',
  subscription: SUBSCRIPTION,
  route: { path },
  state,
});

test('a message that went where the current rules would send it needs no note', () => {
  expect(routeNote({ deliveries: [went('/a')] }, explains('/a'), false)).toBeUndefined();
  expect(routeNote({ deliveries: [went('', 'parked')] }, explains(), false)).toBeUndefined();
  expect(routeNote({ deliveries: [], stage: 'waiting' }, explains('/a'), false)).toBeUndefined();
  expect(routeNote({ deliveries: [], stage: 'dropped' }, explains('/a'), false)).toMatch(
    /a replay would take/,
  );
});

test('a message that took another route is not explained by rules that came later', () => {
  expect(routeNote({ deliveries: [went('/a')] }, explains('/b'), false)).toBe(
    'This message went to /a. The current rules choose differently:',
  );
  expect(routeNote({ deliveries: [went('', 'parked')] }, explains('/b'), false)).toBe(
    'This message got no route. The current rules choose one:',
  );
  expect(routeNote({ deliveries: [went('', 'queued')] }, explains('/b'), false)).toBeUndefined();
});

test('a recording has no rules, so its tab says whose rules it shows', () => {
  expect(routeNote({ deliveries: [went('/a')] }, explains('/a'), true)).toBe(
    'The recording has the route /a. These are the current rules of this session:',
  );
  expect(routeNote({ deliveries: [] }, explains('/a'), true)).toBe(
    'The recording has no rules. These are the current rules of this session:',
  );
});

test('the explanation of the chosen delivery comes first', () => {
  const all = [explains('/a', 'other'), explains('/a')];
  expect(inOrderFor(went('/a'), all).map(({ appId }) => appId)).toEqual(['app', 'other']);
  expect(inOrderFor(undefined, all)).toBe(all);
});

test('a delivery that waits for its subscription is not said to have no subscription', () => {
  const message = { topic: 'orders' };
  const waits = {
    appId: 'mail',
    state: 'queued',
    route: { path: '/orders' },
    waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
  } as const;
  expect(noRoute(message, waits)).toBe(
    'Waiting for app mail to subscribe to orders again. The delivery keeps its route /orders.',
  );
  expect(noRoute(message, { ...waits, route: { path: '' } })).toBe(
    'Waiting for app mail to subscribe to orders again. The route is chosen then.',
  );
  expect(noRoute(message, undefined)).toBe('No subscription for topic orders.');
  expect(noRoute({ ...message, stage: 'waiting' }, undefined)).toBe('The route is not known yet.');
});

test('a subscription that is not used takes no event, and its reason is said', () => {
  const explanation = {
    ...explains('/orders'),
    raw: false,
    bulk: false,
    rules: [],
    default: { path: '/orders', chosen: true },
  };
  const sentence = 'There are no rules: every event takes the default route /orders.';
  expect(routeSentence(explanation)).toBe(sentence);
  expect(routeSentence({ ...explanation, unused: 'Shop is only for billing.' })).toBe(
    `This subscription is not used: Shop is only for billing. If it were used: ${sentence}`,
  );
});

test('a message that no app got took no route: the rules say what a replay would take', () => {
  const unused = { ...explains('/a'), unused: 'Shop is only for billing.' };
  expect(routeNote({ deliveries: [] }, unused, false)).toBeUndefined();
  expect(routeNote({ deliveries: [], expectedBy: ['shop'] }, explains('/a'), false)).toBeUndefined();
  expect(routeNote({ deliveries: [] }, explains('/a'), false)).toBe(
    'No app here got this message. This is the route that a replay would take now:',
  );
});

test('the table of a subscription that is not used says what would be chosen, and marks nothing as chosen', () => {
  const rule = { index: 0, match: '', path: '/vip', value: 'true', chosen: true } as const;
  const explanation = { ...explains('/vip'), raw: false, bulk: false, rules: [rule] };
  const byDefault = { ...explanation, rules: [], default: { path: '/orders', chosen: true } };
  const said = (of: RouteExplanation, taken = true): readonly unknown[] =>
    routeRows(of, taken).map(({ isChosen, cells }) => [isChosen, cells[2], cells.at(-1)]);
  expect(said(explanation)).toEqual([[true, 'true', 'chosen']]);
  expect(said(byDefault)).toEqual([[true, 'used', 'chosen']]);
  // A message without a delivery, one that was dropped at publish for example, has no chosen route.
  expect(said(explanation, false)).toEqual([[false, 'true', 'would be chosen']]);
  expect(isTaken({ deliveries: [] }, explanation)).toBe(false);
  expect(isTaken({ deliveries: [went('/vip')] }, explanation)).toBe(true);
  expect(isTaken({ deliveries: [went('/old')] }, explanation)).toBe(false);
  const unused = 'Shop is only for billing.';
  expect(said({ ...explanation, unused })).toEqual([[false, 'true', 'would be chosen']]);
  expect(said({ ...byDefault, unused })).toEqual([[false, 'would be used', 'would be chosen']]);
});

test('a delivery keeps which rule chose its route when the app no longer subscribes', () => {
  const by = (
    route: { path: string; rule?: { match: string; index: number } },
    rule?: 'policy.no-route',
  ) => ({
    ...went(route.path),
    route,
    transitions: rule === undefined ? [] : [{ rule }],
  });
  const match = 'event.data.total < 10';
  const small = by({ path: '/small', rule: { match, index: 1 } });
  const said = `Rule 2 \`${match}\` matched: route /small.`;
  expect(routeThen({}, small, [])).toBe(said);
  expect(routeThen({ stage: 'waiting' }, small, [])).toBe(said);
  expect(routeThen({}, small, [explains('/a', 'other')])).toBe(said);
  expect(routeThen({}, small, [explains('/a')])).toBeUndefined();
  expect(routeThen({}, by({ path: '/orders' }), [])).toBe('The default route /orders was taken.');
  expect(routeThen({}, by({ path: '' }, 'policy.no-route'), [])).toBe(
    'No rule matched and the subscription had no default route.',
  );
  expect(routeThen({}, by({ path: '' }), [])).toBe('No route was chosen.');
  expect(routeThen({ tap: 'shop' }, small, [])).toBeUndefined();
  expect(routeNote({ deliveries: [small] }, explains('/b'), false)).toBe(
    `This message went to /small by rule 2 \`${match}\`. The current rules choose differently:`,
  );
});

test('a route that is still to be chosen is not said to be none', () => {
  const queued = { ...went('', 'queued'), transitions: [] };
  expect(routeThen({}, queued, [])).toBeUndefined();
  expect(noRoute({ topic: 'orders' }, queued)).toBe('The route is not known yet.');
});
