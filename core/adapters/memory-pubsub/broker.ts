/** The in-memory broker: who listens to which topic, and who gets the next message. Nothing is kept, no body of what waits either. */
import { isTopicPattern, topicMatches } from '../../contract/topic-pattern.ts';
import type { Wire } from '../../domain/codec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { DONE_AT_ONCE } from '../../ports/pubsub.ts';
import type { InboundMessage, OutboundMessage, Taken } from '../../ports/pubsub.ts';

export interface BrokerPorts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Which message it is, without its body. */
type Named = Pick<OutboundMessage, 'messageId' | 'topic' | 'metadata'>;

export type Take = (message: InboundMessage) => Promise<Taken>;

/** Time between two hand-overs of a message that its taker gave back. Behaviour 5.4. */
const REDELIVER_MS = 100;

/** One subscriber; `close` resolves when none of its `take` calls runs. */
export class Consumer {
  readonly take: Take;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  #running = 0;
  readonly #idle: (() => void)[] = [];

  /** @param metadata metadata of every delivery; undefined: that of the message */
  constructor(take: Take, metadata: Readonly<Record<string, string>> | undefined) {
    this.take = take;
    this.metadata = metadata;
  }

  /**
   * Calls `take` before it returns. Nothing here keeps the message.
   * @returns undefined: it is done at once. A rejection is what the taker failed with, also where it threw that
   */
  run(message: InboundMessage): Promise<Taken> | undefined {
    const taken = takenBy(this.take, message);
    if (taken === DONE_AT_ONCE) return undefined;
    this.#running++;
    return taken.finally(() => this.#over());
  }

  async whenIdle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => void this.#idle.push(resolve));
  }

  #over(): void {
    this.#running--;
    if (this.#running === 0) for (const done of this.#idle.splice(0)) done();
  }
}

/** Calls a subscriber; an error that it throws becomes a rejection. */
function takenBy(take: Take, message: InboundMessage): Promise<Taken> {
  try {
    return take(message);
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** The consumers of one group on one topic: each message goes to one of them in turn. */
class Queue {
  readonly consumers: Consumer[] = [];
  readonly #ports: BrokerPorts;
  readonly #redeliveries = new Set<() => void>();
  #turn = 0;

  constructor(ports: BrokerPorts) {
    this.#ports = ports;
  }

  /** Calls `take` before it returns. */
  hand(message: OutboundMessage): void {
    this.#hand(message, message.wire);
  }

  /** Drops waiting redeliveries, because no subscriber is left. */
  clear(): void {
    for (const cancel of this.#redeliveries) cancel();
    this.#redeliveries.clear();
  }

  #hand({ messageId, topic, metadata }: Named, wire: Wire | undefined): void {
    const consumer = this.consumers[this.#turn++ % this.consumers.length];
    if (consumer === undefined) return;
    const given = consumer.metadata ?? metadata;
    const inbound: InboundMessage =
      wire === undefined
        ? { messageId, topic, metadata: given }
        : { messageId, topic, metadata: given, wire };
    const taken = consumer.run(inbound);
    if (taken !== undefined) this.#follow({ messageId, topic, metadata }, taken);
  }

  /** The callbacks live until the delivery has ended: they know which message it is, not what is in it. */
  #follow(named: Named, taken: Promise<Taken>): void {
    taken.then(
      (how) => {
        if (how === 'redeliver') this.#handAgain(named);
      },
      (error: unknown) => {
        const { messageId } = named;
        this.#ports.log.write(
          'error',
          'memory-pubsub',
          `A message failed inside Sidelight: ${String(error)}`,
          {
            messageId,
          },
        );
        this.#handAgain(named);
      },
    );
  }

  #handAgain(named: Named): void {
    if (this.consumers.length === 0) return;
    const { clock } = this.#ports;
    const cancel = clock.at(clock.now() + REDELIVER_MS, () => {
      this.#redeliveries.delete(cancel);
      this.#hand(named, undefined);
    });
    this.#redeliveries.add(cancel);
  }
}

/** Shared by everything that names the same component, so that all apps hear the same topics. */
export class MemoryBroker {
  readonly #ports: BrokerPorts;
  /** Queues by exact topic, so that a publish does not look at other topics, and then by group. */
  readonly #exact = new Map<string, Map<string, Queue>>();
  /** Queues whose topic ends in "*", by topic and then by group. */
  readonly #prefixes = new Map<string, Map<string, Queue>>();

  constructor(ports: BrokerPorts) {
    this.#ports = ports;
  }

  /** Every `take` concerned was called when this returns; none is waited for. */
  publish(message: OutboundMessage): void {
    const exact = this.#exact.get(message.topic);
    if (this.#prefixes.size === 0 && (exact === undefined || exact.size === 1)) {
      const [only] = exact?.values() ?? [];
      only?.hand(message);
      return;
    }
    // Copies: a taker may subscribe or close while it is called.
    const queues = [...(exact?.values() ?? [])];
    for (const [topic, groups] of this.#prefixes)
      if (topicMatches(topic, message.topic)) queues.push(...groups.values());
    for (const queue of queues) queue.hand(message);
  }

  /** @param topic exact, or a prefix with "*" at its end (at least one character) */
  add(topic: string, group: string, consumer: Consumer): void {
    const topics = this.#topicsLike(topic);
    const groups = topics.get(topic) ?? new Map<string, Queue>();
    topics.set(topic, groups);
    const queue = groups.get(group) ?? new Queue(this.#ports);
    groups.set(group, queue);
    queue.consumers.push(consumer);
  }

  remove(topic: string, group: string, consumer: Consumer): void {
    const topics = this.#topicsLike(topic);
    const groups = topics.get(topic);
    const queue = groups?.get(group);
    if (groups === undefined || queue === undefined) return;
    queue.consumers.splice(queue.consumers.indexOf(consumer), 1);
    if (queue.consumers.length > 0) return;
    queue.clear();
    groups.delete(group);
    if (groups.size === 0) topics.delete(topic);
  }

  #topicsLike(topic: string): Map<string, Map<string, Queue>> {
    return isTopicPattern(topic) ? this.#prefixes : this.#exact;
  }
}
