// Searching a text for a part, and for parts in order: as the built-in search finds them, and never slower than the text is long.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, partMatch, wholeMatch } from '../../core/domain/filter/glob.ts';

/** Few letters, so that parts nearly fit at many places. */
const letters = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b'), maxLength });

test('property: a text is found exactly where String.includes finds it', () => {
  fc.assert(
    fc.property(letters(200), letters(30), (text, part) => {
      expect(contains(text, part)).toBe(text.includes(part));
    }),
    { numRuns: 2000 },
  );
});

test('property: a pattern with * matches as a regular expression does', () => {
  const pattern = fc.array(letters(16), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(letters(120), pattern, (text, parts) => {
      expect(wholeMatch(parts.join('*'))(text)).toBe(new RegExp(`^${parts.join('.*')}$`).test(text));
      expect(partMatch(parts.join('*'))(text)).toBe(new RegExp(parts.join('.*')).test(text));
    }),
    { numRuns: 2000 },
  );
});

test('a part that nearly fits at every place of a long text is looked for once', () => {
  const text = 'a'.repeat(4_000_000);
  const part = `${'a'.repeat(2500)}b${'a'.repeat(2500)}`;
  expect(contains(text, part)).toBe(false);
  expect(contains(`${text}b${text}`, part)).toBe(true);
  expect(partMatch(`${part}*${part}`)(text)).toBe(false);
});
