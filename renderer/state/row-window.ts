/** The rows of a view that the console holds: pages around the viewport and the newest ones, by place and by id. */
import type { DeliveryRow, MessageRow } from '../../core/contract/message.ts';

export const PAGE_ROWS = 100;
const KEPT_PAGES = 20;
const NEWEST_KEPT = 2000;
/** Rows over the bound before it is worth walking the map. */
const SLACK = 500;

interface Slot {
  readonly row: MessageRow;
  readonly round: number;
}

/** A window over the rows of one view, oldest first; places count from 0. */
export class RowWindow {
  total = 0;
  #round = 0;
  readonly #slots = new Map<number, Slot>();
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.#slots.size;
  }

  rowAt(place: number): MessageRow | undefined {
    return this.#slots.get(place)?.row;
  }

  rowOf(messageId: string): MessageRow | undefined {
    const place = this.#places.get(messageId);
    return place === undefined ? undefined : this.#slots.get(place)?.row;
  }

  placeOf(messageId: string): number | undefined {
    return this.#places.get(messageId);
  }

  /** Ids of the rows that are held, in no order. */
  ids(): readonly string[] {
    return [...this.#places.keys()];
  }

  put(place: number, row: MessageRow): void {
    const before = this.#slots.get(place);
    if (before !== undefined && before.row.messageId !== row.messageId) {
      if (this.#places.get(before.row.messageId) === place) this.#places.delete(before.row.messageId);
    }
    const elsewhere = this.#places.get(row.messageId);
    if (elsewhere !== undefined && elsewhere !== place) this.#slots.delete(elsewhere);
    this.#slots.set(place, { row, round: this.#round });
    this.#places.set(row.messageId, place);
  }

  /** Replaces a row that is held; a row that is not is left to the pages. */
  update(messageId: string, change: (row: MessageRow) => MessageRow): void {
    const place = this.#places.get(messageId);
    const slot = place === undefined ? undefined : this.#slots.get(place);
    if (place === undefined || slot === undefined) return;
    this.#slots.set(place, { row: change(slot.row), round: slot.round });
  }

  /** Every held row must be asked for again; until then it still shows. */
  makeStale(): void {
    this.#round += 1;
  }

  /** Rows at these places, but for the fresh ones, are out of date: they do not show until they are asked for again. */
  forget(from: number, to: number, fresh: ReadonlySet<number>): void {
    for (const [place, slot] of this.#slots) {
      if (place < from || place >= to || fresh.has(place)) continue;
      this.#slots.delete(place);
      if (this.#places.get(slot.row.messageId) === place) this.#places.delete(slot.row.messageId);
    }
  }

  /** The view lost its `count` oldest rows: every place moves down by as much. */
  dropOldest(count: number): void {
    if (count <= 0) return;
    const slots = [...this.#slots];
    this.#slots.clear();
    this.#places.clear();
    for (const [place, slot] of slots) {
      if (place < count) continue;
      this.#slots.set(place - count, slot);
      this.#places.set(slot.row.messageId, place - count);
    }
  }

  /** Rows at `total` and beyond are no longer in the view. */
  cutToTotal(): void {
    for (const [place, slot] of this.#slots) {
      if (place < this.total) continue;
      this.#slots.delete(place);
      if (this.#places.get(slot.row.messageId) === place) this.#places.delete(slot.row.messageId);
    }
  }

  clear(): void {
    this.#slots.clear();
    this.#places.clear();
    this.total = 0;
  }

  /** Whole pages that hold a missing or stale row of `from..to` (`to` not included); undefined: all there. */
  missing(from: number, to: number): { readonly from: number; readonly count: number } | undefined {
    const last = Math.min(to, this.total);
    let first = -1;
    let end = -1;
    for (let place = Math.max(0, from); place < last; place += 1) {
      if (this.#slots.get(place)?.round === this.#round) continue;
      if (first < 0) first = place;
      end = place;
    }
    if (first < 0) return undefined;
    const start = Math.floor(first / PAGE_ROWS) * PAGE_ROWS;
    const stop = Math.min(this.total, (Math.floor(end / PAGE_ROWS) + 1) * PAGE_ROWS);
    return { from: start, count: stop - start };
  }

  /** Forgets what is far from the viewport and not among the newest. */
  trim(from: number, to: number): void {
    const around = (KEPT_PAGES * PAGE_ROWS - (to - from)) / 2;
    if (this.#slots.size <= KEPT_PAGES * PAGE_ROWS + NEWEST_KEPT + SLACK) return;
    for (const [place, slot] of this.#slots) {
      const near = place >= from - around && place < to + around;
      if (near || place >= this.total - NEWEST_KEPT) continue;
      this.#slots.delete(place);
      this.#places.delete(slot.row.messageId);
    }
  }
}

/** The row with one delivery changed, or added when it was not there. */
export function withDelivery(row: MessageRow, delivery: DeliveryRow): MessageRow {
  const known = row.deliveries.some(({ deliveryId }) => deliveryId === delivery.deliveryId);
  const deliveries = known
    ? row.deliveries.map((each) => (each.deliveryId === delivery.deliveryId ? delivery : each))
    : [...row.deliveries, delivery];
  return { ...row, deliveries };
}
