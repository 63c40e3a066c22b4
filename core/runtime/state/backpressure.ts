/** Backpressure: publishes keep the pace of the app. With much queued for an app that is answering, the answer to a publish waits a little. */
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../time/timers.ts';
import type { App } from './app.ts';
import { Fifo } from './fifo.ts';
import { laneName } from './live.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';

/** The longest that one publish waits for all apps together. */
export const MOST_WAIT_MS = 250;
/** Calls that may be queued or under way for one app before publishes wait. */
export const QUEUED_CALLS = 128;
/**
 * Calls that may be queued or under way for one subscription, which has ten under way by default: enough that its lane does not run dry
 * while publishers and the app wait for the processor, and few enough that after a pause of the machine no message waits long behind
 * those that came with it.
 */
export const LANE_CALLS = 64;
/** Time after an answer during which an app counts as answering. */
const ANSWERING_MS = 1000;
/** Number of lanes beyond which empty ones are forgotten, because topics come and go. */
const MOST_LANES = 1000;
/** Most that an empty queue may hold: adding and subtracting fractions of calls leaves a rounding error. */
const NOTHING = 1e-6;
/** Entries of a batch beyond this many do not make the queue longer. */
const MOST_ENTRIES = 100;

interface TopicName {
  readonly pubsubname: string;
  readonly topic: string;
}

interface Waiter {
  readonly untilMs: number;
  readonly go: () => void;
}

/** What is queued for one app or in one of its lanes, and who waits for that. */
interface CallQueue {
  /** Calls that the queue may have at least; twice `delivery.concurrency` if that is more. */
  readonly least: number;
  /** Calls that deliveries need which are queued or under way; each entry of a batch is a part of one. */
  calls: number;
  readonly waiting: Fifo<Waiter>;
  isArmed: boolean;
}

export interface BackpressureDependencies {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Apps of this run; others may join and leave. */
  readonly apps: readonly App[];
  /** `delivery.concurrency` as it is now. */
  readonly concurrency: () => number;
}

export class Backpressure {
  readonly #parts: BackpressureDependencies;
  /** By the app's id. */
  readonly #apps = new Map<string, CallQueue>();
  /** By the lane's name. */
  readonly #lanes = new Map<string, CallQueue>();
  /** With so many lanes the empty ones are forgotten. */
  #mostLanes = MOST_LANES;
  /** When an app answered last, from the monotonic clock; one that does not answer is not here. */
  readonly #answeredAt = new Map<string, number>();
  #isOver = false;

  constructor(parts: BackpressureDependencies) {
    this.#parts = parts;
  }

  /** To be called after each change of a delivery: what is held, retried, parked or waits for a subscription does not count. */
  changed(d: LiveDelivery): void {
    this.#counts(d, callsOf(d));
  }

  /** To be called for a delivery without a state that waits for its match rules: it counts as if it were queued. */
  waits(d: LiveDelivery): void {
    this.#counts(d, d.message.gone ? 0 : callOf(d));
  }

  #counts(d: LiveDelivery, calls: number): void {
    if (calls === d.countedCalls) return;
    const more = calls - d.countedCalls;
    d.countedCalls = calls;
    this.#count(this.#appQueue(d.appId), more);
    this.#count(this.#laneQueue(d.counted.lane), more);
  }

  /** A call to the app ended. @param isAnswer false: nobody listened there */
  called(appId: string, isAnswer: boolean): void {
    if (isAnswer) this.#answeredAt.set(appId, this.#parts.clock.monotonic());
    else this.#answeredAt.delete(appId);
  }

  /**
   * Resolves when the apps that get this message have not too much before them, after 250 ms at the latest; undefined: at once.
   * @param message as far as something of it is unfinished
   */
  room(of: TopicName, message: LiveMessage | undefined): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    const full: CallQueue[] = [];
    for (const app of this.#parts.apps) this.#addFull(full, app, of, message);
    const [first] = full;
    if (first === undefined) return undefined;
    const untilMs = this.#parts.clock.now() + MOST_WAIT_MS;
    if (full.length === 1) return this.#wait(first, untilMs);
    return Promise.all(full.map((queue) => this.#wait(queue, untilMs))).then(() => undefined);
  }

  /** Lets everybody go, and nobody waits any more: the runtime stops. */
  end(): void {
    this.#isOver = true;
    for (const { waiting } of [...this.#apps.values(), ...this.#lanes.values()]) {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) one.go();
    }
  }

  /** Adds the app's queues without a free place that this message stands in; none where the app does not answer. */
  #addFull(full: CallQueue[], app: App, of: TopicName, message: LiveMessage | undefined): void {
    const { appId } = app;
    if (!this.#answers(appId) || !app.mayStart(0)) return;
    let isHere = false;
    if (message !== undefined) {
      for (const { appId: own, counted } of message.deliveries) {
        if (own !== appId) continue;
        if (!isHere) this.#addIfFull(full, this.#appQueue(appId));
        isHere = true;
        this.#addIfFull(full, this.#laneQueue(counted.lane));
      }
    }
    if (isHere) return;
    const named = laneName({ appId, pubsubname: of.pubsubname, topic: of.topic });
    if (!app.lanes.has(named)) return;
    this.#addIfFull(full, this.#appQueue(appId));
    this.#addIfFull(full, this.#laneQueue(named));
  }

  #addIfFull(full: CallQueue[], queue: CallQueue): void {
    if (queue.calls >= this.#most(queue)) full.push(queue);
  }

  #answers(appId: string): boolean {
    const at = this.#answeredAt.get(appId);
    return at !== undefined && this.#parts.clock.monotonic() - at <= ANSWERING_MS;
  }

  #most({ least }: CallQueue): number {
    return Math.max(least, 2 * this.#parts.concurrency());
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

  /** One publish for each place that has become free, in the order of asking. */
  #release(queue: CallQueue): void {
    for (let free = this.#most(queue) - queue.calls; free > 0; free -= 1) {
      const one = queue.waiting.shift();
      if (one === undefined) return;
      one.go();
    }
  }

  /** One timer for all who wait: the first one's time is over first. */
  #arm(queue: CallQueue): void {
    const [first] = queue.waiting.first(1);
    queue.isArmed = first !== undefined;
    if (first !== undefined) this.#parts.timers.at(first.untilMs, () => this.#late(queue));
  }

  #late(queue: CallQueue): void {
    const now = this.#parts.clock.now();
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
    // Where most lanes have calls, the next look comes with twice as many: each new lane would otherwise look at all of them.
    this.#mostLanes = Math.max(MOST_LANES, 2 * this.#lanes.size);
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
  const queue = { least, calls: 0, waiting: new Fifo<Waiter>(), isArmed: false };
  queues.set(key, queue);
  return queue;
}

/** How many calls a delivery stands for in the queue of its app. */
function callsOf(d: LiveDelivery): number {
  if (d.message.gone || d.waits) return 0;
  const isWaitedFor = d.state === 'queued' || (d.state === 'attempting' && d.heldAnswer === undefined);
  return isWaitedFor ? callOf(d) : 0;
}

/** A call, or the part of one that an entry of a batch is. */
function callOf(d: LiveDelivery): number {
  const entries = d.subscription.settings?.bulk?.maxMessagesCount ?? 1;
  return 1 / Math.min(MOST_ENTRIES, entries);
}
