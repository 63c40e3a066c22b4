/** Rows that a full history removes at its old end, while a person looks at the rows there. */
import type { ViewChanged } from '../../core/contract/console.ts';
import type { RowRange } from './read-ahead.ts';
import type { RowWindow } from './row-window.ts';

/** Rows that these changes remove from the old end of the view of everything. */
export function removedBy(total: number, changes: readonly ViewChanged[]): number {
  const appended = changes.reduce((sum, change) => sum + change.appended, 0);
  return Math.max(0, total + appended - (changes.at(-1)?.total ?? total));
}

/**
 * The lines that are in sight after the oldest rows left. The row that keeps its place, which is in the middle, moves up with its lines. If
 * it left too, the list stays scrolled as it is, and shows other rows.
 */
export function sightAfter({ from, to }: RowRange, removed: number): RowRange {
  const keepsRow = removed <= Math.floor((from + to) / 2);
  const start = keepsRow ? Math.max(0, from - removed) : from;
  return { from: start, to: start + to - from };
}

/** Lines of a range whose rows are not loaded. */
function emptyIn(rows: RowWindow, { from, to }: RowRange): number {
  let empty = 0;
  for (let index = from; index < Math.min(rows.total, to); index += 1)
    if (rows.idAt(index) === undefined) empty += 1;
  return empty;
}

/** Whether lines in sight lose their text when the oldest rows leave, because the rows that come into sight instead are not loaded. */
export function emptiesSight(rows: RowWindow, sight: RowRange, removed: number): boolean {
  if (removed === 0 || removed >= rows.total) return false;
  const after = sightAfter(sight, removed);
  return emptyIn(rows, { from: after.from + removed, to: after.to + removed }) > emptyIn(rows, sight);
}
