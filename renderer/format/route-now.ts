/** What is wrong with the route of a delivery now: the host says which routes are old ones, and which the app does not serve. */
import type { Delivery } from '../../core/contract/message.ts';
import type { AppRow, SubscriptionRow } from '../../core/contract/subscription.ts';
import { isUnfinishedState, NO_ROUTE_AT_APP } from '../../core/contract/delivery.ts';
import { theApp, theAppFirst } from '../../core/contract/app-text.ts';
import { pathsInstead } from '../../core/contract/route-paths.ts';
import { fill } from '../copy/fill.ts';
import { WHY } from '../copy/why.ts';

type Routed = Pick<Delivery, 'appId' | 'route' | 'state' | 'subscription' | 'transitions'>;

const NO_ROUTE: ReadonlySet<string | undefined> = new Set(NO_ROUTE_AT_APP);
type Row = Parameters<typeof pathsInstead>[0][number] & Pick<SubscriptionRow, 'missingRoutes'>;

/** Topology of now, as far as routes are concerned. */
interface Now {
  readonly apps: readonly Pick<AppRow, 'problems'>[];
  readonly subscriptions: readonly Row[];
}

/** Sentence about the route; undefined: there is nothing to say, or the subscription is gone, which the state explains. */
export function routeNowText({ apps, subscriptions }: Now, delivery: Routed): string | undefined {
  const { appId, route, state } = delivery;
  const { source } = delivery.subscription;
  if (route.path === '' || source === 'streaming' || source === 'binding') return undefined;
  const old = (now: string): string => fill(WHY.oldRoute, { path: route.path, app: theApp(appId), now });
  if (state === 'dropped') {
    const { pubsubname, topic } = delivery.subscription;
    const instead = pathsInstead(subscriptions, { appId, pubsubname, topic, path: route.path });
    if (instead !== undefined) return old(instead);
    // A person, or the app's own word, may have dropped it: nothing is wrong with its route then.
    if (!NO_ROUTE.has(delivery.transitions.at(-1)?.rule)) return undefined;
    const answer = answerAt(subscriptions, delivery);
    return answer === undefined
      ? undefined
      : fill(WHY.missingRoute, { App: theAppFirst(appId), answer, path: route.path });
  }
  if (!isUnfinishedState(state) && state !== 'parked') return undefined;
  const now = pathsNow(apps, delivery);
  return now === undefined ? undefined : old(now);
}

/** What the app answers at the route that it does not serve; undefined: it serves the route, as far as is known. */
function answerAt(rows: readonly Row[], { appId, route, subscription }: Routed): string | undefined {
  const { pubsubname, topic } = subscription;
  return rows
    .filter((row) => row.appId === appId && row.pubsubname === pubsubname && row.topic === topic)
    .flatMap(({ missingRoutes = [] }) => missingRoutes)
    .find(({ path }) => path === route.path)?.answer;
}

/** Where the app takes the topic now, in words, if the host counts the delivery among those with an old route. */
function pathsNow(apps: Now['apps'], { appId, route, subscription }: Routed): string | undefined {
  const { pubsubname, topic } = subscription;
  return apps
    .flatMap(({ problems }) => problems)
    .find(
      ({ code, deliveries: at }) =>
        code === 'old-route' &&
        at?.appId === appId &&
        at.pubsubname === pubsubname &&
        at.topic === topic &&
        at.path === route.path,
    )?.pathsNow;
}
