/** docs/event-router-cases.md is complete and true: every numbered case is named by a test. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routerCases, routerCasesText } from './router-cases.ts';

test('every case has a test that names it', () => {
  const cases = routerCases();
  expect(cases).toHaveLength(155);
  expect(cases.filter(({ proofs }) => proofs.length === 0).map(({ id }) => id)).toEqual([]);
});

test('docs/event-router-cases.md is up to date with the tests (npm run spec-map writes it)', () => {
  const file = new URL('../../docs/event-router-cases.md', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(routerCasesText());
});
