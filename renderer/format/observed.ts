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

/** Whether messages are read by the profiles of the sidecars behind the taps: there are no own apps. */
export function isReadByTaps(
  { apps }: { readonly apps: readonly unknown[] },
  taps: readonly unknown[],
): boolean {
  return apps.length === 0 && taps.length > 0;
}

/** The profiles by which messages are read; without own apps those of the sidecars behind the taps. */
export function profileInUse(
  system: { readonly profile: string; readonly apps: readonly unknown[] },
  taps: readonly { readonly profile: string }[],
): string {
  if (!isReadByTaps(system, taps)) return system.profile;
  return [...new Set(taps.map((tap) => tap.profile))].toSorted().join(', ');
}
