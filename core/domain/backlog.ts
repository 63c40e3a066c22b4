/**
 * Limits the unfinished work, and how topics share it. A topic may publish while its own unfinished work is
 * less than nine times what is left for all. One topic alone can therefore fill nine tenths, whatever its
 * deliveries wait for (the app, a next attempt, a person who looks at held or parked ones). The rest stays
 * free for topics that have little. A message that is too large for the rest is lent room if it is the only
 * one of its topic.
 */
import { sizeLimit } from '../contract/size-text.ts';

/** Limit of the unfinished work of a topic, as a multiple of the room left for all. */
const SHARE = 9;
/** Part of the limit that is lent beyond it. */
const LENT = 0.1;
/** Copies on dead-letter topics are refused once this multiple of the limit is unfinished. */
const COPIES = 1.5;
/** Number of deliveries that is small, whatever the limit is. */
const FEW = 1000;

/** Unfinished work, of one topic or of all. */
export interface Waiting {
  /** Number of deliveries that have not ended, and of messages that wait without deliveries. */
  readonly count: number;
  /** Bytes of these messages: bodies and metadata. */
  readonly bytes: number;
  /** Estimated bytes of memory that they take. */
  readonly memory: number;
}

/** What one message adds. */
export interface Charge extends Waiting {
  /** True: its bytes and memory take nothing of what is left for others. */
  readonly isLent: boolean;
}

export type Measure = keyof Waiting;

const MEASURES: readonly Measure[] = ['count', 'bytes', 'memory'];

export interface Shortage {
  /** Name of the setting or fact that sets the limit. */
  readonly setBy: string;
  readonly measure: Measure;
  readonly limit: number;
  /** True: nothing is left for any topic. */
  readonly forAll: boolean;
  /** True: the topic has room, but not for a message of this size. */
  readonly bySize?: true;
}

/** Limits of unfinished work. `bytes` is also limited by the memory that a history in memory may use. */
export interface Limits extends Waiting {
  /** True: `bytes` is the limit of the memory, which is below the setting. */
  readonly byHeap: boolean;
}

/** What a new message adds. Its number is not part of it: one more delivery never takes what is left for other topics. */
export type Size = Pick<Waiting, 'bytes' | 'memory'>;

/**
 * Why a topic may not publish; undefined: it may. A message that is alone may have any size, so that a small
 * limit refuses none for good.
 * @param own unfinished work of the topic, which is also part of `all` but for what is lent
 * @param size what the message adds: large ones would take all that is left for other topics
 * @param lent size of what is lent; undefined: nothing is lent
 */
export function shortageOf(
  own: Waiting,
  all: Waiting,
  limits: Limits,
  size?: Size,
  lent?: Size,
): Shortage | undefined {
  const full = shortageOfAll(all, limits) ?? shortageOfTopic(own, all, limits);
  if (full !== undefined || size === undefined || all.count === 0) return full;
  const short = shortageOfTopic(plus(own, size), plus(all, size), limits);
  if (short === undefined || (lent !== undefined && mayLend(own, limits, size, lent))) return undefined;
  return { ...short, bySize: true };
}

/** Whether a message that is accepted is lent its room: it is the first of its topic, and too large for what is left. */
export function isLent(own: Waiting, all: Waiting, limits: Limits, size: Size, lent: Size): boolean {
  return (
    all.count > 0 &&
    mayLend(own, limits, size, lent) &&
    shortageOfTopic(plus(own, size), plus(all, size), limits) !== undefined
  );
}

/** Whether the room of a message that has been lent stays so: others of its topic may have come since, but what is left is still too little. */
export function staysLent(own: Waiting, all: Waiting, limits: Limits, size: Size, lent: Size): boolean {
  return (
    isWithinLent(limits, size, lent) &&
    shortageOfTopic(plus(own, size), plus(all, size), limits) !== undefined
  );
}

function mayLend(own: Waiting, limits: Limits, size: Size, lent: Size): boolean {
  return own.bytes === 0 && own.memory === 0 && isWithinLent(limits, size, lent);
}

function isWithinLent(limits: Limits, size: Size, lent: Size): boolean {
  return lent.bytes + size.bytes <= LENT * limits.bytes && lent.memory + size.memory <= LENT * limits.memory;
}

function plus({ count, bytes, memory }: Waiting, size: Size): Waiting {
  return { count, bytes: bytes + size.bytes, memory: memory + size.memory };
}

function shortageOfTopic(own: Waiting, all: Waiting, limits: Limits): Shortage | undefined {
  const isBelow =
    own.count < SHARE * (limits.count - all.count) &&
    own.bytes < SHARE * (limits.bytes - all.bytes) &&
    own.memory < SHARE * (limits.memory - all.memory);
  // Every publish calls this function, so the measure is searched only when one is exceeded.
  if (isBelow) return undefined;
  const measure = MEASURES.find((one) => own[one] >= SHARE * (limits[one] - all[one]));
  return measure === undefined ? undefined : shortage(measure, limits, false);
}

/**
 * Why even a copy on a dead-letter topic is refused; undefined: it may be made. A copy replaces its delivery,
 * so a full backlog does not refuse it. But each subscription to the dead-letter topic makes a delivery of
 * it, whose copies do the same. If topics are the dead-letter topics of each other, this would never end.
 */
export function shortageOfCopies(all: Waiting, limits: Limits): Shortage | undefined {
  const measure = MEASURES.find((one) => all[one] >= mostWithCopies(one, limits[one]));
  return measure === undefined ? undefined : shortage(measure, limits, true);
}

/** Limit for copies. With a small limit, two subscriptions to one topic need more than half as much again. */
function mostWithCopies(measure: Measure, limit: number): number {
  const most = limit * COPIES;
  return measure === 'count' ? Math.max(most, FEW) : most;
}

/** The measure of which nothing is left for any topic; undefined: something is left of each. */
export function shortageOfAll(all: Waiting, limits: Limits): Shortage | undefined {
  if (all.count < limits.count && all.bytes < limits.bytes && all.memory < limits.memory) return undefined;
  const measure = MEASURES.find((one) => all[one] >= limits[one]);
  return measure === undefined ? undefined : shortage(measure, limits, true);
}

/**
 * Text of the answer to a refused publish: the limit, its setting, and the topic. The words are always the same, so that a reader can count
 * them.
 * @param topic if the limit is reached for all topics, the topic that has most, with its component
 */
export function describeShortage({ measure, limit, setBy, forAll, bySize }: Shortage, topic: string): string {
  const reached = `the backlog limit of ${WHAT[measure](limit)} (${setBy}) is reached`;
  if (forAll) return `${reached}, topic ${topic} has most of them`;
  const by = bySize === true ? ' by a message of this size' : '';
  return `${reached} for topic ${topic}${by}, the rest is reserved for other topics`;
}

/**
 * Text of the reason why a copy on a dead-letter topic is refused.
 * @param topic topic that has most, with its component
 */
export function describeMissingCopy({ measure, limit, setBy }: Shortage, topic: string): string {
  return `no copy was made: too much waits beyond the backlog limit of ${WHAT[measure](limit)} (${setBy}), most of it in topic ${topic}`;
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
