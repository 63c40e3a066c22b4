/** The values of a request are counted before it is parsed, and its id is found without it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { idInText, tooManyValues } from '../../core/console/request-values.ts';

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
