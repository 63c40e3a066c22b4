/** Rows that a full history removes at its old end, while a person looks at the rows there. */
import type { ViewChanged } from '../../core/contract/console.ts';
import type { RowRange } from './read-ahead.ts';
import type { RowWindow } from './row-window.ts';

/** Rows that these changes remove from the old end of the view of everything. */
export function removedBy(total: number, changes: readonly ViewChanged[]): number {
  const appended = changes.reduce((sum, change) => sum + change.appended, 0);
  return Math.max(0, total + appended - (changes.at(-1)?.total ?? total));
}

/** Lines of a range, beginning at `from`, whose rows are not loaded. */
function emptyIn(rows: RowWindow, from: number, count: number): number {
  const end = Math.min(rows.total, from + count);
  let empty = 0;
  for (let index = from; index < end; index += 1) if (rows.idAt(index) === undefined) empty += 1;
  return empty;
}

/**
 * Whether lines in sight lose their text when the oldest rows leave, because the rows that come into sight instead are not loaded. Further
 * down the rows in sight stay, and only their numbers change.
 */
export function emptiesSight(rows: RowWindow, { from, to }: RowRange, removed: number): boolean {
  if (removed <= from || removed >= rows.total) return false;
  return emptyIn(rows, removed, to - from) > emptyIn(rows, from, to - from);
}
