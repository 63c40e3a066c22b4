/** When a delivery is finished, in memory and in every journal. */
import { isEndedState } from '../contract/delivery.ts';
import type { DeliveryState } from '../contract/delivery.ts';

export interface DeliveryEnd {
  readonly state: DeliveryState | null;
  /** True: a tap observed it, and has not seen it again for long. */
  readonly silent?: boolean;
}

/** Whether no timer, app or person can change the delivery, or a tap has not seen it for long. */
export function hasEnded({ state, silent }: DeliveryEnd): boolean {
  return silent === true || isEndedState(state);
}

/** Whether the broker need not deliver the message again: the delivery has ended, or is parked here. */
export function isTaken(delivery: DeliveryEnd): boolean {
  return delivery.state === 'parked' || hasEnded(delivery);
}
