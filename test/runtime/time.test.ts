/** Moments as text and back: what is kept of the last ones never stands for another one. */
import { expect, test } from 'vitest';
import { iso, msOf } from '../../core/runtime/time/time.ts';

const NOW = Date.UTC(2026, 5, 30, 12, 0, 0, 123);
const MOMENTS = [
  NOW,
  NOW + 1,
  NOW + 256,
  NOW,
  NOW + 0.5,
  NOW + 256.5,
  NOW + 0.5,
  0,
  256,
  0,
  -1,
  -257,
  -0.5,
  -1,
  8.64e15,
];

test('a time has its own text, whichever were asked for before', () => {
  expect(MOMENTS.map(iso)).toEqual(MOMENTS.map((ms) => new Date(ms).toISOString()));
  expect(() => iso(Number.NaN)).toThrow(RangeError);
  expect(() => iso(8.64e15 + 1)).toThrow(RangeError);
});

test('times of one second and of its neighbours have their own texts', () => {
  const seconds = [NOW, 0, -1000, -62_198_755_200_000, Date.UTC(9999, 11, 31, 23, 59, 59), 8.64e15 - 1000];
  const moments = seconds.flatMap((start) =>
    [0, 7, 45, 999, 1000, 998, -1, 500, 0.25].map((ms) => start + ms),
  );
  expect(moments.map(iso)).toEqual(moments.map((ms) => new Date(ms).toISOString()));
  expect(moments.map((ms) => msOf(iso(ms)))).toEqual(moments.map(Math.trunc));
});

test('a text has its own milliseconds, whichever were read before', () => {
  const whole = MOMENTS.filter((ms) => Number.isInteger(ms));
  expect(whole.map((ms) => msOf(new Date(ms).toISOString()))).toEqual(whole);
  expect([msOf('never'), msOf('never')]).toEqual([Number.NaN, Number.NaN]);
});
