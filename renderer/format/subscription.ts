/** The subscription of a delivery, and the state of a subscription in words: why it is not used, and when the component is asked again. */
import type { Delivery } from '../../core/contract/message.ts';
import type { SubscriptionRow } from '../../core/contract/subscription.ts';
import { clause } from '../../core/contract/error-text.ts';
import { fill } from '../copy/fill.ts';
import { SUBSCRIPTIONS } from '../copy/topics.ts';
import { clockSeconds } from './clock-time.ts';

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

type Shown = Pick<SubscriptionRow, 'state' | 'reason' | 'failedTries' | 'nextTryAt'>;

/** State, reason, tries. */
export function stateText({ state: name, reason, failedTries: n, nextTryAt }: Shown): string {
  const state = SUBSCRIPTIONS.states[name];
  if (reason === undefined) return state;
  const words = fill(SUBSCRIPTIONS.reason, { state, reason });
  if (n === undefined || nextTryAt === undefined) return words;
  const next = n === 1 ? SUBSCRIPTIONS.nextTryOnce : SUBSCRIPTIONS.nextTry;
  return `${clause(words)}. ${fill(next, { n, time: clockSeconds(nextTryAt) })}`;
}
