/** The in-memory pub/sub component: one connection to the shared broker, behind ports/pubsub.ts. */
import type { Differences } from '../../contract/profile.ts';
import type { BrokerSubscription, OutboundMessage, PubSub, SubscribeOptions } from '../../ports/pubsub.ts';
import { Consumer } from './broker.ts';
import type { MemoryBroker, Take } from './broker.ts';

export interface MemoryPubSubOptions {
  readonly broker: MemoryBroker;
  /** A publish whose bytes contain this text is refused, to try out a broker that fails. "" = none. */
  readonly failPublish?: string;
  /** Whose metadata a subscriber is handed with a message: its own subscription's, or those of the publish. */
  readonly headers?: Differences['memoryHeaders'];
}

/** Nothing is kept: who subscribes later gets only what comes later, and there is no order between topics. */
export function createMemoryPubSub(options: MemoryPubSubOptions): PubSub {
  return new MemoryPubSub(options);
}

interface Open {
  readonly topic: string;
  readonly group: string;
  readonly consumer: Consumer;
}

class MemoryPubSub implements PubSub {
  readonly features = {
    bulkPublish: false,
    bulkSubscribe: false,
    ttl: false,
    wildcards: true,
    keepsHistory: false,
    redelivers: false,
  } as const;
  readonly capabilities = ['SUBSCRIBE_WILDCARDS'];
  readonly #broker: MemoryBroker;
  readonly #failPublish: string;
  readonly #headers: Differences['memoryHeaders'];
  readonly #open = new Set<Open>();
  #isClosed = false;

  constructor(options: MemoryPubSubOptions) {
    this.#broker = options.broker;
    this.#failPublish = options.failPublish ?? '';
    this.#headers = options.headers ?? 'subscription';
  }

  async start(): Promise<void> {
    if (this.#isClosed) throw new Error('the component is closed');
  }

  publish(message: OutboundMessage): Promise<void> | undefined {
    if (this.#isClosed) return Promise.reject(new Error('the component is closed'));
    if (this.#failPublish !== '' && Buffer.from(message.wire).includes(this.#failPublish))
      return Promise.reject(new Error(`the message contains "${this.#failPublish}" (failPublish)`));
    this.#broker.publish(message);
    return undefined;
  }

  async subscribe(topic: string, options: SubscribeOptions, take: Take): Promise<BrokerSubscription> {
    if (this.#isClosed) throw new Error('the component is closed');
    const consumer = new Consumer(take, this.#headers === 'subscription' ? options.metadata : undefined);
    const open: Open = { topic, group: options.group, consumer };
    this.#open.add(open);
    this.#broker.add(topic, options.group, consumer);
    return { close: async () => this.#end(open) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map(async (open) => this.#end(open)));
  }

  async #end(open: Open): Promise<void> {
    if (this.#open.delete(open)) this.#broker.remove(open.topic, open.group, open.consumer);
    await open.consumer.whenIdle();
  }
}
