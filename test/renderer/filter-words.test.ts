/** How the text of a filter is cut for drawing. */
import { expect, test } from 'vitest';
import { filterParts, markedParts, meantFilter, meantPath } from '../../renderer/format/filter-words.ts';

const drawn = (text: string): string =>
  filterParts(text)
    .filter(({ text: part }) => part.trim() !== '')
    .map(({ kind, text: part }) => `${kind[0] ?? ''}<${part}>`)
    .join('');

test.each([
  ['topic:orders state:retrying', 'k<topic:>p<orders>k<state:>p<retrying>'],
  ['data.items[0].sku:"A 1" late', 'k<data.items[0].sku:>q<"A 1">p<late>'],
  ['(status:5xx OR error:*) age:<10m', 'w<(>k<status:>p<5xx>w<OR>k<error:>p<*>w<)>k<age:<>p<10m>'],
  ['NOT is:replay -app:mock attempts:>=3', 'w<NOT>k<is:>p<replay>k<-app:>p<mock>k<attempts:>=>p<3>'],
  ['dead-lettered "open', 'p<dead-lettered>q<"open>'],
  ['ORder', 'p<ORder>'],
  ['', ''],
])('%s is drawn in parts', (text, expected) => {
  expect(drawn(text)).toBe(expected);
});

test('the parts of any text make up the whole text', () => {
  for (const text of ['a"b\\"c"d(e)f', ':::', '"', '\\', 'ä:ö OR', '  topic:  ', '))((', 'a.b.c[1]>2']) {
    const parts = markedParts(text, { from: 1, length: 2 });
    expect(
      parts
        .map(({ text: part }) => part)
        .join('')
        .trimEnd(),
    ).toBe(text.trimEnd());
  }
});

test('a mistake is a part of its own, also behind the end', () => {
  const marked = markedParts('topik:x', { from: 0, length: 5 });
  expect(marked.map(({ text, isWrong }) => [text, isWrong])).toEqual([
    ['topik', true],
    [':', false],
    ['x', false],
  ]);
  expect(markedParts('a OR', { from: 4, length: 0 }).at(-1)).toMatchObject({ text: '\u00a0', isWrong: true });
});

test('a word with a comparison is taken for a value of the payload', () => {
  expect(meantFilter('total>100')).toBe('data.total>100');
  expect(meantFilter('topic:orders -items[0].qty>=2 "a>b"')).toBe('topic:orders -data.items[0].qty>=2 "a>b"');
  for (const text of ['data.total>100', 'age:<5m', 'size:>10kb', 'orders', 'a->b', '"total>100"'])
    expect(meantFilter(text)).toBeUndefined();
});

test('a comparison that is typed with spaces, or with two equals signs, is suggested as one word', () => {
  expect(meantFilter('total > 100')).toBe('data.total>100');
  expect(meantFilter('topic:orders total == 100')).toBe('topic:orders data.total=100');
  expect(meantFilter('attempts >= 3')).toBe('attempts>=3');
  for (const text of ['"total > 100"', 'late > ', 'a -> b', '> 100'])
    expect(meantFilter(text)).toBeUndefined();
});

test('an unknown key is taken for a path into the payload', () => {
  const mistake = { position: 14, found: 'orderId', expected: 'a known key' };
  expect(meantPath('topic:orders orderId:7', mistake)).toBe('topic:orders data.orderId:7');
  expect(meantPath('-orderId:7', { ...mistake, position: 1 })).toBe('-data.orderId:7');
  expect(meantPath('topic:orders orderId:7', { ...mistake, expected: 'a number' })).toBeUndefined();
  expect(meantPath('http://x:7', { ...mistake, position: 1, found: '' })).toBeUndefined();
});
