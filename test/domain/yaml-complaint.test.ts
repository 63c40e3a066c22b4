/** Mistakes in YAML in plain words: where, what was found, what is expected. */
import { parseDocument } from 'yaml';
import { describe, expect, test } from 'vitest';
import { aliasComplaint, yamlComplaints } from '../../core/domain/yaml-complaint.ts';

/** The complaints about a text, as it is read for components, runs and scenarios. */
function complaintsOf(text: string): ReturnType<typeof yamlComplaints> {
  const { errors, warnings } = parseDocument(text, { prettyErrors: false });
  return yamlComplaints(text, [...errors, ...warnings]);
}

/** Each complaint about the text as `line:column sentence`. */
function said(...lines: readonly string[]): readonly string[] {
  const text = `${lines.join('\n')}\n`;
  return complaintsOf(text).map(({ offset, message }) => {
    const before = text.slice(0, offset).split('\n');
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1} ${message.replace(/^YAML: /, '')}`;
  });
}

describe('the usual mistakes', () => {
  test.each<[what: string, lines: readonly string[], says: string]>([
    [
      'a tab as indent',
      ['metadata:', '\tname: x'],
      '2:1 found a tab at the beginning of the line; expected spaces.',
    ],
    [
      'a tab below spaces',
      ['spec:', '  type: x', '\tversion: v1'],
      '3:1 found a tab at the beginning of the line; expected spaces.',
    ],
    [
      'no colon',
      ['apiVersion v1', 'kind: Component'],
      '1:1 found no colon; expected a key, a colon and a space: "key: value".',
    ],
    [
      'no colon on the last line',
      ['kind: Component', 'scopes'],
      '2:1 found no colon; expected a key, a colon and a space: "key: value".',
    ],
    [
      'an equals sign for the colon',
      ['kind: Component', 'name = x'],
      '2:1 found an equals sign; expected a key, a colon and a space: "key: value".',
    ],
    [
      'no space after the colon',
      ['spec:', '  type:pubsub.redis', '  version: v1'],
      '2:3 expected a space after the colon.',
    ],
    ['no space after the last colon', ['kind: Component', 'a:b'], '2:1 expected a space after the colon.'],
    [
      'a line too far to the right',
      ['spec:', '  type: x', '   version: v1'],
      '3:4 the line begins in column 4; expected column 3, because the key above it has a value already.',
    ],
    [
      'a line too far to the right in an item',
      ['apps:', '  - appID: a', '     appPort: 1'],
      '3:6 the line begins in column 6; expected column 5, because the key above it has a value already.',
    ],
    [
      'a line too far to the left',
      ['spec:', '  type: x', ' version: v1'],
      '3:2 the line begins in column 2; expected column 1 or 3, where the lines above begin.',
    ],
    [
      'a key at the column of a dash',
      ['apps:', '  - appID: a', '  appPort: 1'],
      '3:3 the line begins in column 3; expected column 1 or 5, where the lines above begin.',
    ],
    [
      'a key between the dash and the keys of an item',
      ['steps:', '  - expect: a', '   state: b'],
      '3:4 the line begins in column 4; expected column 3 or 5, where the lines above begin.',
    ],
    [
      'an item without a dash',
      ['scopes:', '  - "a"', '   "b"'],
      '3:4 expected an item of the list, which begins with "- ".',
    ],
    [
      'an open double quote',
      ['metadata:', '  name: "x', 'spec: {}'],
      '2:9 the quote that begins here is not closed; expected another " at the end of the text.',
    ],
    [
      'an open single quote',
      ["name: 'it''s", 'spec: {}'],
      "1:7 the quote that begins here is not closed; expected another ' at the end of the text.",
    ],
    [
      'a quote inside quotes',
      ["name: 'it's'"],
      '1:11 found a text after the end of the value; expected the end of the line. A text with quotes or brackets in it needs quotes around the whole.',
    ],
    [
      'a key twice',
      ['spec:', '  type: x', '  type: y'],
      '3:3 found the key type a second time in its mapping; expected it once.',
    ],
    [
      'a second colon',
      ['rule: event.type == "a": b'],
      '1:7 found a second colon on the line; expected quotes around the value.',
    ],
    [
      'a list below a value',
      ['scopes: "a"', '  - b'],
      '2:3 found an item of a list; expected another key of the mapping.',
    ],
    [
      'a list on the line of its key',
      ['scopes: - a'],
      '1:9 found a list on the line of its key; expected it to begin on the next line, or to be written as [a, b].',
    ],
    [
      'an item among keys',
      ['metadata:', '  name: x', '  - value: y'],
      '3:3 found an item of a list; expected another key of the mapping.',
    ],
    [
      'an open bracket',
      ['scopes: [a, b', 'kind: x'],
      '1:14 expected ]: the list that [ begins is not closed.',
    ],
    ['an open brace', ['a: {b: c'], '1:9 expected }: the mapping that { begins is not closed.'],
    ['no comma', ['a: ["b" "c"]'], '1:9 expected a comma between two values in [ ].'],
    [
      'a sign that begins no text',
      ['consumer: @shop'],
      '1:11 found a value that begins with @; expected quotes around it.',
    ],
    [
      'a backslash in double quotes',
      ['path: "C:\\shop"'],
      '1:10 \\s means nothing in double quotes; expected \\\\ for a backslash, or single quotes around the text.',
    ],
    [
      'a comment without a space',
      ['a: "b"#c'],
      '1:7 expected a space before #, which begins a comment. A text with # needs quotes.',
    ],
    [
      'a bracket closed too far to the left',
      ['spec:', '  scopes: [', '    a', '  ', ']', '  kind: x'],
      '5:1 the line begins too far to the left; expected each line of the list in [ ] to be indented further than its key.',
    ],
    [
      'a line between brackets too far to the left',
      ['scopes: {a: b,', 'c: d', '}'],
      '1:15 expected }: the mapping that { begins is not closed.',
    ],
    [
      'a value between brackets too far to the left',
      ['scopes: [', 'a,', 'b', ']'],
      '2:1 the line begins too far to the left; expected each line of the list in [ ] to be indented further than its key.',
    ],
    [
      'an open bracket above a key in double quotes',
      ['a: [1, 2', '"b": 3'],
      '1:9 expected ]: the list that [ begins is not closed.',
    ],
    [
      'an open bracket above a key in single quotes',
      ['a: [1, 2', "'b': 3"],
      '1:9 expected ]: the list that [ begins is not closed.',
    ],
    [
      'an open bracket above a key with a quote in double quotes',
      ['a: [1, 2', '"b\\"c": 3'],
      '1:9 expected ]: the list that [ begins is not closed.',
    ],
    [
      'an open bracket above a key with a quote in single quotes',
      ['a: [1, 2', "'b''c': 3"],
      '1:9 expected ]: the list that [ begins is not closed.',
    ],
    [
      'an open bracket above a key of two words',
      ['a: [1, 2', 'my key: 3'],
      '1:9 expected ]: the list that [ begins is not closed.',
    ],
    [
      'an open bracket above a merge key',
      ['a: [1, 2', '<<: 3'],
      '1:9 expected ]: the list that [ begins is not closed.',
    ],
    [
      'an open bracket above the next document',
      ['a: [1, 2', '---', 'b: 3'],
      '1:9 expected ]: the list that [ begins is not closed.',
    ],
    [
      'an open bracket above the end of the document',
      ['a: [1, 2', '...'],
      '1:9 expected ]: the list that [ begins is not closed.',
    ],
    [
      'an open brace above a key in quotes',
      ['a: {x: 1', '"b": 3'],
      '1:9 expected }: the mapping that { begins is not closed.',
    ],
    ['a bracket of another kind', ['a: [b, c}'], '1:9 expected ]: the list that [ begins is not closed.'],
    ['a tab behind a dash', ['a:', '  -\tname: x'], '2:4 found a tab behind the dash; expected a space.'],
    [
      'an open quote above a text in quotes',
      ['name: "shop', 'type: "redis"'],
      '1:7 the quote that begins here is not closed; expected another " at the end of the text.',
    ],
    [
      'an open quote between brackets, above a text in quotes',
      ['a: { name: "shop,', '  value: "redis" }'],
      '1:12 the quote that begins here is not closed; expected another " at the end of the text.',
    ],
    [
      'a second document',
      ['a: 1', '---', 'b: 2'],
      '2:1 the file has more than one document; expected one. A line of --- begins another.',
    ],
    [
      'a text after the sign of a block',
      ['a: |x', '  y'],
      '1:5 expected the text after | or > to begin on the next line. A text that begins with one of them needs quotes.',
    ],
  ])('%s is said with its place', (_what, lines, says) => {
    expect(said(...lines)[0]).toBe(says);
  });
});

test('each line has one complaint, and each mistake has one', () => {
  expect(said('a:b', 'x: 1', 'f: 1', 'f: 2', 'c:', '  d: "e')).toEqual([
    '1:1 expected a space after the colon.',
    '4:1 found the key f a second time in its mapping; expected it once.',
    '6:6 the quote that begins here is not closed; expected another " at the end of the text.',
  ]);
});

test('thousands of mistakes in a long line take no time that grows with both', () => {
  const text = `a: ${'] '.repeat(200_000)}`;
  const errors = Array.from({ length: 200_000 }, (_, i) => ({
    code: 'UNEXPECTED_TOKEN',
    message: 'Unexpected flow-seq-end at node end',
    pos: [3 + 2 * i, 4 + 2 * i] as const,
  }));
  expect(yamlComplaints(text, errors)).toHaveLength(1);
});

test('an alias without an anchor is a text for most people', () => {
  expect(aliasComplaint('Unresolved alias (the anchor must be set before the alias): .js')).toBe(
    'YAML: found an alias (*), but no anchor (&) of its name above it. A text that begins with * needs quotes.',
  );
});

describe('a password in a broken line stays out of the sentence', () => {
  test.each(
    [
      'value: @hunter2',
      'value: `hunter2',
      'value: !hunter2',
      'value: !e!hunter2',
      'value: !<hunter2',
      'value: |hunter2',
      'value: >a hunter2',
      'value: "\\xhunter2"',
      'value: "a"hunter2',
      'value: "a" : hunter2',
      'value: {a}hunter2',
      'value: a: hunter2',
      'value hunter2',
      'value=hunter2',
      'value:hunter2',
      'hunter2:b',
      'hunter2==',
      'value: - hunter2',
      'value: {a: "b" "hunter2"}',
      'value: "a"\n  - hunter2',
      'value:\n  - a\n  hunter2',
      'value: [\n  a\nhunter2\n]',
      'a:\n  value: [\n    a\n]\n  hunter2: b',
    ].map((text) => [text] as const),
  )('%j', (text) => {
    const all = complaintsOf(`kind: x\n${text}\n`).map(({ message }) => message);
    expect(all).not.toEqual([]);
    expect(all.filter((one) => one.includes('unter'))).toEqual([]);
  });

  test('an alias', () => {
    const document = parseDocument('value: *hunter2');
    const told = (): unknown => document.toJS();
    expect(told).toThrow('hunter2');
    const words = 'Unresolved alias (the anchor must be set before the alias): hunter2';
    expect(aliasComplaint(words)).not.toContain('hunter2');
  });
});

test('a text of a million quotes with backslashes is looked through once', () => {
  const openAt = (text: string, end: number): number | undefined => {
    const error = { code: 'MISSING_CHAR', message: 'Missing closing "quote', pos: [end, end] as const };
    return yamlComplaints(text, [error])[0]?.offset;
  };
  const quotes = `a: "${'\\"'.repeat(400_000)}`;
  expect(openAt(quotes, quotes.length)).toBe(3);
  expect(openAt(`a: "${'\\'.repeat(1_000_000)}"`, 1_000_004)).toBe(3);
});
