/** Requests of the rule editor to the host: each different answer once, in order. */
import { expect, test } from 'vitest';
import type { RuleAnswer } from '../../core/contract/mock-app.ts';
import { predictions } from '../../renderer/views/mock-app/predictions.ts';

const asked = (answer: RuleAnswer) =>
  predictions(answer).map((each) => (each.kind === 'known' ? each.chip : each.question));

test('each different answer of a sequence is asked about once', () => {
  const broken = { kind: 'respond', status: 503 } as const;
  const good = { kind: 'respond', status: 200, body: { status: 'SUCCESS' } } as const;
  expect(asked({ kind: 'sequence', steps: [broken, broken, good], then: 'loop' })).toEqual([
    { kind: 'single', status: 503, body: '' },
    { kind: 'single', status: 200, body: '{\n  "status": "SUCCESS"\n}' },
  ]);
});

test('a batch is asked about for each entry; one that is left out has no status', () => {
  const statuses = { a: 'DROP', b: null } as const;
  const body = '{"statuses":[{"entryId":"a","status":"DROP"}]}';
  expect(asked({ kind: 'respond-bulk', status: 200, statuses })).toEqual([
    { kind: 'bulk', status: 200, entryId: 'a', body },
    { kind: 'bulk', status: 200, entryId: 'b', body },
  ]);
});

test('no answer means another attempt, and a question means a person', () => {
  expect(asked({ kind: 'hang' })).toEqual(['retrying']);
  expect(asked({ kind: 'ask' })).toEqual(['asked']);
});
