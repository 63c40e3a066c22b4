/** Mistakes in rows of key and value: each at its own row. */
import { expect, test } from 'vitest';
import { firstMistake, pairMistakes } from '../../renderer/views/publish/pair-mistakes.ts';

const pairs = (...rows: readonly (readonly [string, string])[]) =>
  rows.map(([key, value], id) => ({ id, key, value }));

test('a key that occurs twice is named at the second row, and one with a field of its own at the first', () => {
  expect([...pairMistakes(pairs(['a', '1'], ['b', '2'], ['a', '3']))]).toEqual([
    [2, { key: 'The key "a" occurs twice.' }],
  ]);
  expect([...pairMistakes(pairs(['a', '1']), { named: ['a'] })]).toEqual([
    [0, { key: 'The key "a" occurs twice.' }],
  ]);
});

test('a value without a key is a mistake, and a row without both is none', () => {
  expect([...pairMistakes(pairs(['', '1'], ['', '']))]).toEqual([
    [0, { key: 'Enter a key, or remove this row.' }],
  ]);
});

test('the rules of the form are asked for each key and value, and the first mistake is the first row', () => {
  const mistakes = pairMistakes(pairs(['ok', 'x'], ['Bad', '1']), {
    oddKey: (key) => (key === 'Bad' ? 'a bad key' : undefined),
    oddValue: ({ value }) => (value === 'x' ? 'a bad value' : undefined),
  });
  expect([...mistakes]).toEqual([
    [0, { value: 'a bad value' }],
    [1, { key: 'a bad key' }],
  ]);
  expect(firstMistake(mistakes)).toBe('a bad value');
  expect(firstMistake(pairMistakes([]))).toBeUndefined();
});
