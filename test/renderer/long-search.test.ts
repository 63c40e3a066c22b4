/** The search inside a long text: in slices, in both directions, over the borders of slices and the ends of the text. */
import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { findInSlices } from '../../renderer/components/code/long-search.ts';

const SLICE = 512 * 1024;
const never = new AbortController().signal;

/** A text of three slices with a needle at these places. */
function textWith(needle: string, ...places: number[]): Text {
  const all = Array.from('x'.repeat(2 * SLICE + 1000));
  for (const at of places) all.splice(at, needle.length, ...Array.from(needle));
  return Text.of([all.join('')]);
}

test('a search finds the next match and the previous one, and continues at the other end', async () => {
  const places = [10, SLICE - 2, SLICE + 100, 2 * SLICE + 500];
  const doc = textWith('Needle', ...places);
  const next = (from: number) => findInSlices(doc, 'needle', from, 1, never);
  const before = (from: number) => findInSlices(doc, 'needle', from, -1, never);
  expect(await next(0)).toBe(10);
  expect(await next(16)).toBe(SLICE - 2);
  expect(await next(SLICE + 4)).toBe(SLICE + 100);
  expect(await next(doc.length)).toBe(10);
  expect(await before(10)).toBe(2 * SLICE + 500);
  expect(await before(2 * SLICE + 500)).toBe(SLICE + 100);
  expect(await before(SLICE + 100)).toBe(SLICE - 2);
  expect(await before(SLICE - 2)).toBe(10);
});

test('a search finds nothing without a match, also with letters that grow in lower case, and stops when it is given up', async () => {
  expect(await findInSlices(textWith('a'), 'needle', 0, 1, never)).toBeUndefined();
  expect(await findInSlices(Text.empty, 'needle', 0, 1, never)).toBeUndefined();
  // Lower case of this letter has two characters, so that its slice is compared as it is.
  expect(await findInSlices(textWith('İ needle', 20), 'needle', 0, 1, never)).toBe(22);
  expect(
    await findInSlices(textWith('needle', SLICE + 5), 'needle', 0, 1, AbortSignal.abort()),
  ).toBeUndefined();
});

test('a search finds the only match that stands before the beginning in the same slice', async () => {
  const doc = textWith('needle', 10);
  expect(await findInSlices(doc, 'needle', 500, 1, never)).toBe(10);
  expect(await findInSlices(doc, 'needle', 5, -1, never)).toBe(10);
});
