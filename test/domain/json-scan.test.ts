// One scanner for every text of JSON: where parts stand, and that none of their characters is lost.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementTexts, endOfValue, findPart, partsOf, skipSpace } from '../../core/contract/json-scan.ts';
import { memberTexts, withParts } from '../../core/domain/json-parts.ts';
import { firstValue } from '../../core/domain/json.ts';
import { textOfPointer } from '../../renderer/format/json-pointer.ts';
import { jsonPositionAt } from '../../renderer/format/json-cursor.ts';
import { compactJson, layOutJson, memberText } from '../../renderer/format/json-text.ts';

/** Neither survives being read as a number. */
const LONG = ['12345678901234567890.12345678901234567890', '-0.10', '1E400', '9007199254740993'];

describe('digits of long numbers survive', () => {
  test.each(LONG)('the digits of %s survive', (digits) => {
    const text = `{ "a" : ${digits} , "list":[1,${digits}\n] }`;
    expect(memberTexts(text).get('a')).toBe(digits);
    expect(memberText(text, 'a')).toBe(digits);
    expect(textOfPointer(text, '/a')).toBe(digits);
    expect(textOfPointer(text, '/list/1')).toBe(digits);
    expect(elementTexts(memberText(text, 'list') ?? '')).toEqual(['1', digits]);
    expect(firstValue(`${text} and more`)?.text).toBe(text);
    expect(jsonPositionAt(text, text.indexOf(digits) + 1)?.scalar).toBe(digits);
    expect(layOutJson(text)).toContain(`"a": ${digits},`);
    expect(compactJson(text)).toBe(`{"a":${digits},"list":[1,${digits}]}`);
    expect(withParts(text, (name, value) => (name === 'list' ? '0' : value))).toBe(
      `{ "a" : ${digits} , "list":0 }`,
    );
  });
});

const spaced = fc
  .tuple(fc.json(), fc.constantFrom(undefined, 1, '\t'))
  .map(([json, indent]) => JSON.stringify(JSON.parse(json) as unknown, null, indent));

test('property: the parts of a value are those that a parser reads, in the same order', () => {
  fc.assert(
    fc.property(spaced, fc.constantFrom('', ' ', '\r\n\t'), (json, space) => {
      const text = space + json + space;
      const value = JSON.parse(text) as unknown;
      const start = skipSpace(text, 0);
      expect(text.slice(start, endOfValue(text, start))).toBe(json);
      const parts = partsOf(text);
      const expected = typeof value === 'object' && value !== null ? Object.entries(value) : [];
      const read = parts.map((part) => [part.name, JSON.parse(text.slice(part.start, part.end)) as unknown]);
      // A parser puts names that are whole numbers first.
      expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected));
      expect(read).toHaveLength(expected.length);
      for (const part of parts) expect(findPart(text, 0, ({ name }) => name === part.name)).toEqual(part);
    }),
  );
});

test('names are read as a parser reads them: escapes, quotes, and the same name twice', () => {
  const text = String.raw`{"\u0061":1,"b\"\\":2,"a":3}`;
  expect(partsOf(text).map(({ name }) => name)).toEqual(['a', String.raw`b"\ `.trim(), 'a']);
  expect(memberTexts(text).get('a')).toBe('3');
  expect(memberText(text, 'a')).toBe('1');
});

test.each(['', '  ', '{', '[', '{"a', '{"a"', '{"a":', '{a:1}', '[1', '{"a":[', '{"\\q":1', '}', ']', ','])(
  'a broken text ends the search, without an error: %s',
  (text) => {
    expect(findPart(text, 0, ({ name }) => name === 'missing')).toBeUndefined();
    expect(memberText(text, 'missing')).toBeUndefined();
  },
);
