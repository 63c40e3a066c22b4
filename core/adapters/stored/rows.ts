/** Builds list rows from stored records, and applies patches to rows: the same in every journal. */
import type { DeliveryRow, MessageRow } from '../../contract/message.ts';
import type { MessagePatch, StoredDelivery } from '../../ports/journal.ts';

/** The delivery's part of its message's row. */
export function deliveryRow(delivery: StoredDelivery): DeliveryRow {
  const { deliveryId, appId, state, attemptCount, route, nextAttemptAt, lastDurationMs, lastAnswer } =
    delivery;
  const { waitsFor, heldAt, span, rule } = delivery;
  return {
    deliveryId,
    appId,
    state,
    attempts: attemptCount,
    ...(route.path === '' ? {} : { route: route.path }),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
    ...(lastDurationMs === undefined ? {} : { lastDurationMs }),
    ...(span === undefined ? {} : { span }),
    ...(rule === undefined ? {} : { rule }),
    ...(lastAnswer === undefined ? {} : { lastAnswer }),
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(heldAt === 'response' ? { heldAt } : {}),
  };
}

/**
 * The row with a patch in it; `null` removes a member. Who and where a message is cannot change, nor `releasedFrom`, which is no member.
 */
export function patchedRow(row: MessageRow, patch: MessagePatch): MessageRow {
  const {
    releasedFrom: _released,
    deliveries: _deliveries,
    messageId: _messageId,
    number: _number,
    ...members
  } = patch;
  const all = { ...row, ...members };
  if (!Object.values(members).includes(null)) return all as MessageRow;
  const present = Object.entries(all).filter(([, value]) => value !== null);
  // Each member is the row's own or that of a patch whose members have the row's types.
  return Object.fromEntries(present) as unknown as MessageRow;
}
