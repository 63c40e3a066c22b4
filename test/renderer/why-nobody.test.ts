/** Why no subscription took a message, and why messages wait for a person: the true reason, never a guess. */
import { expect, test } from 'vitest';
import type { Result } from '../../core/contract/console.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { nearest, unusedOf } from '../../renderer/components/detail/WhyLine.tsx';
import { reasonFilters } from '../../renderer/views/messages/WaitingForYou.tsx';

type Items = Result<'subscriptions.list'>['items'];
type Files = Result<'components.list'>['files'];

const row = (change: Partial<Items[number]>): Items[number] => ({
  appId: 'app',
  pubsubname: 'pubsub',
  topic: 'orders',
  source: 'declarative',
  rules: [],
  metadata: {},
  rawPayload: false,
  state: 'active',
  counts: {},
  ...change,
});

const document = {
  kind: 'Subscription' as const,
  name: 'orders',
  document: 2,
  line: 12,
  used: false,
  reason: 'None of the running apps is in its scopes (billing).',
  of: { pubsubname: 'pubsub', topic: 'orders' },
};
const files: Files = [{ file: 'subs.yaml', documents: [document], problems: [] }];

test('a subscription that its scopes leave out is named with file, line and scopes', () => {
  expect(unusedOf([], files, 'orders', 'pubsub')).toEqual([
    'The one in subs.yaml, line 12, is not used: None of the running apps is in its scopes (billing).',
  ]);
  expect(unusedOf([], files, 'orders', 'other')).toEqual([]);
});

test('a subscription of the list that is not used is told once, with its reason', () => {
  const items = [row({ state: 'forbidden', reason: 'Not in the allowed topics.', file: 'subs.yaml' })];
  expect(unusedOf(items, files, 'orders', 'pubsub')).toEqual([
    'There is one, but it is not used: Not in the allowed topics.',
  ]);
});

test('only another spelling or another component is called near', () => {
  const items = [row({ topic: 'Orders' }), row({ pubsubname: 'other' }), row({ state: 'invalid' })];
  const near = nearest({ items, nextCursor: null, discovery: [], problems: [] }, 'orders', 'pubsub');
  expect(near).toEqual([
    'There is one for topic Orders on pubsub.',
    'There is one for this topic on another component, other.',
  ]);
});

test('a topic with a letter less is called near, a dead-letter topic of it is not', () => {
  const items = [row({ topic: 'orders' }), row({ topic: 'orders-dead' })];
  const near = nearest({ items, nextCursor: null, discovery: [], problems: [] }, 'order', 'pubsub');
  expect(near).toEqual(['There is one for topic orders on pubsub.']);
});

test('the reasons of a state are told apart by filters that can be read, and no message counts twice', () => {
  for (const reasons of ['parkedBy', 'deadLetteredBy'] as const) {
    const filters = reasonFilters(reasons);
    expect(filters.filter(({ filter }) => !parseFilter(filter).ok)).toEqual([]);
    for (const [index, { filter }] of filters.entries()) {
      for (const { rule } of filters.slice(0, index)) expect(filter).toContain(` -rule:${rule}`);
    }
  }
});
