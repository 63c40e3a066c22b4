/** The colour of an app, and the processes that the Apps screen follows. */
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { SubscriptionRow } from '../../core/contract/subscription.ts';
import { appColour } from '../../renderer/format/app-colour.ts';
import {
  discoveryOf,
  firstSubscriptions,
  isFromBefore,
  reportedBeforeText,
} from '../../renderer/views/apps/AppCard.tsx';
import { AppsView } from '../../renderer/views/apps/AppsView.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';

test('each of a few apps has a colour that no other has, whatever its name and however many instances it has', () => {
  const ids = ['app-0', 'app-0', 'app-6', 'shop', 'billing', 'mail', 'audit'];
  expect(ids.map((id) => appColour(id, ids))).toEqual([0, 0, 1, 2, 3, 4, 5]);
});

test('an app has one colour, and many apps share few', () => {
  const ids = Array.from({ length: 100 }, (_, i) => `app-${i}`);
  const colours = ids.map((id) => appColour(id, []));
  expect(ids.map((id) => appColour(id, []))).toEqual(colours);
  expect([...new Set(colours)].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a card with many subscriptions shows a few, those that are behind first; a few are all shown', () => {
  const row = (n: number, more: object = {}): SubscriptionRow =>
    ({ appId: 'app', pubsubname: 'pubsub', topic: `t${n}`, counts: {}, ...more }) as SubscriptionRow;
  const many = Array.from({ length: 42 }, (_, n) =>
    row(
      n,
      n === 40
        ? { lag: { unfinished: 3, inPerSecond: 0, outPerSecond: 0 } }
        : n === 41
          ? { counts: { parked: 1 } }
          : {},
    ),
  );
  expect(firstSubscriptions(many).map(({ topic }) => topic)).toEqual([
    't40',
    't41',
    't0',
    't1',
    't2',
    't3',
    't4',
    't5',
  ]);
  expect(firstSubscriptions(many.slice(0, 9))).toHaveLength(9);
});

test('an app that nobody answers for is not said to be unasked only', () => {
  const url = 'http://127.0.0.1:8080/sidecar/subscribe';
  const of = (more: object): string =>
    discoveryOf({ discovery: { state: 'waiting', url, count: 0, ...more } });
  expect(of({})).toBe('cannot be reached; Sidelight keeps trying');
  expect(of({ error: 'Its component is not ready.' })).toBe('not asked yet: Its component is not ready');
});

test('an app whose answer has no list, or subscriptions that cannot be used, is not said to be just done', () => {
  const url = 'http://127.0.0.1:8080/orders/sidecar/subscribe';
  const of = (more: object): string => discoveryOf({ discovery: { state: 'done', url, count: 0, ...more } });
  expect(of({ status: 200 })).toBe('done, 0 subscriptions, asked at –');
  expect(of({ status: 200, unused: 2 })).toBe('done, 0 subscriptions, 2 not usable, asked at –');
  expect(of({ status: 404 })).toBe(
    `The app declares no subscriptions: it answers 404 to GET ${url}. Sidelight puts the path /orders of its address before every route. The app gets messages only by subscriptions in files. Asked at –.`,
  );
});

test('subscriptions that another app reported are not up to date at a new address', () => {
  const discovery = { url: 'http://127.0.0.1:8080/sidecar/subscribe', count: 0 };
  const at = (state: 'waiting' | 'asking' | 'done' | 'failed', channel: 'answering' | 'not-reachable') => ({
    channel,
    discovery: { ...discovery, state },
  });
  const reported = { source: 'programmatic' } as const;
  expect(isFromBefore(at('failed', 'not-reachable'), reported)).toBe(true);
  expect(isFromBefore(at('waiting', 'not-reachable'), reported)).toBe(true);
  expect(isFromBefore(at('asking', 'not-reachable'), reported)).toBe(true);
  expect(isFromBefore(at('asking', 'answering'), reported)).toBe(false);
  expect(isFromBefore(at('done', 'answering'), reported)).toBe(false);
  expect(isFromBefore(at('failed', 'not-reachable'), { source: 'declarative' })).toBe(false);
});

test('subscriptions from before are replaced when an app that answers reports its own', () => {
  expect(reportedBeforeText({ channel: 'not-reachable' })).toMatch(/when the app answers at this address\.$/);
  expect(reportedBeforeText({ channel: 'answering' })).toMatch(/when the app reports its subscriptions\.$/);
});

test('the screen says how Sidelight starts apps, and a card has the button of another discovery', () => {
  const url = 'http://127.0.0.1:6001';
  const app = {
    appId: 'app',
    sidecar: 'http://127.0.0.1:3500',
    app: url,
    mock: true,
    channel: 'answering',
    discovery: { state: 'done', url: `${url}/sidecar/subscribe`, count: 0 },
    problems: [],
  };
  const none = known({ items: [] });
  const words = wordsOf(
    drawn(createElement(AppsView), {
      topology: { apps: known({ items: [app] }), subscriptions: none, taps: none },
      processes: { list: none },
      settings: none,
      connection: createStore(() => ({ link: { status: 'open' } })),
      navigation: { store: createStore(() => ({ path: '/apps', search: '' })) },
    }),
  );
  expect(words).toContain('Sidelight can also start your apps.');
  expect(words).toContain('Discover again');
});

test('a card has Restart and Stop while the command of its run is live, and Start once a person stopped it', () => {
  const app = {
    appId: 'shop',
    sidecar: 'http://127.0.0.1:3500',
    mock: false,
    channel: 'none',
    discovery: { state: 'waiting', url: '', count: 0 },
    problems: [],
  };
  const none = known({ items: [] });
  const of = (process: object, status = 'open'): string =>
    drawn(createElement(AppsView), {
      topology: { apps: known({ items: [app] }), subscriptions: none, taps: none },
      processes: {
        list: known({
          items: [{ appId: 'shop', command: ['node', 'app.mjs'], restarts: 0, endsRun: true, ...process }],
        }),
        linesOf: () => none,
      },
      settings: none,
      connection: createStore(() => ({ link: { status } })),
      navigation: { store: createStore(() => ({ path: '/apps', search: '' })) },
    });
  const live = of({ state: 'running', pid: 17, startedAt: '2026-01-01T10:20:30.000Z' });
  expect(live).toContain('aria-label="Restart shop"');
  expect(live).toContain('aria-label="Stop shop"');
  expect(live).not.toContain('aria-label="Start shop"');
  expect(wordsOf(live)).toContain('node app.mjs');
  const stopped = of({ state: 'exited', reason: 'stopped by a person' });
  expect(stopped).toContain('aria-label="Start shop"');
  expect(stopped).not.toMatch(/aria-label="(Restart|Stop) shop"/);
  expect(wordsOf(stopped)).toContain('stopped by a person');
});
