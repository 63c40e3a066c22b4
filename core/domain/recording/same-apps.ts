/**
 * Matches the apps of two recordings: behind a tap or on another machine the same program has another app id.
 */
import type { RecordedMessage } from './recorded.ts';

/** Subscriptions of each app that has a delivery. */
export type SubscriptionsOfApps = ReadonlyMap<string, ReadonlySet<string>>;

/** Notes the deliveries of one message. */
export function noteApps(of: Map<string, Set<string>>, { deliveries }: RecordedMessage): void {
  for (const { delivery } of deliveries) {
    const { pubsubname, topic } = delivery.subscription;
    const subscriptions = of.get(delivery.appId) ?? new Set();
    of.set(delivery.appId, subscriptions.add(`${pubsubname}\n${topic}`));
  }
}

/**
 * The id in `after` of apps that have another one in `before`. Only ids that are on one side alone are
 * considered. Two match if each shares a subscription with the other and with no third one; anything
 * ambiguous is left unmatched.
 */
export function sameApps(
  before: SubscriptionsOfApps,
  after: SubscriptionsOfApps,
): ReadonlyMap<string, string> {
  const ones = [...before].filter(([appId]) => !after.has(appId));
  const others = [...after].filter(([appId]) => !before.has(appId));
  const same = new Map<string, string>();
  for (const [appId, subscriptions] of ones) {
    const [found, ...more] = sharing(others, subscriptions);
    if (found === undefined || more.length > 0) continue;
    const back = sharing(ones, after.get(found) ?? new Set());
    if (back.length === 1) same.set(appId, found);
  }
  return same;
}

function sharing(
  apps: readonly (readonly [string, ReadonlySet<string>])[],
  subscriptions: ReadonlySet<string>,
): readonly string[] {
  return apps.filter(([, own]) => [...own].some((each) => subscriptions.has(each))).map(([appId]) => appId);
}
