/** What taps observe, beside what is ours. */
import type { TopicRow } from '../../core/contract/subscription.ts';
import type { TapRow } from '../../core/contract/tap.ts';

/** Ids of tapped apps that showed messages of a topic, or that subscribe to it. */
export function observedBy(
  { pubsubname, topic, taps = [] }: Pick<TopicRow, 'pubsubname' | 'topic' | 'taps'>,
  all: readonly Pick<TapRow, 'appId' | 'subscriptions'>[],
): readonly string[] {
  const subscribed = all.filter(({ subscriptions }) =>
    subscriptions.some((one) => one.pubsubname === pubsubname && isOf(one.topic, topic)),
  );
  return [...new Set([...taps, ...subscribed.map(({ appId }) => appId)])].toSorted();
}

function isOf(pattern: string, topic: string): boolean {
  return pattern.endsWith('*') ? topic.startsWith(pattern.slice(0, -1)) : pattern === topic;
}
