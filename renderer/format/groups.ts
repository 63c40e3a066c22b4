/** A group of the list as its line shows and names it. */
import type { GroupRow } from '../../core/contract/view.ts';
import { GROUPINGS, ROW_STATES } from '../../core/contract/words.ts';
import { fill } from '../copy/fill.ts';
import { GROUPS_OF_LIST, WITHOUT } from '../copy/groups.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { isOwnColumn } from './columns.ts';
import { clockTime, count } from './quantity.ts';
import { visibleShort } from './visible.ts';

type Grouping = (typeof GROUPINGS)[number];

/** The choice that stands for what a list is grouped by: a path into the payload is a correlation too. */
export function groupingOf(groupBy: string): Grouping | 'none' {
  const known = GROUPINGS.find((each) => each === groupBy);
  if (known !== undefined) return known;
  return groupBy === '' ? 'none' : 'correlation';
}

/** What the list is asked for. @param path chosen for correlation in the settings; '' = the event's own extension */
export function groupByOf(grouping: Grouping | 'none', path: string): string {
  if (grouping === 'none') return '';
  return grouping === 'correlation' && isOwnColumn(path) ? path : grouping;
}

/** Whether the newest lines are what a person looks at: repeats are in the order of time. */
export function isByTime(groupBy: string): boolean {
  return groupBy === '' || groupBy === 'repeats';
}

/** "orders", "Replays of msg_7", "No trace" */
export function groupTitle({ value }: Pick<GroupRow, 'value'>, groupBy: string): string {
  const known = GROUPINGS.find((each) => each === groupBy);
  if (value === undefined)
    return known === undefined ? fill(WITHOUT.data, { path: groupBy }) : WITHOUT[known];
  const state = known === 'state' ? ROW_STATES.find((each) => each === value) : undefined;
  if (state !== undefined) return CHIP_WORDS[state];
  // The line shows the time by itself.
  const shown = visibleShort(known === 'repeats' ? value.replace(/^\d+ /, '') : value);
  return known === 'replay' ? fill(GROUPS_OF_LIST.chain, { value: shown }) : shown;
}

/** "12 messages" */
export function groupSize({ messages }: Pick<GroupRow, 'messages'>): string {
  return messages === 1 ? GROUPS_OF_LIST.one : fill(GROUPS_OF_LIST.many, { n: count(messages) });
}

/** "14:32:08.412 to 14:40:01.007", or one time. */
export function groupSpan({ firstAt, lastAt }: Pick<GroupRow, 'firstAt' | 'lastAt'>): string {
  const [from, to] = [clockTime(firstAt), clockTime(lastAt)];
  return from === to ? from : fill(GROUPS_OF_LIST.span, { from, to });
}

/** "Parked, 1 of 12" */
export function groupState({ worst, states, messages }: GroupRow): string {
  const word = CHIP_WORDS[worst];
  const n = states[worst] ?? 0;
  return n === messages ? word : fill(GROUPS_OF_LIST.worst, { word, n: count(n), total: count(messages) });
}

/** "orders, 12 messages, Parked, 1 of 12, 14:32:08.412 to 14:40:01.007" */
export function groupName(group: GroupRow, groupBy: string): string {
  return [groupTitle(group, groupBy), groupSize(group), groupState(group), groupSpan(group)].join(', ');
}

/** A part of the bar of a group: this many messages are in this state. */
export interface StatePart {
  readonly state: (typeof ROW_STATES)[number];
  readonly n: number;
}

/** The states of a group, the one that needs attention most first; those that no message has stay out. */
export function stateParts({ states }: Pick<GroupRow, 'states'>): readonly StatePart[] {
  return ROW_STATES.flatMap((state) => {
    const n = states[state] ?? 0;
    return n === 0 ? [] : { state, n };
  });
}

/** "1 Parked, 11 Processed" */
export function statesText(group: Pick<GroupRow, 'states'>): string {
  return stateParts(group)
    .map(({ state, n }) => fill(GROUPS_OF_LIST.counted, { word: CHIP_WORDS[state], n: count(n) }))
    .join(', ');
}
