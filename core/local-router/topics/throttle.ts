/** Limits how much a topic accepts per second, if a limit is set. */

export interface ThrottleLimits {
  /** Events per second; 0: no limit. */
  readonly topicEventsPerSecond: number;
  readonly topicBytesPerSecond: number;
}

const SECOND_MS = 1000;

/** Counters by topic, in whole seconds of the clock. */
export class Throttle {
  readonly #limits: ThrottleLimits;
  readonly #now: () => number;
  readonly #seconds = new Map<string, { readonly startMs: number; events: number; bytes: number }>();

  constructor(limits: ThrottleLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Counts a request, unless the second is full. The first request of a second is always accepted, because a large one could otherwise
   * never be sent.
   * @returns undefined: accepted; else the sentence of the refusal
   */
  refusal(topic: string, request: { readonly events: number; readonly bytes: number }): string | undefined {
    const { topicEventsPerSecond, topicBytesPerSecond } = this.#limits;
    const now = this.#now();
    const kept = this.#seconds.get(topic);
    const second =
      kept !== undefined && now >= kept.startMs && now < kept.startMs + SECOND_MS
        ? kept
        : { startMs: now, events: 0, bytes: 0 };
    const isFirst = second.events === 0;
    const events = second.events + request.events;
    const bytes = second.bytes + request.bytes;
    if (!isFirst && topicEventsPerSecond > 0 && events > topicEventsPerSecond)
      return `The topic ${topic} takes ${topicEventsPerSecond} events per second.`;
    if (!isFirst && topicBytesPerSecond > 0 && bytes > topicBytesPerSecond)
      return `The topic ${topic} takes ${topicBytesPerSecond} bytes per second.`;
    second.events = events;
    second.bytes = bytes;
    this.#seconds.set(topic, second);
    return undefined;
  }
}
