/** Pages over messages by number: the same in every journal. */
import type { MessageRow } from '../../contract/message.ts';
import { MAX_DELIVERIES } from '../../contract/page-bounds.ts';
import type { Journal } from '../../ports/journal.ts';

export type Order = 'newest' | 'oldest';
export type Page = Awaited<ReturnType<Journal['page']>>;

/** Rows of a page that is being read: a message may have thousands of deliveries, so their number ends it too. */
export class PageRows {
  readonly items: MessageRow[] = [];
  readonly #limit: number;
  #deliveries = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.items.length >= this.#limit || this.#deliveries >= MAX_DELIVERIES;
  }

  add(row: MessageRow): void {
    this.items.push(row);
    this.#deliveries += row.deliveries.length;
  }
}

/** @param hasMore whether something follows the last item */
export function pageOf(items: readonly MessageRow[], hasMore: boolean, total: number): Page {
  const last = items.at(-1);
  return { items, nextCursor: hasMore && last !== undefined ? String(last.number) : null, total };
}
