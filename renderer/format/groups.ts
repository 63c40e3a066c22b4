/** Texts of a group of the list. */
import type { GroupRow } from '../../core/contract/view.ts';
import { GROUPINGS, GROUP_ORDERS, ROW_STATES } from '../../core/contract/words.ts';
import { fill } from '../copy/fill.ts';
import { GROUPS_OF_LIST, GROUP_ORDER_WORDS, WITHOUT } from '../copy/groups.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { isOwnColumn } from './columns.ts';
import { clockTime } from './clock-time.ts';
import { count } from './quantity.ts';
import { visibleShort } from './visible-text.ts';

type Grouping = (typeof GROUPINGS)[number];

/** The choice for a list's grouping; a path into the payload is a correlation too. */
export function groupingOf(groupBy: string): Grouping | 'none' {
  const known = GROUPINGS.find((each) => each === groupBy);
  if (known !== undefined) return known;
  return groupBy === '' ? 'none' : 'correlation';
}

/**
 * Parameter for the grouping.
 * @param path path for correlation in the settings; '' = the event's own extension
 */
export function groupByOf(grouping: Grouping | 'none', path: string): string {
  if (grouping === 'none') return '';
  return grouping === 'correlation' && isOwnColumn(path) ? path : grouping;
}

/** Whether the list follows its newest lines, because repeats are in the order of time. */
export function isByTime(groupBy: string): boolean {
  return groupBy === '' || groupBy === 'repeats';
}

/** Groupings by a value of a delivery, of which a message may have several. */
const OF_DELIVERIES: ReadonlySet<string> = new Set<Grouping>(['state', 'route', 'answer']);

/** The order of the groups in words, and what counts where a message has several values; undefined: the lines have times themselves. */
export function groupsNote(groupBy: string): string | undefined {
  if (isByTime(groupBy)) return undefined;
  const known = GROUPINGS.find((each) => each === groupBy);
  const order = GROUP_ORDER_WORDS[known === undefined ? 'time' : GROUP_ORDERS[known]];
  return OF_DELIVERIES.has(groupBy) ? `${order} ${GROUPS_OF_LIST.foremost}` : order;
}

/** Title of a group: "orders", "Replays of msg_7", "No trace" */
export function groupTitle({ value }: Pick<GroupRow, 'value'>, groupBy: string): string {
  const known = GROUPINGS.find((each) => each === groupBy);
  if (value === undefined)
    return known === undefined ? fill(WITHOUT.data, { path: groupBy }) : WITHOUT[known];
  const state = known === 'state' ? ROW_STATES.find((each) => each === value) : undefined;
  if (state !== undefined) return CHIP_WORDS[state];
  // The line shows the time separately.
  const shown = visibleShort(known === 'repeats' ? value.replace(/^\d+ /, '') : value);
  return known === 'replay' ? fill(GROUPS_OF_LIST.chain, { value: shown }) : shown;
}

/** Size of a group: "12 messages" */
export function groupSize({ messages }: Pick<GroupRow, 'messages'>): string {
  return messages === 1 ? GROUPS_OF_LIST.one : fill(GROUPS_OF_LIST.many, { n: count(messages) });
}

/** Time span of a group: "14:32:08.412 to 14:40:01.007", or one time. */
export function groupSpan({ firstAt, lastAt }: Pick<GroupRow, 'firstAt' | 'lastAt'>): string {
  const [from, to] = [clockTime(firstAt), clockTime(lastAt)];
  return from === to ? from : fill(GROUPS_OF_LIST.span, { from, to });
}

/** State of a group: "Parked, 1 of 12" */
function groupState({ worst, states, messages }: GroupRow): string {
  const word = CHIP_WORDS[worst];
  const n = states[worst] ?? 0;
  return n === messages ? word : fill(GROUPS_OF_LIST.worst, { word, n: count(n), total: count(messages) });
}

/** Name of a group: "orders, 12 messages, Parked, 1 of 12, 14:32:08.412 to 14:40:01.007" */
export function groupName(group: GroupRow, groupBy: string): string {
  return [groupTitle(group, groupBy), groupSize(group), groupState(group), groupSpan(group)].join(', ');
}

/** A part of a group's bar: the number of messages in a state. */
export interface StatePart {
  readonly state: (typeof ROW_STATES)[number];
  readonly n: number;
}

/** States of a group by the order of attention, without those that no message has. */
export function stateParts({ states }: Pick<GroupRow, 'states'>): readonly StatePart[] {
  return ROW_STATES.flatMap((state) => {
    const n = states[state] ?? 0;
    return n === 0 ? [] : { state, n };
  });
}

/** Counts in words: "1 Parked, 11 Processed" */
export function statesText(group: Pick<GroupRow, 'states'>): string {
  return stateParts(group)
    .map(({ state, n }) => fill(GROUPS_OF_LIST.counted, { word: CHIP_WORDS[state], n: count(n) }))
    .join(', ');
}
