/** Which acts a delivery's state allows, and why not; the host decides in the end. */
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { ACT_WHY, ACTS } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { chipOf, foremost } from './row.ts';

/** Acts on deliveries; replay is not one: it applies to any message. */
export type Act = 'retry' | 'hold' | 'release' | 'drop' | 'deadLetter' | 'cancel';

const ALLOWED: Readonly<Record<Act, readonly DeliveryState[]>> = {
  retry: ['retrying', 'parked', 'expired', 'dropped', 'dead-lettered'],
  hold: ['queued', 'retrying'],
  release: ['held'],
  drop: ['queued', 'held', 'retrying', 'parked'],
  deadLetter: ['queued', 'held', 'retrying', 'parked', 'dropped'],
  cancel: ['attempting'],
};

/** What an act is about: a message, or one delivery of it. */
export interface ActSubject {
  readonly row: MessageRow;
  readonly deliveryId?: string;
}

/** Whether the state of one delivery allows the act. */
export function allows(act: Act, state: DeliveryState): boolean {
  return ALLOWED[act].includes(state);
}

/** Ids of the subject's deliveries that the act applies to. */
export function deliveriesFor(act: Act, { row, deliveryId }: ActSubject): readonly string[] {
  return row.deliveries
    .filter((delivery) => deliveryId === undefined || delivery.deliveryId === deliveryId)
    .filter((delivery) => allows(act, delivery.state))
    .map((delivery) => delivery.deliveryId);
}

/** Whether the message itself, held at publish, is what the act is about. */
export function isForMessage(act: Act, { row }: ActSubject): boolean {
  return row.stage === 'held' && (act === 'release' || act === 'drop');
}

/** Why the act does not apply to the subject; undefined when it does. */
export function whyNot(act: Act, subject: ActSubject): string | undefined {
  if (isForMessage(act, subject) || deliveriesFor(act, subject).length > 0) return undefined;
  const title = ACTS[act];
  const { row, deliveryId } = subject;
  const delivery =
    deliveryId === undefined
      ? foremost(row.deliveries)
      : row.deliveries.find((each) => each.deliveryId === deliveryId);
  if (delivery === undefined) {
    return fill(ACT_WHY.state, { title, state: CHIP_WORDS[chipOf(row).kind].toLowerCase() });
  }
  if (delivery.state === 'attempting' && (act === 'drop' || act === 'deadLetter')) return ACT_WHY.appHasIt;
  if (delivery.state === 'processed') return fill(ACT_WHY.processed, { title });
  return fill(ACT_WHY.state, { title, state: CHIP_WORDS[delivery.state].toLowerCase() });
}
