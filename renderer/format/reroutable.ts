/** Which deliveries of a message can be sent to another route: those that a problem of their app is about. */
import { isUnfinishedState, NO_ROUTE_AT_APP } from '../../core/contract/delivery.ts';
import type { DeliveryRow, MessageRow } from '../../core/contract/message.ts';
import { REROUTED_PROBLEMS } from '../../core/contract/rerouted-problems.ts';
import type { AppRow, Problem } from '../../core/contract/subscription.ts';
import { topicMatches } from '../../core/contract/topic-pattern.ts';

type Code = (typeof REROUTED_PROBLEMS)[number];
type Kept = Pick<DeliveryRow, 'state' | 'rule'>;

const NO_ROUTE: ReadonlySet<string | undefined> = new Set(NO_ROUTE_AT_APP);

/** Whether a problem of this kind is about a delivery at its route. */
const IS_OF: Readonly<Record<Code, (delivery: Kept) => boolean>> = {
  'missing-route': ({ state, rule }) => state === 'dropped' && NO_ROUTE.has(rule),
  'old-route': ({ state }) => state === 'parked' || isUnfinishedState(state),
};

/**
 * The deliveries; one that is being attempted is among them, and has to wait for its answer.
 * @param deliveryId the only one that counts; absent: all of the message
 */
export function reroutable(
  { pubsubname, topic, deliveries }: Pick<MessageRow, 'pubsubname' | 'topic' | 'deliveries'>,
  apps: readonly Pick<AppRow, 'problems'>[],
  deliveryId?: string,
): readonly DeliveryRow[] {
  const problems = apps.flatMap((app) => app.problems);
  const isMeant = (delivery: DeliveryRow, { code, deliveries: at }: Problem): boolean => {
    const known = REROUTED_PROBLEMS.find((each) => each === code);
    return (
      known !== undefined &&
      at?.appId === delivery.appId &&
      at.pubsubname === pubsubname &&
      at.path === delivery.route &&
      topicMatches(at.topic, topic) &&
      IS_OF[known](delivery)
    );
  };
  return deliveries
    .filter((each) => deliveryId === undefined || each.deliveryId === deliveryId)
    .filter((each) => problems.some((problem) => isMeant(each, problem)));
}
