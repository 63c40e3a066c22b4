/**
 * Decides how often a test tries the deliveries of a topic. A setting applies to the whole topic, but the
 * recorded deliveries may come from other sidecars.
 */
import type { RecordedDelivery, RecordedMessage } from './recorded.ts';

/** Name of the topic in the setting `delivery.retryByTopic`. */
export function topicOf({ message: { row } }: RecordedMessage): string {
  return `${row.pubsubname}/${row.topic}`;
}

/**
 * Attempts by topic; 0 = no limit. The number is that of the first delivery that was given up; if none was,
 * the most attempts of any delivery.
 */
export function triesByTopic(messages: readonly RecordedMessage[]): ReadonlyMap<string, number> {
  const tries = new Map<string, number>();
  const decided = new Set<string>();
  for (const recorded of messages) {
    const topic = topicOf(recorded);
    for (const each of recorded.deliveries) {
      if (decided.has(topic)) continue;
      if (wasGivenUp(each)) {
        decided.add(topic);
        tries.set(topic, each.attempts.length);
      } else tries.set(topic, most(tries.get(topic), each.delivery.maxAttempts));
    }
  }
  return tries;
}

/** Why a message cannot end as it did with this number of attempts; undefined: it can. */
export function whyOtherTries(
  recorded: RecordedMessage,
  tries: ReadonlyMap<string, number>,
): string | undefined {
  const topic = topicOf(recorded);
  const most = tries.get(topic) ?? 0;
  const isOther = (each: RecordedDelivery): boolean => {
    const made = each.attempts.length;
    return wasGivenUp(each) ? made !== most : most > 0 && made > most;
  };
  const other = recorded.deliveries.find(isOther);
  if (other === undefined) return undefined;
  return `another message of ${topic} was given up after ${most} attempts, and this one had ${other.attempts.length}`;
}

/** Rules that end a delivery after its last attempt. With `tap.dead-letter` another sidecar gave it up. */
const GIVEN_UP: ReadonlySet<string> = new Set(['policy.exhausted', 'policy.dead-letter', 'tap.dead-letter']);

function wasGivenUp({ transitions }: RecordedDelivery): boolean {
  return transitions.some(({ rule }) => GIVEN_UP.has(rule));
}

function most(known: number | undefined, other: number): number {
  return known === 0 || other === 0 ? 0 : Math.max(known ?? 0, other);
}
