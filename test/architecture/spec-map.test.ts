/** docs/spec-map.md is complete and true: every row has a file that exists and at least one case, and the text is up to date. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mappedRows, specMapText, specTables } from './spec-map.ts';

const root = new URL('../../', import.meta.url);
const built = mappedRows();

describe('docs/spec-map.md', () => {
  test('is up to date with rules, files and conformance cases (npm run spec-map writes it)', () => {
    expect(readFileSync(new URL('docs/spec-map.md', root), 'utf8')).toBe(specMapText());
  });

  test('has no empty cell', () => {
    expect(built.length).toBeGreaterThan(70);
    expect(built.filter((row) => row.file === undefined).map((row) => row.id)).toEqual([]);
    expect(built.filter((row) => row.screen === '').map((row) => row.id)).toEqual([]);
    expect(built.filter((row) => row.cases.length === 0).map((row) => row.id)).toEqual([]);
  });

  test('names files that exist', () => {
    expect(built.filter((row) => !existsSync(new URL(row.file ?? '', root))).map((row) => row.id)).toEqual(
      [],
    );
  });

  test('the outcome tables are in the code under the same ids', () => {
    const code = readFileSync(new URL('core/domain/verdict.ts', root), 'utf8');
    const outcomes = specTables()
      .filter(({ id }) => id === 'single' || id === 'bulk')
      .flatMap(({ rows }) => rows);
    expect(outcomes.length).toBe(14);
    for (const { id } of outcomes) expect(code).toContain(`'${id}'`);
  });
});
