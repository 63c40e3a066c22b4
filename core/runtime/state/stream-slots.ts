/** Streams of one app: the open ones, and lost ones that wait for the next stream of their topic. No act looks through those of other topics. */
import type { Subscription } from '../../contract/subscription.ts';
import type { AppChannel } from '../../ports/app-channel.ts';

/** A subscription of a stream. */
export interface StreamSlot {
  readonly subscription: Subscription;
  /** undefined: the stream was lost, and the subscription waits for the next one. */
  readonly channel: AppChannel | undefined;
}

type Topic = Pick<Subscription, 'pubsubname' | 'topic'>;

export class StreamSlots {
  readonly #all = new Map<Subscription, StreamSlot>();
  readonly #byTopic = new Map<string, Set<StreamSlot>>();
  /** Lost streams, the one that was lost longest ago first. */
  readonly #lost = new Set<StreamSlot>();

  get all(): Iterable<StreamSlot> {
    return this.#all.values();
  }

  get lost(): ReadonlySet<StreamSlot> {
    return this.#lost;
  }

  has(slot: StreamSlot): boolean {
    return this.#all.get(slot.subscription) === slot;
  }

  /** Channel of the stream with this subscription; undefined: it was lost, or the subscription is none of a stream. */
  channelOf(subscription: Subscription): AppChannel | undefined {
    return this.#all.get(subscription)?.channel;
  }

  of(topic: Topic): Iterable<StreamSlot> {
    return this.#byTopic.get(topicName(topic)) ?? [];
  }

  add(slot: StreamSlot): void {
    const { subscription, channel } = slot;
    const name = topicName(subscription);
    const others = this.#byTopic.get(name);
    this.#all.set(subscription, slot);
    if (others === undefined) this.#byTopic.set(name, new Set([slot]));
    else others.add(slot);
    if (channel === undefined) this.#lost.add(slot);
  }

  remove(slot: StreamSlot): void {
    const name = topicName(slot.subscription);
    const others = this.#byTopic.get(name);
    this.#all.delete(slot.subscription);
    this.#lost.delete(slot);
    others?.delete(slot);
    if (others?.size === 0) this.#byTopic.delete(name);
  }
}

function topicName({ pubsubname, topic }: Topic): string {
  return `${pubsubname}\n${topic}`;
}
