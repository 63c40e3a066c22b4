/** Publishes keep the pace of the app: with much queued for an app that is answering, the answer to a publish waits a little. */
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../time/timers.ts';
import type { App } from './app.ts';
import { Fifo } from './fifo.ts';
import { laneName } from './live.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';

/** The longest that one publish waits for all apps together. */
export const MOST_WAIT_MS = 250;
/** Calls that may be queued or under way for one app before publishes wait: enough that no lane ever runs dry. */
export const QUEUED_CALLS = 128;
/** An app counts as answering for so long after an answer. */
const ANSWERING_MS = 1000;
/** Entries of a batch beyond this many do not make the queue longer. */
const MOST_ENTRIES = 100;

interface Waiter {
  readonly untilMs: number;
  readonly go: () => void;
}

/** What is queued for one app, and who waits for that. */
interface AppQueue {
  readonly appId: string;
  /** Calls that its deliveries need which are queued or under way; each entry of a batch is a part of one. */
  calls: number;
  /** From the monotonic clock; undefined: it does not answer. */
  answeredAt: number | undefined;
  readonly waiting: Fifo<Waiter>;
  isArmed: boolean;
}

export interface PaceDependencies {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Apps of this run; others may join and leave. */
  readonly apps: readonly App[];
  /** `delivery.concurrency` as it is now. */
  readonly concurrency: () => number;
}

export class Pace {
  readonly #parts: PaceDependencies;
  readonly #queues = new Map<string, AppQueue>();
  #isOver = false;

  constructor(parts: PaceDependencies) {
    this.#parts = parts;
  }

  /** To be called after each change of a delivery: what is held, retried, parked or waits for a subscription does not count. */
  changed(d: LiveDelivery): void {
    const calls = callsOf(d);
    if (calls === d.countedCalls) return;
    const queue = this.#queue(d.appId);
    queue.calls += calls - d.countedCalls;
    d.countedCalls = calls;
    if (queue.waiting.size > 0) this.#release(queue);
  }

  /** A call to the app ended. @param isAnswer false: nobody listened there */
  called(appId: string, isAnswer: boolean): void {
    this.#queue(appId).answeredAt = isAnswer ? this.#parts.clock.monotonic() : undefined;
  }

  /**
   * Resolves when the apps that get this message have not too much before them, after 250 ms at the latest; undefined: at once.
   * @param message as far as something of it is unfinished
   */
  room(
    of: { readonly pubsubname: string; readonly topic: string },
    message: LiveMessage | undefined,
  ): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    const full = this.#parts.apps.filter(
      (app) => this.#isFull(app) && (isSubscribed(app, of) || isFor(app, message)),
    );
    if (full.length === 0) return undefined;
    const untilMs = this.#parts.clock.now() + MOST_WAIT_MS;
    return Promise.all(full.map((app) => this.#wait(this.#queue(app.appId), untilMs))).then(() => undefined);
  }

  /** Lets everybody go, and nobody waits any more: the runtime stops. */
  end(): void {
    this.#isOver = true;
    for (const { waiting } of this.#queues.values()) {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) one.go();
    }
  }

  get #most(): number {
    return Math.max(QUEUED_CALLS, 2 * this.#parts.concurrency());
  }

  #isFull(app: App): boolean {
    const queue = this.#queues.get(app.appId);
    if (queue?.answeredAt === undefined || queue.calls < this.#most || !app.mayStart(0)) return false;
    return this.#parts.clock.monotonic() - queue.answeredAt <= ANSWERING_MS;
  }

  #wait(queue: AppQueue, untilMs: number): Promise<void> {
    return new Promise((go) => {
      queue.waiting.push({ untilMs, go });
      if (!queue.isArmed) this.#arm(queue);
    });
  }

  /** One publish for each place that has become free, in the order of asking. */
  #release({ calls, waiting }: AppQueue): void {
    for (let free = this.#most - calls; free > 0; free -= 1) {
      const one = waiting.shift();
      if (one === undefined) return;
      one.go();
    }
  }

  /** One timer for all who wait: the first one's time is over first. */
  #arm(queue: AppQueue): void {
    const [first] = queue.waiting.first(1);
    queue.isArmed = first !== undefined;
    if (first !== undefined) this.#parts.timers.at(first.untilMs, () => this.#late(queue));
  }

  #late(queue: AppQueue): void {
    const now = this.#parts.clock.now();
    for (;;) {
      const [first] = queue.waiting.first(1);
      if (first === undefined || first.untilMs > now) break;
      queue.waiting.shift();
      first.go();
    }
    this.#arm(queue);
  }

  #queue(appId: string): AppQueue {
    let queue = this.#queues.get(appId);
    if (queue === undefined) {
      queue = { appId, calls: 0, answeredAt: undefined, waiting: new Fifo<Waiter>(), isArmed: false };
      this.#queues.set(appId, queue);
    }
    return queue;
  }
}

/** How many calls a delivery stands for in the queue of its app. */
function callsOf(d: LiveDelivery): number {
  if (d.message.gone || d.waits) return 0;
  const isWaitedFor = d.state === 'queued' || (d.state === 'attempting' && d.heldAnswer === undefined);
  if (!isWaitedFor) return 0;
  const entries = d.subscription.settings?.bulk?.maxMessagesCount ?? 1;
  return 1 / Math.min(MOST_ENTRIES, entries);
}

function isSubscribed(
  { appId, lanes }: App,
  { pubsubname, topic }: { readonly pubsubname: string; readonly topic: string },
): boolean {
  return lanes.has(laneName({ appId, pubsubname, topic }));
}

function isFor({ appId }: App, message: LiveMessage | undefined): boolean {
  return message?.deliveries.some((d) => d.appId === appId) === true;
}
