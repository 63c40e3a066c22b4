/** A search in memory leaves others as much time as one of its messages took from them. */
import { expect, test } from 'vitest';
import { startSlice } from '../../core/adapters/memory-journal/slices.ts';

function clock() {
  const waits: number[] = [];
  let ms = 1000;
  return {
    waits,
    pass: (by: number) => void (ms += by),
    now: () => ms,
    wait: async (by: number) => void waits.push(by),
  };
}

test('a slice ends after its time, and lets other work run', async () => {
  const time = clock();
  const slice = startSlice(time);
  expect(slice.isOver()).toBe(false);
  time.pass(8);
  expect(slice.isOver()).toBe(true);
  await slice.end();
  expect(time.waits).toEqual([0]);
});

test('a slice ends after its number of rows', () => {
  const slice = startSlice(clock());
  const rows = Array.from({ length: 4000 }, () => slice.isOver());
  expect(rows.indexOf(true)).toBe(3999);
});

test('after one row of half a second the search pauses for half a second', async () => {
  const time = clock();
  const slice = startSlice(time);
  time.pass(500);
  expect(slice.isOver()).toBe(true);
  await slice.end();
  expect(time.waits).toEqual([500]);
});

test('a search that was given up ends after the wait', async () => {
  const given = new AbortController();
  const slice = startSlice(clock());
  given.abort(new Error('given up'));
  await expect(slice.end(given.signal)).rejects.toThrow('given up');
});
