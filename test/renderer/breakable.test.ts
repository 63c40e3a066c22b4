/** Where a long word may go on in the next line. */
import { expect, test } from 'vitest';
import { partsOf } from '../../renderer/components/Breakable.tsx';

test.each([
  ['type:com.example.sample.held', ['type:', 'com.', 'example.', 'sample.', 'held']],
  ['topic:orders total>100 · next 5 only', ['topic:', 'orders ', 'total>100 ', '· ', 'next ', '5 ', 'only']],
  ['/orders//deleted', ['/', 'orders//', 'deleted']],
  ['', []],
])('%j breaks after separators', (text, parts) => {
  expect(partsOf(text)).toEqual(parts);
  expect(partsOf(text).join('')).toBe(text);
});
