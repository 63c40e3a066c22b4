// The order of the topics table: by which column, from which end, and back to that of the host.
import { expect, test } from 'vitest';
import type { TopicRow } from '../../core/contract/subscription.ts';
import { inOrder, nextOrder } from '../../renderer/format/topic-order.ts';

function row(topic: string, more: Partial<TopicRow> = {}): TopicRow {
  return {
    pubsubname: 'pubsub',
    topic,
    apps: [],
    subscriptions: 0,
    bulk: false,
    published: 0,
    counts: {},
    rate: 0,
    perSecond: [],
    ...more,
  };
}

const ROWS = [
  row('orders', { published: 9, rate: 0.5, lastAt: '2026-01-02T00:00:00.000Z' }),
  row('audit', { published: 12 }),
  row('refunds', { published: 9, rate: 2, lastAt: '2026-01-01T00:00:00.000Z' }),
];
const names = (rows: readonly TopicRow[]): readonly string[] => rows.map(({ topic }) => topic);

test('a name is sorted from its first letter, a figure and a time from the largest', () => {
  expect(names(inOrder(ROWS, nextOrder(undefined, 'topic')))).toEqual(['audit', 'orders', 'refunds']);
  expect(names(inOrder(ROWS, nextOrder(undefined, 'rate')))).toEqual(['refunds', 'orders', 'audit']);
  expect(names(inOrder(ROWS, nextOrder(undefined, 'last')))).toEqual(['orders', 'refunds', 'audit']);
  expect(names(inOrder(ROWS, { by: 'published', isDown: false }))).toEqual(['orders', 'refunds', 'audit']);
});

test('pressing a head again turns the order round, then gives that of the host back', () => {
  const first = nextOrder(undefined, 'published');
  expect(first).toEqual({ by: 'published', isDown: true });
  const second = nextOrder(first, 'published');
  expect(second).toEqual({ by: 'published', isDown: false });
  expect(nextOrder(second, 'published')).toBeUndefined();
  expect(nextOrder(first, 'topic')).toEqual({ by: 'topic', isDown: false });
  expect(inOrder(ROWS, undefined)).toBe(ROWS);
});
