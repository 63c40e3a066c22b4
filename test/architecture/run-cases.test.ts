/** docs/run-cases.md is complete and true: every numbered case is named by a test. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCases, runCasesText } from './run-cases.ts';

test('every case has a test that names it', () => {
  expect(runCases().flatMap(({ id, proofs }) => (proofs.length === 0 ? [id] : []))).toEqual([]);
});

test('docs/run-cases.md is up to date with the tests (npm run spec-map writes it)', () => {
  const file = new URL('../../docs/run-cases.md', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(runCasesText());
});
