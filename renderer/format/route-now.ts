/** What the subscriptions of now say about the route of a delivery: that it is an old one, or that the app does not serve it. */
import type { Delivery } from '../../core/contract/message.ts';
import type { SubscriptionRow } from '../../core/contract/subscription.ts';
import { isUnfinishedState } from '../../core/contract/delivery.ts';
import { theApp, theAppFirst } from '../../core/contract/app-text.ts';
import { fill } from '../copy/fill.ts';
import { WHY } from '../copy/why.ts';

type Routed = Pick<Delivery, 'appId' | 'route' | 'state' | 'subscription'>;
type Row = Pick<
  SubscriptionRow,
  'appId' | 'pubsubname' | 'topic' | 'rules' | 'defaultPath' | 'missingRoutes'
>;

/** Sentence about the route; undefined: there is nothing to say, or the subscription is gone, which the state explains. */
export function routeNowText(rows: readonly Row[], delivery: Routed): string | undefined {
  const { appId, route, state, subscription } = delivery;
  const { source, pubsubname, topic, settings } = subscription;
  if (route.path === '' || source === 'streaming' || source === 'binding' || settings?.protocol === 'grpc')
    return undefined;
  const own = rows.filter(
    (row) => row.appId === appId && row.pubsubname === pubsubname && row.topic === topic,
  );
  const missing = own
    .flatMap(({ missingRoutes = [] }) => missingRoutes)
    .find(({ path }) => path === route.path);
  if (missing !== undefined && state === 'dropped')
    return fill(WHY.missingRoute, { App: theAppFirst(appId), answer: missing.answer, path: route.path });
  if (own.length === 0 || !(isUnfinishedState(state) || state === 'parked')) return undefined;
  const paths = own.flatMap(({ rules, defaultPath }) => [
    ...rules.map(({ path }) => path),
    ...(defaultPath === undefined ? [] : [defaultPath]),
  ]);
  if (paths.includes(route.path)) return undefined;
  return fill(WHY.oldRoute, { path: route.path, app: theApp(appId), now: [...new Set(paths)].join(', ') });
}
