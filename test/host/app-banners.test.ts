/** Banners of how an app was connected: there as long as the problem is, and new when it comes again. */
import { expect, test } from 'vitest';
import type { Problem } from '../../core/contract/subscription.ts';
import { appBanners } from '../../core/host/app-banners.ts';

const CLOSED: Problem = { code: 'nobody-listens', severity: 'warning', message: 'Nothing listens.' };
const OTHER: Problem = { code: 'other-profile', severity: 'error', message: 'It speaks another profile.' };
const ELSE: Problem = { code: 'bad-rule', severity: 'error', message: 'Not of this kind.' };

test('only problems of connecting have a banner, one for all instances of an app', () => {
  const banners = appBanners(() => [
    { appId: 'shop', problems: [CLOSED, ELSE] },
    { appId: 'shop', problems: [CLOSED] },
    { appId: 'cart', problems: [OTHER] },
  ]);
  expect(banners()).toEqual([
    { id: 'app-1', appId: 'shop', text: CLOSED.message, level: 'warn' },
    { id: 'app-2', appId: 'cart', text: OTHER.message, level: 'error' },
  ]);
});

test('the banner of a discovery that failed leads to another one', () => {
  const failed: Problem = { code: 'discovery-failed', severity: 'error', message: 'It failed.' };
  const banners = appBanners(() => [{ appId: 'shop', problems: [failed] }]);
  expect(banners()).toEqual([
    { id: 'app-1', appId: 'shop', text: failed.message, level: 'error', help: 'discovery' },
  ]);
});

test('the banner of further routes keeps its id while their number grows', () => {
  const more = (n: number): Problem => ({ code: 'missing-route', severity: 'error', message: `${n} more.` });
  let problems: Problem[] = [more(1)];
  const banners = appBanners(() => ['shop', 'cart'].map((appId) => ({ appId, problems })));
  expect(banners().map(({ id }) => id)).toEqual(['app-1', 'app-2']);
  problems = [more(2)];
  expect(banners().map(({ id, text }) => [id, text])).toEqual([
    ['app-1', '2 more.'],
    ['app-2', '2 more.'],
  ]);
});

test('subscriptions of one app that cannot be used have one banner, whose id stays when their number changes', () => {
  const of = (n: number): Problem => ({
    code: 'unusable-subscription',
    severity: n === 1 ? 'warning' : 'error',
    topic: `t${n}`,
    message: `Subscription ${n} (t${n}): no route.`,
  });
  let problems: Problem[] = [of(1)];
  const banners = appBanners(() => ['app', 'cart'].map((appId) => ({ appId, problems })));
  const again = 'Sidelight asks again when the app restarts, or when you choose "Discover again".';
  expect(banners()).toEqual([
    {
      id: 'app-1',
      appId: 'app',
      text: `The subscription list of the app has a mistake: Subscription 1 (t1): no route. ${again}`,
      level: 'warn',
      help: 'discovery',
    },
    {
      id: 'app-2',
      appId: 'cart',
      text: `The subscription list of app cart has a mistake: Subscription 1 (t1): no route. ${again}`,
      level: 'warn',
      help: 'discovery',
    },
  ]);
  problems = [of(1), CLOSED, of(2)];
  expect(
    banners()
      .filter(({ text }) => text !== CLOSED.message)
      .map(({ id, level, text }) => [id, level, text]),
  ).toEqual([
    [
      'app-1',
      'error',
      `The subscription list of the app has 2 mistakes. One of them: Subscription 1 (t1): no route. ${again}`,
    ],
    [
      'app-2',
      'error',
      `The subscription list of app cart has 2 mistakes. One of them: Subscription 1 (t1): no route. ${again}`,
    ],
  ]);
});

test('a banner keeps its id while the problem lasts, and the next one has another', () => {
  let problems: Problem[] = [CLOSED];
  const banners = appBanners(() => [{ appId: 'shop', problems }]);
  const ids = (): string[] => banners().map(({ id }) => id);
  expect([ids(), ids()]).toEqual([['app-1'], ['app-1']]);
  problems = [];
  expect(ids()).toEqual([]);
  problems = [CLOSED];
  expect(ids()).toEqual(['app-2']);
});
