/** The numbers of deliveries with an old route, kept as deliveries come and go. */
import { expect, test } from 'vitest';
import { LeftOfApp } from '../../core/runtime/apps/left-deliveries.ts';
import type { LiveDelivery } from '../../core/runtime/state/live.ts';

function delivery(topic: string): LiveDelivery {
  const of = { counted: { lane: topic }, subscription: { pubsubname: 'pubsub', topic } };
  return of as unknown as LiveDelivery;
}

function group(topic: string, path: string, count: number, isOfMock = false): object {
  return { pubsubname: 'pubsub', topic, path, count, isOfMock };
}

test('the groups follow each change, the largest first', () => {
  const left = new LeftOfApp();
  const [a, b, c, d] = ['x', 'y', 'y', 'y'].map(delivery) as [
    LiveDelivery,
    LiveDelivery,
    LiveDelivery,
    LiveDelivery,
  ];
  left.set(a, { path: '/x', isOfMock: true });
  for (const each of [b, c, d]) left.set(each, { path: '/y', isOfMock: each === b });
  expect(left.groups).toEqual([group('y', '/y', 3), group('x', '/x', 1, true)]);
  left.set(d, { path: '/z', isOfMock: false });
  left.delete(c);
  left.delete(c);
  expect(left.groups).toEqual([group('x', '/x', 1, true), group('y', '/y', 1, true), group('y', '/z', 1)]);
  left.delete(a);
  expect(left.groups).toHaveLength(2);
});

test('reading them again counts nothing', () => {
  const left = new LeftOfApp();
  left.set(delivery('x'), { path: '/x', isOfMock: false });
  expect(left.groups).toBe(left.groups);
});
