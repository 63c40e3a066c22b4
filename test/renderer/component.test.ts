/** State of a component in the list, and whether it needs attention. */
import { expect, test } from 'vitest';
import type { ComponentRow } from '../../core/contract/subscription.ts';
import { COMPONENTS } from '../../renderer/copy/topics.ts';
import {
  componentsAway,
  copiedTarget,
  firstPubsub,
  problemsOf,
  shownStanding,
  standingOf,
  troublesOf,
  unusedBecause,
} from '../../renderer/format/component.ts';
import { componentRow } from '../support/component-row.ts';

const row = (more: Partial<ComponentRow>): ComponentRow =>
  componentRow('pubsub', { type: 'pubsub.redis', ...more });
const lost = { since: '2026-01-01T00:00:00.000Z', reason: 'away', tries: 1 };
const problem = { severity: 'error', message: 'spec.type is missing' } as const;

test.each<[string, Partial<ComponentRow>, string, number]>([
  ['that is ready', {}, 'Ready', 0],
  ['that is being started', { state: 'initialising' }, 'Not ready', 1],
  [
    'whose server is not there yet',
    { state: 'failed', reason: 'x', nextStartAt: lost.since },
    'Not ready',
    1,
  ],
  ['whose file is wrong', { state: 'failed', reason: 'x', problems: [problem, problem] }, 'Not valid', 2],
  ['that only a changed file helps', { state: 'failed', reason: 'x' }, 'Not valid', 1],
  [
    'whose file with the secrets is missing',
    { kind: 'secretstore', state: 'failed', reason: 'the secrets file was not found: /a/secrets.json' },
    'Not ready',
    1,
  ],
  [
    'whose file with the secrets is missing, and whose own file has a remark',
    { kind: 'secretstore', state: 'failed', reason: 'x', problems: [{ ...problem, severity: 'warning' }] },
    'Not ready',
    1,
  ],
  [
    'that takes its secrets from such a store',
    { state: 'failed', reason: 'The secret store secrets failed: x', awaitsSecrets: true },
    'Not ready',
    1,
  ],
  ['whose server went away', { lost }, 'Connection lost', 1],
])('a component %s has its word and its number of troubles', (_, more, word, troubles) => {
  expect(COMPONENTS.states[standingOf(row(more))]).toBe(word);
  expect(troublesOf(row(more))).toBe(troubles);
});

test('a component that works, but whose scopes leave every running app out, is not used', () => {
  const scoped = row({ scopes: ['billing', 'mail'] });
  expect(COMPONENTS.states[shownStanding(scoped, ['app'])]).toBe('Not used (scopes)');
  expect(unusedBecause(scoped, ['app'])).toBe('None of the running apps is in its scopes (billing, mail).');
  for (const apps of [undefined, ['mail']]) expect(shownStanding(scoped, apps)).toBe('ready');
  for (const scopes of [[], ['mail']]) expect(shownStanding(row({ scopes }), [])).toBe('ready');
  expect(shownStanding(row({ scopes: ['mail'], state: 'failed' }), ['app'])).toBe('failed');
});

test('a working pub/sub component is offered first', () => {
  const failed = row({ name: 'failed', state: 'failed' });
  const tried = row({ name: 'tried', state: 'failed', nextStartAt: lost.since });
  const away = row({ name: 'away', lost });
  const store = row({ name: 'store', kind: 'secretstore' });
  const works = row({ name: 'works' });
  expect(firstPubsub([store, failed, tried, away, works])).toBe(works);
  expect(firstPubsub([store, failed, tried, away])).toBe(away);
  expect(firstPubsub([store, failed, tried])).toBe(tried);
  expect(firstPubsub([store, failed])).toBe(failed);
  expect(firstPubsub([store])).toBeUndefined();
});

test('a component that the app may not use is not offered before one that it may', () => {
  const others = row({ name: 'others', scopes: ['billing'] });
  const tried = row({ name: 'tried', state: 'failed', nextStartAt: lost.since });
  expect(firstPubsub([others, tried], 'checkout')).toBe(tried);
  expect(firstPubsub([others, tried], 'billing')).toBe(others);
  expect(firstPubsub([others], 'checkout')).toBe(others);
  expect(firstPubsub([others, tried])).toBe(others);
});

test('a copied publish names a component that works and that the app may use', () => {
  const others = row({ name: 'others', scopes: ['billing'] });
  const failed = row({ name: 'failed', state: 'failed' });
  const works = row({ name: 'works' });
  const on = (pubsubname: string, state: 'active' | 'inert' = 'active') => ({
    pubsubname,
    topic: `of-${pubsubname}`,
    state,
  });
  const all = [failed, others, works];
  expect(copiedTarget([on('others'), on('works')], all, 'checkout')).toMatchObject({ topic: 'of-works' });
  expect(copiedTarget([on('others'), on('works')], all, 'billing')).toMatchObject({ topic: 'of-others' });
  expect(copiedTarget([on('failed', 'inert')], all, 'checkout')).toEqual({
    pubsubname: 'works',
    topic: 'of-failed',
  });
  expect(copiedTarget([], [], undefined)).toEqual({ pubsubname: 'pubsub', topic: 'orders' });
});

test('problems of files without a component count with those of components, and so does one that does not work', () => {
  expect(problemsOf(undefined)).toBe(0);
  const items = [row({}), row({ lost }), row({ state: 'failed', reason: 'x', problems: [problem, problem] })];
  expect(problemsOf({ items, problems: [problem], files: [], nextCursor: null })).toBe(4);
});

test('components are away for the apps that may use them, once a try to connect has failed', () => {
  const items = [row({ lost }), row({ lost, scopes: ['a'] }), row({ lost: { ...lost, tries: 0 } }), row({})];
  expect(['', 'a', 'b'].map((appId) => componentsAway(items, appId))).toEqual([2, 2, 1]);
});
