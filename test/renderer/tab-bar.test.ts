/** Keys of a row of tabs. */
import { expect, test } from 'vitest';
import { tabAfter } from '../../renderer/components/TabBar.tsx';

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 5, 0],
  ['ArrowLeft', 0, 5],
  ['ArrowLeft', 3, 2],
  ['Home', 4, 0],
  ['End', 1, 5],
  ['Enter', 1, undefined],
  ['a', 1, undefined],
])('%s at tab %i of six leads to %s', (key, at, to) => {
  expect(tabAfter(key, at, 6)).toBe(to);
});
