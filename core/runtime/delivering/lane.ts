/** The queue of one subscription: the next delivery, the number of parallel calls, single calls or batches. */
import { theApp } from '../../contract/app-text.ts';
import type { DeliveryTurn } from '../../contract/message.ts';
import type { BulkSubscribe } from '../../contract/subscription.ts';
import { cutBatch, splitByPath } from '../../domain/bulk.ts';
import { settingsOf } from '../state/app.ts';
import type { App, Lane } from '../state/app.ts';
import type { AppChannel } from '../../ports/app-channel.ts';
import { Fifo } from '../state/fifo.ts';
import { stepsOfSize } from '../../domain/step-turns.ts';
import { awaitsAttempt, sentBytes } from '../state/live.ts';
import type { ActiveSubscription, LaneKey, LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import { isOfOtherProtocol } from './other-protocol.ts';
import { turnIn } from './queue-reason.ts';
import type { OpenBatch } from './queue-reason.ts';
import { WaitingForSubscription } from './waiting-for-subscription.ts';

/** Work that a lane delegates. */
export interface LaneWork {
  /** Gives a route to a delivery that was created for the other protocol, then offers it again. */
  reroute(app: App, lane: Lane, delivery: LiveDelivery): void;
  /**
   * Last checks before an attempt: TTL, holds.
   * @returns false: it may not start now and the lane forgets it
   */
  admit(delivery: LiveDelivery): boolean;
  /**
   * Makes one call for one delivery.
   * @param over called once when the call has ended, never before this returns
   */
  single(app: App, lane: Lane, delivery: LiveDelivery, over: () => void): void;
  /** Notes in the delivery's history, once, that no subscription is served for it now. */
  stall(delivery: LiveDelivery): void;
  /** The lane of another stream for a delivery whose own stream is gone; undefined: there is none. */
  otherStream(app: App, delivery: LiveDelivery): Lane | undefined;
  /** Whether another copy of its message waits for the next stream: one is enough. */
  waitsElsewhere(app: App, delivery: LiveDelivery): boolean;
  /** Ends the delivery, because another copy of its message waits. */
  join(delivery: LiveDelivery): void;
  /** Called when the delivery's subscription is served again: its row no longer says that it waits. */
  resume(delivery: LiveDelivery): void;
  /** Makes one call for a batch of one route. Never rejects. */
  bulk(app: App, lane: Lane, batch: readonly LiveDelivery[]): Promise<void>;
}

/** Limits of a batch with unknown limits. */
const ONE_BY_ONE: BulkSubscribe = { maxMessagesCount: 1, maxAwaitDurationMs: 1 };

interface Waiting {
  readonly delivery: LiveDelivery;
  readonly enqueuedAt: number;
  readonly path: string;
}

/** What the entries of one call have in common. */
interface Form {
  readonly path: string;
  readonly isRaw: boolean;
}

/** As it was taken out of the queue. */
interface Entry extends Form {
  readonly delivery: LiveDelivery;
}

export class SubscriptionLane implements Lane {
  readonly key: LaneKey;
  readonly app: App;
  readonly #shared: SharedServices;
  readonly #work: LaneWork;
  /** Deliveries sent to the app one by one. */
  readonly #singles = new Fifo<LiveDelivery>();
  /** New deliveries of a bulk subscription, which wait for further entries. */
  readonly #fresh = new Fifo<Waiting>();
  /** Deliveries that were attempted before: they do not wait for a fuller batch. */
  readonly #again = new Fifo<Waiting>();
  readonly #waiting = new WaitingForSubscription();
  /** Deliveries that waited for the subscription, here or before a restart: their rows may still say so. */
  #resuming: LiveDelivery[] = [];
  /** True while its queue is moved to those that wait for the subscription, in several turns where it is long. */
  #isStalling = false;
  #standing: Lane['standing'] = 'ended';
  /** An event of a binding needs no subscription. */
  #isBinding = false;
  active: ActiveSubscription | undefined;
  inFlight = 0;
  channel: AppChannel | undefined;
  #askAgainMs: number | undefined;
  #pumpsSoon = false;
  /** True while a large event waits for a turn. */
  #awaitsTurn = false;
  /** True in the turn that it has waited for. */
  #isGivenTurn = false;

  constructor(
    key: LaneKey,
    app: App,
    active: ActiveSubscription | undefined,
    shared: SharedServices,
    work: LaneWork,
  ) {
    this.key = key;
    this.app = app;
    this.active = active;
    this.#shared = shared;
    this.#work = work;
  }

  get waiting(): number {
    return this.#queued + this.#waiting.size;
  }

  get isIdle(): boolean {
    const isOver = this.#standing === 'ended' && this.active === undefined && this.inFlight === 0;
    return isOver && this.#queued === 0 && this.#waiting.isIdle;
  }

  /** Number of deliveries that wait for a call. */
  get #queued(): number {
    return this.#singles.size + this.#fresh.size + this.#again.size;
  }

  get standing(): Lane['standing'] {
    return this.#standing;
  }

  /** Does not start anything: the caller calls `pump` afterwards. */
  set standing(standing: Lane['standing']) {
    this.#standing = standing;
    if (standing !== 'served' || this.#waiting.size === 0) return;
    // The queue may not be empty: deliveries that are still to be stalled, or came while the subscription was opened, are newer.
    const back = [...this.#waiting.takeAll()];
    for (let next = this.#shift(); next !== undefined; next = this.#shift()) back.push(next);
    for (const delivery of back) {
      delivery.leaveQueue();
      if (awaitsAttempt(delivery)) this.#enter(delivery);
    }
  }

  get mayAttempt(): boolean {
    return this.#standing === 'served' || this.#isBinding;
  }

  offer(delivery: LiveDelivery): void {
    if (delivery.queued) {
      // The delivery was held or retried by hand while it waited here.
      if (this.#waiting.has(delivery)) this.#stall(delivery);
      return;
    }
    if (delivery.subscription.source === 'binding') this.#isBinding = true;
    // A delivery that was never attempted stays behind those that are still to be stalled.
    if (this.#isStalled && (delivery.attemptCount > 0 || this.#queued === 0)) this.#stall(delivery);
    else if (this.#enter(delivery)) this.#pumpSoon();
    else this.pump();
  }

  lookAgain(): void {
    const all = this.#isStalled ? this.#waiting.all() : [];
    let at = 0;
    const next = (): boolean => {
      const delivery = this.#isStalled ? all[at] : undefined;
      if (delivery === undefined) return false;
      at += 1;
      if (this.#waiting.has(delivery)) this.#stall(delivery);
      return true;
    };
    if (all.length > 0) this.#shared.turns.make({ next, over: () => undefined });
  }

  turnOf(delivery: LiveDelivery): DeliveryTurn | undefined {
    const place = this.#placeOf(delivery);
    if (place === undefined) return undefined;
    const { settings, writer } = this.#shared;
    return turnIn({
      app: this.app,
      lane: this,
      ahead: place.ahead,
      inFlight: this.inFlight,
      concurrency: settings.current['delivery.concurrency'],
      appConcurrency: this.app.maxConcurrency(settings.current),
      isBehind: writer.behind,
      batch: place.isFresh ? this.#openBatch() : undefined,
    });
  }

  /** Number of deliveries before this one; undefined: no queue has it. `isFresh`: it waits for further entries of its batch. */
  #placeOf(delivery: LiveDelivery): { readonly ahead: number; readonly isFresh: boolean } | undefined {
    let ahead = 0;
    const isIt = (one: LiveDelivery): boolean => {
      if (!awaitsAttempt(one)) return false;
      if (one === delivery) return true;
      ahead += 1;
      return false;
    };
    const isSingle = (): boolean => this.#singles.some(isIt);
    const isBulk = this.active?.subscription.bulk !== undefined;
    if (isBulk && isSingle()) return { ahead, isFresh: false };
    if (this.#again.some((one) => isIt(one.delivery))) return { ahead, isFresh: false };
    if (this.#fresh.some((one) => isIt(one.delivery))) return { ahead, isFresh: true };
    return !isBulk && isSingle() ? { ahead, isFresh: false } : undefined;
  }

  #openBatch(): OpenBatch {
    let together = 0;
    let sinceMs = 0;
    this.#fresh.some(({ delivery, enqueuedAt }) => {
      if (!awaitsAttempt(delivery)) return false;
      if (together === 0) sinceMs = enqueuedAt;
      together += 1;
      return false;
    });
    const { maxMessagesCount: most, maxAwaitDurationMs } = this.#limits(this.#fresh);
    return { together, most, latestMs: sinceMs + maxAwaitDurationMs };
  }

  pump(): void {
    if (this.#isStalled) this.#stallAll();
    // Deliveries created under earlier settings are sent first: they are older and few, and new ones would block them for ever.
    if (this.active?.subscription.bulk === undefined) {
      this.#pumpBulk();
      this.#pumpSingle();
    } else {
      this.#pumpSingle();
      this.#pumpBulk();
    }
    this.#resume();
  }

  /** True if the subscription has certainly ended: deliveries here then wait for a subscription, not for the app. */
  get #isStalled(): boolean {
    const isOver = this.#standing === 'ended' && !this.#isBinding;
    // Whether a stream is there does not depend on what the app's port says.
    if (this.key.stream !== undefined) return isOver && !this.app.stopping;
    return isOver && this.app.discovered && !this.app.asking && !this.app.stopping;
  }

  /**
   * Queues a delivery.
   * @returns true: it was attempted before and is sent with others that return at the same time
   */
  #enter(delivery: LiveDelivery): boolean {
    delivery.enterQueue();
    if (delivery.waitsForSubscription) this.#resuming.push(delivery);
    if (settingsOf(delivery, this)?.bulk === undefined) {
      this.#singles.push(delivery);
      return false;
    }
    const queue = delivery.attemptCount === 0 ? this.#fresh : this.#again;
    queue.push({ delivery, enqueuedAt: this.#shared.clock.now(), path: delivery.route.path });
    return queue === this.#again;
  }

  #stall(delivery: LiveDelivery): void {
    const other = this.key.stream === undefined ? undefined : this.#work.otherStream(this.app, delivery);
    if (other !== undefined) {
      this.#waiting.delete(delivery);
      delivery.leaveQueue();
      other.offer(delivery);
      return;
    }
    if (
      this.key.stream !== undefined &&
      awaitsAttempt(delivery) &&
      this.#work.waitsElsewhere(this.app, delivery)
    ) {
      this.#waiting.delete(delivery);
      delivery.leaveQueue();
      this.#work.join(delivery);
      return;
    }
    delivery.enterQueue();
    this.#waiting.add(delivery);
    if (awaitsAttempt(delivery) && !delivery.waitsForSubscription) this.#work.stall(delivery);
  }

  /** Lets the whole queue wait for the subscription. What is still queued when it is served again goes on as if nothing had happened. */
  #stallAll(): void {
    if (this.#isStalling || this.#queued === 0) return;
    this.#isStalling = true;
    let stalled = 0;
    const next = (): boolean => {
      const delivery = this.#isStalled ? this.#shift() : undefined;
      if (delivery === undefined) return false;
      if (!this.#takeOut(delivery)) return true;
      this.#stall(delivery);
      if (this.#waiting.has(delivery)) stalled += 1;
      return true;
    };
    const over = (): void => {
      this.#isStalling = false;
      if (stalled === 0) return;
      const { appId, pubsubname, topic } = this.key;
      const text = `${stalled === 1 ? '1 delivery waits' : `${stalled} deliveries wait`} for ${theApp(appId)} to subscribe to ${pubsubname}/${topic} again.`;
      this.#shared.log.write('warn', 'subscriptions', text);
    };
    this.#shared.turns.make({ next, over });
  }

  /** Takes out the delivery that is stalled first: those that were attempted before come first. */
  #shift(): LiveDelivery | undefined {
    return (this.#again.shift() ?? this.#fresh.shift())?.delivery ?? this.#singles.shift();
  }

  /** Queues deliveries that waited for the subscription, each for its turn. */
  #resume(): void {
    if (this.#resuming.length === 0 || !this.mayAttempt || this.app.asking) return;
    const back = this.#resuming;
    this.#resuming = [];
    let at = 0;
    const next = (): boolean => {
      const delivery = back[at];
      if (delivery === undefined || !this.mayAttempt) return false;
      at += 1;
      if (delivery.waitsForSubscription && awaitsAttempt(delivery)) this.#work.resume(delivery);
      return true;
    };
    // The subscription may have ended again meanwhile: the rest still waits for it.
    const over = (): void => void (this.#resuming = [...back.slice(at), ...this.#resuming]);
    this.#shared.turns.make({ next, over });
  }

  #mayBeginCall(): boolean {
    const { settings, writer } = this.#shared;
    const { current } = settings;
    if (!this.mayAttempt || this.inFlight >= current['delivery.concurrency'] || writer.behind) return false;
    if (this.app.mayStart(this.app.maxConcurrency(current), this)) return true;
    this.app.wantsSlot(this);
    return false;
  }

  #pumpSingle(): void {
    while (this.#singles.size > 0 && this.#mayBeginCall() && this.#hasTurn()) {
      const delivery = this.#singles.shift();
      if (delivery === undefined || !this.#takeOut(delivery) || !this.#mayGo(delivery, undefined)) continue;
      this.#countCall();
      this.#work.single(this.app, this, delivery, this.#over);
    }
  }

  /** False: the next event for a stream is large, and waits for a turn that has room for it. */
  #hasTurn(): boolean {
    if (this.key.stream === undefined || this.#isGivenTurn) {
      this.#isGivenTurn = false;
      return true;
    }
    if (this.#awaitsTurn) return false;
    const [next] = this.#singles.first(1);
    const steps = next === undefined ? 0 : stepsOfSize(sentBytes(next));
    const room = steps === 0 ? undefined : this.#shared.turns.room(steps);
    if (room === undefined) return true;
    this.#awaitsTurn = true;
    void room.then(() => {
      this.#awaitsTurn = false;
      this.#isGivenTurn = true;
      this.pump();
      this.#isGivenTurn = false;
    });
    return false;
  }

  #pumpBulk(): void {
    while (this.#again.size > 0 && this.#mayBeginCall())
      this.#send(this.#again, this.#together(this.#again).entries.length);
    while (this.#fresh.size > 0 && this.#mayBeginCall()) {
      const { entries, isWhole } = this.#together(this.#fresh);
      const cut = cutBatch(entries, this.#limits(this.#fresh), this.#shared.clock.now());
      // A batch that cannot grow, because the next delivery has other limits, keeps nobody waiting.
      const count = isWhole ? entries.length : cut.entries.length;
      if (count === 0 && cut.askAgainAt !== undefined) this.#askAgain(cut.askAgainAt);
      if (count === 0) return;
      this.#send(this.#fresh, count);
    }
  }

  /** The oldest deliveries of a queue that go out together: as many as their limits allow, and none with other limits. */
  #together(queue: Fifo<Waiting>): { readonly entries: readonly Waiting[]; readonly isWhole: boolean } {
    const limits = this.#limits(queue);
    const first = queue.first(limits.maxMessagesCount);
    const end = first.findIndex(({ delivery }) => !isSame(this.#limitsOf(delivery), limits));
    return end === -1 ? { entries: first, isWhole: false } : { entries: first.slice(0, end), isWhole: true };
  }

  /** Batch limits under which the oldest waiting delivery was created. */
  #limits(queue: Fifo<Waiting>): BulkSubscribe {
    const [oldest] = queue.first(1);
    return oldest === undefined ? ONE_BY_ONE : this.#limitsOf(oldest.delivery);
  }

  #limitsOf(delivery: LiveDelivery): BulkSubscribe {
    return settingsOf(delivery, this)?.bulk ?? ONE_BY_ONE;
  }

  /** Sends the first `count` of a queue as one batch. The lane keeps them until their call begins. */
  #send(queue: Fifo<Waiting>, count: number): void {
    const batch: Entry[] = [];
    for (let i = 0; i < count; i += 1) {
      const next = queue.shift();
      if (next === undefined) break;
      const { delivery } = next;
      if (awaitsAttempt(delivery)) batch.push({ delivery, ...this.#formOf(delivery) });
      else this.#takeOut(delivery);
    }
    if (batch.length === 0) return;
    this.#countCall();
    void this.#byRoute(batch).then(this.#over);
  }

  /** Sends one POST per route and form, one after another: an app's routes never see each other's entries. */
  async #byRoute(batch: readonly Entry[]): Promise<void> {
    const groups = splitByPath(batch).flatMap((group) => [
      group.filter(({ isRaw }) => !isRaw),
      group.filter(({ isRaw }) => isRaw),
    ]);
    const { waitingForEarlierCall } = this.app;
    for (const { delivery } of groups.slice(1).flat()) waitingForEarlierCall.add(delivery);
    for (const group of groups) {
      for (const { delivery } of group) waitingForEarlierCall.delete(delivery);
      const ready = group.flatMap((entry) => {
        const { delivery } = entry;
        return this.#takeOut(delivery) && this.#mayGo(delivery, entry) ? [delivery] : [];
      });
      if (ready.length > 0) await this.#work.bulk(this.app, this, ready);
    }
  }

  #formOf(delivery: LiveDelivery): Form {
    return { path: delivery.route.path, isRaw: settingsOf(delivery, this)?.rawPayload === true };
  }

  /**
   * Whether the delivery may start now; if its subscription ended meanwhile, it waits here again.
   * @param form of the call in which it is an entry; undefined: it has a call of its own
   */
  #mayGo(delivery: LiveDelivery, form: Form | undefined): boolean {
    if (!this.mayAttempt) {
      this.offer(delivery);
      return false;
    }
    if (!this.#isStill(delivery, form)) {
      this.#enter(delivery);
      this.#pumpSoon();
      return false;
    }
    if (!isOfOtherProtocol(delivery, this.app, this)) return this.#work.admit(delivery);
    this.#work.reroute(this.app, this, delivery);
    return false;
  }

  /** False: the delivery was rerouted while it waited, and another call is made for it now. */
  #isStill(delivery: LiveDelivery, form: Form | undefined): boolean {
    const isSingle = settingsOf(delivery, this)?.bulk === undefined;
    if (form === undefined || isSingle) return form === undefined && isSingle;
    const { path, isRaw } = this.#formOf(delivery);
    return path === form.path && isRaw === form.isRaw;
  }

  /** Starts calls a little later, so that deliveries that return at the same time are sent together. */
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

  /**
   * Takes a delivery out of the lane.
   * @returns true: it may start. A locked one returns when its lock is released
   */
  #takeOut(delivery: LiveDelivery): boolean {
    delivery.leaveQueue();
    if (delivery.lock !== undefined) {
      // The lane of its subscription may be another one by then.
      void delivery.lock.then(() => {
        if (awaitsAttempt(delivery)) this.#shared.signals.emit('ready', delivery);
      });
      return false;
    }
    return awaitsAttempt(delivery);
  }

  #countCall(): void {
    this.inFlight += 1;
    this.app.beginCall();
  }

  /** Callback at the end of a call, shared by all calls to save one function for each. */
  readonly #over = (): void => {
    this.inFlight -= 1;
    this.app.endCall();
    if (this.app.maxConcurrency(this.#shared.settings.current) > 0) {
      if (this.waiting > 0) this.app.wantsSlot(this);
      this.app.slotFreed();
    } else this.pump();
  };
}

function isSame(limits: BulkSubscribe, other: BulkSubscribe): boolean {
  const { maxMessagesCount, maxAwaitDurationMs } = limits;
  return maxMessagesCount === other.maxMessagesCount && maxAwaitDurationMs === other.maxAwaitDurationMs;
}
