/** Whether a stored message is unfinished, and how much of a long history is stored: the same in every journal. */
import { ENDED_STATES } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { MessageRow } from '../../contract/message.ts';

/** A delivery that is retried without end keeps its newest attempts and transitions. */
export const KEPT_ATTEMPTS = 100;
export const KEPT_TRANSITIONS = 1000;

/** Whether a delivery is finished: no timer, app or person can change it, or a tap has not seen it for long. */
export function hasEnded({
  state,
  silent,
}: {
  readonly state: DeliveryState;
  readonly silent?: true;
}): boolean {
  return silent === true || ENDED_STATES.some((ended) => ended === state);
}

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
