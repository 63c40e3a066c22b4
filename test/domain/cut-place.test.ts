// Long texts are cut between characters, also where a character takes two units.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortened } from '../../core/contract/cut-place.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab😀', 3, 'ab…'],
  ['ab😀', 4, 'ab😀'],
  ['😀😀', 2, '😀…'],
])('%s, shortened to %d, is %s', (text, most, expected) => {
  expect(shortened(text, most)).toBe(expected);
});

test('no half of a pair is left, whatever the length is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
      expect(shortened(text, most)).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});
