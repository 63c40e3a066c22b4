// The first JSON value of a text, where it ends, and the own texts of its parts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memberInAnyCase } from '../../core/contract/member-in-any-case.ts';
import { firstText, firstValue, isJson, tryParse } from '../../core/domain/json.ts';
import { elementTexts } from '../../core/contract/json-scan.ts';
import { joinMembers, memberTexts } from '../../core/domain/json-parts.ts';

describe('the first value', () => {
  test.each([
    ['{"a":1}', '{"a":1}', false],
    ['  [1, 2]\n', '[1, 2]', false],
    ['{"a":"}"} tail', '{"a":"}"}', true],
    ['{"a":1}{"b":2}', '{"a":1}', true],
    ['"s"x', '"s"', true],
    ['nullx', 'null', true],
    ['12abc', '12', true],
    ['01', '0', true],
    ['1.5.5', '1.5', true],
    ['-0', '-0', false],
    ['1e5 ', '1e5', false],
    [String.raw`"a\"b" c`, String.raw`"a\"b"`, true],
  ])('%s -> %s', (text, first, trailing) => {
    expect(firstValue(text)).toMatchObject({ text: first, trailing, value: JSON.parse(first) as unknown });
  });

  test.each([
    '',
    '  ',
    '{',
    '{"a":1',
    '{bad',
    '[1,]',
    '"open',
    'tru',
    '-',
    '1.',
    '1.x',
    '1ex',
    '.5',
    '{"a":1]',
    '\ufeff{}',
  ])('there is none in %s', (text) => {
    expect(firstValue(text)).toBeUndefined();
  });

  test('does not count brackets in strings as depth', () => {
    const string = JSON.stringify('\\\\"[{\\'.repeat(1500));
    const wide = `[${'{},'.repeat(1500)}${string}]`;
    expect(firstValue(wide)?.text).toBe(wide);
    expect(firstValue(`[${string},${'['.repeat(1000)}${']'.repeat(1000)}]`)).toBeUndefined();
  });

  test('may have 1,000 levels and no more', () => {
    expect(firstValue('['.repeat(1001) + ']'.repeat(1001))).toBeUndefined();
    for (const text of ['['.repeat(1000) + ']'.repeat(1000), `"${'['.repeat(3000)}"`])
      expect(firstValue(text)?.text).toBe(text);
    expect(firstValue('['.repeat(1_000_000))).toBeUndefined();
  });

  test('property: is found before anything that follows', () => {
    const tail = fc.constantFrom('', ' ', ' x', '\n{', ' "', ' ]', ' 5');
    fc.assert(
      fc.property(fc.json(), tail, (json, after) => {
        expect(firstValue(json + after)?.value).toEqual(JSON.parse(json));
      }),
    );
  });

  test('property: no text throws', () => {
    const jsonish = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '-', '.', 'e', 'null', '\\', ' ', 'a'),
    });
    fc.assert(
      fc.property(jsonish, (text) => {
        const first = firstValue(text);
        expect(
          first === undefined || JSON.stringify(JSON.parse(first.text)) === JSON.stringify(first.value),
        ).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a text is checked without a parse as a parser reads it', () => {
  /** Whether both say the same: an assertion for each of thousands of texts would take many times as long. */
  const isSame = (text: string): boolean => {
    const parsed = firstValue(text);
    const first = firstText(text);
    return (
      first?.text === parsed?.text &&
      first?.trailing === parsed?.trailing &&
      isJson(text) === (tryParse(text) !== undefined)
    );
  };
  const pieces = [
    ...[
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\ufeff',
      '\u0000',
      '\u001f',
      '\u007f',
      '\u2028',
    ],
    ...[
      '0',
      '1',
      '-',
      '+',
      '.',
      'e',
      'E',
      '12',
      '0.5',
      '1e9',
      '-0',
      'true',
      'false',
      'null',
      'nul',
      'a',
      'NaN',
    ],
    ...[
      '\\',
      '\\"',
      '\\\\',
      '\\/',
      '\\n',
      '\\u',
      '\\u00e9',
      '\\uD8',
      '\\ud83d',
      '\\uDE00',
      '\\ug000',
      '\\x',
      '\\u00G0',
    ],
    ...['\ud83d', '\ude00', '\ud83d\ude00', '""', '"a"', '"a":', '{}', '[]', '[1,', '{"b":', 'é'],
  ];

  test('property: 6,000 texts of random pieces, most of them broken', () => {
    const texts = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });
    const failed = fc.check(fc.property(texts, isSame), { numRuns: 6000 }).counterexample;
    expect(failed).toBeNull();
  });

  test('property: 4,000 JSON texts, whole, cut, and with one piece more, less or other', () => {
    const less = fc.constantFrom(0, 1, 1e9);
    const more = fc.oneof(fc.constantFrom('', 'x', '"', ','), fc.constantFrom(...pieces));
    const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), less, more);
    const changes = fc.array(change, { minLength: 19, maxLength: 19 });
    const value = fc.jsonValue({ maxDepth: 3 });
    const texts = fc.property(value, fc.constantFrom('', ' ', '\t'), changes, (whole, indent, all) => {
      const text = JSON.stringify(whole, null, indent);
      const changed = all.map(([place, gone, piece]) => {
        const at = Math.floor(place * text.length);
        return text.slice(0, at) + piece + text.slice(at + gone);
      });
      return [text, ...changed].every(isSame);
    });
    expect(fc.check(texts, { numRuns: 200 }).counterexample).toBeNull();
  });

  test('with 1,000 levels and no more, where levels count', () => {
    for (const depth of [999, 1000, 1001, 100_000]) {
      expect(isSame('['.repeat(depth) + ']'.repeat(depth))).toBe(true);
      expect(isSame('['.repeat(depth))).toBe(true);
      expect(isSame(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)} x`)).toBe(true);
    }
    expect(firstText('['.repeat(1001) + ']'.repeat(1001), 1001)?.trailing).toBe(false);
  });
});

describe('parts', () => {
  const spaced = (value: unknown, gap: string): string => JSON.stringify(value, null, gap);

  test('property: the parts of an object are its members', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('', ' ', '\t'),
        (object, gap) => {
          const members = memberTexts(spaced(object, gap));
          const read = Object.fromEntries(
            [...members].map(([name, text]) => [name, JSON.parse(text) as unknown]),
          );
          expect(read).toEqual(JSON.parse(JSON.stringify(object)));
          expect(JSON.parse(joinMembers(members))).toEqual(read);
        },
      ),
    );
  });

  test('property: the parts of an array are its elements', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom('', ' ', '\t'), (array, gap) => {
        const texts = elementTexts(spaced(array, gap));
        expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(JSON.parse(JSON.stringify(array)));
      }),
    );
  });

  test('keep digits, escapes and spaces as they were written', () => {
    expect(memberTexts(String.raw`{ "n" : 12345678901234567890 , "s":"\u00e9\"}" , "a":[ 1.50 ]}`)).toEqual(
      new Map([
        ['n', '12345678901234567890'],
        ['s', String.raw`"\u00e9\"}"`],
        ['a', '[ 1.50 ]'],
      ]),
    );
  });

  test('have names without their escapes, and the last of two equal names counts', () => {
    expect(memberTexts(String.raw`{"\u0061":1,"a":2}`)).toEqual(new Map([['a', '2']]));
  });
});

test('a member in any case is the exact one if there is one, else the last', () => {
  expect(memberInAnyCase({ A: 1, a: 2 }, 'a')).toEqual({ name: 'a', value: 2 });
  expect(memberInAnyCase({ AB: 1, aB: 2 }, 'ab')).toEqual({ name: 'aB', value: 2 });
  expect(memberInAnyCase({}, 'constructor')).toBeUndefined();
});
