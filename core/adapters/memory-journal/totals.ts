/** Counts of messages and their deliveries, by topic, subscription and state. */
import { endedEarly, isLeftOver, isReplayedSince } from '../../contract/attention.ts';
import type { Mutable } from '../../contract/mutable.ts';
import { NO_MESSAGES } from '../../ports/journal.ts';
import type { DeliveryTotals, TopicTotals } from '../../ports/journal.ts';
import type { CountedDelivery, Entry } from './entry.ts';

type Topic = Mutable<Omit<TopicTotals, 'deliveries'>> & { readonly deliveries: Mutable<DeliveryTotals>[] };

export class Totals {
  readonly #topics = new Map<string, Topic>();
  /** Messages that were added. */
  count = 0;
  /** One above the highest number of a message that was added; 0 = none. */
  beforeNumber = 0;

  get all(): readonly TopicTotals[] {
    return [...this.#topics.values()];
  }

  /** To be called in the order of their numbers. Nothing of the entry is kept. */
  add({ row, published }: Pick<Entry, 'row' | 'published'>, deliveries: readonly CountedDelivery[]): void {
    this.count += 1;
    this.beforeNumber = Math.max(this.beforeNumber, row.number + 1);
    const own = this.#of(row.pubsubname, row.topic);
    own.messages++;
    own.lastAt = row.at;
    // Only its own sidecar, or its broker, knows where such a message went.
    if (deliveries.length === 0 && published) {
      if (isLeftOver(row)) own.none++;
      else if (isReplayedSince(row)) own.replayed++;
    }
    const early = endedEarly(row.stage);
    if (early !== undefined) own[early]++;
    for (const { appId, state, subscription } of deliveries) {
      const { deliveries: counted } = this.#of(subscription.pubsubname, row.topic);
      const same = counted.find(
        (each) => each.appId === appId && each.state === state && each.subscription === subscription.topic,
      );
      if (same === undefined) counted.push({ appId, subscription: subscription.topic, state, count: 1 });
      else same.count++;
    }
  }

  #of(pubsubname: string, topic: string): Topic {
    const key = `${pubsubname}\n${topic}`;
    const known: Topic = this.#topics.get(key) ?? { ...NO_MESSAGES, pubsubname, topic, deliveries: [] };
    this.#topics.set(key, known);
    return known;
  }
}
