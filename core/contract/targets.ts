/** Which deliveries an act means, and the result of the act. */
import { filter, id } from './bounds.ts';
import { list, members, Num, Optional, Text } from './schema.ts';
import type { Static } from './schema.ts';

/** One, several, all of a filter, or all of a message. Exactly one member is given. */
export const deliveryTarget = members({
  deliveryId: Optional(id),
  deliveryIds: Optional(list(id, { minItems: 1, maxItems: 500 })),
  filter: Optional(filter),
  messageId: Optional(id),
});
export type DeliveryTarget = Static<typeof deliveryTarget>;

export const changed = members({
  /** Number of deliveries (or messages held at publish) changed. */
  changed: Num(),
  /** What was meant and may not; of a filter the deliveries of messages on which nothing could be done, at most 500. */
  refused: Optional(
    list(
      members({
        deliveryId: Text(),
        code: Text(),
        state: Text(),
        /** Where a tap observes it: the act is its sidecar's. */
        reason: Optional(Text()),
      }),
    ),
  ),
});
export type Changed = Static<typeof changed>;
