// The link of hits filters by the id of an answer; a person reads its name.
import { expect, test } from 'vitest';
import type { ResponseRule } from '../../core/contract/mock-app.ts';
import { answerIdIn, nameOfAnswer } from '../../renderer/format/answered-by.ts';

test.each([
  ['answeredby:"rul_01a"', 'rul_01a'],
  ['answeredby=rul_01a', 'rul_01a'],
  ['topic:orders answeredby:rul_01a', 'rul_01a'],
  ['topic:"x OR y" AND answeredby:rul_01a', 'rul_01a'],
  ['topic:orders (answeredby:rul_01a)', undefined],
  ['NOT answeredby:"rul_01a"', undefined],
  ['-answeredby:"rul_01a"', undefined],
  ['- answeredby:"rul_01a"', undefined],
  ['answeredby:"rul_01a" OR topic:orders', undefined],
  ['answeredby:"sample-hangs"', 'sample-hangs'],
  ['answeredby:"Fails twice"', 'Fails twice'],
  ['answeredby:*', undefined],
  ['"answeredby:rul_01a"', undefined],
  ['', undefined],
])('%s asks for the answer %s', (filter, id) => {
  expect(answerIdIn(filter)).toBe(id);
});

test('an answer has its name, or its number as on the screen of the answers', () => {
  const rule = { enabled: true, match: {}, answer: { kind: 'respond', status: 200 } } as const;
  const rules: readonly ResponseRule[] = [
    { ...rule, ruleId: 'rul_1', name: 'Fails twice' },
    { ...rule, ruleId: 'rul_2' },
  ];
  expect(nameOfAnswer('rul_1', rules)).toBe('Fails twice');
  expect(nameOfAnswer('rul_2', rules)).toBe('Answer 2');
  expect(nameOfAnswer('rul_3', rules)).toBeUndefined();
});
