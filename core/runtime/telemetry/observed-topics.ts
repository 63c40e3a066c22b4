/** Topics of which other consumers may have received messages, stored so that the next start counts those without subscribers correctly. */
import type { TopicName } from '../../ports/journal.ts';
import { isObject } from '../../domain/json.ts';

export const OBSERVED_TOPICS = 'observed-topics';

export interface ObservedTopic extends TopicName {
  /** Ids of tapped apps with messages of the topic; none: a broker delivers its messages to a group. */
  readonly taps: readonly string[];
}

/** @param kept value stored by an earlier run */
export function readObservedTopics(kept: unknown): readonly ObservedTopic[] {
  return Array.isArray(kept) ? kept.filter(isObservedTopic) : [];
}

function isObservedTopic(value: unknown): value is ObservedTopic {
  if (!isObject(value)) return false;
  const { pubsubname, topic, taps } = value;
  return (
    typeof pubsubname === 'string' &&
    typeof topic === 'string' &&
    Array.isArray(taps) &&
    taps.every((tap) => typeof tap === 'string')
  );
}
