/** How the text of a filter is cut for drawing. */
import { expect, test } from 'vitest';
import { filterParts, isExpression, markedParts, openOptions } from '../../renderer/format/filter-words.ts';

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

test('an option that the text has already is not drawn', () => {
  const options = [
    { insert: 'orders', from: 6 },
    { insert: 'orders-eu', from: 6 },
  ];
  expect(openOptions(options, 'topic:orders', 12)).toEqual([options[1]]);
  expect(openOptions(options, 'topic:order', 11)).toEqual(options);
  expect(openOptions([{ insert: 'AND ', from: 2 }], 'a AND', 5)).toEqual([]);
});

test.each([
  ['/s-[12]/', true],
  ['topic:orders /^ship.+/i', true],
  ['/api/orders/', false],
  ['route:/orders/{id}', false],
  ['/orders/2026', false],
])('%s has a regular expression: %s', (text, isOne) => {
  expect(isExpression(text)).toBe(isOne);
});
