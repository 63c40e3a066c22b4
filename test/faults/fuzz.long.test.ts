/** 100,000 hostile requests, and what they leave behind. */
import { expect, test } from 'vitest';
import { fuzz } from './fuzz-run.ts';

const COUNT = 100_000;
/** Growth that a warm process may still show over 50,000 requests: a kilobyte and a half for each. */
const MAX_GROWN_MIB = 75;

test('100,000 hostile requests: no crash, no 5xx outside the table, no leak', async () => {
  const result = await fuzz(7, COUNT);
  expect(result.findings).toEqual([]);
  expect(result.isWell).toBe(true);
  expect(result.grownMiB ?? 0).toBeLessThan(MAX_GROWN_MIB);
  expect(result.openFilesMore ?? 0).toBeLessThan(50);
});
