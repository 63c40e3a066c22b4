/** A click counts for the line that was pressed: the same element may have another row before the release. */
import type { MouseEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usePressedLine } from '../../renderer/views/messages/use-pressed-line.ts';

/** A row in the place of one of a browser. */
class Row {
  id = 'row-m1';
  closest(): Row {
    return this;
  }
}

beforeEach(() => void vi.stubGlobal('Element', Row));
afterEach(() => void vi.unstubAllGlobals());

function pressedLine(): ReturnType<typeof usePressedLine> {
  const made: ReturnType<typeof usePressedLine>[] = [];
  function Part(): ReactElement | null {
    made.push(usePressedLine());
    return null;
  }
  renderToStaticMarkup(<Part />);
  const [first] = made;
  if (first === undefined) throw new Error('The part was not drawn.');
  return first;
}

const on = (target: Row, detail = 1): MouseEvent => ({ target, detail }) as unknown as MouseEvent;

test('a click on the line that was pressed counts', () => {
  const [pressed, row] = [pressedLine(), new Row()];
  pressed.note(on(row));
  expect(pressed.release(on(row))).toBe(true);
});

test('a click on an element that has another row by now does not count', () => {
  const [pressed, row] = [pressedLine(), new Row()];
  pressed.note(on(row));
  row.id = 'row-m2';
  expect(pressed.release(on(row))).toBe(false);
});

test('a press ends with its click, so that a later click without one counts', () => {
  const [pressed, row] = [pressedLine(), new Row()];
  pressed.note(on(row));
  expect(pressed.release(on(row))).toBe(true);
  row.id = 'row-m2';
  expect(pressed.release(on(row))).toBe(true);
});

test('a click counts whose press does not, and one by key, whatever was pressed', () => {
  const [pressed, row] = [pressedLine(), new Row()];
  pressed.note(undefined);
  expect(pressed.release(on(row))).toBe(true);
  pressed.note(on(row));
  row.id = 'row-m2';
  expect(pressed.release(on(row, 0))).toBe(true);
});
