/** Newest first: lines and places of a live list that is turned around. */
import { expect, test } from 'vitest';
import { isFollowed, isNewestFirst, staysAtStart, turned } from '../../renderer/state/live-order.ts';

test('only a list in the order of time can be newest first', () => {
  const live = { groupBy: '', sort: undefined };
  expect(isNewestFirst({ newestFirst: true }, live)).toBe(true);
  expect(isNewestFirst({ newestFirst: false }, live)).toBe(false);
  expect(isNewestFirst({ newestFirst: true }, { ...live, groupBy: 'topic' })).toBe(false);
  expect(isNewestFirst({ newestFirst: true }, { ...live, sort: { by: 'size', isDown: true } })).toBe(false);
});

test('the newest place becomes the first line, and the first line the newest place', () => {
  expect([0, 4].map((place) => turned(place, 5, true))).toEqual([4, 0]);
  expect(turned(turned(3, 10, true), 10, true)).toBe(3);
  expect(turned(3, 10, false)).toBe(3);
});

test('a following list shows its newest lines, at its end or its beginning', () => {
  expect([99, 90, 89, 0].map((line) => isFollowed(line, 100, 10, false))).toEqual([true, true, false, false]);
  expect([0, 9, 10, 99].map((line) => isFollowed(line, 100, 10, true))).toEqual([true, true, false, false]);
  expect(isFollowed(0, 3, 10, false)).toBe(true);
});

test('a sorted list that shows its first line stays there while the host sorts; others keep the row that is read', () => {
  const sort = { by: 'duration', isDown: true };
  expect(staysAtStart({ sort }, 0)).toBe(true);
  expect(staysAtStart({ sort }, 7)).toBe(false);
  expect(staysAtStart({ sort: undefined }, 0)).toBe(false);
});
