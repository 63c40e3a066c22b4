/** How far a subscription is behind, as the list of subscriptions says it. */
import { expect, test } from 'vitest';
import { lagRates, lagText, lagWords } from '../../renderer/format/lag.ts';
import { elapsed } from '../../renderer/format/quantity.ts';

const NOW = Date.parse('2026-03-01T10:00:12.400Z');
const lag = { unfinished: 30, oldestAt: '2026-03-01T10:00:00.000Z', inPerSecond: 2, outPerSecond: 5 };

test('the words name the unfinished deliveries, the age of the oldest, and the time until they are done', () => {
  expect(lagWords(lag, NOW)).toBe('30 unfinished, oldest 12 s, done in about 10 s');
  expect(lagRates(lag)).toBe('2.0/s in, 5.0/s out');
});

test('the rates are shown also without a backlog, and not without traffic', () => {
  const even = { unfinished: 0, inPerSecond: 200, outPerSecond: 200 };
  expect(lagText(even, NOW)).toBe('up to date · 200/s in, 200/s out');
  expect(lagText({ ...even, inPerSecond: 0, outPerSecond: 0 }, NOW)).toBe('up to date');
  expect(lagText(undefined, NOW)).toBe('');
});

test('parked deliveries are told beside the backlog, which they have left', () => {
  const none = { unfinished: 0, inPerSecond: 0, outPerSecond: 0 };
  expect(lagWords(none, NOW, 7)).toBe('up to date · 7 parked');
  expect(lagText(none, NOW, 7)).toBe('up to date · 7 parked');
  expect(lagWords(lag, NOW, 2)).toBe('30 unfinished, oldest 12 s, done in about 10 s · 2 parked');
});

test('no end is predicted of what is held, which waits for a person', () => {
  const held = { unfinished: 2, held: 2, inPerSecond: 0, outPerSecond: 0.2 };
  expect(lagText(held, NOW)).toBe('2 unfinished, 2 held · 0/s in, 0.2/s out');
  expect(lagWords({ ...lag, held: 6 }, NOW)).toBe(
    '30 unfinished, oldest 12 s, 6 held, the others done in about 8 s',
  );
  // More comes, and the app takes none of it, because it gets none.
  expect(lagWords({ ...held, inPerSecond: 3 }, NOW)).toBe('2 unfinished, 2 held');
  expect(lagWords({ ...held, held: 1, inPerSecond: 3 }, NOW)).toBe('2 unfinished, 1 held, growing');
  expect(lagWords({ ...held, held: 1, asked: 1 }, NOW)).toBe('2 unfinished, 1 held, 1 waits for your answer');
});

test('no end is predicted if more comes than goes, or nothing moves', () => {
  expect(lagWords({ ...lag, inPerSecond: 6 }, NOW)).toBe('30 unfinished, oldest 12 s, growing');
  expect(lagWords({ ...lag, inPerSecond: 0, outPerSecond: 0 }, NOW)).toBe('30 unfinished, oldest 12 s');
  expect(lagWords({ unfinished: 0, inPerSecond: 1, outPerSecond: 1 }, NOW)).toBe('up to date');
  expect(lagWords(undefined, NOW)).toBe('');
});

test.each([
  [-5, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [119_999, '1 min'],
  [3_599_999, '59 min'],
  [5_400_000, '1 h'],
])('an age of %d ms is %s', (ms, words) => {
  expect(elapsed(ms)).toBe(words);
});

test('the age of the oldest grows while nothing moves', () => {
  expect(lagWords({ ...lag, inPerSecond: 0, outPerSecond: 0 }, NOW + 738_000)).toBe(
    '30 unfinished, oldest 12 min',
  );
});
