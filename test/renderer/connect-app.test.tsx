/** The first screen of a run whose app has an address from a flag: how the app is, in words. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { AppRow, SubscriptionRow } from '../../core/contract/subscription.ts';
import { discoveryText } from '../../renderer/format/discovery.ts';
import { ConnectApp } from '../../renderer/views/messages/ConnectApp.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';

const URL = 'http://127.0.0.1:8080';
const AT = '2026-01-01T10:20:30.000Z';
const ORDERS: SubscriptionRow = {
  appId: 'app',
  pubsubname: 'pubsub',
  topic: 'orders',
  source: 'programmatic',
  rules: [],
  defaultPath: '/',
  metadata: {},
  rawPayload: false,
  state: 'active',
  counts: {},
};

function appRow(channel: AppRow['channel'], discovery: Partial<AppRow['discovery']>): AppRow {
  return {
    appId: 'app',
    sidecar: 'http://127.0.0.1:3500',
    app: URL,
    protocol: 'http',
    mock: false,
    channel,
    healthy: true,
    discovery: {
      state: 'waiting',
      url: `${URL}/sidecar/subscribe`,
      at: AT,
      status: 200,
      count: 0,
      ...discovery,
    },
    problems: [],
  };
}

test('an app whose address was just entered is told about below the field, and a mock app is not', () => {
  const mockUrl = 'http://127.0.0.1:6001';
  const own = { ...appRow('answering', { state: 'done', count: 1 }), mockUrl };
  expect(said(own, [ORDERS])).toContain(`app at ${URL} answers and subscribes to orders.`);
  const wrong = { ...appRow('unknown', {}), mockUrl };
  expect(said(wrong)).toContain(`app at ${URL} does not answer yet. Sidelight keeps trying.`);
  expect(said({ ...own, mock: true }, [ORDERS])).not.toContain('answers and subscribes');
});

function said(app: AppRow, subscriptions: readonly SubscriptionRow[] = []): string {
  const settings = known({ items: [{ key: 'app.address' }] });
  const topology = { apps: known({ items: [app] }), subscriptions: known({ items: subscriptions }) };
  const connection = createStore(() => ({ link: { status: 'open' } }));
  return wordsOf(drawn(<ConnectApp />, { settings, topology, connection }));
}

const FAILED = { state: 'failed', status: 500, error: 'The app answered 500: no database' } as const;

test.each<[string, AppRow, readonly SubscriptionRow[], string]>([
  ['not there yet', appRow('unknown', {}), [], 'does not answer yet. Sidelight keeps trying.'],
  ['gone', appRow('not-reachable', { state: 'done' }), [ORDERS], 'does not answer now.'],
  ['being asked', appRow('answering', { state: 'asking' }), [], 'for its subscriptions.'],
  [
    'asked in vain',
    appRow('answering', FAILED),
    [],
    'answers, but its subscriptions could not be read: The app answered 500: no database',
  ],
  ['without a wish', appRow('answering', { state: 'done' }), [], 'answers and subscribes to nothing.'],
  ['ready', appRow('answering', { state: 'done' }), [ORDERS], 'answers and subscribes to orders.'],
])('an app that is %s is described in words', (_, app, subscriptions, words) => {
  expect(said(app, subscriptions)).toContain(`app at ${URL} ${words}`);
});

test('an app that subscribes to nothing is told about with the reason, if that is known', () => {
  const url = `${URL}/orders/sidecar/subscribe`;
  expect(said(appRow('answering', { state: 'done', status: 404, url }))).toContain(
    `The app declares no subscriptions: it answers 404 to GET ${url}. Sidelight puts the path /orders of its address before every route.`,
  );
  const problem = { code: 'unusable-subscription', message: 'Subscription 1 (orders): no route.' };
  const wrong = { ...appRow('answering', { state: 'done', unused: 1 }), problems: [problem] };
  expect(said(wrong)).toContain(
    'The subscription list of the app has a mistake: Subscription 1 (orders): no route.',
  );
  expect(said(wrong, [ORDERS])).toContain('answers and subscribes to orders.');
});

test('an app that speaks another profile is told about with that alone', () => {
  const message = 'The app speaks profile dapr: it answers GET /dapr/subscribe and not /sidecar/subscribe.';
  const problem = { code: 'other-profile', message, severity: 'error' } as const;
  const app = { ...appRow('answering', { state: 'done', status: 404 }), problems: [problem] };
  expect(said(app)).toContain(message);
  expect(said(app)).not.toContain('declares no subscriptions');
});

test('an unused subscription is not counted as one', () => {
  const unused = { ...ORDERS, state: 'inactive' } as unknown as SubscriptionRow;
  expect(said(appRow('answering', { state: 'done' }), [unused])).toContain('subscribes to nothing.');
});

test.each<[Partial<AppRow['discovery']>, string]>([
  [{ state: 'waiting' }, "Can't reach the app on port 8080; retrying."],
  [{ state: 'asking' }, `Asking ${URL}/sidecar/subscribe for subscriptions.`],
  [FAILED, `Discovery failed: 500 from ${URL}/sidecar/subscribe.`],
  [
    { state: 'failed', error: 'it closed the connection.' },
    `Discovery failed: it closed the connection from ${URL}/sidecar/subscribe.`,
  ],
  [{ state: 'done', status: 200, count: 1 }, `from ${URL}/sidecar/subscribe: 200, 1 subscription`],
])('the Subscriptions screen has the outcome of a discovery that is %j', (discovery, words) => {
  expect(discoveryText(appRow('answering', discovery).discovery)).toContain(words);
});
