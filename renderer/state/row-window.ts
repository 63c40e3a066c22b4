/** The loaded rows of a view: pages around the viewport and the newest ones, by index and by id. */
import type { Result } from '../../core/contract/console.ts';
import type { DeliveryRow, MessageRow } from '../../core/contract/message.ts';
import type { GroupRow } from '../../core/contract/view.ts';
import type { RowRange } from './read-ahead.ts';

const PAGE_ROWS = 100;
const KEPT_PAGES = 60;
const NEWEST_KEPT = 2000;
/** Rows over the limit before the map is searched for removable ones. */
const SLACK = 500;

interface Slot {
  /** Id of the message or of the group. */
  readonly id: string;
  readonly row?: MessageRow;
  readonly group?: GroupRow;
  readonly round: number;
}

/** Id of the line of a group; no message id begins like it. */
export function groupLine(groupId: string): string {
  return `group ${groupId}`;
}

/** The whole pages around a range that is not empty. */
export function pagesOf({ from, to }: RowRange, total: number): RowRange {
  return {
    from: Math.floor(from / PAGE_ROWS) * PAGE_ROWS,
    to: Math.min(total, Math.ceil(to / PAGE_ROWS) * PAGE_ROWS),
  };
}

/** A window over the rows of one view, oldest first; indexes count from 0. */
export class RowWindow {
  total = 0;
  #round = 0;
  readonly #slots = new Map<number, Slot>();
  readonly #indexes = new Map<string, number>();
  #newest: RowRange | undefined;

  /** Range of the newest answer; undefined: there was none yet. Its rows may have been dropped since. */
  get newest(): RowRange | undefined {
    return this.#newest;
  }

  get size(): number {
    return this.#slots.size;
  }

  rowAt(index: number): MessageRow | undefined {
    return this.#slots.get(index)?.row;
  }

  rowOf(messageId: string): MessageRow | undefined {
    const index = this.#indexes.get(messageId);
    return index === undefined ? undefined : this.#slots.get(index)?.row;
  }

  indexOf(messageId: string): number | undefined {
    return this.#indexes.get(messageId);
  }

  /** The loaded rows with their indexes, in no order. */
  *entries(): Generator<readonly [number, MessageRow]> {
    for (const [index, { row }] of this.#slots) if (row !== undefined) yield [index, row];
  }

  groupAt(index: number): GroupRow | undefined {
    return this.#slots.get(index)?.group;
  }

  /** The line of the group around the message on this line; undefined: a line between them is not loaded. */
  groupOver(index: number): number | undefined {
    let above = index;
    while (this.#slots.get(above)?.row !== undefined) above -= 1;
    return this.groupAt(above) === undefined ? undefined : above;
  }

  /** Number of lines of groups; undefined: some lines are not loaded. */
  groupCount(): number | undefined {
    let found = 0;
    for (let index = 0; index < this.total; index += 1) {
      const slot = this.#slots.get(index);
      if (slot === undefined) return undefined;
      if (slot.group !== undefined) found += 1;
    }
    return found;
  }

  /** Id of the message or the group on a line. */
  idAt(index: number): string | undefined {
    return this.#slots.get(index)?.id;
  }

  put(index: number, row: MessageRow): void {
    this.#set(index, { id: row.messageId, row, round: this.#round });
  }

  putGroup(index: number, group: GroupRow): void {
    this.#set(index, { id: groupLine(group.groupId), group, round: this.#round });
  }

  /**
   * Stores loaded lines, beginning at an index; lines before the first one are left out.
   * @returns number of lines
   */
  take(from: number, { rows, groups = [] }: Result<'view.rows'>): number {
    const heads = new Set(groups.map(({ index }) => index));
    for (const { index, group } of groups) this.putGroup(index, group);
    let index = from;
    for (const row of rows) {
      while (heads.has(index)) index += 1;
      this.put(index, row);
      index += 1;
    }
    while (heads.has(index)) index += 1;
    this.#newest = { from: Math.max(0, from), to: index };
    return index - from;
  }

  #set(index: number, slot: Slot): void {
    if (index < 0) return;
    const before = this.#slots.get(index);
    if (before !== undefined && before.id !== slot.id && this.#indexes.get(before.id) === index) {
      this.#indexes.delete(before.id);
    }
    const elsewhere = this.#indexes.get(slot.id);
    if (elsewhere !== undefined && elsewhere !== index) this.#slots.delete(elsewhere);
    this.#slots.set(index, slot);
    this.#indexes.set(slot.id, index);
  }

  /** Moves every loaded row this many lines down. */
  shift(by: number): void {
    this.#renumber((index) => index + by);
  }

  #renumber(move: (index: number) => number): void {
    const slots = [...this.#slots];
    this.#slots.clear();
    this.#indexes.clear();
    for (const [before, slot] of slots) {
      const index = move(before);
      if (index < 0) continue;
      this.#slots.set(index, slot);
      this.#indexes.set(slot.id, index);
    }
    const newest = this.#newest;
    this.#newest = newest && { from: Math.max(0, move(newest.from)), to: move(newest.to) };
  }

  /** Changes a loaded row; the change of another one comes with its page. */
  update(messageId: string, change: (row: MessageRow) => MessageRow): void {
    const index = this.#indexes.get(messageId);
    const slot = index === undefined ? undefined : this.#slots.get(index);
    if (index === undefined || slot?.row === undefined) return;
    this.#slots.set(index, { ...slot, row: change(slot.row) });
  }

  /** Marks every loaded row for loading again; until then it stays visible. */
  makeStale(): void {
    this.#round += 1;
  }

  /**
   * Drops the rows from `from` up to `to`, except the fresh ones: they are empty until they are loaded again.
   */
  forget(from: number, to: number, fresh: ReadonlySet<number>): void {
    for (const [index, slot] of this.#slots) {
      if (index < from || index >= to || fresh.has(index)) continue;
      this.#slots.delete(index);
      if (this.#indexes.get(slot.id) === index) this.#indexes.delete(slot.id);
    }
  }

  /** Removes the `count` oldest rows of the view: every index decreases by as much. */
  dropOldest(count: number): void {
    if (count > 0) this.#renumber((index) => index - count);
  }

  /** Drops rows at `total` and beyond, which are no longer in the view. */
  cutToTotal(): void {
    for (const [index, slot] of this.#slots) {
      if (index < this.total) continue;
      this.#slots.delete(index);
      if (this.#indexes.get(slot.id) === index) this.#indexes.delete(slot.id);
    }
  }

  clear(): void {
    this.#slots.clear();
    this.#indexes.clear();
    this.#newest = undefined;
    this.total = 0;
  }

  /** Whole pages with a missing or stale row of `from..to` (`to` excluded); undefined: all are loaded. */
  missing(from: number, to: number): { readonly from: number; readonly count: number } | undefined {
    const last = Math.min(to, this.total);
    let first = -1;
    let end = -1;
    for (let index = Math.max(0, from); index < last; index += 1) {
      if (this.#slots.get(index)?.round === this.#round) continue;
      if (first < 0) first = index;
      end = index;
    }
    if (first < 0) return undefined;
    const pages = pagesOf({ from: first, to: end + 1 }, this.total);
    return { from: pages.from, count: pages.to - pages.from };
  }

  /** Drops rows far from the viewport that are not among the newest. */
  trim(from: number, to: number): void {
    const around = (KEPT_PAGES * PAGE_ROWS - (to - from)) / 2;
    if (this.#slots.size <= KEPT_PAGES * PAGE_ROWS + NEWEST_KEPT + SLACK) return;
    for (const [index, slot] of this.#slots) {
      const near = index >= from - around && index < to + around;
      if (near || index >= this.total - NEWEST_KEPT) continue;
      this.#slots.delete(index);
      this.#indexes.delete(slot.id);
    }
  }
}

/** The row with one delivery changed, or added if it was missing. */
export function withDelivery(row: MessageRow, delivery: DeliveryRow): MessageRow {
  const known = row.deliveries.some(({ deliveryId }) => deliveryId === delivery.deliveryId);
  const deliveries = known
    ? row.deliveries.map((each) => (each.deliveryId === delivery.deliveryId ? delivery : each))
    : [...row.deliveries, delivery];
  return { ...row, deliveries };
}
