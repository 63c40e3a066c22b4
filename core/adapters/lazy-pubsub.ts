/** A pub/sub component that loads its library at start, because most runs have no such component. */
import type {
  BrokerSubscription,
  LostConnection,
  OutboundMessage,
  PubSub,
  SubscribeOptions,
} from '../ports/pubsub.ts';

/**
 * Component that is loaded when it is started.
 * @param features features before the start
 * @param load creates the component; called once, by `start`
 */
export function loadedAtStart(features: PubSub['features'], load: () => Promise<PubSub>): PubSub {
  return new LazyPubSub(features, load);
}

class LazyPubSub implements PubSub {
  readonly #features: PubSub['features'];
  readonly #load: () => Promise<PubSub>;
  #loading: Promise<PubSub> | undefined;
  #loaded: PubSub | undefined;
  #changed: () => void = () => undefined;
  #isClosed = false;

  constructor(features: PubSub['features'], load: () => Promise<PubSub>) {
    this.#features = features;
    this.#load = load;
  }

  get features(): PubSub['features'] {
    return this.#loaded?.features ?? this.#features;
  }

  get capabilities(): readonly string[] {
    return this.#loaded?.capabilities ?? [];
  }

  async start(): Promise<void> {
    if (this.#isClosed) throw new Error('the component is closed');
    this.#loading ??= this.#load();
    const loaded = await this.#loading;
    this.#loaded = loaded;
    loaded.onConnection?.(() => this.#changed());
    // Closed while it was loading: the component rejects the start itself.
    if (this.#isClosed) await loaded.close();
    await loaded.start();
  }

  lost(): LostConnection | undefined {
    return this.#loaded?.lost?.();
  }

  onConnection(changed: () => void): void {
    this.#changed = changed;
  }

  async publish(message: OutboundMessage): Promise<void> {
    await this.#open.publish(message);
  }

  async subscribe(
    topic: string,
    options: SubscribeOptions,
    take: Parameters<PubSub['subscribe']>[2],
  ): Promise<BrokerSubscription> {
    return this.#open.subscribe(topic, options, take);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#loaded?.close();
  }

  get #open(): PubSub {
    if (this.#loaded === undefined)
      throw new Error(this.#isClosed ? 'the component is closed' : 'the component was not started');
    return this.#loaded;
  }
}
