/** The subscriptions of one component at its broker, and what was published for nobody yet: each publish is noted where it will be read. */
import type { BrokerSubscription, OutboundMessage } from '../ports/pubsub.ts';
import { BeforeSubscription } from './before-subscription.ts';

/** Reads one topic for one group. */
export interface BrokerReader {
  readonly topic: string;
  /** Notes a message that the server has: a server that loses it has to give it again. */
  published(key: string, messageId: string): void;
  /** The server may come back without what it had. */
  away(): void;
  start(): void;
  close(): Promise<void>;
}

export interface Opening {
  /** Makes what the server needs for the subscription. */
  readonly prepare: () => Promise<void>;
  /** True where the server is only away: then the reader waits for it by itself. Else the subscription fails. */
  readonly mayWait: (error: unknown) => boolean;
}

export class BrokerReaders<R extends BrokerReader> {
  readonly beforeSubscription = new BeforeSubscription();
  readonly #readers = new Set<R>();
  #isClosed = false;

  /** The server has the message under this key. */
  published({ topic, messageId }: Pick<OutboundMessage, 'topic' | 'messageId'>, key: string): void {
    let isRead = false;
    for (const reader of this.#readers) {
      if (reader.topic !== topic) continue;
      reader.published(key, messageId);
      isRead = true;
    }
    if (!isRead) this.beforeSubscription.published(topic, key, messageId);
  }

  away(): void {
    this.beforeSubscription.away();
    for (const reader of this.#readers) reader.away();
  }

  [Symbol.iterator](): Iterator<R> {
    return this.#readers.values();
  }

  async open(reader: R, { prepare, mayWait }: Opening): Promise<BrokerSubscription> {
    // Before the server knows the group: what is published meanwhile is noted too.
    this.#readers.add(reader);
    try {
      await prepare();
    } catch (error) {
      if (this.#isClosed || !mayWait(error)) {
        this.#readers.delete(reader);
        throw error;
      }
    }
    if (this.#isClosed) throw new Error('the component is closed');
    reader.start();
    return {
      close: async () => {
        await reader.close();
        this.#readers.delete(reader);
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#readers].map(async (reader) => reader.close()));
    this.#readers.clear();
  }
}
