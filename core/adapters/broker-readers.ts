/** Readers of one component's subscriptions. Notes each published message with the readers of its topic, or for a later reader. */
import type { BrokerSubscription, OutboundMessage } from '../ports/pubsub.ts';
import { BeforeSubscription } from './before-subscription.ts';

/** Reads one topic for one group. */
export interface BrokerReader {
  readonly topic: string;
  /** Notes a message that the server has stored. If the server loses it, the reader reports that. */
  published(key: string, messageId: string): void;
  /** Called when the connection to the server is lost: the server may have lost messages. */
  connectionLost(): void;
  start(): void;
  close(): Promise<void>;
}

export interface Opening {
  /** Creates at the server what the subscription needs. */
  readonly prepare: () => Promise<void>;
  /** True if the server is only unreachable: the reader then waits for it. Otherwise the subscription fails. */
  readonly mayWait: (error: unknown) => boolean;
}

export class BrokerReaders<R extends BrokerReader> {
  readonly beforeSubscription = new BeforeSubscription();
  readonly #readers = new Set<R>();
  #isClosed = false;

  /** Notes a message that the server has stored under this key. */
  published({ topic, messageId }: Pick<OutboundMessage, 'topic' | 'messageId'>, key: string): void {
    let isRead = false;
    for (const reader of this.#readers) {
      if (reader.topic !== topic) continue;
      reader.published(key, messageId);
      isRead = true;
    }
    if (!isRead) this.beforeSubscription.published(topic, key, messageId);
  }

  connectionLost(): void {
    this.beforeSubscription.connectionLost();
    for (const reader of this.#readers) reader.connectionLost();
  }

  [Symbol.iterator](): Iterator<R> {
    return this.#readers.values();
  }

  async open(reader: R, { prepare, mayWait }: Opening): Promise<BrokerSubscription> {
    // Added before the group exists, so that messages published in between are noted too.
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
