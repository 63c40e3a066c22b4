/** The queue of one subscription: who goes next, how many calls at once, single or in batches. */
import type { BulkSubscribe } from '../contract/subscription.ts';
import { cutBatch, splitByPath } from '../domain/bulk.ts';
import type { App, Lane } from './app.ts';
import { Fifo } from './fifo.ts';
import type { ActiveSubscription, LaneKey, LiveDelivery } from './live.ts';
import type { Shared } from './shared.ts';

/** What a lane has others do. */
export interface LaneWork {
  /** Last checks before an attempt: TTL, holds. False: it may not start now and the lane forgets it. */
  admit(d: LiveDelivery): boolean;
  /** Makes one call for one delivery. Never rejects. */
  single(app: App, lane: Lane, d: LiveDelivery): Promise<void>;
  /** Makes one call for a batch of one route. Never rejects. */
  bulk(app: App, lane: Lane, batch: readonly LiveDelivery[]): Promise<void>;
}

interface Waiting {
  readonly d: LiveDelivery;
  readonly enqueuedAt: number;
  readonly path: string;
}

export class SubscriptionLane implements Lane {
  readonly key: LaneKey;
  readonly app: App;
  readonly #shared: Shared;
  readonly #work: LaneWork;
  readonly #queue = new Fifo<Waiting>();
  active: ActiveSubscription | undefined;
  inFlight = 0;
  #askAgainMs: number | undefined;

  constructor(
    key: LaneKey,
    app: App,
    active: ActiveSubscription | undefined,
    shared: Shared,
    work: LaneWork,
  ) {
    this.key = key;
    this.app = app;
    this.active = active;
    this.#shared = shared;
    this.#work = work;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  offer(d: LiveDelivery): void {
    if (d.queued) return;
    d.queued = true;
    this.#queue.push({ d, enqueuedAt: this.#shared.clock.now(), path: d.route.path });
    this.pump();
  }

  pump(): void {
    const bulk = this.active?.subscription.bulk;
    if (bulk === undefined) this.#pumpSingle();
    else this.#pumpBulk(bulk);
  }

  #free(): boolean {
    const { current } = this.#shared.settings;
    return (
      this.inFlight < current['delivery.concurrency'] && this.app.mayStart(current['app.maxConcurrency'])
    );
  }

  #pumpSingle(): void {
    while (this.#queue.size > 0 && this.#free()) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      next.d.queued = false;
      if (this.#startable(next.d) && this.#work.admit(next.d))
        this.#run(() => this.#work.single(this.app, this, next.d));
    }
  }

  #pumpBulk(limits: BulkSubscribe): void {
    while (this.#queue.size > 0 && this.#free()) {
      const now = this.#shared.clock.now();
      const cut = cutBatch(this.#queue.first(limits.maxMessagesCount), limits, now);
      if (cut.askAgainAt !== undefined) this.#askAgain(cut.askAgainAt);
      if (cut.entries.length === 0) return;
      const batch: Waiting[] = [];
      for (let i = 0; i < cut.entries.length; i += 1) {
        const next = this.#queue.shift();
        if (next === undefined) break;
        next.d.queued = false;
        if (this.#startable(next.d) && this.#work.admit(next.d))
          batch.push({ ...next, path: next.d.route.path });
      }
      // One POST per route: an app's routes never see each other's entries.
      for (const group of splitByPath(batch)) {
        this.#run(() =>
          this.#work.bulk(
            this.app,
            this,
            group.map(({ d }) => d),
          ),
        );
      }
    }
  }

  #askAgain(dueMs: number): void {
    if (this.#askAgainMs !== undefined && this.#askAgainMs <= dueMs) return;
    this.#askAgainMs = dueMs;
    this.#shared.timers.at(dueMs, () => {
      this.#askAgainMs = undefined;
      this.pump();
    });
  }

  #startable(d: LiveDelivery): boolean {
    return !d.message.gone && d.busy === undefined && (d.state === 'queued' || d.state === 'retrying');
  }

  #run(call: () => Promise<void>): void {
    this.inFlight += 1;
    this.app.inFlight += 1;
    void call().finally(() => {
      this.inFlight -= 1;
      this.app.inFlight -= 1;
      // Another lane of the app may have waited for this slot.
      if (this.#shared.settings.current['app.maxConcurrency'] > 0) this.app.pumpAll();
      else this.pump();
    });
  }
}
