/** Tabs that have room in one line of a narrow window. */
import { expect, test } from 'vitest';
import { fittingTabs } from '../../renderer/format/fitting.ts';

const fit = (room: number, chosen: number, ...tabs: readonly number[]): readonly number[] =>
  [...fittingTabs({ tabs, room, more: 50 }, chosen)].toSorted((a, b) => a - b);

test('all tabs are shown where they have room, without the button of the others', () => {
  expect(fit(300, 0, 100, 100, 100)).toEqual([0, 1, 2]);
  expect(fit(0, -1)).toEqual([]);
});

test('otherwise the first ones stand beside the button, and the chosen one with them', () => {
  expect(fit(299, 0, 100, 100, 100)).toEqual([0, 1]);
  expect(fit(299, -1, 100, 100, 100)).toEqual([0, 1]);
  expect(fit(299, 2, 100, 100, 100)).toEqual([0, 2]);
  // None is left out from between: who looks for a view finds the order that it has in a wide window.
  expect(fit(299, 0, 100, 180, 20, 20)).toEqual([0]);
  expect(fit(40, 2, 100, 100, 100)).toEqual([2]);
});
