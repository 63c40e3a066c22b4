/** The second click of a double click counts only for the button of the first one. */
import { expect, test } from 'vitest';
import { isStrayClick } from '../../renderer/components/stray-click.ts';

const [first, second] = [new EventTarget(), new EventTarget()];
const press = (currentTarget: EventTarget, detail: number): boolean =>
  isStrayClick({ currentTarget, detail });

test('a button that is pressed quickly counts each of its clicks', () => {
  expect([press(first, 1), press(first, 2), press(first, 3)]).toEqual([false, false, false]);
});

test('a second click that lands on the button which took the place of the first one is stray', () => {
  expect([press(first, 1), press(second, 2), press(second, 3)]).toEqual([false, true, true]);
});

test('a click of its own, and a key, count on every button', () => {
  expect([press(first, 1), press(second, 1), press(first, 0), press(second, 0)]).toEqual(
    Array.from({ length: 4 }, () => false),
  );
});
