/** Holds: a condition that stops messages at a point of their life. */
import { filter, id, name, waitMs } from './bounds.ts';
import { messageRow, receivedResponse } from './message.ts';
import { Bool, Integer, Literal, members, Num, oneOf, Optional, orNull, Text } from './schema.ts';
import type { Static } from './schema.ts';
import { HOLD_POINTS } from './words.ts';

export type { HoldPoint } from './words.ts';

export const hold = members({
  holdId: Text(),
  name: Optional(Text()),
  at: oneOf(HOLD_POINTS),
  filter: Text(),
  enabled: Bool(),
  /** Number of catches after which the hold stops; absent: no limit. */
  times: Optional(Num()),
  releaseAfterMs: Optional(Num()),
  hits: Num(),
});
export type Hold = Static<typeof hold>;

/** One thing that is held: a message before its fan-out, a delivery before an attempt, or the app's answer. */
export const heldItem = members({
  row: messageRow,
  /** Absent: the message is held at publish. */
  deliveryId: Optional(Text()),
  heldAt: oneOf(HOLD_POINTS),
  /** The hold that caught it; absent: it was held by hand. */
  heldBy: Optional(Text()),
  /** Time since which it is held. */
  since: Text(),
  /**
   * Time at which the sidecar behind a tap stops waiting; absent: the sidecar does not say, or Sidelight
   * delivers itself.
   */
  givesUpAt: Optional(Text()),
  /** Id of the delivery's entry in the batch whose answer is held; absent for the answer to a single delivery. */
  entryId: Optional(Text()),
  /** True for a delivery to a stream that the app opened: it is no call to its route. */
  stream: Optional(Literal(true)),
  /** The app's answer, if the hold keeps it back. */
  answer: Optional(receivedResponse),
});
export type HeldItem = Static<typeof heldItem>;

export const holdParams = members({
  at: oneOf(HOLD_POINTS),
  filter,
  enabled: Optional(Bool()),
  name: Optional(name),
  times: Optional(Integer({ minimum: 1 })),
  releaseAfterMs: Optional(waitMs),
});
export type HoldParams = Static<typeof holdParams>;

/**
 * Members to change; null removes a member. `times` counts from 0 again, also when the hold is switched on
 * again.
 */
const changeable = {
  at: Optional(oneOf(HOLD_POINTS)),
  filter: Optional(filter),
  enabled: Optional(Bool()),
  name: Optional(orNull(name)),
  times: Optional(orNull(Integer({ minimum: 1 }))),
  releaseAfterMs: Optional(orNull(waitMs)),
};
const holdChange = members(changeable);
export type HoldChange = Static<typeof holdChange>;

/** Parameters of `holds.update`. */
export const holdUpdate = members({ holdId: id, ...changeable });
