/** Where the keys of a grid lead. */
import { describe, expect, test } from 'vitest';
import { stepOf, treeMove } from '../../renderer/components/grid/keys.ts';

describe('keys in a list', () => {
  const steps = { at: 5, count: 20, page: 8 };

  test.each([
    ['ArrowUp', 4],
    ['ArrowDown', 6],
    ['PageUp', 0],
    ['PageDown', 13],
    ['Home', 0],
    ['End', 19],
    ['x', undefined],
  ])('%s moves from row 5 to %s', (key, to) => expect(stepOf(key, steps)).toBe(to));

  test('no key leads beyond the ends', () => {
    expect(stepOf('ArrowDown', { ...steps, at: 19 })).toBe(19);
    expect(stepOf('ArrowUp', { ...steps, at: 0 })).toBe(0);
    expect(stepOf('PageDown', { ...steps, at: 18 })).toBe(19);
  });

  test('from no row, Arrow Down enters the grid and Arrow Up begins at its end', () => {
    const none = { count: 20, page: 8, at: undefined };
    expect(stepOf('ArrowDown', none)).toBe(19);
    expect(stepOf('ArrowDown', { ...none, entry: 0 })).toBe(0);
    expect(stepOf('ArrowUp', none)).toBe(19);
    expect(stepOf('PageUp', none)).toBe(12);
  });

  test('a grid without rows takes no key', () => {
    for (const key of ['ArrowDown', 'Home', 'End', 'PageUp'])
      expect(stepOf(key, { at: undefined, count: 0, page: 8 })).toBeUndefined();
  });
});

describe('lines of a tree', () => {
  test.each([
    ['ArrowRight', false, 'open'],
    ['ArrowRight', true, 'child'],
    ['ArrowRight', undefined, undefined],
    ['ArrowLeft', true, 'close'],
    ['ArrowLeft', false, undefined],
    ['ArrowLeft', undefined, 'parent'],
    ['ArrowDown', true, undefined],
  ] as const)('%s on a line that is open: %s', (key, isOpen, move) =>
    expect(treeMove(key, isOpen)).toBe(move),
  );
});
