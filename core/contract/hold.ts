/** Holds: a condition that stops messages at a point of their life. */
import { filter, id, name, waitMs } from './bounds.ts';
import { messageRow, receivedResponse } from './message.ts';
import { Bool, Integer, members, Num, oneOf, Optional, orNull, Text } from './schema.ts';
import type { Static } from './schema.ts';
import { HOLD_POINTS } from './words.ts';

export type { HoldPoint } from './words.ts';

export const hold = members({
  holdId: Text(),
  name: Optional(Text()),
  at: oneOf(HOLD_POINTS),
  filter: Text(),
  enabled: Bool(),
  /** Catch the next n only. */
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
  /** When it was caught. */
  since: Text(),
  /** When the sidecar behind a tap gives up waiting; absent: it does not say, or the delivery is ours. */
  givesUpAt: Optional(Text()),
  /** Id of the delivery's entry in the batch whose answer is held; absent for the answer to a single delivery. */
  entryId: Optional(Text()),
  /** What the app answered, where that is held. */
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

/** Members to change; null takes a member away. `times` counts from 0 again, and so does a hold that is switched on again. */
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
