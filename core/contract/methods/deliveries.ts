/** Deliveries and holds: what a person does by hand. */
import { id, limit, name } from '../bounds.ts';
import { heldItem, hold, holdParams, holdUpdate } from '../hold.ts';
import { act, query } from '../method.ts';
import { answer } from '../mock-app.ts';
import { messageChanges } from '../publish.ts';
import { Bool, extend, members, none, Num, Optional, whole } from '../schema.ts';
import { changed, deliveryTarget, rerouteTarget } from '../targets.ts';

export const DELIVERIES = {
  'deliveries.retry': act({
    does: 'attempts a delivery again at once; one that has ended starts a new round of attempts',
    params: deliveryTarget,
    result: changed,
  }),
  'deliveries.reroute': act({
    does: 'gives deliveries the route and settings that the current subscription of their app has for them, and sends them there: no other app gets anything, and nothing is removed. One that is held stays held, one that is being attempted is refused. `problem` names the deliveries of a problem of `apps.list`: those that keep an old route, or those that were dropped because the app does not serve theirs, or did not',
    params: rerouteTarget,
    result: changed,
  }),
  'deliveries.drop': act({
    does: 'ends a delivery as dropped',
    params: deliveryTarget,
    result: changed,
  }),
  'deliveries.undoDrop': act({
    does: 'undoes a drop by hand: the delivery goes back to the state it had; where it waited for an attempt, the wait starts again. A message that was dropped while it was held at publish stays dropped, and the refusal says so',
    params: deliveryTarget,
    result: changed,
  }),
  'deliveries.hold': act({
    does: 'stops a delivery before its next attempt',
    params: deliveryTarget,
    result: changed,
  }),
  'deliveries.release': act({
    does: 'lets a held delivery, or a held answer, go on, changed or not. For a message that is held at `publish`, the changes are made to the message itself (`topic` and `metadata` too, and a flag says so); for a delivery, to what it sends',
    params: extend(deliveryTarget, { changes: Optional(messageChanges), answer: Optional(answer) }),
    result: changed,
  }),
  'deliveries.deadLetter': act({
    does: 'publishes the message to the dead-letter topic and ends the delivery',
    params: extend(deliveryTarget, { topic: Optional(name) }),
    result: changed,
  }),
  'deliveries.cancelAttempt': act({
    does: 'cuts the call that is running',
    params: members({ deliveryId: id }),
    result: members({
      changed: Num(),
    }),
  }),
  'deliveries.answer': act({
    does: 'answers a call that an `ask` rule of the mock app keeps waiting',
    params: members({ deliveryId: id, answer }),
    result: members({
      changed: Num(),
    }),
  }),
  'holds.list': query({
    does: 'lists all holds',
    params: none,
    result: whole(hold),
  }),
  'holds.queue': query({
    does: 'lists what is held now at `publish`, `delivery` and `response`, the longest held first; with `holdId` only what that hold caught. `total` counts all of it',
    params: members({ limit: Optional(limit), holdId: Optional(id) }),
    result: extend(whole(heldItem), {
      total: Num(),
    }),
  }),
  'holds.add': act({
    does: 'adds a hold at `publish`, `delivery` or `response`. There are at most 500 holds, and their filters together have at most 10 words and values with `*`. One hold catches a message once, and none of its replays; after it is released, another hold at the same point may catch it. Where a filter needs too much work for a message, the hold catches the message, and `flags` of the message says so',
    params: holdParams,
    result: hold,
  }),
  'holds.update': act({
    does: 'changes a hold, with the members of `holds.add`; `null` removes `name`, `times` or `releaseAfterMs`. A new `times`, or switching a hold on again, starts counting at 0',
    params: holdUpdate,
    result: hold,
  }),
  'holds.remove': act({
    does: 'removes a hold; what it caught stays held unless `release` is true',
    params: members({ holdId: id, release: Optional(Bool()) }),
    result: hold,
  }),
  'holds.restore': act({
    does: 'brings back one of the 50 holds that were removed last, with its id, its place among the others and its count: what it caught and is still held belongs to it again. What was released since is not held again. `NOT_FOUND` if it was removed before those, or is there; `INVALID_PARAMS` or `FILTER_SYNTAX` if there is no room for it by now, as for `holds.add`',
    params: members({ holdId: id }),
    result: hold,
  }),
};
