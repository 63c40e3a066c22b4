/**
 * Backpressure slows publishes to the app's pace: with many calls queued for an app that answers, the answer to a publish waits a little.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../time/timers.ts';
import type { App } from './app.ts';
import type { Apps } from './apps.ts';
import { Fifo } from './fifo.ts';
import { laneName } from './live.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';

/** Maximum time that one publish waits for all apps together. */
export const MAX_WAIT_MS = 250;
/** Number of queued and running calls of one app above which publishes wait. */
export const QUEUED_CALLS = 128;
/**
 * Number of queued and running calls of one subscription above which publishes wait; ten run by default. It is high enough that a lane does
 * not run dry while publishers and app wait for the processor, and low enough that after a pause of the machine no message waits long
 * behind newer ones.
 */
export const LANE_CALLS = 64;
/** Time after an answer during which an app counts as answering. */
const ANSWERING_MS = 1000;
/** Time for which a count of calls that an app does not answer is used: an app may have thousands of lanes. */
const SILENT_COUNT_MS = 100;
/** Number of lanes beyond which empty ones are forgotten, because topics come and go. */
const MAX_LANES = 1000;
/** Maximum remainder of an empty queue: adding and subtracting fractions of calls leaves a rounding error. */
const NOTHING = 1e-6;
/** Number of entries of a batch above which further entries do not lengthen the queue. */
const MAX_ENTRIES = 100;

interface TopicName {
  readonly pubsubname: string;
  readonly topic: string;
}

interface Waiter {
  readonly untilMs: number;
  readonly go: () => void;
}

/** Calls queued for one app or in one lane, and the publishes that wait for it. */
interface CallQueue {
  /** Minimum limit of the queue; twice `delivery.concurrency` if that is more. */
  readonly least: number;
  /** Calls that queued and running deliveries need; each entry of a batch is a fraction of one. */
  calls: number;
  readonly waiting: Fifo<Waiter>;
  isArmed: boolean;
  /** Of a lane: monotonic time of its last answer, or of the call with which it began, whichever is later. */
  heardMs: number;
  /** Of an app: calls in lanes that it does not answer, and the monotonic time at which they were counted. */
  silentCalls: number;
  silentAtMs: number;
}

export interface BackpressureDependencies {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly apps: Apps;
  /** `delivery.concurrency` as it is now. */
  readonly concurrency: () => number;
}

export class Backpressure {
  readonly #deps: BackpressureDependencies;
  /** Queues of apps, by the app's id. */
  readonly #apps = new Map<string, CallQueue>();
  /** Queues of lanes, by the lane's name. */
  readonly #lanes = new Map<string, CallQueue>();
  /** Number of lanes above which empty ones are forgotten. */
  #mostLanes = MAX_LANES;
  /** Monotonic time of each app's last answer; an app that does not answer is absent. */
  readonly #answeredAt = new Map<string, number>();
  #isOver = false;

  constructor(deps: BackpressureDependencies) {
    this.#deps = deps;
  }

  /** Call it after each change of a delivery. Held, retried and parked deliveries and those that wait for a subscription do not count. */
  changed(delivery: LiveDelivery): void {
    this.#counts(delivery, callsOf(delivery));
  }

  /** Call it for a delivery without a state that waits for its match rules: it counts as if it were queued. */
  waits(delivery: LiveDelivery): void {
    this.#counts(delivery, delivery.message.isRemoved ? 0 : callOf(delivery));
  }

  #counts(delivery: LiveDelivery, calls: number): void {
    if (calls === delivery.countedCalls) return;
    const more = delivery.countCalls(calls);
    const lane = this.#laneQueue(delivery.counted.lane);
    if (lane.calls < NOTHING) lane.heardMs = this.#deps.clock.monotonic();
    this.#count(this.#appQueue(delivery.appId), more);
    this.#count(lane, more);
  }

  /**
   * Notes that a call to the app has ended.
   * @param isAnswer false: no program listened there
   * @param lane of the call
   */
  called(appId: string, isAnswer: boolean, lane: string): void {
    if (!isAnswer) {
      this.#answeredAt.delete(appId);
      return;
    }
    const now = this.#deps.clock.monotonic();
    this.#answeredAt.set(appId, now);
    const queue = this.#lanes.get(lane);
    if (queue !== undefined) queue.heardMs = now;
  }

  /**
   * Resolves when the apps that get this message have few enough calls queued, after 250 ms at most; undefined: at once.
   * @param message its unfinished part
   */
  room(of: TopicName, message: LiveMessage | undefined): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    const full: CallQueue[] = [];
    for (const app of this.#deps.apps.all) this.#addFull(full, app, of, message);
    const [first] = full;
    if (first === undefined) return undefined;
    const untilMs = this.#deps.clock.now() + MAX_WAIT_MS;
    if (full.length === 1) return this.#wait(first, untilMs);
    return Promise.all(full.map((queue) => this.#wait(queue, untilMs))).then(() => undefined);
  }

  /** Ends all waits, also later ones, because the runtime stops. */
  end(): void {
    this.#isOver = true;
    for (const { waiting } of [...this.#apps.values(), ...this.#lanes.values()]) {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) one.go();
    }
  }

  /** Adds the app's full queues that this message is in; none if the app does not answer. */
  #addFull(full: CallQueue[], app: App, of: TopicName, message: LiveMessage | undefined): void {
    const { appId } = app;
    if (!this.#answers(appId) || !app.mayStart(0)) return;
    let isHere = false;
    if (message !== undefined) {
      for (const { appId: own, counted } of message.deliveries) {
        if (own !== appId) continue;
        if (!isHere) this.#addIfFull(full, this.#appQueue(appId), app);
        isHere = true;
        this.#addIfFull(full, this.#laneQueue(counted.lane));
      }
    }
    if (isHere) return;
    const named = laneName({ appId, pubsubname: of.pubsubname, topic: of.topic });
    if (!app.lanes.has(named)) return;
    this.#addIfFull(full, this.#appQueue(appId), app);
    this.#addIfFull(full, this.#laneQueue(named));
  }

  /** @param app whose queue it is; absent: that of a lane */
  #addIfFull(full: CallQueue[], queue: CallQueue, app?: App): void {
    const most = this.#most(queue);
    if (queue.calls < most) return;
    const silent = app === undefined ? this.#silent(queue) : this.#silentOf(app, queue);
    if (queue.calls - silent >= most) full.push(queue);
  }

  /** Calls of an app in lanes that it does not answer. */
  #silentOf({ lanes }: App, queue: CallQueue): number {
    const now = this.#deps.clock.monotonic();
    if (now - queue.silentAtMs <= SILENT_COUNT_MS) return queue.silentCalls;
    queue.silentAtMs = now;
    queue.silentCalls = 0;
    for (const name of lanes.keys()) {
      const lane = this.#lanes.get(name);
      if (lane !== undefined) queue.silentCalls += this.#silent(lane);
    }
    return queue.silentCalls;
  }

  /** Calls of a lane that nobody answers, as under "ask me": a publish that waits for them waits in vain. */
  #silent({ calls, heardMs }: CallQueue): number {
    return this.#deps.clock.monotonic() - heardMs > ANSWERING_MS ? calls : 0;
  }

  #answers(appId: string): boolean {
    const at = this.#answeredAt.get(appId);
    return at !== undefined && this.#deps.clock.monotonic() - at <= ANSWERING_MS;
  }

  #most({ least }: CallQueue): number {
    return Math.max(least, 2 * this.#deps.concurrency());
  }

  #count(queue: CallQueue, more: number): void {
    queue.calls += more;
    if (queue.waiting.size > 0) this.#release(queue);
  }

  #wait(queue: CallQueue, untilMs: number): Promise<void> {
    return new Promise((go) => {
      queue.waiting.push({ untilMs, go });
      if (!queue.isArmed) this.#arm(queue);
    });
  }

  /** Lets one publish continue for each free place, in order of request. */
  #release(queue: CallQueue): void {
    for (let free = this.#most(queue) - queue.calls; free > 0; free -= 1) {
      const one = queue.waiting.shift();
      if (one === undefined) return;
      one.go();
    }
  }

  /** Sets one timer for all waits: the oldest one ends first. */
  #arm(queue: CallQueue): void {
    const [first] = queue.waiting.first(1);
    queue.isArmed = first !== undefined;
    if (first !== undefined) this.#deps.timers.at(first.untilMs, () => this.#late(queue));
  }

  #late(queue: CallQueue): void {
    const now = this.#deps.clock.now();
    for (;;) {
      const [first] = queue.waiting.first(1);
      if (first === undefined || first.untilMs > now) break;
      queue.waiting.shift();
      first.go();
    }
    this.#arm(queue);
  }

  #forgetEmptyLanes(): void {
    for (const [name, { calls, waiting }] of this.#lanes)
      if (calls < NOTHING && waiting.size === 0) this.#lanes.delete(name);
    // If most lanes have calls, the next search starts at twice as many lanes; otherwise each new lane would search all of them.
    this.#mostLanes = Math.max(MAX_LANES, 2 * this.#lanes.size);
  }

  #appQueue(appId: string): CallQueue {
    return this.#apps.get(appId) ?? added(this.#apps, appId, QUEUED_CALLS);
  }

  #laneQueue(lane: string): CallQueue {
    const found = this.#lanes.get(lane);
    if (found !== undefined) return found;
    if (this.#lanes.size >= this.#mostLanes) this.#forgetEmptyLanes();
    return added(this.#lanes, lane, LANE_CALLS);
  }
}

function added(queues: Map<string, CallQueue>, key: string, least: number): CallQueue {
  const queue = {
    least,
    calls: 0,
    waiting: new Fifo<Waiter>(),
    isArmed: false,
    heardMs: 0,
    silentCalls: 0,
    silentAtMs: -Infinity,
  };
  queues.set(key, queue);
  return queue;
}

/** Number of calls that a delivery counts for in its app's queue. */
function callsOf(d: LiveDelivery): number {
  if (d.message.isRemoved || d.waitsForSubscription) return 0;
  const isWaitedFor = d.state === 'queued' || (d.state === 'attempting' && d.heldAnswer === undefined);
  return isWaitedFor ? callOf(d) : 0;
}

/** A call, or the part of one that an entry of a batch is. */
function callOf(d: LiveDelivery): number {
  const entries = d.subscription.settings?.bulk?.maxMessagesCount ?? 1;
  return 1 / Math.min(MAX_ENTRIES, entries);
}
