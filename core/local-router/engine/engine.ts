/** The delivery engine: attempts deliveries that are due, within the limits of their subscription. */
import type { FullProperties } from '../rules/record-body.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { StoredSubscription } from '../subscriptions/stored-subscription.ts';
import type { Entry } from './entry.ts';
import type { Endings } from './endings.ts';
import { DueHeap } from './due-heap.ts';
import { Lane } from './lane.ts';
import type { Ledger } from './ledger.ts';
import type { Records } from './records.ts';

export interface EngineDependencies {
  readonly records: Records;
  readonly ledger: Ledger;
  readonly endings: Endings;
  readonly clock: Clock;
  readonly maxConcurrent: number;
  readonly ttlCheck: 'exact' | 'at-attempt';
  readonly subscription: (lane: string) => StoredSubscription | undefined;
  /** Why nothing can be written; then no attempt starts. */
  readonly trouble: () => string | undefined;
  /** Attempts these deliveries of one lane in one request; resolves when the slot is free again. */
  readonly attempt: (entries: readonly Entry[], lane: Lane, kept: StoredSubscription) => Promise<void>;
}

const TROUBLE_MS = 1000;
const GRACE_MS = 5000;

export class Engine {
  readonly #deps: EngineDependencies;
  readonly #lanes = new Map<string, Lane>();
  readonly #timers = new Map<string, { readonly atMs: number; readonly cancel: Cancel }>();
  readonly #expiries = new DueHeap<Entry>();
  #expiryTimer: { readonly atMs: number; readonly cancel: Cancel } | undefined;
  #running = new Set<Promise<void>>();
  /** Entries that were being attempted when everything was hurried. */
  readonly #hurried = new Set<Entry>();
  #state: 'new' | 'running' | 'stopped' = 'new';

  constructor(deps: EngineDependencies) {
    this.#deps = deps;
  }

  /** Continues with unfinished deliveries; those that were being attempted are queued again. */
  start(): void {
    this.#state = 'running';
    const entries = this.#deps.records.live();
    for (const entry of entries) {
      this.#deps.ledger.enter(entry, false);
      if (entry.state !== 'attempting') continue;
      entry.dueMs = this.#deps.clock.now();
      this.#deps.ledger.move(entry, 'queued', { cause: 'restart', rule: 'restart.requeued' });
    }
    this.queue(entries);
  }

  /** Starts no further attempt; running ones get 5 s. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#expiryTimer?.cancel();
    const { clock } = this.#deps;
    let stop: Cancel = () => undefined;
    const late = new Promise<void>((resolve) => {
      stop = clock.at(clock.now() + GRACE_MS, resolve);
    });
    await Promise.race([Promise.all(this.#running), late]);
    stop();
  }

  lane(key: string): Lane {
    const lane = this.#lanes.get(key) ?? new Lane();
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Forgets the lane of a removed subscription. */
  forget(key: string): void {
    this.#lanes.delete(key);
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  /** Puts queued or retrying entries into their lanes, then starts attempts as far as the limits allow. */
  queue(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.lane(entry.lane).add(entry);
      if (this.#deps.ttlCheck === 'exact') {
        this.#expiries.push({ dueMs: entry.expiresMs, no: entry.no, item: entry });
      }
    }
    this.#armExpiry();
    for (const key of new Set(entries.map(({ lane }) => lane))) this.pump(key);
  }

  /** Makes everything that waits due now. What is being attempted, perhaps at an ingress that has just gone, is due at once if it fails. */
  hurry(key?: string): void {
    const now = this.#deps.clock.now();
    for (const entry of this.#deps.ledger.live()) {
      if (key !== undefined && entry.lane !== key) continue;
      if (entry.state === 'attempting') this.#hurried.add(entry);
      if (entry.state === 'retrying') this.#dueNow(entry, now);
    }
    for (const [lane, { pausedUntilMs }] of this.#lanes) {
      if (key !== undefined && lane !== key) continue;
      if (pausedUntilMs > now) this.lane(lane).pausedUntilMs = 0;
      this.pump(lane);
    }
  }

  #dueNow(entry: Entry, now: number): void {
    entry.dueMs = now;
    this.#deps.ledger.touch(entry);
    this.lane(entry.lane).add(entry);
  }

  /** Starts attempts as far as the limits allow, and sets the timer for the next one. */
  pump(key: string): void {
    if (this.#state !== 'running') return;
    const lane = this.lane(key);
    const kept = this.#deps.subscription(key);
    const now = this.#deps.clock.now();
    const rate = kept?.allowedRate;
    if (this.#deps.trouble() !== undefined) {
      this.#arm(key, now + TROUBLE_MS);
      return;
    }
    while (kept?.active !== undefined && lane.running < this.#deps.maxConcurrent && lane.isOpen(now, rate)) {
      const entries = this.#next(lane, kept.active, now);
      if (entries.length === 0) break;
      lane.called(now, rate);
      this.#attempt(key, lane, { entries, kept });
    }
    const next = kept?.active === undefined ? undefined : lane.nextMs(now, rate);
    if (next !== undefined && lane.running < this.#deps.maxConcurrent)
      this.#arm(key, Math.max(next, now + 1));
  }

  /** Entries of the next request: one event, or as many as are due and fit. */
  #next(lane: Lane, active: FullProperties, now: number): Entry[] {
    const { maxEventsPerBatch, preferredBatchSizeInKilobytes } = active.destination.properties;
    const most = active.batching ? maxEventsPerBatch : 1;
    const room = preferredBatchSizeInKilobytes * 1024;
    const taken: Entry[] = [];
    let bytes = 0;
    while (taken.length < most) {
      const entry = lane.peek(now);
      if (entry === undefined || (taken.length > 0 && bytes + entry.bytes > room)) break;
      lane.take();
      if (this.#expired(entry, now)) continue;
      bytes += entry.bytes;
      taken.push(entry);
      // The entry's other positions in the lane are skipped while it is attempting.
      this.#deps.ledger.move(entry, 'attempting', { cause: 'policy', rule: 'policy.attempt' });
    }
    return taken;
  }

  #expired(entry: Entry, now: number): boolean {
    if (now < entry.expiresMs) return false;
    this.#deps.endings.expire(entry);
    return true;
  }

  #attempt(
    key: string,
    lane: Lane,
    what: { readonly entries: readonly Entry[]; readonly kept: StoredSubscription },
  ): void {
    lane.running += 1;
    const run = this.#deps.attempt(what.entries, lane, what.kept).then(() => {
      this.#running.delete(run);
      lane.running -= 1;
      this.#goOnHurried(what.entries, lane);
      this.pump(key);
    });
    this.#running.add(run);
  }

  #goOnHurried(entries: readonly Entry[], lane: Lane): void {
    const failed = entries.filter((entry) => this.#hurried.delete(entry) && entry.state === 'retrying');
    if (failed.length === 0) return;
    lane.pausedUntilMs = 0;
    const now = this.#deps.clock.now();
    for (const entry of failed) this.#dueNow(entry, now);
  }

  #arm(key: string, atMs: number): void {
    const before = this.#timers.get(key);
    if (before !== undefined && before.atMs <= atMs && before.atMs > this.#deps.clock.now()) return;
    before?.cancel();
    const cancel = this.#deps.clock.at(atMs, () => {
      this.#timers.delete(key);
      this.pump(key);
    });
    this.#timers.set(key, { atMs, cancel });
  }

  /** Ends waiting deliveries at the moment when their time to live is over. */
  #armExpiry(): void {
    if (this.#state !== 'running') return;
    const now = this.#deps.clock.now();
    for (let next = this.#expiries.first; next !== undefined; next = this.#expiries.first) {
      const { item, dueMs } = next;
      const waits = item.state === 'queued' || item.state === 'retrying';
      if (waits && item.expiresMs > now) {
        if (this.#expiryTimer?.atMs === dueMs) return;
        this.#expiryTimer?.cancel();
        const cancel = this.#deps.clock.at(dueMs, () => {
          this.#expiryTimer = undefined;
          this.#armExpiry();
        });
        this.#expiryTimer = { atMs: dueMs, cancel };
        return;
      }
      // A delivery that is being attempted returns through `queue`, or ends.
      this.#expiries.pop();
      if (waits) this.#deps.endings.expire(item);
    }
  }
}
