/** Pages over messages by number: the same in every journal. */
import type { MessageRow } from '../../contract/message.ts';
import type { Journal } from '../../ports/journal.ts';

export type Order = 'newest' | 'oldest';
export type Page = Awaited<ReturnType<Journal['page']>>;

/** @param hasMore whether something follows the last item */
export function pageOf(items: readonly MessageRow[], hasMore: boolean, total: number): Page {
  const last = items.at(-1);
  return { items, nextCursor: hasMore && last !== undefined ? String(last.number) : null, total };
}
