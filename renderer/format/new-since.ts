/** Number of messages that came since the person looked and were not read: rows that exist, not numbers that were given out. */
import type { RowWindow } from '../state/row-window.ts';
import type { MessagesState } from '../state/messages-state.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { count } from './quantity.ts';

type Listed = Pick<MessagesState, 'lookedAt' | 'sort' | 'groupBy'>;

/**
 * The number in words: "20", or "2,000+" where the first of them is not loaded. Undefined: there is none, or the order of the list does not
 * tell.
 */
export function newSince(
  { lookedAt, sort, groupBy }: Listed,
  rows: Pick<RowWindow, 'total' | 'entries' | 'rowAt'>,
  isUnread: (row: MessageRow) => boolean,
): string | undefined {
  if (lookedAt === 0 || sort !== undefined || groupBy !== '') return undefined;
  let first = rows.total;
  let read = 0;
  for (const [index, row] of rows.entries()) {
    if (row.number <= lookedAt || index >= rows.total) continue;
    first = Math.min(first, index);
    if (!isUnread(row)) read += 1;
  }
  const n = rows.total - first - read;
  if (n <= 0) return undefined;
  const isWhole = first === 0 || rows.rowAt(first - 1) !== undefined;
  return isWhole ? count(n) : `${count(n)}+`;
}
