/** Bodies as text, JSON and bytes; differences; bulk entries. */
import { describe, expect, test } from 'vitest';
import {
  bestMode,
  bodyOf,
  bodyOfBase64,
  bodyOfText,
  bytePartsOf,
  hexRow,
  prettyJson,
} from '../../renderer/format/body.ts';
import { changedLines, differenceOf, diffLines } from '../../renderer/format/diff.ts';
import { entryMistakes, readEntries, wireEntry, type ReadEntry } from '../../renderer/format/entries.ts';
import { jsonMistake } from '../../core/contract/json-position.ts';
import { layOutJson, memberText } from '../../renderer/format/json-text.ts';

function saidOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('bodies', () => {
  test('are read from text and from base64', () => {
    expect(bodyOf({ body: 'ä' }).bytes).toHaveLength(2);
    for (const text of ['', 'a', 'ä€😀', '\uD83D', '\uDE00\uD83Da', '😀'.repeat(3)]) {
      const { size, bytes } = bodyOf({ body: text });
      expect(size).toBe(bytes.length);
    }
    expect(bodyOf({ body: btoa('{"a":1}'), bodyBase64: true })).toMatchObject({
      text: '{"a":1}',
      isBinary: false,
    });
    expect(bodyOfBase64('//79')).toMatchObject({ isBinary: true });
    expect(bodyOfBase64('no base64!').bytes).toHaveLength(0);
  });

  test.each([
    ['{"a":1}', 'application/json', 'json'],
    ['{"a":1}', '', 'json'],
    ['{"a":', 'application/json', 'text'],
    ['<a/>', 'application/xml', 'xml'],
    ['<a/>', '', 'xml'],
    ['hello', 'text/plain', 'text'],
    ['42', 'application/json', 'json'],
    ['42', 'text/plain', 'text'],
  ])('%s of type %s is shown as %s', (text, type, mode) => {
    const isJson = jsonMistake(text) === undefined;
    expect(bestMode(bodyOfText(text), type, isJson)).toBe(mode);
  });

  test('a text that only looks like JSON is shown as a text', () => {
    expect(bestMode(bodyOfText('{"a":1}'), 'aplication/json', false)).toBe('text');
  });

  test('bytes show as hex', () => {
    expect(bestMode(bodyOfBase64('//79'), 'application/json', true)).toBe('hex');
    const bytes = new TextEncoder().encode('Hello, world! 0123\n');
    expect(hexRow(bytes, 0)).toEqual({
      offset: '00000000',
      hex: '48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 20 30 31',
      ascii: 'Hello, world! 01',
    });
    expect(hexRow(bytes, 1).ascii).toBe('23.');
    for (const text of ['0123456789abcdef'.repeat(2), 'ä'.repeat(20), '\uFEFF{}']) {
      const body = bodyOf({ body: text });
      expect(bytePartsOf(body).length).toBe(body.size);
      expect(hexRow(bytePartsOf(body), 1)).toEqual(hexRow(body.bytes, 1));
    }
    expect(hexRow(bytes, 1, 8)).toEqual({
      offset: '00000008',
      hex: '6f 72 6c 64 21 20 30 31',
      ascii: 'orld! 01',
    });
    expect(hexRow(bytes, 2, 8).hex).toBe('32 33 0a               ');
  });

  test('JSON is indented with two spaces, or invalid', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('{')).toBeUndefined();
  });

  test('numbers and escapes stay as they were written', () => {
    expect(prettyJson('{"big":12345678901234567890123,"e":1.0e+2,"u":"\\u202e","n":{},"l":[ ]}')).toBe(
      '{\n  "big": 12345678901234567890123,\n  "e": 1.0e+2,\n  "u": "\\u202e",\n  "n": {},\n  "l": []\n}',
    );
  });

  test.each([
    '{"a":[1,2,{"b":"}],:"}],"c":null}',
    '[]',
    '"text"',
    '[[[1]],{"x":{"y":[]}}]',
    ' { "spaced" : [ true , false ] } ',
  ])('%s keeps its value when it is indented', (text) => {
    const laid = layOutJson(text);
    expect(JSON.parse(laid)).toEqual(JSON.parse(text));
    expect(laid).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  test.each([
    ['{"id":"1","data":{"data":1,"x":[2]},"z":0}', '{"data":1,"x":[2]}'],
    ['{"x":{"data":1},"data" : 12345678901234567890 }', '12345678901234567890'],
    ['{"data":"a \\"quoted\\" text"}', '"a \\"quoted\\" text"'],
    ['{"data":[1,[2]],"a":1}', '[1,[2]]'],
    ['{"data":null}', 'null'],
    ['{"a":"data","b":1}', undefined],
    ['[{"data":1}]', undefined],
  ])('the data of %s is %s', (text, member) => expect(memberText(text, 'data')).toBe(member));

  test('the mistake of a text that is no JSON has its place', () => {
    expect(jsonMistake('{"a": 1}')).toBeUndefined();
    expect(jsonMistake('{\n  "a": 1\n  "b": 2\n}')).toMatchObject({ line: 3, column: 3 });
    expect(jsonMistake('{"a": ')).toMatchObject({ line: 1, column: 7 });
    expect(jsonMistake('[\n1,\n2,]\n')).toEqual({ line: 3, column: 3, message: "Unexpected token ']'" });
  });

  test('the position of a mistake is where the parser stops, wherever a text is changed', () => {
    const whole = '{"a": [1, -2.5e+3, true, null, "x\\u00e9"],\n"b": {"c": {}}}';
    const told = Array.from(whole).flatMap((_, at) =>
      Array.from('{}[],:"\\ 0.-etx').flatMap((char) => {
        const text = whole.slice(0, at) + char + whole.slice(at + 1);
        const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(saidOf(text)) ?? [];
        return line === undefined ? [] : [[text, jsonMistake(text), Number(line), Number(column)] as const];
      }),
    );
    expect(told.length).toBeGreaterThan(300);
    for (const [text, mistake, line, column] of told)
      expect({ text, ...mistake }).toMatchObject({ text, line, column });
  });
});

describe('differences', () => {
  test('one changed line counts once', () => {
    const lines = diffLines('{\n  "total": 120\n}', '{\n  "total": 999\n}');
    expect(lines.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
    expect(changedLines(lines)).toBe(1);
  });

  test('both texts can be read back from the lines', () => {
    const before = 'a\nb\nc\nd\ne';
    const after = 'a\nx\nc\ne\nf';
    const lines = diffLines(before, after);
    const side = (other: string): string =>
      lines
        .filter(({ kind }) => kind !== other)
        .map(({ text }) => text)
        .join('\n');
    expect(side('added')).toBe(before);
    expect(side('removed')).toBe(after);
  });

  test('digits of long numbers stay', () => {
    const lines = diffLines('{\n  "n": 12345678901234567890.10\n}', '{\n  "n": 12345678901234567891.10\n}');
    expect(lines.map(({ text }) => text)).toEqual([
      '{',
      '  "n": 12345678901234567890.10',
      '  "n": 12345678901234567891.10',
      '}',
    ]);
  });

  test('a long text with one more line differs in that line; two that share nothing are one block', () => {
    const long = (word: string): string =>
      Array.from({ length: 5000 }, (_, line) => `${word} ${String(line)}`).join('\n');
    expect(changedLines(diffLines(long('a'), long('a')))).toBe(0);
    expect(changedLines(diffLines(long('a'), `${long('a')}\nmore`))).toBe(1);
    expect(changedLines(diffLines(long('a'), long('b')))).toBe(5000);
  });

  test('long texts show what differs, the lines around it, and how many are left out', () => {
    const line = (n: number): string => `line ${n}`;
    const before = Array.from({ length: 3000 }, (_, n) => line(n));
    const after = before.with(1500, 'changed');
    const { changed, lines } = differenceOf(before.join('\n'), after.join('\n'));
    expect(changed).toBe(1);
    expect(lines[0]).toEqual({ kind: 'equal', lines: 1497 });
    expect(lines.slice(1, 9).map((one) => ('text' in one ? one.text : ''))).toEqual([
      ...[1497, 1498, 1499, 1500].map(line),
      'changed',
      ...[1501, 1502, 1503].map(line),
    ]);
    expect(lines.at(-1)).toEqual({ kind: 'equal', lines: 1496 });
    const other = differenceOf(before.join('\n'), before.map((text) => `${text}!`).join('\n'));
    expect(other.changed).toBe(3000);
    expect(other.lines).toHaveLength(1001);
    expect(other.lines.at(-1)).toEqual({ kind: 'more', lines: 5000 });
    const [wide] = differenceOf('x'.repeat(30_000), 'y').lines;
    expect(wide).toEqual({ kind: 'removed', text: `${'x'.repeat(20_000)}…` });
  });
});

describe('bulk entries', () => {
  test.each([
    ['[{"entryId":"1","contentType":"text/plain","event":"x"}]', [['1', 'text/plain', 'x']]],
    [
      '[{"a":1},2]',
      [
        ['', 'application/json', '{"a":1}'],
        ['', 'application/json', '2'],
      ],
    ],
    [
      '{"a":1}\n\n{"a":2}',
      [
        ['', 'application/json', '{"a":1}'],
        ['', 'application/json', '{"a":2}'],
      ],
    ],
    ['{"entryId":7,"event":{"a":1}}', [['7', 'application/json', '{"a":1}']]],
    [
      'hello\nworld',
      [
        ['', 'text/plain', 'hello'],
        ['', 'text/plain', 'world'],
      ],
    ],
    [
      '[ {"entryId": "7", "event": { "n" : 12345678901234567890 } }, 1.0 ,"a  \\" b"]',
      [
        ['7', 'application/json', '{"n":12345678901234567890}'],
        ['', 'application/json', '1.0'],
        ['', 'application/json', '"a  \\" b"'],
      ],
    ],
    ['{"n": 1e400}', [['', 'application/json', '{"n":1e400}']]],
    ['[]', []],
    ['', []],
  ])('%s is read as entries', (text, entries) => {
    const read = readEntries(text);
    expect(
      read.ok && read.entries.map(({ entryId, contentType, event }) => [entryId, contentType, event]),
    ).toEqual(entries);
  });

  test.each([
    ['application/json', '{"a":1}', { event: { a: 1 } }],
    ['application/json', '{"a":12345678901234567890}', { eventText: '{"a":12345678901234567890}' }],
    ['application/cloudevents+json', '{"a":1.0}', { eventText: '{"a":1.0}' }],
    ['application/json', '{"a":', { event: '{"a":' }],
    ['text/plain', '1.0', { event: '1.0' }],
  ])('an entry is published as %s %s', (contentType, event, sent) => {
    expect(wireEntry({ entryId: '1', contentType, event })).toEqual({ entryId: '1', contentType, ...sent });
  });

  test('a line that is not JSON is named', () => {
    expect(readEntries('{"a":1}\n\n{"a":')).toEqual({ ok: false, line: 3 });
  });

  test('duplicate and missing ids and invalid JSON are found', () => {
    const entry = (entryId: string, event: string): ReadEntry => ({
      entryId,
      contentType: 'application/json',
      event,
    });
    const mistakes = entryMistakes([entry('1', '{}'), entry('1', '{'), entry('', '1'), entry('2', '"x"')]);
    expect([...mistakes.twice]).toEqual(['1']);
    expect(mistakes).toMatchObject({ withoutId: 1, notJson: 1 });
  });
});
