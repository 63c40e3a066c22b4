/** Groups and their messages as lines: one for each group, and one for each message of a group that is open. */
import type { GroupRow } from '../../../contract/view.ts';
import { ROW_STATES } from '../../../contract/words.ts';
import type { GroupOrder } from '../../../contract/words.ts';
import type { RowState } from '../../../contract/message.ts';
import { compareValues } from '../../../domain/row-order.ts';
import { lowerBound } from '../../numbers.ts';
import { Group, groupIdOf } from './group.ts';
import { Members } from './members.ts';

/** Content of a line: a group or a message. */
export type Line =
  | { readonly group: Group; readonly number?: undefined }
  /** A message of `group`. */
  | { readonly group: Group; readonly number: number };

export class GroupIndex {
  readonly members = new Members<Group>();
  readonly #order: 'newest' | 'oldest';
  readonly #groupOrder: GroupOrder;
  readonly #byValue = new Map<string | undefined, Group>();
  /** Groups in their order, by time the oldest first, after `#sorted` has run. */
  #groups: Group[] = [];
  #isSorted = true;
  /** Groups that lost their last message and are still listed among the others. */
  #empty: Group[] = [];
  /** Line of each group's own row, in the order shown; undefined: no group is open, so the line is the group's index. */
  #starts: Float64Array | undefined;
  #isStartsKnown = true;
  /** Whether groups that the user has not opened or closed are open. */
  #isOpenByDefault = false;
  readonly #exceptions = new Set<string>();

  /** @param order order of time: of the messages of a group, and of the groups if time orders them */
  constructor(order: 'newest' | 'oldest', groupOrder: GroupOrder = 'time') {
    this.#order = order;
    this.#groupOrder = groupOrder;
  }

  /** Whether the first group stands last. */
  get #isTurned(): boolean {
    return this.#groupOrder === 'time' && this.#order === 'newest';
  }

  get groups(): number {
    return this.#sorted().length;
  }

  /** Lines. */
  get total(): number {
    const groups = this.#sorted();
    const starts = this.#lineStarts();
    if (starts === undefined) return groups.length;
    return starts[groups.length] ?? 0;
  }

  /** Groups that are open or closed other than the rest. */
  get exceptions(): number {
    return this.#exceptions.size;
  }

  /** Puts a message into the group of its value, out of the one it was in. */
  place(number: number, value: string | undefined, rank: number, atMs: number): void {
    const before = this.members.groupOf(number);
    if (before !== undefined && before.value === value) {
      before.changeRank(this.members.rankOf(number), rank);
      this.members.set(number, { group: before, rank, atMs });
      return;
    }
    if (before !== undefined) this.remove(number);
    const group = this.#byValue.get(value);
    if (group === undefined) {
      this.members.set(number, { group: this.#newGroup(value, number), rank, atMs });
      return;
    }
    const first = group.first;
    group.add(number, rank);
    this.members.set(number, { group, rank, atMs });
    if (group.first !== first) this.#noteFirst();
    if (group.isOpen) this.#isStartsKnown = false;
  }

  remove(number: number): void {
    this.removeAll([number]);
  }

  /**
   * Takes out several at once.
   * @param numbers ascending and near each other
   */
  removeAll(numbers: readonly number[]): void {
    const byGroup = new Map<Group, number[]>();
    for (const number of numbers) {
      const group = this.members.groupOf(number);
      if (group === undefined) continue;
      const more = byGroup.get(group);
      if (more === undefined) byGroup.set(group, [number]);
      else more.push(number);
    }
    for (const [group, gone] of byGroup) {
      const first = group.first;
      group.removeAll(gone, this.#rankOf);
      for (const number of gone) this.members.delete(number);
      if (group.size === 0) this.#empty.push(group);
      else if (group.first !== first) this.#noteFirst();
      if (group.isOpen || group.size === 0) this.#isStartsKnown = false;
    }
  }

  /** Opens or closes one group, which need not be there yet; without `groupId` all of them, later ones too. */
  setOpen(groupId: string | undefined, isOpen: boolean): void {
    if (groupId === undefined) {
      this.#isOpenByDefault = isOpen;
      this.#exceptions.clear();
    } else if (isOpen === this.#isOpenByDefault) this.#exceptions.delete(groupId);
    else this.#exceptions.add(groupId);
    for (const group of this.#byValue.values()) {
      if (groupId === undefined || group.id === groupId) group.isOpen = isOpen;
    }
    this.#isStartsKnown = false;
  }

  /** Undefined: there is no such line. */
  lineAt(position: number): Line | undefined {
    const groups = this.#sorted();
    const starts = this.#lineStarts();
    if (starts === undefined) {
      const group = this.#shown(position);
      return group && { group };
    }
    if (position < 0 || position >= (starts[groups.length] ?? 0)) return undefined;
    const groupIndex = lastNotAbove(starts, groups.length, position);
    const group = this.#shown(groupIndex);
    if (group === undefined) return undefined;
    const child = position - (starts[groupIndex] ?? 0) - 1;
    if (child < 0) return { group };
    const number = group.numbers[this.#order === 'oldest' ? child : group.size - 1 - child];
    return number === undefined ? undefined : { group, number };
  }

  /** Present index of a line; a message of a closed group has that of the group. -1: the line was removed. */
  positionOf({ group, number }: Line): number {
    if (group.size === 0) return -1;
    const groups = this.#sorted();
    const groupIndex = indexOf(groups, group);
    const shown = this.#isTurned ? groups.length - 1 - groupIndex : groupIndex;
    const start = this.#lineStarts()?.[shown] ?? shown;
    if (number === undefined || !group.isOpen) return start;
    const child = lowerBound(group.numbers, number);
    return start + 1 + (this.#order === 'oldest' ? child : group.size - 1 - child);
  }

  row(group: Group): GroupRow {
    const states: Partial<Record<RowState, number>> = {};
    let worst: RowState = 'processed';
    const counts = group.countsBy(this.#rankOf);
    for (let rank = ROW_STATES.length - 1; rank >= 0; rank -= 1) {
      const state = ROW_STATES[rank];
      const count = counts[rank] ?? 0;
      if (state === undefined || count === 0) continue;
      states[state] = count;
      worst = state;
    }
    return {
      groupId: group.id,
      ...(group.value === undefined ? {} : { value: group.value }),
      messages: group.size,
      worst,
      states,
      firstAt: new Date(this.members.momentOf(group.first)).toISOString(),
      lastAt: new Date(this.members.momentOf(group.last)).toISOString(),
      isOpen: group.isOpen,
    };
  }

  readonly #rankOf = (number: number): number => this.members.rankOf(number);

  #newGroup(value: string | undefined, first: number): Group {
    const group = new Group(value, first);
    group.isOpen = this.#isOpenByDefault !== this.#exceptions.has(groupIdOf(value));
    this.#byValue.set(value, group);
    const last = this.#groups.at(-1);
    // A group that the message has just left has the same key until it is dropped.
    if (this.#groupOrder !== 'time' || (last !== undefined && last.key >= first)) this.#isSorted = false;
    this.#groups.push(group);
    this.#isStartsKnown = false;
    return group;
  }

  #sorted(): readonly Group[] {
    if (this.#empty.length > 0) this.#dropEmpty();
    if (!this.#isSorted) {
      this.#sort();
      this.#isSorted = true;
      this.#isStartsKnown = false;
    }
    return this.#groups;
  }

  #sort(): void {
    const groups = this.#groups;
    if (this.#groupOrder === 'time') {
      for (const group of groups) group.key = group.first;
      groups.sort((a, b) => a.key - b.key);
    } else {
      groups.sort((a, b) => compareValues(this.#valueOf(a), this.#valueOf(b), false));
      for (const [groupIndex, group] of groups.entries()) group.key = groupIndex;
    }
  }

  /** The value by which a group is put in order; a state counts by the attention that it needs. */
  #valueOf({ value }: Group): string | number | undefined {
    return this.#groupOrder === 'attention' ? ROW_STATES.findIndex((state) => state === value) : value;
  }

  /** Notes that a group has another first message. */
  #noteFirst(): void {
    if (this.#groupOrder === 'time') this.#isSorted = false;
  }

  /** Drops empty groups. In the order of time they are near each other, at the old end, so only the part between the outermost ones is searched. */
  #dropEmpty(): void {
    const groups = this.#groups;
    let from = groups.length;
    let end = 0;
    for (const group of this.#empty) {
      if (group.size > 0) continue;
      this.#byValue.delete(group.value);
      const groupIndex = indexOf(groups, group);
      from = Math.min(from, groupIndex);
      end = Math.max(end, groupIndex + 1);
    }
    this.#empty = [];
    this.#isStartsKnown = false;
    if (this.#isSorted && from < end) {
      const left = groups.slice(from, end).filter(({ size }) => size > 0);
      this.#groups = groups.slice(0, from).concat(left, groups.slice(end));
    } else if (!this.#isSorted) this.#groups = groups.filter(({ size }) => size > 0);
  }

  #shown(groupIndex: number): Group | undefined {
    const groups = this.#sorted();
    return groups[this.#isTurned ? groups.length - 1 - groupIndex : groupIndex];
  }

  #lineStarts(): Float64Array | undefined {
    const groups = this.#sorted();
    if (this.#isStartsKnown) return this.#starts;
    this.#isStartsKnown = true;
    this.#starts = undefined;
    if (!groups.some(({ isOpen }) => isOpen)) return undefined;
    const starts = new Float64Array(groups.length + 1);
    let line = 0;
    for (let groupIndex = 0; groupIndex < groups.length; groupIndex += 1) {
      starts[groupIndex] = line;
      const group = this.#shown(groupIndex);
      line += 1 + (group?.isOpen === true ? group.size : 0);
    }
    starts[groups.length] = line;
    this.#starts = starts;
    return starts;
  }
}

/** Index of a group among sorted groups. */
function indexOf(groups: readonly Group[], { key }: Group): number {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((groups[middle]?.key ?? Infinity) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the last of the first `count` elements that is not above `wanted`. */
function lastNotAbove(ascending: Float64Array, count: number, wanted: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? Infinity) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
