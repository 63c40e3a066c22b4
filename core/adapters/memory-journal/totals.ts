/** What messages and their deliveries count as, by topic, subscription and state. */
import type { DeliveryTotals, TopicTotals } from '../../ports/journal.ts';
import type { Entry } from './entry.ts';

type Counting<T> = { -readonly [K in keyof T]: T[K] };
type Topic = Counting<Omit<TopicTotals, 'deliveries'>> & { readonly deliveries: Counting<DeliveryTotals>[] };

/** @param entries in the order of their numbers */
export function totalsOf(entries: Iterable<Entry>): readonly TopicTotals[] {
  const topics = new Map<string, Topic>();
  const topicOf = (pubsubname: string, topic: string): Topic => {
    const key = `${pubsubname}\n${topic}`;
    const known = topics.get(key) ?? { pubsubname, topic, messages: 0, none: 0, deliveries: [] };
    topics.set(key, known);
    return known;
  };
  for (const { row, published, deliveries } of entries) {
    const own = topicOf(row.pubsubname, row.topic);
    own.messages++;
    own.lastAt = row.at;
    if (deliveries.length === 0 && row.stage === undefined && published) own.none++;
    for (const { delivery } of deliveries) {
      const { appId, state, subscription } = delivery;
      const { deliveries: counted } = topicOf(subscription.pubsubname, row.topic);
      const same = counted.find(
        (each) => each.appId === appId && each.state === state && each.subscription === subscription.topic,
      );
      if (same === undefined) counted.push({ appId, subscription: subscription.topic, state, count: 1 });
      else same.count++;
    }
  }
  return [...topics.values()];
}
