/** Decides what an act applies to, and why not; the host makes the final decision. */
import { allows, isOnTheWay } from '../../core/contract/acts.ts';
import type { Act } from '../../core/contract/acts.ts';
import { theApp } from '../../core/contract/app-text.ts';
import { foremost } from '../../core/contract/attention.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { ACT_WHY, ACTS } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { chipOf } from './row.ts';

/** Subject of an act: a message, or one delivery of it. */
export interface ActSubject {
  readonly row: MessageRow;
  readonly deliveryId?: string;
}

/** Whether what a person edits is held, so that it goes on as edited; else a new message is made of it. */
export function isEditedHeld({ row, deliveryId }: ActSubject): boolean {
  const shown = deliveryId ?? foremost(row.deliveries)?.deliveryId;
  return whyNot('release', shown === undefined ? { row } : { row, deliveryId: shown }) === undefined;
}

/** Ids of the subject's deliveries to which the act applies. */
export function deliveriesFor(act: Act, { row, deliveryId }: ActSubject): readonly string[] {
  if (row.tap !== undefined && !isOnTheWay(act)) return [];
  return row.deliveries
    .filter((delivery) => deliveryId === undefined || delivery.deliveryId === deliveryId)
    .filter((delivery) => allows(act, delivery))
    .map((delivery) => delivery.deliveryId);
}

/** Whether the act applies to the message itself, held at publish. */
export function isForMessage(act: Act, { row }: ActSubject): boolean {
  return row.stage === 'held' && (act === 'release' || act === 'drop');
}

/** Why something that needs a delivery does not apply to a message without one. */
export function whyNoDelivery(title: string, row: MessageRow): string {
  const { kind } = chipOf(row);
  const words: Partial<Readonly<Record<typeof kind, string>>> = ACT_WHY.withoutDelivery;
  return fill(words[kind] ?? ACT_WHY.withoutDelivery.none, { title });
}

/** Why the act does not apply to the subject; undefined: it does. */
export function whyNot(act: Act, subject: ActSubject): string | undefined {
  if (isForMessage(act, subject) || deliveriesFor(act, subject).length > 0) return undefined;
  const title = ACTS[act];
  const { row, deliveryId } = subject;
  if (row.tap !== undefined && !isOnTheWay(act))
    return fill(ACT_WHY.observed, { title, app: theApp(row.tap) });
  const delivery =
    deliveryId === undefined
      ? foremost(row.deliveries)
      : row.deliveries.find((each) => each.deliveryId === deliveryId);
  if (delivery === undefined) return whyNoDelivery(title, row);
  if (delivery.state === 'attempting' && delivery.heldAt === 'response') return ACT_WHY.answerHeld;
  if (act === 'retry' && delivery.waitsFor !== undefined)
    return fill(ACT_WHY.waitsFor, { title, app: theApp(delivery.appId) });
  const words: Partial<Readonly<Record<DeliveryState, string>>> = ACT_WHY.byState[act];
  const otherwise: Partial<Readonly<Record<Act, string>>> = ACT_WHY.otherwise;
  return fill(words[delivery.state] ?? otherwise[act] ?? ACT_WHY.noneOfSelection, { title });
}
