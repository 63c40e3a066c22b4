/** The last hour of traffic by second, in arrays of fixed size, for charts. */
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { MetricsHistory, MetricsPoint } from '../../contract/reports.ts';
import type { Latency } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { iso } from '../time/time.ts';

const KEPT_S = 3600;
const STATES = DELIVERY_STATES.length;
/** Durations are counted in buckets that grow by a fifth: 0.5 ms to about a minute. */
const BUCKETS = 64;
const FIRST_MS = 0.5;
const GROWTH = 1.2;
const MAX_POINTS = 120;

/** Upper end of a bucket, in ms. */
function upperMs(bucket: number): number {
  return Math.round(FIRST_MS * GROWTH ** bucket * 10) / 10;
}

function bucketOf(durationMs: number): number {
  if (durationMs <= FIRST_MS) return 0;
  return Math.min(BUCKETS - 1, Math.ceil(Math.log(durationMs / FIRST_MS) / Math.log(GROWTH)));
}

/** Histogram of durations, in buckets that are off by a fifth at most. */
export class Durations {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;

  add(durationMs: number): void {
    const bucket = bucketOf(durationMs);
    this.addTo(bucket, 1);
  }

  addTo(bucket: number, n: number): void {
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + n;
    this.#total += n;
  }

  /** Median, 95th and 99th percentile in ms, each the upper end of its bucket; undefined: no durations. */
  latency(): Latency | undefined {
    if (this.#total === 0) return undefined;
    const at = (share: number): number => {
      let left = Math.ceil(this.#total * share);
      for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
        left -= this.#counts[bucket] ?? 0;
        if (left <= 0) return upperMs(bucket);
      }
      return upperMs(BUCKETS - 1);
    };
    return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), calls: this.#total };
  }
}

export class History {
  readonly #published = new Uint32Array(KEPT_S);
  readonly #bulk = new Uint32Array(KEPT_S);
  readonly #open = new Uint32Array(KEPT_S);
  readonly #entered = new Uint32Array(KEPT_S * STATES);
  readonly #durations = new Uint16Array(KEPT_S * BUCKETS);
  /** Present second since 1970; 0: no events yet. */
  #second = 0;
  #first = 0;
  #lastOpen = 0;

  published(nowMs: number, isBulk = false): void {
    const at = this.#turn(nowMs);
    this.#published[at] = (this.#published[at] ?? 0) + 1;
    if (isBulk) this.#bulk[at] = (this.#bulk[at] ?? 0) + 1;
  }

  /** @param open number of open deliveries after the change */
  entered(nowMs: number, state: DeliveryState, open: number): void {
    const at = this.#turn(nowMs);
    const cell = at * STATES + DELIVERY_STATES.indexOf(state);
    this.#entered[cell] = (this.#entered[cell] ?? 0) + 1;
    this.#open[at] = open;
    this.#lastOpen = open;
  }

  called(nowMs: number, durationMs: number): void {
    const cell = this.#turn(nowMs) * BUCKETS + bucketOf(durationMs);
    this.#durations[cell] = Math.min(65_535, (this.#durations[cell] ?? 0) + 1);
  }

  /** The last `seconds` full seconds as at most 120 points, oldest first; seconds before the first event are left out. */
  read(nowMs: number, seconds: number): MetricsHistory {
    this.#turn(nowMs);
    const span = Math.min(seconds, KEPT_S - 1, this.#second - this.#first);
    const step = Math.max(1, Math.ceil(span / MAX_POINTS));
    const from = this.#second - span;
    const points: MetricsPoint[] = [];
    for (let second = from; second < this.#second; second += step) {
      points.push(this.#point(second, Math.min(step, this.#second - second)));
    }
    return { stepMs: step * 1000, points };
  }

  #point(second: number, seconds: number): MetricsPoint {
    const durations = new Durations();
    const entered = new Map<DeliveryState, number>();
    let published = 0;
    let bulk = 0;
    for (let n = second; n < second + seconds; n += 1) {
      const at = n % KEPT_S;
      published += this.#published[at] ?? 0;
      bulk += this.#bulk[at] ?? 0;
      DELIVERY_STATES.forEach((state, i) => {
        const count = this.#entered[at * STATES + i] ?? 0;
        if (count > 0) entered.set(state, (entered.get(state) ?? 0) + count);
      });
      for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
        const count = this.#durations[at * BUCKETS + bucket] ?? 0;
        if (count > 0) durations.addTo(bucket, count);
      }
    }
    const latency = durations.latency();
    return {
      at: iso(second * 1000),
      published: perSecond(published, seconds),
      entered: Object.fromEntries([...entered].map(([state, n]) => [state, perSecond(n, seconds)])),
      open: this.#open[(second + seconds - 1) % KEPT_S] ?? 0,
      ...withoutUndefined({ bulk: bulk === 0 ? undefined : perSecond(bulk, seconds), latency }),
    };
  }

  /** Moves to the second of `nowMs`, clears the seconds in between, and returns its index. */
  #turn(nowMs: number): number {
    const second = Math.floor(nowMs / 1000);
    if (this.#first === 0) this.#first = this.#second = second;
    const steps = Math.min(KEPT_S, second - this.#second);
    for (let n = 1; n <= steps; n += 1) {
      const at = (second - steps + n) % KEPT_S;
      this.#published[at] = 0;
      this.#bulk[at] = 0;
      // A second without events has the open deliveries of the one before.
      this.#open[at] = this.#lastOpen;
      this.#entered.fill(0, at * STATES, (at + 1) * STATES);
      this.#durations.fill(0, at * BUCKETS, (at + 1) * BUCKETS);
    }
    this.#second = Math.max(this.#second, second);
    return this.#second % KEPT_S;
  }
}

const perSecond = (n: number, seconds: number): number => Math.round((n / seconds) * 100) / 100;
