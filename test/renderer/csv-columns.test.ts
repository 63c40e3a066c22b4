/** A CSV of what the list shows: its columns in its order, each one that the host can write. */
import { expect, test } from 'vitest';
import { CSV_COLUMNS } from '../../core/contract/words.ts';
import { ALL_COLUMNS, DEFAULT_COLUMNS } from '../../renderer/format/columns.ts';
import { csvColumnsOf } from '../../renderer/format/csv-columns.ts';

test('a CSV export has the columns of the list, except those about the present time', () => {
  expect(csvColumnsOf(['topic', 'time', 'next'])).toEqual(['topic', 'at']);
  expect(csvColumnsOf(DEFAULT_COLUMNS)).toHaveLength(DEFAULT_COLUMNS.filter((id) => id !== 'preview').length);
  const all = csvColumnsOf(ALL_COLUMNS.map(({ id }) => id));
  expect(all.every((column) => CSV_COLUMNS.includes(column))).toBe(true);
  expect(new Set(all).size).toBe(all.length);
});
