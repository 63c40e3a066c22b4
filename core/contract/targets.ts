/** Targets and result of an act on deliveries. */
import { filter, id, upTo } from './bounds.ts';
import { MAX_ACT_IDS } from './page-bounds.ts';
import { REROUTED_PROBLEMS } from './rerouted-problems.ts';
import { extend, list, members, Num, oneOf, Optional, Text } from './schema.ts';
import type { Static } from './schema.ts';
import { deliveriesAt } from './subscription.ts';

/**
 * Deliveries that an act applies to: one, several, all that match a filter, or all of a message. Exactly one of
 * these is given.
 */
export const deliveryTarget = members({
  deliveryId: Optional(id),
  deliveryIds: Optional(list(id, { minItems: 1, maxItems: MAX_ACT_IDS })),
  filter: Optional(filter),
  /** Highest number of a message that `filter` reaches. */
  upTo: Optional(upTo),
  messageId: Optional(id),
});
export type DeliveryTarget = Static<typeof deliveryTarget>;

/** A problem of an app with the deliveries that it is about. */
export const reroutedProblem = extend(deliveriesAt, { code: oneOf(REROUTED_PROBLEMS) });
export type ReroutedProblem = Static<typeof reroutedProblem>;

/** Deliveries to reroute: one, or those of a problem of an app. Exactly one of these is given. */
export const rerouteTarget = members({
  deliveryId: Optional(id),
  problem: Optional(reroutedProblem),
});
export type RerouteTarget = Static<typeof rerouteTarget>;

export const changed = members({
  /** Number of deliveries (or messages held at publish) changed. */
  changed: Num(),
  /**
   * Targets that did not allow the act. With a filter: deliveries of messages on which no act was possible,
   * at most 500.
   */
  refused: Optional(
    list(
      members({
        deliveryId: Text(),
        code: Text(),
        state: Text(),
        /** Reason, if the state is none: the backlog has no room, or a tap observes the delivery and its own sidecar has to do the act. */
        reason: Optional(Text()),
      }),
    ),
  ),
});
export type Changed = Static<typeof changed>;
