/** The filter as SQL gives the same answers as the evaluator, many times. The sample is in sqlite-filter.test.ts. */
import { expect, test } from 'vitest';
import { sameAnswers } from './filter-both.ts';

test('random messages, random filters', async () => {
  expect(await sameAnswers(3000)).toBeGreaterThanOrEqual(3000);
});
