/** Whether a stored message is unfinished, and how much of a long history is stored: the same in every journal. */
import type { MessageRow } from '../../contract/message.ts';

/** A delivery that is retried without end keeps its newest attempts and transitions. */
export const KEPT_ATTEMPTS = 100;
export const KEPT_TRANSITIONS = 1000;

/**
 * An open delivery, a stage that waits, or not yet published. A refused publish has ended, though never published.
 * @param open deliveries that have not ended
 */
export function isMessageOpen(
  row: Pick<MessageRow, 'stage' | 'waitingFor'>,
  published: boolean,
  open: number,
): boolean {
  if (open > 0 || row.waitingFor !== undefined) return true;
  if (row.stage === undefined) return !published;
  return row.stage === 'held' || row.stage === 'waiting';
}
