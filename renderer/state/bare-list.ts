/** Decides when the list hides its tools: nothing was published yet, and there is no filter. */
import type { MessagesState } from './messages-state.ts';

/**
 * Whether the list hides its tools.
 * @param asked the filter of the address, which the list may not show yet
 */
export function isBare(
  { status, total, filter }: Pick<MessagesState, 'status' | 'total' | 'filter'>,
  asked: string,
): boolean {
  return status === 'ready' && total === 0 && filter === '' && asked === '';
}
