/**
 * Which deliveries of a message can be sent to another route: those that a problem of their app is about, and dropped ones with a route of
 * an earlier subscription.
 */
import { isUnfinishedState, NO_ROUTE_AT_APP } from '../../core/contract/delivery.ts';
import type { DeliveryRow, MessageRow } from '../../core/contract/message.ts';
import { REROUTED_PROBLEMS } from '../../core/contract/rerouted-problems.ts';
import { pathsInstead } from '../../core/contract/route-paths.ts';
import type { AppRow, Problem } from '../../core/contract/subscription.ts';
import { topicMatches } from '../../core/contract/topic-pattern.ts';

type Code = (typeof REROUTED_PROBLEMS)[number];
type Kept = Pick<DeliveryRow, 'state' | 'rule'>;

const NO_ROUTE: ReadonlySet<string | undefined> = new Set(NO_ROUTE_AT_APP);

/** Whether a problem of this kind is about a delivery at its route. */
const IS_OF: Readonly<Record<Code, (delivery: Kept) => boolean>> = {
  'missing-route': ({ state, rule }) => state === 'dropped' && NO_ROUTE.has(rule),
  'mended-route': ({ state, rule }) => state === 'dropped' && NO_ROUTE.has(rule),
  'old-route': ({ state }) => state === 'parked' || isUnfinishedState(state),
};

/** Topology of now, as far as routes are concerned. */
interface Now {
  readonly apps: readonly Pick<AppRow, 'problems'>[];
  readonly subscriptions: Parameters<typeof pathsInstead>[0];
}

type Row = Pick<MessageRow, 'pubsubname' | 'topic' | 'deliveries' | 'source' | 'tap'>;

/**
 * The deliveries; one that is being attempted is among them, and has to wait for its answer.
 * @param deliveryId the only one that counts; absent: all of the message
 */
export function reroutable(row: Row, now: Now, deliveryId?: string): readonly DeliveryRow[] {
  return row.deliveries
    .filter((each) => deliveryId === undefined || each.deliveryId === deliveryId)
    .filter((each) => keepsOldRoute(row, each, now) || hasProblem(row, each, now.apps, REROUTED_PROBLEMS));
}

/**
 * Whether a delivery keeps a route that its subscription no longer has. The host says so of one that is not finished; a dropped one is compared
 * with the current subscriptions, because no problem is about it.
 */
export function keepsOldRoute(row: Row, delivery: DeliveryRow, { apps, subscriptions }: Now): boolean {
  if (delivery.state !== 'dropped') return hasProblem(row, delivery, apps, ['old-route']);
  const { pubsubname, topic, source, tap } = row;
  const { appId, route: path = '' } = delivery;
  if (tap !== undefined || source === 'binding') return false;
  return pathsInstead(subscriptions, { appId, pubsubname, topic, path }) !== undefined;
}

function hasProblem(
  { pubsubname, topic }: Row,
  delivery: DeliveryRow,
  apps: Now['apps'],
  codes: readonly Code[],
): boolean {
  const isMeant = ({ code, deliveries: at }: Problem): boolean => {
    const known = codes.find((each) => each === code);
    return (
      known !== undefined &&
      at?.appId === delivery.appId &&
      at.pubsubname === pubsubname &&
      at.path === delivery.route &&
      topicMatches(at.topic, topic) &&
      IS_OF[known](delivery)
    );
  };
  return apps.some(({ problems }) => problems.some(isMeant));
}
