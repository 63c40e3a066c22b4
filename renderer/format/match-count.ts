/** Text beside the filter: number of matches, or progress of the search for them. */
import { fill } from '../copy/fill.ts';
import { FILTER, LIST } from '../copy/messages.ts';
import { count } from './quantity.ts';

export interface Progress {
  readonly done: number;
  readonly of: number;
}

export interface ToCount {
  readonly total: number;
  readonly filter: string;
  readonly progress: Progress | undefined;
  readonly groupBy: string;
  /** Whether a group is open, so that its messages count as well. */
  readonly hasOpenGroups: boolean;
  /** Number of groups among the lines; undefined: not all of them are loaded. */
  readonly groups?: number | undefined;
  readonly isSorted: boolean;
  /** The list of another filter is on its way, and this one still shows. */
  readonly isOpening: boolean;
  /** There is no connection to the host, so nothing searches. */
  readonly isAway: boolean;
  /** No list was shown yet. */
  readonly isFirst: boolean;
  readonly kept: number | undefined;
}

/** Whether the host still looks for more. */
export const searches = (progress: Progress | undefined): progress is Progress =>
  progress !== undefined && progress.done < progress.of;

/** No count is shown before anything was examined: "0 of 100,000" would be wrong a moment later. */
export function countedText(list: ToCount): string {
  const { total, filter, progress, groupBy, kept } = list;
  const underWay = underWayText(list);
  if (list.isFirst && !list.isOpening) return '';
  if (list.isAway && (list.isOpening || searches(progress))) return '';
  if (list.isOpening || (searches(progress) && progress.done === 0 && underWay === FILTER.searching))
    return FILTER.search;
  if (searches(progress)) return fill(underWay, { done: count(progress.done), of: count(progress.of) });
  // The list is told of a message before the number of all of them is.
  if (filter !== '' && kept !== undefined && groupBy === '')
    return fill(LIST.countOf, { n: count(total), kept: count(Math.max(total, kept)) });
  return linesText(list);
}

/**
 * Whether a search can be cancelled: one whose progress is known.
 * @param counted result of `countedText`, also where a text that is no filter stands in the field and nothing is said beside it
 */
export function canCancel(progress: Progress | undefined, counted: string): boolean {
  return searches(progress) && counted !== '' && counted !== FILTER.search;
}

/** A grouped list counts lines: groups, and the messages of open ones. */
function linesText({ total, groupBy, hasOpenGroups, groups }: ToCount): string {
  const n = count(total);
  if (groupBy === '') return fill(LIST.counted, { n });
  if (!hasOpenGroups) return fill(LIST.groups, { n });
  if (groups === undefined) return fill(LIST.groupsAndMessages, { n });
  return `${fill(LIST.groups, { n: count(groups) })}, ${fill(LIST.counted, { n: count(total - groups) })}`;
}

function underWayText({ isSorted, groupBy, filter }: ToCount): string {
  if (isSorted) return FILTER.sorting;
  return groupBy !== '' && filter === '' ? FILTER.grouping : FILTER.searching;
}
