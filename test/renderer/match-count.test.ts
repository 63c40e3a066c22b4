/** The text beside the filter: a search reports at once that it searches, and no count is shown before anything was examined. */
import { expect, test } from 'vitest';
import { FILTER } from '../../renderer/copy/messages.ts';
import { canCancel, countedText, type ToCount } from '../../renderer/format/match-count.ts';

const list = (more: Partial<ToCount>): ToCount => ({
  total: 0,
  filter: 'total:1',
  progress: undefined,
  groupBy: '',
  hasOpenGroups: false,
  isSorted: false,
  isOpening: false,
  isFirst: false,
  isAway: false,
  kept: 105_490,
  ...more,
});

test('a search that has not looked yet has no count', () => {
  expect(countedText(list({ isOpening: true }))).toBe('Searching…');
  expect(countedText(list({ progress: { done: 0, of: 105_490 } }))).toBe('Searching…');
});

test('without a connection nothing searches, and the count of the shown list stays', () => {
  expect(countedText(list({ isAway: true, isOpening: true }))).toBe('');
  expect(countedText(list({ isAway: true, progress: { done: 5000, of: 105_490 } }))).toBe('');
  expect(countedText(list({ isAway: true, total: 7 }))).toBe('7 of 105,490 messages');
});

test('an unfinished list names its progress and its work', () => {
  const progress = { done: 5000, of: 105_490 };
  expect(countedText(list({ progress, total: 3 }))).toBe('Searching… 5,000 of 105,490');
  expect(countedText(list({ progress, isSorted: true }))).toBe('Sorting… 5,000 of 105,490');
  expect(countedText(list({ progress, filter: '', groupBy: 'topic' }))).toBe('Grouping… 5,000 of 105,490');
  expect(countedText(list({ progress, groupBy: 'topic' }))).toBe('Searching… 5,000 of 105,490');
});

test('at its end it says how many, of how many where a filter leaves some out', () => {
  const progress = { done: 105_490, of: 105_490 };
  expect(countedText(list({ progress }))).toBe('0 of 105,490 messages');
  expect(countedText(list({ total: 1, kept: 1 }))).toBe('1 of 1 message');
  expect(countedText(list({ filter: '', total: 1 }))).toBe('1 message');
  expect(countedText(list({ filter: '', total: 2 }))).toBe('2 messages');
  expect(countedText(list({ filter: '', total: 1, groupBy: 'topic' }))).toBe('1 group');
  expect(countedText(list({ total: 12, groupBy: 'topic' }))).toBe('12 groups');
  expect(countedText(list({ total: 12, groupBy: 'topic', hasOpenGroups: true }))).toBe(
    'groups and messages: 12',
  );
  expect(countedText(list({ total: 3, groupBy: 'topic', hasOpenGroups: true, groups: 1 }))).toBe(
    '1 group, 2 messages',
  );
  expect(countedText(list({ total: 12, kept: undefined }))).toBe('12 messages');
});

test('there are never more matches than messages, because both figures come at moments of their own', () => {
  expect(countedText(list({ total: 28, kept: 27 }))).toBe('28 of 28 messages');
});

test('the first list of a page says at once that it searches, and without a filter it says nothing yet', () => {
  expect(countedText(list({ isFirst: true, isOpening: true }))).toBe('Searching…');
  expect(countedText(list({ isFirst: true, filter: '' }))).toBe('');
});

test('a search that has begun can be cancelled, also while no count is shown', () => {
  expect(canCancel({ done: 10, of: 90 }, 'Searching 10 of 90')).toBe(true);
  expect(canCancel({ done: 90, of: 90 }, '7 of 90')).toBe(false);
  expect(canCancel(undefined, '7 of 90')).toBe(false);
  expect(canCancel({ done: 0, of: 90 }, FILTER.search)).toBe(false);
});
