/** Keys of the line between two parts of the page. */
import { expect, test } from 'vitest';
import { shareAfter } from '../../renderer/components/Split.tsx';

test.each([
  ['ArrowLeft', 'right', 58, 53],
  ['ArrowRight', 'right', 78, 80],
  ['ArrowUp', 'below', 22, 20],
  ['ArrowDown', 'below', 50, 55],
  ['Home', 'right', 58, 20],
  ['End', 'below', 58, 80],
  ['ArrowUp', 'right', 58, undefined],
  ['Enter', 'below', 58, undefined],
] as const)('%s at a line with a part %s of %i percent leads to %s', (key, side, share, to) => {
  expect(shareAfter(key, side, share)).toBe(to);
});
