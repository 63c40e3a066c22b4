/** Apps as the screens name them: one entry per id, and what the app's own probe said. */
import { expect, test } from 'vitest';
import type { AppProbe, AppRow } from '../../core/contract/subscription.ts';
import {
  appStanding,
  areAllMocks,
  channelOf,
  culprits,
  instanceKey,
  kindOf,
  lastProbe,
  oncePerId,
  probeWord,
  shortAddress,
  usingNone,
} from '../../renderer/format/apps.ts';
import { FRAME } from '../../renderer/copy/frame.ts';
import { appPill, ofSeveral } from '../../renderer/frame/TopBar.tsx';

const app = (appId: string, url: string): AppRow => ({
  appId,
  sidecar: 'http://127.0.0.1:3500',
  app: url,
  protocol: 'http',
  mock: false,
  channel: 'answering',
  healthy: true,
  discovery: { state: 'done', url, count: 0 },
  problems: [],
});

test('instances of one id are one app where ids are listed', () => {
  const apps = [app('a', 'http://x:1'), app('b', 'http://x:2'), app('a', 'http://x:3')];
  expect(oncePerId(apps).map((one) => one.app)).toEqual(['http://x:1', 'http://x:2']);
});

test('apps without a sidecar have different keys, and so have instances of one app', () => {
  const [a, b] = [app('a', 'http://x:1'), app('b', 'http://x:2')];
  const rows = [a, { ...a, sidecar: 'http://127.0.0.1:3501' }, { ...a, sidecar: '' }, { ...b, sidecar: '' }];
  expect(new Set(rows.map(instanceKey)).size).toBe(rows.length);
});

test('mock apps are all that there is only once the apps are known', () => {
  const real = app('a', 'http://x:1');
  expect(areAllMocks(undefined)).toBe(false);
  expect(areAllMocks([])).toBe(false);
  expect(areAllMocks([{ ...real, mock: true }])).toBe(true);
  expect(areAllMocks([{ ...real, mock: true }, real])).toBe(false);
});

test('an app is healthy if one instance is, as for its deliveries', () => {
  const probe = (healthy: boolean): AppProbe => ({ path: '/healthz', healthy, failures: 0, threshold: 3 });
  const ill = { ...app('a', 'http://x:1'), appHealth: probe(false) };
  const well = { ...app('a', 'http://x:2'), appHealth: probe(true) };
  expect(oncePerId([ill, well])).toEqual([{ ...ill, appHealth: probe(true) }]);
  expect(oncePerId([ill, { ...ill, app: 'http://x:2' }])).toEqual([ill]);
});

test.each<[Partial<AppProbe>, string, string]>([
  [{ healthy: false }, 'not probed yet', 'Not healthy'],
  [{ healthy: true, status: 204 }, 'the app answered 204', 'Healthy · 204'],
  [{ healthy: true, status: 503, failures: 2 }, 'the app answered 503 (2 in a row)', 'Healthy · 503'],
  [{ healthy: false, error: 'refused.', failures: 3 }, 'no answer: refused (3 in a row)', 'Not healthy'],
])('the result of the probe %j in words', (found, sentence, word) => {
  const probe: AppProbe = { path: '/healthz', healthy: true, failures: 0, threshold: 3, ...found };
  expect([lastProbe(probe), probeWord(probe)]).toEqual([sentence, word]);
});

test('an app without checks is not checked', () => {
  expect(probeWord(undefined)).toBe('not checked');
});

test('several apps have the state of the worst, and one without an answer is bad', () => {
  const at = (channel: AppRow['channel'], state: AppRow['discovery']['state']): AppRow => ({
    ...app('a', 'http://x:1'),
    channel,
    discovery: { state, url: 'http://x:1', count: 0 },
  });
  expect(appStanding([at('answering', 'done')])).toBe('answering');
  expect(appStanding([at('answering', 'done'), at('unknown', 'asking')])).toBe('unknown');
  expect(appStanding([at('unknown', 'asking'), at('unknown', 'waiting')])).toBe('silent');
  expect(appStanding([at('unknown', 'waiting'), at('not-reachable', 'done')])).toBe('lost');
});

test('an app that has answered no discovery yet, or failed the last one, is being asked', () => {
  const at = (discovery: Partial<AppRow['discovery']>): AppRow => ({
    ...app('a', 'http://x:1'),
    discovery: { state: 'asking', url: 'http://x:1', count: 0, ...discovery },
  });
  const time = '2026-01-01T00:00:00.000Z';
  expect(appStanding([at({})])).toBe('asked');
  expect(appStanding([at({ at: time, error: 'The app answered 500' })])).toBe('asked');
  expect(appStanding([at({ at: time })])).toBe('answering');
  expect(appStanding([{ ...at({}), channel: 'not-reachable' }])).toBe('lost');
  expect(appStanding([app('b', 'http://x:2'), at({})])).toBe('asked');
  expect(culprits([at({})])).toEqual([]);
});

test('an app whose port is open is not well while its discovery fails', () => {
  const failed: AppRow = {
    ...app('a', 'https://127.0.0.1:1'),
    discovery: { state: 'failed', url: 'https://127.0.0.1:1', count: 0, error: 'the TLS handshake failed' },
  };
  expect(channelOf(failed)).toBe('undiscovered');
  expect(channelOf(app('b', 'http://x:2'))).toBe('answering');
  expect(channelOf({ ...failed, channel: 'not-reachable' })).toBe('not-reachable');
  expect(appStanding([failed])).toBe('undiscovered');
  const all = [app('b', 'http://x:2'), failed];
  expect(appStanding(all)).toBe('undiscovered');
  expect(ofSeveral(FRAME.ofSeveral.undiscovered, culprits(all), all)).toBe('App a: discovery failed');
});

test.each([
  ['http://127.0.0.1:3500', ':3500'],
  ['grpc://localhost:50051', ':50051'],
  ['http://[::1]:8080/base', ':8080'],
  ['http://localhost', ':80'],
  ['https://shop.test/base', 'shop.test:443'],
  ['http://shop.test:8080', 'shop.test:8080'],
  ['3500', '3500'],
])('the header shows the address %s as %s', (address, shown) => {
  expect(shortAddress(address)).toBe(shown);
});

test('of several apps the banner names the one that does not answer, and counts more of them', () => {
  const away = { ...app('billing', 'http://x:2'), channel: 'not-reachable' as const };
  const silent = { ...app('mail', 'http://x:3'), channel: 'unknown' as const };
  const apps = [
    app('shop', 'http://x:1'),
    away,
    { ...silent, discovery: { state: 'waiting' as const, url: '', count: 0 } },
  ];
  const told = (all: readonly AppRow[]): string | undefined =>
    ofSeveral(FRAME.ofSeveral.lost, culprits(all), all);
  expect(told(apps)).toBe('App billing not reachable');
  expect(told([...apps, { ...away, appId: 'audit' }])).toBe('2 apps not reachable');
  expect(told([away])).toBeUndefined();
  expect(told(apps.slice(0, 1))).toBeUndefined();
  expect(culprits(apps.slice(0, 1))).toEqual([]);
});

test('an app that only publishes is not called a real app', () => {
  expect(kindOf({ mock: true, app: 'http://x:1' })).toBe('mock app');
  expect(kindOf({ mock: false, app: 'http://x:1' })).toBe('real app');
  expect(kindOf({ mock: false })).toBe('no address');
});

test('an app that answers is no good news while none of its subscriptions is used', () => {
  const lists = { ...app('a', 'http://x:1'), problems: [] };
  const problem = (code: string): AppRow => ({
    ...lists,
    problems: [{ code, message: 'm', severity: 'error' }],
  });
  const row = (state: 'active' | 'invalid' | 'inert', appId = 'a') => ({ appId, state });
  expect(usingNone([row('invalid')])(lists)).toBe(true);
  // A component that is not ready, or a lost stream, is no mistake of the app.
  expect(usingNone([row('inert')])(lists)).toBe(true);
  expect(usingNone([])(problem('unusable-subscription'))).toBe(true);
  expect(usingNone([])(problem('missing-list'))).toBe(true);
  expect(usingNone([row('active', 'b')])(problem('other-profile'))).toBe(true);
  expect(usingNone([row('active')])(problem('unusable-subscription'))).toBe(false);
  // An app that only publishes, or subscribed to nothing on purpose, is right.
  expect(usingNone([])(lists)).toBe(false);
  expect(usingNone([])(problem('missing-route'))).toBe(false);
});

test('an app that is not answering is amber in the header, though its port is open', () => {
  const problem = { code: 'silent-app', severity: 'warning', message: '' } as const;
  const well = app('a', 'http://x:1');
  const silent = { ...app('shop', 'http://x:2'), problems: [problem] };
  expect(appPill([well], () => false)).toMatchObject({ state: 'good', text: 'App answering' });
  expect(appPill([silent], () => false)).toMatchObject({ state: 'waits', text: 'App is not answering' });
  expect(appPill([well, silent], undefined)).toMatchObject({ text: 'App shop is not answering' });
  expect(appPill([{ ...silent, channel: 'not-reachable' }], undefined)).toMatchObject({ state: 'bad' });
  expect(appPill([well], () => true)).toMatchObject({ state: 'waits', text: 'App: no subscription used' });
});
