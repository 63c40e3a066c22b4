// Which apps of two recordings are taken for the same one.
import { expect, test } from 'vitest';
import { sameApps } from '../../core/domain/recording/same-apps.ts';

const apps = (of: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(of).map(([appId, topics]) => [appId, new Set(topics)]));

test.each([
  ['the only one on each side', { app: ['orders'] }, { shop: ['orders', 'refunds'] }, { app: 'shop' }],
  [
    'two by what they subscribe to',
    { a: ['orders'], b: ['refunds'] },
    { c: ['refunds'], d: ['orders'] },
    { a: 'd', b: 'c' },
  ],
  ['an id that both have stays its own', { app: ['orders'] }, { app: ['refunds'], shop: ['orders'] }, {}],
  ['nothing in common', { app: ['orders'] }, { shop: ['refunds'] }, {}],
  ['either of two', { app: ['orders'] }, { shop: ['orders'], mail: ['orders'] }, {}],
  ['one for two', { app: ['orders'], mail: ['orders'] }, { shop: ['orders'] }, {}],
])('apps of two recordings are matched: %s', (_name, before, after, expected) => {
  expect(Object.fromEntries(sameApps(apps(before), apps(after)))).toEqual(expected);
});
