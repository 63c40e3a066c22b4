/** Deliveries and holds: what a person does by hand. */
import { id, limit, name } from '../bounds.ts';
import { heldItem, hold, holdParams, holdUpdate } from '../hold.ts';
import { act, query } from '../method.ts';
import { answer } from '../mock-app.ts';
import { messageChanges } from '../publish.ts';
import { Bool, extend, members, none, Num, Optional, whole } from '../schema.ts';
import { changed, deliveryTarget } from '../targets.ts';

export const DELIVERIES = {
  'deliveries.retry': act({
    does: 'attempts again at once; a finished delivery starts a new round',
    params: deliveryTarget,
    result: changed,
  }),
  'deliveries.drop': act({
    does: 'ends it',
    params: deliveryTarget,
    result: changed,
  }),
  'deliveries.undoDrop': act({
    does: 'takes back a drop by hand: the delivery returns to its state before, with a fresh wait where it waited for an attempt',
    params: deliveryTarget,
    result: changed,
  }),
  'deliveries.hold': act({
    does: 'stops it before its next attempt',
    params: deliveryTarget,
    result: changed,
  }),
  'deliveries.release': act({
    does: 'lets a held one go on, changed or not; also a held answer. Changes of a message that is held at `publish` are made to the message itself (`topic` and `metadata` too, with a flag that says so); those of a delivery to what it sends',
    params: extend(deliveryTarget, { changes: Optional(messageChanges), answer: Optional(answer) }),
    result: changed,
  }),
  'deliveries.deadLetter': act({
    does: 'publishes it to the dead-letter topic',
    params: extend(deliveryTarget, { topic: Optional(name) }),
    result: changed,
  }),
  'deliveries.cancelAttempt': act({
    does: 'cuts the running call',
    params: members({ deliveryId: id }),
    result: members({
      changed: Num(),
    }),
  }),
  'deliveries.answer': act({
    does: 'answers for the app under an `ask` rule',
    params: members({ deliveryId: id, answer }),
    result: members({
      changed: Num(),
    }),
  }),
  'holds.list': query({
    does: 'all holds',
    params: none,
    result: whole(hold),
  }),
  'holds.queue': query({
    does: 'what is held now at publish, delivery and response, longest first',
    params: members({ limit: Optional(limit) }),
    result: extend(whole(heldItem), {
      total: Num(),
    }),
  }),
  'holds.add': act({
    does: 'a new hold at `publish`, `delivery` or `response`; the filters of all holds have at most 10 words and values with `*`. One hold catches a message once; released from it, another hold at the same point may catch it. A hold whose filter needs too much work for a message holds it, and `flags` of the message says so',
    params: holdParams,
    result: hold,
  }),
  'holds.update': act({
    does: 'changes a hold: members as in `holds.add`; `null` removes `name`, `times` or `releaseAfterMs`; `times`, and switching a hold on again, count from 0',
    params: holdUpdate,
    result: hold,
  }),
  'holds.remove': act({
    does: 'removes it; what it caught stays held unless `release`',
    params: members({ holdId: id, release: Optional(Bool()) }),
    result: hold,
  }),
};
