/**
 * Keeps the order of what one client publishes to one topic. A bulk publish of many entries gives way to other work between two parts, and so
 * does one with large entries: without this a publish that was sent after it would overtake the rest.
 */

/** Who publishes, and to where. */
export interface Publishing {
  /** Aborted when the connection of the client closes. */
  readonly client: AbortSignal;
  readonly pubsubname: string;
  readonly topic: string;
}

export class PublishOrder {
  /** By client and topic: resolves when the last bulk publish has ended, published or refused. */
  readonly #bulks = new WeakMap<AbortSignal, Map<string, Promise<void>>>();

  /** Runs a publish behind the client's bulk publishes to the topic. */
  async one<T>(of: Publishing, publish: () => Promise<T>): Promise<T> {
    const before = this.#bulks.get(of.client)?.get(keyOf(of));
    if (before !== undefined) await before;
    return publish();
  }

  /** Runs a bulk publish: behind those before it, and in front of what comes after it. */
  bulk<T>(of: Publishing, publish: () => Promise<T>): Promise<T> {
    const topics = this.#bulks.get(of.client) ?? new Map<string, Promise<void>>();
    this.#bulks.set(of.client, topics);
    const key = keyOf(of);
    const published = this.one(of, publish);
    const end = (): void => {
      if (topics.get(key) === ended) topics.delete(key);
    };
    const ended = published.then(end, end);
    topics.set(key, ended);
    return published;
  }
}

function keyOf({ pubsubname, topic }: Publishing): string {
  return JSON.stringify([pubsubname, topic]);
}
