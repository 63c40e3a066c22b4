/** The queue of one subscription: who goes next, how many calls at once, single or in batches. */
import type { BulkSubscribe } from '../../contract/subscription.ts';
import { cutBatch, splitByPath } from '../../domain/bulk.ts';
import type { App, Lane } from '../state/app.ts';
import { Fifo } from '../state/fifo.ts';
import type { ActiveSubscription, LaneKey, LiveDelivery } from '../state/live.ts';
import type { Shared } from '../common.ts';

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
  /** Of a bulk subscription: what was attempted before waits for no further entries. */
  readonly #again = new Fifo<Waiting>();
  active: ActiveSubscription | undefined;
  inFlight = 0;
  #askAgainMs: number | undefined;
  #pumpsSoon = false;

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
    return this.#queue.size + this.#again.size;
  }

  offer(d: LiveDelivery): void {
    if (d.queued) return;
    d.queued = true;
    const waiting = { d, enqueuedAt: this.#shared.clock.now(), path: d.route.path };
    if (this.active?.subscription.bulk === undefined || d.attemptCount === 0) {
      this.#queue.push(waiting);
      this.pump();
    } else {
      this.#again.push(waiting);
      this.#pumpSoon();
    }
  }

  pump(): void {
    const bulk = this.active?.subscription.bulk;
    if (bulk === undefined) this.#pumpSingle();
    else this.#pumpBulk(bulk);
  }

  #free(): boolean {
    const { settings, writer } = this.#shared;
    const { current } = settings;
    if (this.inFlight >= current['delivery.concurrency'] || writer.behind) return false;
    if (this.app.mayStart(current['app.maxConcurrency'])) return true;
    this.app.wantsSlot(this);
    return false;
  }

  #pumpSingle(): void {
    while (this.waiting > 0 && this.#free()) {
      const next = this.#again.shift() ?? this.#queue.shift();
      if (next !== undefined && this.#leaves(next.d) && this.#work.admit(next.d))
        this.#run(() => this.#work.single(this.app, this, next.d));
    }
  }

  #pumpBulk(limits: BulkSubscribe): void {
    while (this.#again.size > 0 && this.#free()) this.#send(this.#again, limits.maxMessagesCount);
    while (this.#queue.size > 0 && this.#free()) {
      const cut = cutBatch(this.#queue.first(limits.maxMessagesCount), limits, this.#shared.clock.now());
      if (cut.askAgainAt !== undefined) this.#askAgain(cut.askAgainAt);
      if (cut.entries.length === 0) return;
      this.#send(this.#queue, cut.entries.length);
    }
  }

  /** Sends the first `count` of a queue as one batch. They stay in the lane's hands until their call begins. */
  #send(queue: Fifo<Waiting>, count: number): void {
    const batch: Waiting[] = [];
    for (let i = 0; i < count; i += 1) {
      const next = queue.shift();
      if (next === undefined) break;
      if (this.#startable(next.d)) batch.push({ ...next, path: next.d.route.path });
      else this.#leaves(next.d);
    }
    if (batch.length > 0) this.#run(() => this.#byRoute(batch));
  }

  /** One POST per route, one after another: an app's routes never see each other's entries. */
  async #byRoute(batch: readonly Waiting[]): Promise<void> {
    for (const group of splitByPath(batch)) {
      const ready = group.flatMap(({ d }) => (this.#leaves(d) && this.#work.admit(d) ? [d] : []));
      if (ready.length > 0) await this.#work.bulk(this.app, this, ready);
    }
  }

  /** Several that come back at the same moment go together. */
  #pumpSoon(): void {
    if (this.#pumpsSoon) return;
    this.#pumpsSoon = true;
    void Promise.resolve().then(() => {
      this.#pumpsSoon = false;
      this.pump();
    });
  }

  #askAgain(dueMs: number): void {
    if (this.#askAgainMs !== undefined && this.#askAgainMs <= dueMs) return;
    this.#askAgainMs = dueMs;
    this.#shared.timers.at(dueMs, () => {
      this.#askAgainMs = undefined;
      this.pump();
    });
  }

  /** Takes a delivery out of the lane; true: it may start. What is busy comes back when that is over. */
  #leaves(d: LiveDelivery): boolean {
    d.queued = false;
    if (d.busy !== undefined) {
      void d.busy.then(() => {
        if (this.#startable(d)) this.offer(d);
      });
      return false;
    }
    return this.#startable(d);
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
      if (this.#shared.settings.current['app.maxConcurrency'] > 0) {
        if (this.waiting > 0) this.app.wantsSlot(this);
        this.app.slotFreed();
      } else this.pump();
    });
  }
}
