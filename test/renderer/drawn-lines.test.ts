/** Lines that are drawn while rows at the scroll position are not loaded. */
import { expect, test } from 'vitest';
import { DrawnRow, drawnFrom, type LoadedLines } from '../../renderer/state/drawn-lines.ts';
import type { RowRange } from '../../renderer/state/read-ahead.ts';
import { RowWindow } from '../../renderer/state/row-window.ts';
import { rowsFrom } from './list-host.ts';

/** Lines of these ranges are loaded; ten lines are in sight. */
function from(line: number, loaded: readonly RowRange[], more: Partial<LoadedLines> = {}): number {
  return drawnFrom(
    { from: line, to: line + 10 },
    {
      has: (each) => loaded.some((range) => each >= range.from && each < range.to),
      newest: undefined,
      before: undefined,
      inPlace: undefined,
      ...more,
    },
  );
}

const START = { from: 0, to: 100 };
const MIDDLE = { from: 500, to: 600 };

test('rows that are loaded are drawn at their own place', () => {
  expect(from(540, [START, MIDDLE], { newest: START, before: 20 })).toBe(540);
});

test('beyond loaded rows the nearest lines of the newest answer are drawn, none of them empty', () => {
  expect(from(900, [START, MIDDLE], { newest: MIDDLE, before: 20 })).toBe(590);
  expect(from(300, [START, MIDDLE], { newest: MIDDLE, before: undefined })).toBe(500);
  expect(from(595, [START, MIDDLE], { newest: MIDDLE, before: 580 })).toBe(590);
});

test('lines that are drawn stay where they are nearer than the newest answer', () => {
  expect(from(150, [START, MIDDLE], { newest: MIDDLE, before: 85 })).toBe(85);
});

test('an answer whose rows were dropped, or that is shorter than what is in sight, is not drawn', () => {
  expect(from(900, [START], { newest: MIDDLE, before: 20 })).toBe(20);
  expect(from(900, [START, { from: 500, to: 504 }], { newest: { from: 500, to: 504 }, before: 20 })).toBe(20);
});

test('a row that is to be loaded again does not move the rows around it', () => {
  const holed = [START, { from: 500, to: 545 }, { from: 546, to: 600 }];
  expect(from(540, holed, { newest: START, before: 540, inPlace: 540 })).toBe(540);
  expect(from(541, holed, { newest: START, before: 530, inPlace: undefined })).toBe(530);
});

test('a row that is to be loaded again does not bring rows from far away, also after a scroll by a line', () => {
  const holed = [START, { from: 500, to: 545 }, { from: 546, to: 600 }];
  expect(from(541, holed, { newest: START, before: 540, inPlace: undefined })).toBe(541);
  // An answer that reaches into what is in sight is near, and without the first line the place itself is not there yet.
  expect(from(541, holed, { newest: { from: 500, to: 545 }, before: undefined })).toBe(535);
  expect(from(700, holed, { newest: START, before: undefined })).toBe(90);
});

test('without loaded rows the lines of the scroll position are drawn', () => {
  expect(from(900, [])).toBe(900);
});

test('an empty line does not replace the row that was drawn last', () => {
  const drawn = new DrawnRow();
  drawn.note('m7', 7, false);
  expect(drawn).toMatchObject({ id: 'm7', inPlace: 7 });
  drawn.note('m7', 7, true);
  expect(drawn).toMatchObject({ id: 'm7', inPlace: undefined });
  drawn.note(undefined, 40, false);
  expect(drawn).toMatchObject({ id: 'm7', inPlace: undefined });
});

test('the newest answer moves with its rows', () => {
  const rows = new RowWindow();
  expect(rows.newest).toBeUndefined();
  rows.total = 1000;
  rows.take(200, { rows: rowsFrom(201, 100), total: 1000 });
  expect(rows.newest).toEqual({ from: 200, to: 300 });
  rows.shift(10);
  expect(rows.newest).toEqual({ from: 210, to: 310 });
  rows.dropOldest(250);
  expect(rows.newest).toEqual({ from: 0, to: 60 });
  rows.clear();
  expect(rows.newest).toBeUndefined();
});
