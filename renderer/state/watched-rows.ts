/**
 * Which rows the host has to be asked for again, so that it reports their changes: it watches the range that it was asked for last, and the
 * newest rows.
 */
import { MAX_ROWS, type RowRange } from './read-ahead.ts';
import { pagesOf } from './row-window.ts';

/** The range that the host was asked for last. */
export interface Watched extends RowRange {
  readonly viewId: string;
}

/** Newest rows of a view by time that are taken as watched. The host watches twice as many, and more of them may have come by now. */
const NEWEST = 1000;

export interface Sight {
  readonly viewId: string;
  /** Rows that are in sight. */
  readonly range: RowRange;
  readonly total: number;
  /** Whether the host watches the newest rows whatever it was asked for. */
  readonly hasNewest: boolean;
}

/** The pages to ask for; undefined: all rows in sight are watched. */
export function unwatched(
  { viewId, range, total, hasNewest }: Sight,
  watched: Watched | undefined,
): RowRange | undefined {
  const from = Math.max(0, range.from);
  const to = Math.min(range.to, from + MAX_ROWS, hasNewest ? total - NEWEST : total);
  if (from >= to) return undefined;
  const isWatched = watched?.viewId === viewId && watched.from <= from && to <= watched.to;
  if (isWatched) return undefined;
  const pages = pagesOf({ from, to }, total);
  return pages.to - pages.from <= MAX_ROWS ? pages : { from, to };
}
