/** The values of a request are counted before it is parsed, and its id is found without it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { idInText, tooManyMembers, tooManyValues } from '../../core/console/request-values.ts';

const list = (count: number): string => `[${Array.from({ length: count }, () => '1').join(',')}]`;
const object = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join(',')}}`;

test.each([
  ['numbers', list(999_998), false],
  ['one number more', list(1_000_000), true],
  ['names of an object', object(249_000), false],
  ['more names, which take far longer to parse than numbers', object(251_000), true],
  ['one text', JSON.stringify(object(300_000)), false],
])('%s', (_what, text, isRefused) => {
  expect(tooManyValues(text) !== undefined).toBe(isRefused);
});

const settings = (value: string): string =>
  `{"id":1,"method":"settings.set","params":{"key":"a","value":${value}}}`;

test.each([
  ['as many members as allowed', settings(object(10_000)), false],
  ['one member more', settings(object(10_001)), true],
  ['one more, between spaces', settings(object(10_001).replaceAll(':', ' : ')), true],
  ['many members in all', `[${object(9_000)},${object(9_000)}]`, false],
  ['a list of many members in an object', settings(`{"a":[${object(5_000)}],"b":${object(9_999)}}`), false],
  ['many parameters', `{"id":1,"method":"messages.list","params":${object(10_001)}}`, true],
  ['a payload', `{"params":{"data":${object(20_000)}}}`, false],
  ['a payload of a list', `{"params":{"entries":[{"event" : [${object(20_000)}]}]}}`, false],
  [
    'many members beside a payload',
    `{"params":{"data":${object(20_000)},"metadata":${object(10_001)}}}`,
    true,
  ],
  ['many members after a text like the name of a payload', `["data",${object(10_001)}]`, true],
  ['many members in a text', JSON.stringify(object(20_000)), false],
  ['a payload that does not end', `{"data":${object(20_000).slice(0, -1)}`, false],
  ['a name that does not end', `{"a":${object(10_000).slice(0, -1)},"b`, false],
])('members: %s', (_what, text, isRefused) => {
  expect(tooManyMembers(text) !== undefined).toBe(isRefused);
});

test.each([
  ['{"id":7}', 7],
  ['{"params":[1,2],"id":"a\\"b"}', 'a"b'],
  ['{"id":-1.5e3}', -1500],
  ['{"id":null}', null],
  ['{"method":"x"}', undefined],
  ['{"id":true}', undefined],
  ['[{"id":7}]', undefined],
])('the id of %s', (text, id) => {
  expect(idInText(text)).toBe(id);
});

test.each([
  ['a list', list(1000)],
  ['a short list', '[[]]'],
  ['an object', object(1000)],
  ['a long text', JSON.stringify('x'.repeat(1000))],
  ['a long number', '1'.repeat(1001)],
])('an id that is %s is not parsed', (_what, id) => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(idInText(`{"method":"x","id":${id}}`)).toBeUndefined();
  expect(parse.mock.calls.filter(([text]) => text === id)).toEqual([]);
});
