/** Which end of the live list the newest rows are at: rows have places, oldest first; lines are how they are on the screen. */
import type { MessagesState } from './messages-state.ts';

/** Whether the newest row is on the first line: chosen, and the list is in the order of time. */
export function isNewestFirst(
  { newestFirst }: { readonly newestFirst: boolean },
  { groupBy, sort }: Pick<MessagesState, 'groupBy' | 'sort'>,
): boolean {
  return newestFirst && groupBy === '' && sort === undefined;
}

/** The line of a place, and the place of a line. */
export function turned(at: number, total: number, isTurned: boolean): number {
  return isTurned ? total - 1 - at : at;
}
