/** Combines what taps observe with Sidelight's own rows. */
import type { TopicRow } from '../../core/contract/subscription.ts';
import type { TapRow } from '../../core/contract/tap.ts';
import { topicMatches } from '../../core/contract/topic-pattern.ts';

/** Ids of tapped apps that showed messages of a topic, or that subscribe to it. */
export function observedBy(
  { pubsubname, topic, taps = [] }: Pick<TopicRow, 'pubsubname' | 'topic' | 'taps'>,
  all: readonly Pick<TapRow, 'appId' | 'subscriptions'>[],
): readonly string[] {
  const subscribed = all.filter(({ subscriptions }) =>
    subscriptions.some((one) => one.pubsubname === pubsubname && topicMatches(one.topic, topic)),
  );
  return [...new Set([...taps, ...subscribed.map(({ appId }) => appId)])].toSorted();
}

/** The profiles by which messages are read; without own apps those of the sidecars behind the taps. */
export function profileInUse(
  { profile, apps }: { readonly profile: string; readonly apps: readonly unknown[] },
  taps: readonly { readonly profile: string }[],
): string {
  if (apps.length > 0 || taps.length === 0) return profile;
  return [...new Set(taps.map((tap) => tap.profile))].toSorted().join(', ');
}
