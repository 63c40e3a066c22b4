/** Topics of which others may have got messages, kept for the next start so that it counts those without subscribers right. */
import type { TopicName } from '../../ports/journal.ts';
import { isObject } from '../../domain/json.ts';

export const OBSERVED_TOPICS = 'observed-topics';

export interface ObservedTopic extends TopicName {
  /** Ids of the tapped apps that showed messages of it; none: a broker was to give messages to a group. */
  readonly taps: readonly string[];
}

/** @param kept what an earlier start kept */
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
