/** "What if…" asks about every row of the table that applies, and each row of the table is led to. */
import { expect, test } from 'vitest';
import { explainVerdict } from '../../core/domain/explain-verdict.ts';
import { questionsFor, sentenceOf } from '../../renderer/components/detail/what-if.ts';

test('a single delivery: the eight rows', () => {
  const led = questionsFor(undefined).map(({ status, body }) =>
    explainVerdict({ kind: 'single', status, body }),
  );
  expect(led.map(({ rule, state }) => `${rule} ${state}`)).toEqual([
    'single.2xx.success processed',
    'single.2xx.retry retrying',
    'single.2xx.drop dropped',
    'single.2xx.other retrying',
    'single.2xx.empty processed',
    'single.2xx.invalid processed',
    'single.404 dropped',
    'single.other retrying',
  ]);
});

test('an entry of a batch: its own rows and those of the whole answer', () => {
  const batch = { entryId: 'e-1', batchSize: 3 };
  const told = questionsFor(batch).map((question) => ({
    question,
    verdict: explainVerdict({
      kind: 'bulk',
      status: question.status,
      body: question.body,
      entryId: batch.entryId,
    }),
  }));
  expect(told.map(({ verdict: { rule, state } }) => `${rule} ${state}`)).toEqual([
    'bulk.2xx.success processed',
    'bulk.2xx.retry retrying',
    'bulk.2xx.drop dropped',
    'bulk.2xx.other retrying',
    'bulk.2xx.missing retrying',
    'bulk.2xx.missing retrying',
    'bulk.404 dropped',
    'bulk.other retrying',
  ]);
  expect(told.map((each) => sentenceOf(each, batch))[3]).toBe(
    'For entry e-1 the app answered "MAYBE", which is not SUCCESS, RETRY or DROP: to be retried. An error was logged.',
  );
});
