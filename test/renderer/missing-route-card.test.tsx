/** The card of an app that does not serve a route: the problem, what helps, and no "up to date". */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { AppRow, SubscriptionRow } from '../../core/contract/subscription.ts';
import { AppCard } from '../../renderer/views/apps/AppCard.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';

const APP: AppRow = {
  appId: 'shop',
  sidecar: 'http://127.0.0.1:3500',
  app: 'http://127.0.0.1:9',
  addressFrom: '--app-port',
  protocol: 'http',
  mock: false,
  channel: 'answering',
  healthy: true,
  discovery: { state: 'done', url: 'http://127.0.0.1:9/dapr/subscribe', count: 1 },
  problems: [],
};

const ROW = {
  appId: 'shop',
  pubsubname: 'pubsub',
  topic: 'orders',
  source: 'programmatic',
  state: 'active',
  rules: [],
  metadata: {},
  rawPayload: false,
  counts: {},
  lag: { unfinished: 0, inPerSecond: 0, outPerSecond: 0 },
} as unknown as SubscriptionRow;

function card(app: AppRow, row: SubscriptionRow): string {
  const parts = {
    settings: known({ items: [] }),
    connection: createStore(() => ({ link: { status: 'open' }, openings: 1 })),
    navigation: { store: createStore(() => ({ path: '/apps', search: '' })), again: createStore(() => 0) },
    commands: { open: () => undefined },
  };
  return drawn(<AppCard app={app} process={undefined} subscriptions={[row]} />, parts);
}

test('a route that is answered 404 is said in its place, with the problem and what helps', () => {
  const missingRoutes = [{ path: '/orders', answer: '404', times: 3 }];
  const problem = {
    code: 'missing-route',
    message: 'App shop answers 404 at /orders.',
    filter: 'route:/orders',
    deliveries: { appId: 'shop', pubsubname: 'pubsub', topic: 'orders', path: '/orders' },
  };
  const html = card({ ...APP, problems: [problem] }, { ...ROW, missingRoutes });
  const words = wordsOf(html);
  expect(words).toContain('orders of pubsub · 404 at /orders: 3 dropped');
  expect(words).not.toContain('up to date');
  expect(words).toContain('App shop answers 404 at /orders. Reroute them Show them');
  expect(html).toContain('href="/messages?f=route%3A%2Forders"');
});

test('what gave the address is named beside it', () => {
  const { lag: _lag, ...quiet } = ROW;
  expect(wordsOf(card(APP, quiet))).toContain('http://127.0.0.1:9 · set by --app-port · answering');
});
