/** How far apart the frames of a client are. */
import { expect, test } from 'vitest';
import { restAfter } from '../../core/console/stream/rest.ts';

test.each([
  [0, 0],
  [8, 0],
  [9, 36],
  [25, 100],
  [50, 200],
  [5000, 200],
])('%i rows in a frame make a rest of %i ms', (rows, restMs) => {
  expect(restAfter(rows)).toBe(restMs);
});
