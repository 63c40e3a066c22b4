/** Order of the live list: rows have positions, oldest first; lines are their order on the screen. */
import type { MessagesState } from './messages-state.ts';

/** Whether the newest row is on the first line: the user chose that, and the list is in the order of time. */
export function isNewestFirst(
  { newestFirst }: { readonly newestFirst: boolean },
  { groupBy, sort }: Pick<MessagesState, 'groupBy' | 'sort'>,
): boolean {
  return newestFirst && groupBy === '' && sort === undefined;
}

/** Whether a list that follows its newest rows shows this line; `fitting` lines are in sight. */
export function isFollowed(line: number, total: number, fitting: number, isTurned: boolean): boolean {
  return turned(line, total, !isTurned) < fitting;
}

/** The line of a position, and the position of a line. */
export function turned(at: number, total: number, isTurned: boolean): number {
  return isTurned ? total - 1 - at : at;
}

/**
 * Whether a list stays at its first line, whatever row is on it: a person who sorts wants to see what comes first, and the host moves rows
 * until it has sorted all of them.
 * @param topRow line at the upper edge
 */
export function staysAtStart({ sort }: Pick<MessagesState, 'sort'>, topRow: number): boolean {
  return sort !== undefined && topRow <= 0;
}
