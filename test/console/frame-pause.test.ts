/** How far apart the frames of a client are. */
import { expect, test } from 'vitest';
import { pauseAfter } from '../../core/console/stream/frame-pause.ts';

test.each([
  [0, 0],
  [8, 0],
  [9, 36],
  [25, 100],
  [50, 200],
  [5000, 200],
])('after a frame of %i rows the stream pauses for %i ms', (rows, pauseMs) => {
  expect(pauseAfter(rows, false)).toBe(pauseMs);
});

test.each([
  [0, 0],
  [3, 0],
  [4, 40],
  [25, 250],
  [50, 500],
  [5000, 500],
])('in a flood, after a frame of %i rows, the stream pauses for %i ms', (rows, pauseMs) => {
  expect(pauseAfter(rows, true)).toBe(pauseMs);
});
