/** A list that has no use for its tools: nothing was published yet, and nothing is looked for. */
import type { MessagesState } from './messages-state.ts';

/** @param asked the filter of the address, which the list may not show yet */
export function isBare(
  { status, total, filter }: Pick<MessagesState, 'status' | 'total' | 'filter'>,
  asked: string,
): boolean {
  return status === 'ready' && total === 0 && filter === '' && asked === '';
}
