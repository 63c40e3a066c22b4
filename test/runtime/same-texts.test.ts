/** Texts that come again and again are one text in memory, and what is remembered of them is bounded. */
import { expect, test } from 'vitest';
import { SameTexts } from '../../core/runtime/publishing/same-texts.ts';

test('SameTexts returns any text unchanged, however many there are', () => {
  const same = new SameTexts();
  const texts = Array.from({ length: 1000 }, (_, nth) => `topic-${nth % 300}`).concat('x'.repeat(100), '');
  expect(texts.map((text) => same.of(text))).toEqual(texts);
});
