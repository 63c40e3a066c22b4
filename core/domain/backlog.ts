/**
 * How much unfinished work there may be, and how topics share it. A topic may go on for as long as what it has waiting is less than
 * nine times what is left for all: one topic alone can fill nine tenths, whatever its deliveries wait for (the app, a next attempt,
 * a person who looks at what is held or parked), and the rest stays free for topics that have little.
 */
import { sizeLimit } from '../contract/spoken-size.ts';

/** A topic may have this many times what is left. */
const SHARE = 9;
/** Copies on dead-letter topics are made until this many times the limit waits. */
const COPIES = 1.5;
/** So many deliveries are few, whatever the limit is. */
const FEW = 1000;

/** Unfinished work, of one topic or of all. */
export interface Waiting {
  /** Deliveries that have not ended, and messages that wait without deliveries. */
  readonly count: number;
  /** Bytes of their messages: bodies and metadata. */
  readonly bytes: number;
  /** Bytes of memory that they take, an estimate. */
  readonly memory: number;
}

export type Measure = keyof Waiting;

export const MEASURES: readonly Measure[] = ['count', 'bytes', 'memory'];

export interface Shortage {
  /** Name of what sets the limit. */
  readonly setBy: string;
  readonly measure: Measure;
  readonly limit: number;
  /** True: nothing is left for any topic. */
  readonly forAll: boolean;
}

/** Bytes of messages are also limited by what a history in memory has room for. */
export interface Limits extends Waiting {
  /** True: `bytes` is that room, less than the setting says. */
  readonly byHeap: boolean;
}

/** What keeps a topic from publishing; undefined: it may. @param own of the topic, also part of `all` */
export function shortageOf(own: Waiting, all: Waiting, limits: Limits): Shortage | undefined {
  const full = shortageOfAll(all, limits);
  if (full !== undefined) return full;
  const measure = MEASURES.find((one) => own[one] >= SHARE * (limits[one] - all[one]));
  return measure === undefined ? undefined : shortage(measure, limits, false);
}

/**
 * What keeps even a copy on a dead-letter topic from being made; undefined: it may be. A copy takes the place of its delivery, so a
 * full backlog does not refuse it. But each subscription to the dead-letter topic makes a delivery of it, and their copies do the
 * same: without an end, where topics are the dead-letter topics of each other.
 */
export function shortageOfCopies(all: Waiting, limits: Limits): Shortage | undefined {
  const measure = MEASURES.find((one) => all[one] >= mostWithCopies(one, limits[one]));
  return measure === undefined ? undefined : shortage(measure, limits, true);
}

/** With a small limit, two subscriptions to one topic need more than half as much again. */
function mostWithCopies(measure: Measure, limit: number): number {
  const most = limit * COPIES;
  return measure === 'count' ? Math.max(most, FEW) : most;
}

/** What is used up for every topic; undefined: something is left. */
export function shortageOfAll(all: Waiting, limits: Limits): Shortage | undefined {
  const measure = MEASURES.find((one) => all[one] >= limits[one]);
  return measure === undefined ? undefined : shortage(measure, limits, true);
}

/**
 * Why a publish is refused, for its answer: the limit, its setting, and the topic. The same words each time, for who counts them.
 * @param topic where the limit counts for all, the one that has most, with its component
 */
export function sayShortage({ measure, limit, setBy, forAll }: Shortage, topic: string): string {
  const reached = `the backlog limit of ${WHAT[measure](limit)} (${setBy}) is reached`;
  return forAll
    ? `${reached}, topic ${topic} has most of them`
    : `${reached} for topic ${topic}, the rest is reserved for other topics`;
}

/** Why a copy on a dead-letter topic is refused. @param topic the one that has most, with its component */
export function sayNoCopy({ measure, limit, setBy }: Shortage, topic: string): string {
  return `no copy is made any more: too much waits beyond the backlog limit of ${WHAT[measure](limit)} (${setBy}), topic ${topic} has most of it`;
}

const WHAT: Readonly<Record<Measure, (limit: number) => string>> = {
  count: (limit) => `${limit.toLocaleString('en-US')} unfinished deliveries`,
  bytes: (limit) => `${sizeLimit(limit)} of unfinished messages`,
  memory: (limit) => `${sizeLimit(limit)} of memory for unfinished messages`,
};

const HEAP = 'a part of the heap, see node --max-old-space-size';

function shortage(measure: Measure, limits: Limits, forAll: boolean): Shortage {
  const setBy = {
    count: 'delivery.backlog',
    bytes: limits.byHeap ? HEAP : 'delivery.backlogBytes',
    memory: HEAP,
  };
  return { measure, limit: limits[measure], setBy: setBy[measure], forAll };
}
