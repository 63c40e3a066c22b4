/** Rows that are read before they are in sight. */
import { expect, test } from 'vitest';
import { readingOf } from '../../renderer/state/read-ahead.ts';

const at = (from: number): { readonly from: number; readonly to: number } => ({ from, to: from + 30 });

test('without scrolling the visible rows are read, and then a few on both sides', () => {
  expect(readingOf(at(1000), at(1000))).toEqual({ first: at(1000), around: { from: 900, to: 1130 } });
  expect(readingOf(at(20), at(20)).around).toEqual({ from: 0, to: 150 });
});

test('rows are read ahead of scrolling: the faster, the more in the first request', () => {
  expect(readingOf(at(1010), at(1000))).toEqual({
    first: { from: 1010, to: 1120 },
    around: { from: 910, to: 1340 },
  });
  expect(readingOf(at(1070), at(1000)).first).toEqual({ from: 1070, to: 1400 });
  expect(readingOf(at(1000), at(1070))).toEqual({
    first: { from: 700, to: 1030 },
    around: { from: 700, to: 1130 },
  });
});

test('after a jump only what is in sight is waited for', () => {
  expect(readingOf(at(50_000), at(1000))).toEqual({
    first: at(50_000),
    around: { from: 49_900, to: 50_130 },
  });
});
