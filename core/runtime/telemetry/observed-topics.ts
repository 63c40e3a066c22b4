/** Topics of which other consumers may have received messages, stored so that the next start counts those without subscribers correctly. */
import type { Clock } from '../../ports/clock.ts';
import type { TopicName } from '../../ports/journal.ts';
import { isObject } from '../../domain/json.ts';
import type { Writer } from '../persistence/writer.ts';
import type { Timers } from '../time/timers.ts';

/** Shortest time between two writes: each one writes the whole list, and an app may have a topic for each message. */
const BETWEEN_MS = 1000;

export const OBSERVED_TOPICS = 'observed-topics';

export interface ObservedTopic extends TopicName {
  /** Ids of tapped apps with messages of the topic; none: a broker delivers its messages to a group. */
  readonly taps: readonly string[];
}

export interface ObservedTopicsPorts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly writer: Pick<Writer, 'keep'>;
  /** The present list. */
  readonly topics: () => readonly ObservedTopic[];
}

/** Stores the list: at once after a quiet second, otherwise once a second. A kill can lose the topics of the last second. */
export class ObservedTopics {
  readonly #ports: ObservedTopicsPorts;
  #isPutOff = false;
  #hasNew = false;

  constructor(ports: ObservedTopicsPorts) {
    this.#ports = ports;
  }

  /** The list has changed. */
  changed(): void {
    this.#hasNew = true;
    if (!this.#isPutOff) this.#write();
  }

  /** Writes what is not written yet. */
  flush(): void {
    if (!this.#hasNew) return;
    this.#hasNew = false;
    void this.#ports.writer.keep(OBSERVED_TOPICS, this.#ports.topics());
  }

  #write(): void {
    const { clock, timers } = this.#ports;
    this.flush();
    this.#isPutOff = true;
    timers.at(clock.now() + BETWEEN_MS, () => {
      this.#isPutOff = false;
      if (this.#hasNew) this.#write();
    });
  }
}

/** @param kept value stored by an earlier run */
export function readObservedTopics(kept: unknown): readonly ObservedTopic[] {
  return Array.isArray(kept) ? kept.filter(isObservedTopic) : [];
}

function isObservedTopic(value: unknown): value is ObservedTopic {
  if (!isObject(value)) return false;
  const { pubsubname, topic, taps } = value;
  return (
    typeof pubsubname === 'string' &&
    typeof topic === 'string' &&
    Array.isArray(taps) &&
    taps.every((tap) => typeof tap === 'string')
  );
}
