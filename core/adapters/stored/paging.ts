/** Cursors and pages over messages by number: the same in every journal. */
import type { MessageRow } from '../../contract/message.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Journal } from '../../ports/journal.ts';

export type Order = 'newest' | 'oldest';
export type Page = Awaited<ReturnType<Journal['page']>>;

/** @param hasMore whether something follows the last item */
export function pageOf(items: readonly MessageRow[], hasMore: boolean, total: number): Page {
  const last = items.at(-1);
  return { items, nextCursor: hasMore && last !== undefined ? String(last.number) : null, total };
}

/** The number a cursor stands for: pages go on after it. Throws Refusal INVALID_PARAMS for a text that no page gave. */
export function numberOfCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  const reason = `cursor must be the nextCursor of a page, got ${cursor.slice(0, 40)}`;
  throw new Refusal('INVALID_PARAMS', { reason }, { field: 'cursor' });
}
