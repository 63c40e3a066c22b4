/** The conformance suite's cases: unique, enough of them, each with its rows and with a way to fail. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONFIGURATIONS, NOT_RUN } from '../conformance/configurations.ts';

interface Row {
  readonly id: string;
}
const file = new URL('../../docs/spec-rows.json', import.meta.url);
const tables: { readonly tables: readonly { readonly id: string; readonly rows: readonly Row[] }[] } =
  JSON.parse(readFileSync(file, 'utf8'));
const rowsOf = (id: string): readonly string[] =>
  tables.tables.find((table) => table.id === id)?.rows.map((row) => row.id) ?? [];
const known = new Set(tables.tables.flatMap((table) => table.rows.map((row) => row.id)));
const cases = CONFIGURATIONS.flatMap((configuration) => configuration.cases);
const proven = new Set(cases.flatMap((one) => one.rows));

describe('cases', () => {
  test('have unique ids, also those that are not run', () => {
    const ids = [...cases.map((one) => one.id), ...NOT_RUN.map((one) => one.id)];
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test('are at least 150 in each profile', () => {
    for (const profile of ['sidecar', 'dapr'] as const) {
      const count = cases.filter((one) => one.profiles?.includes(profile) !== false).length;
      expect(count).toBeGreaterThanOrEqual(150);
    }
  });

  test('name existing rows', () => {
    const unknown = cases.flatMap((one) =>
      one.rows
        .filter((row) => !known.has(row) && !/^behaviour \d/.test(row))
        .map((row) => `${one.id}: ${row}`),
    );
    expect(unknown).toEqual([]);
    expect(cases.filter((one) => one.rows.length === 0)).toEqual([]);
  });

  test('each have a spoil that makes them fail', () => {
    expect(cases.filter((one) => one.spoils.length === 0).map((one) => one.id)).toEqual([]);
  });

  test('1 to 131 of the reference exist, or are listed as not run', () => {
    const numbers = new Set(
      [...cases, ...NOT_RUN]
        .map((one) => Number.parseInt(one.id, 10))
        .filter((number) => !Number.isNaN(number)),
    );
    // 131 is the SDK's; it is no case of a configuration.
    const missing = Array.from({ length: 133 }, (_, at) => at + 1).filter(
      (n) => n !== 131 && !numbers.has(n),
    );
    expect(missing).toEqual([]);
  });
});

const TABLES = [
  'publish',
  'bulk-publish',
  'discovery',
  'delivery',
  'single',
  'bulk',
  'health',
  'access',
  'component',
  'limits',
  'versions',
  'binding',
  'scope',
  'release',
  'grpc',
];

test.each(TABLES)('every row of the table %s is proven by a case', (table) => {
  expect(rowsOf(table).length).toBeGreaterThan(0);
  expect(rowsOf(table).filter((row) => !proven.has(row))).toEqual([]);
});
