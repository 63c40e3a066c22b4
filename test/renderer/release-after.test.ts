/** The time of a hold as a person writes it. */
import { expect, test } from 'vitest';
import { afterText, readAfter } from '../../renderer/views/holds/release-after.ts';

test.each([
  ['5', 5000],
  ['0.25', 250],
  ['250ms', 250],
  ['2 m', 120_000],
  ['0', undefined],
  ['-1', undefined],
  ['soon', undefined],
])('%s is read as %s ms', (text, ms) => expect(readAfter(text)).toBe(ms));

test('each time that the host has is read back from its field', () => {
  expect(afterText(undefined)).toBe('');
  expect(afterText(2000)).toBe('2');
  for (const ms of [1, 1500, 2000, 90_000]) expect(readAfter(afterText(ms))).toBe(ms);
});
