// Sizes and counts as text.
import { expect, test } from 'vitest';
import { byteCount, sizeLimit } from '../../core/contract/size-text.ts';

test.each([
  [1, '1 byte'],
  [5, '5 bytes'],
  [1000, '1,000 bytes'],
  [1024, '1 KiB'],
  [4_194_304, '4 MiB'],
  [4_194_305, '4,194,305 bytes'],
  [1024 ** 3, '1 GiB'],
  [1_717_986_304, 'about 1638 MiB'],
  [1_717_986_918, 'about 1638 MiB'],
])('the text of a limit of %d bytes is %s', (bytes, said) => {
  expect(sizeLimit(bytes)).toBe(said);
});

test('a byte count has every digit', () => {
  expect(byteCount(4_194_304)).toBe('4,194,304 bytes');
});
