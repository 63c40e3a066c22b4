/** What the strip below a paused list says. */
import { expect, test } from 'vitest';
import { pausedText } from '../../renderer/views/messages/ListFoot.tsx';

test.each([
  [0, 1, 'duration', /^Sorted by Last call as of \d\d:\d\d:\d\d$/],
  [3, 1, 'data.order.id', /^Sorted by order.id as of .* · 3 newer messages$/],
  [1, 0, undefined, /^Paused · 1 newer message$/],
])('with %i newer messages, sorted at %i by %s', (newer, sortedAt, by, says) => {
  expect(pausedText(newer, sortedAt, by)).toMatch(says);
});
