/** How many messages came since the person looked. */
import { expect, test } from 'vitest';
import { newSince } from '../../renderer/format/new-since.ts';
import { RowWindow } from '../../renderer/state/row-window.ts';
import { rowNamed } from './samples.ts';

const LIST = { lookedAt: 10, sort: undefined, groupBy: '' };

function windowOf(numbers: readonly number[], from = 0, total = from + numbers.length): RowWindow {
  const rows = new RowWindow();
  rows.total = total;
  for (const [i, number] of numbers.entries())
    rows.put(from + i, rowNamed(`msg_${number}`, { number, unread: true }));
  return rows;
}

const ALL_UNREAD = (): boolean => true;

test('only rows that are there count: not those that were removed, nor those that the filter leaves out', () => {
  expect(newSince(LIST, windowOf([4, 8, 17, 30]), ALL_UNREAD)).toBe('2');
  expect(newSince(LIST, windowOf([25, 30]), ALL_UNREAD)).toBe('2');
  expect(newSince(LIST, windowOf([4, 10]), ALL_UNREAD)).toBeUndefined();
});

test('a message that was read meanwhile is no longer new', () => {
  expect(newSince(LIST, windowOf([4, 17, 30]), ({ number }) => number !== 17)).toBe('1');
  expect(newSince(LIST, windowOf([4, 17, 30]), () => false)).toBeUndefined();
});

test('where the first new row is not loaded, the number is a lower bound and says so', () => {
  expect(newSince(LIST, windowOf([4000, 4001], 2000), ALL_UNREAD)).toBe('2+');
});

test('a sorted or grouped list, and one that was always looked at, have no such number', () => {
  const rows = windowOf([4, 17]);
  expect(newSince({ ...LIST, lookedAt: 0 }, rows, ALL_UNREAD)).toBeUndefined();
  expect(newSince({ ...LIST, groupBy: 'topic' }, rows, ALL_UNREAD)).toBeUndefined();
  expect(newSince({ ...LIST, sort: { by: 'topic', isDown: true } }, rows, ALL_UNREAD)).toBeUndefined();
});
