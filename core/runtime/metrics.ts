/** Counters and rates per topic and state, derived from what happens and never recomputed from history. */
import { DELIVERY_STATES } from '../contract/delivery.ts';
import type { DeliveryState } from '../contract/delivery.ts';
import type { Counts } from '../contract/console.ts';
import type { StateCounts } from '../contract/subscription.ts';
import type { Clock } from '../ports/clock.ts';

const WINDOW_S = 60;

export class PerSecond {
  readonly #counts = Array.from({ length: WINDOW_S }, () => 0);
  #second = 0;

  add(nowMs: number, n = 1): void {
    this.#turn(nowMs);
    const at = this.#second % WINDOW_S;
    this.#counts[at] = (this.#counts[at] ?? 0) + n;
  }

  /** Events in the last full second. */
  last(nowMs: number): number {
    this.#turn(nowMs);
    return this.#counts[(this.#second - 1 + WINDOW_S) % WINDOW_S] ?? 0;
  }

  /** Mean over the window, per second. */
  mean(nowMs: number): number {
    this.#turn(nowMs);
    const sum = this.#counts.reduce((a, b) => a + b, 0);
    return Math.round((sum / WINDOW_S) * 100) / 100;
  }

  /** Each of the last 60 seconds, oldest first. */
  all(nowMs: number): number[] {
    this.#turn(nowMs);
    return this.#counts.map((_, i) => this.#counts[(this.#second + 1 + i) % WINDOW_S] ?? 0);
  }

  #turn(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second <= this.#second) return;
    const steps = Math.min(WINDOW_S, second - this.#second);
    for (let i = 1; i <= steps; i += 1) this.#counts[(this.#second + i) % WINDOW_S] = 0;
    if (steps === WINDOW_S) this.#counts.fill(0);
    this.#second = second;
  }
}

const OPEN: readonly DeliveryState[] = ['queued', 'held', 'attempting', 'retrying', 'parked'];

export interface TopicMetrics {
  readonly pubsubname: string;
  readonly topic: string;
  published: number;
  readonly counts: Map<DeliveryState | 'none', number>;
  readonly perSecond: PerSecond;
  lastMs: number | undefined;
}

export class Metrics {
  readonly #clock: Clock;
  readonly #topics = new Map<string, TopicMetrics>();
  readonly #counts = new Map<DeliveryState, number>();
  readonly #subscriptions = new Map<string, Map<DeliveryState, number>>();
  readonly #in = new PerSecond();
  readonly #out = new PerSecond();
  published = 0;
  attempts = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  accepted(pubsubname: string, topic: string): void {
    const now = this.#clock.now();
    const of = this.topic(pubsubname, topic);
    of.published += 1;
    of.perSecond.add(now);
    of.lastMs = now;
    this.published += 1;
    this.#in.add(now);
  }

  /** Counts of a delivery that is known from history and did not change. */
  known(pubsubname: string, topic: string, lane: string, state: DeliveryState): void {
    this.#count(pubsubname, topic, lane, state, 1);
  }

  /** A delivery whose message was removed. */
  gone(pubsubname: string, topic: string, lane: string, state: DeliveryState): void {
    this.#count(pubsubname, topic, lane, state, -1);
  }

  moved(
    pubsubname: string,
    topic: string,
    lane: string,
    from: DeliveryState | null,
    to: DeliveryState,
  ): void {
    if (from !== null) this.#count(pubsubname, topic, lane, from, -1);
    this.#count(pubsubname, topic, lane, to, 1);
    if (to === 'attempting') this.attempts += 1;
    if (to === 'processed' || to === 'dropped' || to === 'expired' || to === 'dead-lettered') {
      this.#out.add(this.#clock.now());
    }
  }

  withoutSubscription(pubsubname: string, topic: string): void {
    const of = this.topic(pubsubname, topic);
    of.counts.set('none', (of.counts.get('none') ?? 0) + 1);
  }

  topic(pubsubname: string, topic: string): TopicMetrics {
    const name = `${pubsubname}\n${topic}`;
    let of = this.#topics.get(name);
    if (of === undefined) {
      of = {
        pubsubname,
        topic,
        published: 0,
        counts: new Map(),
        perSecond: new PerSecond(),
        lastMs: undefined,
      };
      this.#topics.set(name, of);
    }
    return of;
  }

  topics(): IterableIterator<TopicMetrics> {
    return this.#topics.values();
  }

  counts(): Counts {
    const counts = {} as Record<DeliveryState, number>;
    for (const state of DELIVERY_STATES) counts[state] = this.#counts.get(state) ?? 0;
    return counts;
  }

  /** Deliveries that have not ended. */
  get open(): number {
    return OPEN.reduce((sum, state) => sum + (this.#counts.get(state) ?? 0), 0);
  }

  /** Deliveries of one subscription by state, only where there are any. */
  ofLane(lane: string): StateCounts {
    return Object.fromEntries([...(this.#subscriptions.get(lane) ?? [])].filter(([, n]) => n > 0));
  }

  rates(): { in: number; out: number } {
    const now = this.#clock.now();
    return { in: this.#in.last(now), out: this.#out.last(now) };
  }

  #count(pubsubname: string, topic: string, lane: string, state: DeliveryState, by: number): void {
    let byState = this.#subscriptions.get(lane);
    if (byState === undefined) this.#subscriptions.set(lane, (byState = new Map<DeliveryState, number>()));
    for (const counts of [this.topic(pubsubname, topic).counts, this.#counts, byState]) {
      // What ended before this start of the program was never counted, and may be retried now.
      counts.set(state, Math.max(0, (counts.get(state) ?? 0) + by));
    }
  }
}
