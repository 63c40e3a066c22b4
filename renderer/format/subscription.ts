/** The subscription of a delivery, and why a subscription is not used, with the time when the component is asked again. */
import type { Delivery } from '../../core/contract/message.ts';
import type { SubscriptionRow } from '../../core/contract/subscription.ts';
import { clause } from '../../core/contract/error-text.ts';
import { fill } from '../copy/fill.ts';
import { SUBSCRIPTIONS } from '../copy/topics.ts';
import { clockSeconds } from './clock-time.ts';
import { count } from './quantity.ts';

/** The row of the subscription that a delivery belongs to; undefined: it is gone, or the rows are not loaded. */
export function subscriptionOf(
  { appId, subscription: { pubsubname, topic, source } }: Pick<Delivery, 'appId' | 'subscription'>,
  rows: readonly SubscriptionRow[] | undefined,
): SubscriptionRow | undefined {
  return rows?.find(
    (row) =>
      row.appId === appId && row.pubsubname === pubsubname && row.topic === topic && row.source === source,
  );
}

type Unused = Pick<SubscriptionRow, 'reason' | 'failedTries' | 'nextTryAt'>;

/** Why a subscription is not used, with its tries; undefined: it is used. */
export function whyUnused({ reason, failedTries: n, nextTryAt }: Unused): string | undefined {
  if (reason === undefined || n === undefined || nextTryAt === undefined) return reason;
  const next = n === 1 ? SUBSCRIPTIONS.nextTryOnce : SUBSCRIPTIONS.nextTry;
  return `${clause(reason)}. ${fill(next, { n, time: clockSeconds(nextTryAt) })}`;
}

/** The routes at which its app serves nothing: "404 at /orders: 3 dropped"; undefined: there is none. */
export function missingText({ missingRoutes }: Pick<SubscriptionRow, 'missingRoutes'>): string | undefined {
  return missingRoutes
    ?.map(({ path, answer, times }) => fill(SUBSCRIPTIONS.missingRoute, { answer, path, n: count(times) }))
    .join(' ');
}
