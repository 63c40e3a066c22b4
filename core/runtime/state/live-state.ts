/**
 * The state of messages and deliveries in memory. Its members are set only in this file: elsewhere they are readonly, and each change is a
 * method that says what has happened. Each message passes here several times, so the methods set members and make nothing new.
 */
import type { DeliveryState } from '../../contract/delivery.ts';
import type { AttemptSpan, LastAnswer, MessageRow, Transition } from '../../contract/message.ts';
import type { DeliverySettings } from '../../contract/subscription.ts';
import type { Wire } from '../../domain/codec.ts';
import { isTaken } from '../../domain/delivery-end.ts';
import type { Input } from '../../domain/machine.ts';
import { isExpired } from '../../domain/ttl.ts';
import type { PendingAnswer } from '../../ports/app-channel.ts';
import type { Cancel } from '../../ports/clock.ts';
import type { MessageContent, StoredDelivery, Unfinished } from '../../ports/journal.ts';
import type { Taken } from '../../ports/pubsub.ts';
import type { Timers } from '../time/timers.ts';
import { msOf } from '../time/time.ts';
import type { StartedAttempt } from './attempt-record.ts';
import type { Share } from './backlog.ts';
import { ChangedBody } from './live-body.ts';
import type { CountedBody } from './live-body.ts';
import { NOTHING, RareMembers } from './rare-members.ts';
import type { HeldAnswer } from './rare-members.ts';
import type { Counted } from './state-tally.ts';

/** A message with something unfinished. */
export interface LiveMessage extends Readonly<Message> {}
export interface LiveDelivery extends Readonly<Delivery> {}

/** App, subscription and counters of a delivery. Deliveries created in a row for one subscription share it. */
export interface DeliveryOf {
  readonly appId: string;
  readonly subscription: StoredDelivery['subscription'];
  readonly counted: Counted;
}

type Route = StoredDelivery['route'];
type OnEnd = (taken: Taken) => void;

/** Lists that messages and deliveries share to save memory: replaced, never changed. */
const NO_DELIVERIES: readonly LiveDelivery[] = [];
const NOWHERE: Route = { path: '' };

/** Number of deliveries up to which a list is replaced by a longer copy; above it the list grows in place. */
const FEW = 16;

class Message implements CountedBody {
  /** See `Delivery.kept`. */
  static readonly kept = new Message({ messageId: '' } as MessageRow, undefined, {}, '', NOTHING);
  readonly messageId: string;
  /** `deliveries` is [] here; `rowOf` fills it in. */
  row: MessageRow;
  wire: Wire | undefined;
  countedBytes = 0;
  metadata: Readonly<Record<string, string>>;
  givenContentType: string;
  releasedFrom: readonly string[];
  published = false;
  /** Number of its records not yet on disk; above 0 the journal is behind memory. */
  unwrittenRecords = 0;
  /** True while the broker is about to deliver the message, see expected-hand-overs.ts. */
  expected = false;
  /** Number of acts that use it, see `LiveSet.retain`. */
  inUse = 0;
  /** True after the message was removed from the history: all work on it stops. */
  isRemoved = false;
  /** Timers of a message held at publish: its TTL, and the automatic release of its hold. */
  timers: readonly Cancel[] = NOTHING;
  /** Share of the message in the backlog; undefined: none. */
  share: Share | undefined = undefined;
  deliveries = NO_DELIVERIES;

  constructor(
    row: MessageRow,
    wire: Wire | undefined,
    metadata: Readonly<Record<string, string>>,
    givenContentType: string,
    releasedFrom: readonly string[],
  ) {
    this.messageId = row.messageId;
    this.row = row;
    this.wire = wire;
    this.metadata = metadata;
    this.givenContentType = givenContentType;
    this.releasedFrom = releasedFrom;
  }

  changeRow(row: MessageRow): void {
    this.row = row;
  }

  /** Changes the message as a person edited it; `LiveSet.rewrite` replaces its bytes. */
  rewrite(row: MessageRow, { metadata, givenContentType }: Omit<MessageContent, 'wire'>): void {
    this.row = row;
    this.metadata = metadata;
    this.givenContentType = givenContentType;
  }

  count(bytes: number): void {
    this.countedBytes = bytes;
  }

  dropWire(): void {
    this.wire = undefined;
  }

  replaceWire(wire: Wire): void {
    this.wire = wire;
  }

  noteShare(share: Share | undefined): void {
    this.share = share;
  }

  /** @param releasedFrom ids of all holds that have released the message */
  noteReleases(releasedFrom: readonly string[]): void {
    this.releasedFrom = releasedFrom;
  }

  /** The component has the message and all its deliveries exist. */
  notePublished(): void {
    this.published = true;
  }

  /** Counts a record that the journal is to write. */
  beginRecord(): void {
    this.unwrittenRecords += 1;
  }

  /**
   * Counts a record that is on disk.
   * @returns number of its records that are not
   */
  endRecord(): number {
    this.unwrittenRecords -= 1;
    return this.unwrittenRecords;
  }

  expect(): void {
    this.expected = true;
  }

  expectNoMore(): void {
    this.expected = false;
  }

  beginUse(): void {
    this.inUse += 1;
  }

  endUse(): void {
    this.inUse -= 1;
  }

  addDelivery(delivery: LiveDelivery): void {
    const { deliveries } = this;
    // Most messages have one delivery: an array that grows by `push` has room for seventeen.
    if (deliveries.length < FEW)
      this.deliveries = deliveries.length === 0 ? [delivery] : [...deliveries, delivery];
    // A list that long is the message's own.
    else (deliveries as LiveDelivery[]).push(delivery);
  }

  arm(timers: Timers, dueMs: number, run: () => void): void {
    this.timers = [...this.timers, timers.at(dueMs, run)];
  }

  cancelTimers(): void {
    for (const cancel of this.timers) cancel();
    this.timers = NOTHING;
  }

  /** Called when the message was removed from the history. */
  remove(): void {
    this.isRemoved = true;
    this.cancelTimers();
  }
}

class Delivery extends RareMembers {
  /**
   * One delivery that is never freed, as `Message.kept`. Optimised code knows the layout of these classes by weak references: while none of
   * their objects is alive, the engine drops layout and code, and the next messages take a third more time.
   */
  static readonly kept = Delivery.#sample();

  readonly deliveryId: string;
  /** Topic and lane by which it is counted. */
  readonly counted: Counted;
  readonly message: LiveMessage;
  readonly appId: string;
  /** Replaced by the first attempt if an older journal lacks its settings, and when another stream takes over. */
  subscription: StoredDelivery['subscription'];
  /** Name of the delivery in bulk deliveries: stable over retries. */
  entryId: string;
  route = NOWHERE;
  state: DeliveryState | null = null;
  attemptCount = 0;
  /** Number of attempts before the present round, which a retry by hand opens; the policy counts only later ones. */
  roundStart = 0;
  /** Number of the last attempt that the policy allows; 0: no limit. */
  maxAttempts: number;
  /** When the next attempt is due; undefined: none is planned. */
  dueMs: number | undefined = undefined;
  lastAnswer: LastAnswer | undefined = undefined;
  lastDurationMs: number | undefined = undefined;
  /** Time from the first attempt's start to the last one's end. */
  span: AttemptSpan | undefined = undefined;
  /** When the last attempt ended, for "waited". */
  lastEndMs: number | undefined = undefined;
  /** Headers from the component; undefined: those of the subscription's metadata. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** True while it is in its lane's queue. */
  queued = false;
  /** Number of calls that it counts for in the queue of its app, see backpressure.ts. */
  countedCalls = 0;
  /** Lock: set while an asynchronous act (a dead-letter publish) uses the delivery. */
  lock: Promise<void> | undefined = undefined;
  call: PendingAnswer | undefined = undefined;
  attemptId: string | undefined = undefined;
  /** The running call, for display. */
  started: StartedAttempt | undefined = undefined;
  /** Timer of the next attempt or the automatic release; every transition cancels it. */
  timer: Cancel | undefined = undefined;
  /** Callbacks of waiting components, called once when the delivery ends or is parked. */
  onEnd: readonly OnEnd[] = NOTHING;
  lastTransition: Transition | undefined = undefined;
  constructor(
    deliveryId: string,
    message: LiveMessage,
    { appId, subscription, counted }: DeliveryOf,
    maxAttempts: number,
    headers: Readonly<Record<string, string>> | undefined,
  ) {
    super();
    this.deliveryId = deliveryId;
    this.counted = counted;
    this.message = message;
    this.appId = appId;
    this.subscription = subscription;
    this.entryId = deliveryId;
    this.maxAttempts = maxAttempts;
    this.headers = headers;
  }

  static #sample(): Delivery {
    const at = { pubsubname: '', topic: '' };
    const of = {
      appId: '',
      subscription: { ...at, source: 'programmatic' },
      counted: { ...at, lane: '' },
    } as const;
    const delivery = new Delivery('', Message.kept, of, 0, undefined);
    // A part of a call is not a whole number, which the layout must allow from the start.
    delivery.countCalls(0.5);
    return delivery;
  }

  /** Sets the route and the expiry of a new delivery. */
  begin(route: Route, expiresAtMs: number | undefined): void {
    this.route = route;
    this.expiresAtMs = expiresAtMs;
  }

  /** Sets the route of a binding's event, which is sent once. */
  beginOnce(route: Route): void {
    this.route = route;
    this.maxAttempts = 1;
  }

  /** Sets the route of an observed delivery. Its own sidecar decides how often it is tried. */
  beginObserved(route: Route): void {
    this.route = route;
    this.maxAttempts = 0;
  }

  reroute(route: Route): void {
    this.route = route;
  }

  /** Sets its name in bulk deliveries, if that is not its id. */
  nameEntry(entryId: string): void {
    this.entryId = entryId;
  }

  changeSettings(settings: DeliverySettings): void {
    this.subscription = { ...this.subscription, settings };
  }

  /** @param stream number of its new stream, among the streams of the topic */
  moveToStream(stream: number | undefined): void {
    const { stream: _gone, ...subscription } = this.subscription;
    this.subscription = stream === undefined || stream === 1 ? subscription : { ...subscription, stream };
  }

  /** Sets a body that a person gave. */
  change(wire: Wire, bytes: number): void {
    this.changed = new ChangedBody(wire, false, bytes, (this.changed?.edits ?? 0) + 1);
  }

  enterQueue(): void {
    this.queued = true;
  }

  leaveQueue(): void {
    this.queued = false;
  }

  /** Called when the app subscribes again: the row no longer says that the delivery waits for that. */
  subscribedAgain(): void {
    this.waitsForSubscription = false;
  }

  /** @returns by how much the number of calls that it counts for has grown */
  countCalls(calls: number): number {
    const more = calls - this.countedCalls;
    this.countedCalls = calls;
    return more;
  }

  /**
   * Sets the state. Clears the timers and members of the old state.
   * @param heldBy the hold that catches the delivery
   * @param dueMs when the next attempt is due; set together with the state, so that the row shows both at once
   */
  enter(
    transition: Transition,
    to: DeliveryState,
    input: Input['type'],
    heldBy: string | undefined,
    dueMs: number | undefined,
  ): void {
    this.state = to;
    this.timer?.();
    this.timer = undefined;
    if (to !== 'retrying') this.dueMs = undefined;
    else if (dueMs !== undefined) this.dueMs = dueMs;
    this.heldAt = to === 'held' ? 'delivery' : undefined;
    this.heldBeforeDrop = input === 'user.drop' ? this.heldBy : undefined;
    this.heldBy = to === 'held' ? heldBy : undefined;
    this.waitsForSubscription = input === 'no-subscription';
    this.silent = input === 'tap.silent';
    if (isTaken(this)) this.disarmTtl();
    this.lastTransition = transition;
  }

  /** @returns whether there was an attempt before */
  beginAttempt(attemptId: string): boolean {
    const again = this.attemptCount > 0;
    this.attemptCount += 1;
    this.attemptId = attemptId;
    return again;
  }

  /** @param call undefined: another sidecar makes the call */
  beginCall(started: StartedAttempt, call: PendingAnswer | undefined): void {
    this.call = call;
    this.started = started;
  }

  /** Called when the call has ended, or its answer is no longer awaited. */
  endCall(): void {
    this.call = undefined;
    this.attemptId = undefined;
    this.started = undefined;
  }

  /** @param endMs when the answer came, or the call failed */
  answered(
    { startedMs }: StartedAttempt,
    endMs: number,
    durationMs: number | undefined,
    answer: LastAnswer,
  ): void {
    this.endCall();
    this.lastEndMs = endMs;
    this.lastDurationMs = durationMs;
    this.span = spanOf(this.span, this.message, startedMs, endMs);
    this.lastAnswer = answer;
  }

  /** @param text error text for the sender of a binding's event; undefined: the app accepted the event */
  noteBindingError(text: string | undefined): void {
    this.bindingErrorText = text;
  }

  /** Ends the call without an answer; a held answer is dropped. */
  cut(): void {
    this.endCall();
    this.heldAnswer = undefined;
  }

  /** Called when a call was cut: its attempt does not count. */
  uncountAttempt(): void {
    this.attemptCount = Math.max(0, this.attemptCount - 1);
  }

  /** @param givesUpMs deadline of the call that the sidecar makes now; undefined: unknown */
  noteObservedCall(givesUpMs: number | undefined): void {
    this.givesUpMs = givesUpMs;
  }

  holdAnswer(held: HeldAnswer, holdId: string): void {
    this.heldAnswer = held;
    this.heldAt = 'response';
    this.heldBy = holdId;
  }

  /** @param given answer of a person in place of the held one; undefined: the held one takes effect */
  releaseAnswer(given: LastAnswer | undefined): void {
    this.heldAnswer = undefined;
    this.timer?.();
    if (given !== undefined) this.lastAnswer = given;
  }

  /** Notes that its hold releases it. Called before the next state, which clears `heldBy`. */
  noteRelease(): void {
    if (this.heldBy !== undefined) this.releasedFrom = [...this.releasedFrom, this.heldBy];
  }

  noteDeadLetter(topic: string, messageId: string): void {
    this.deadLetter = { topic, messageId };
  }

  /** @param most attempts of one round that the policy allows; 0: no limit */
  allowAttempts(most: number): void {
    this.maxAttempts = most === 0 ? 0 : this.roundStart + most;
  }

  /** Called when the last attempt is not to count for the retry policy. */
  allowOneMore(): void {
    this.roundStart += 1;
    if (this.maxAttempts > 0) this.maxAttempts += 1;
  }

  /** Opens a new round of attempts. A TTL that has passed is cleared, because a person wants the message delivered. */
  retryByHand(most: number, nowMs: number): void {
    if (this.state !== 'retrying') this.roundStart = this.attemptCount;
    this.allowAttempts(most);
    if (isExpired(this.expiresAtMs, nowMs)) this.expiresAtMs = undefined;
  }

  /** Plans the next attempt; every transition cancels it. */
  retryAt(timers: Timers, dueMs: number, run: () => void): void {
    this.dueMs = dueMs;
    this.arm(timers, dueMs, run);
  }

  /** Sets its timer in place of the old one; every transition cancels it. */
  arm(timers: Timers, dueMs: number, run: () => void): void {
    this.timer?.();
    this.timer = timers.at(dueMs, run);
  }

  /** Sets the timer of its TTL in place of the old one. */
  armTtl(timers: Timers, expiresAtMs: number, run: () => void): void {
    this.disarmTtl();
    this.ttlTimer = timers.at(expiresAtMs, run);
  }

  disarmTtl(): void {
    this.ttlTimer?.();
    this.ttlTimer = undefined;
  }

  /** Called when its message was removed: all work on it stops. */
  remove(): void {
    this.timer?.();
    this.ttlTimer?.();
    this.attemptId = undefined;
    this.heldAnswer = undefined;
  }

  /**
   * Locks the delivery, which must not be locked.
   * @returns function that unlocks it
   */
  acquire(): () => void {
    let free: () => void = () => undefined;
    this.lock = new Promise<void>((go) => (free = go));
    return () => {
      this.lock = undefined;
      free();
    };
  }

  /** Calls `run` once, when the delivery ends or is parked. */
  whenEnded(run: OnEnd): void {
    this.onEnd = this.onEnd.length === 0 ? [run] : [...this.onEnd, run];
  }

  /** As `whenEnded`, in place of all earlier callbacks. */
  onlyWhenEnded(run: OnEnd): void {
    this.onEnd = [run];
  }

  /** Calls all callbacks of `whenEnded`. */
  reportEnd(taken: Taken): void {
    if (this.onEnd.length === 0) return;
    const waiting = this.onEnd;
    this.onEnd = NOTHING;
    for (const run of waiting) run(taken);
  }
}

/** A message that is not published yet, without deliveries. */
export function liveMessage(
  row: MessageRow,
  wire: Wire | undefined,
  metadata: Readonly<Record<string, string>>,
  givenContentType: string,
  releasedFrom: readonly string[],
): LiveMessage {
  return new Message(row, wire, metadata, givenContentType, releasedFrom);
}

/**
 * A delivery in which nothing has happened yet.
 * @param maxAttempts number of the last attempt that the policy allows; 0: no limit
 * @param headers from the component; undefined: the subscription's metadata
 */
export function liveDelivery(
  deliveryId: string,
  message: LiveMessage,
  of: DeliveryOf,
  maxAttempts: number,
  headers: Readonly<Record<string, string>> | undefined,
): LiveDelivery {
  return new Delivery(deliveryId, message, of, maxAttempts, headers);
}

/**
 * A delivery as the journal has it.
 * @param changedBytes size of the body that a person gave, as it is sent
 */
export function restoredDelivery(
  message: LiveMessage,
  counted: Counted,
  { delivery: stored, attempts, transitions }: Unfinished['deliveries'][number],
  changedBytes: number,
): LiveDelivery {
  const { deliveryId, appId, subscription, maxAttempts, headers, changedWire } = stored;
  const delivery = new Delivery(deliveryId, message, { appId, subscription, counted }, maxAttempts, headers);
  const lastEnd = attempts.at(-1)?.endedAt;
  delivery.route = stored.route;
  delivery.state = stored.state;
  delivery.attemptCount = stored.attemptCount;
  delivery.roundStart = stored.roundStart;
  delivery.dueMs = msIn(stored.nextAttemptAt);
  delivery.expiresAtMs = msIn(stored.expiresAt);
  delivery.heldBy = stored.heldBy;
  delivery.heldBeforeDrop = stored.heldBeforeDrop;
  delivery.heldAt = stored.heldAt;
  delivery.deadLetter = stored.deadLetter;
  delivery.releasedFrom = stored.releasedFrom ?? NOTHING;
  if (changedWire !== undefined)
    delivery.changed = new ChangedBody(changedWire, true, changedBytes, stored.edits ?? 1);
  delivery.lastAnswer = stored.lastAnswer;
  delivery.lastDurationMs = stored.lastDurationMs;
  delivery.span = stored.span;
  delivery.lastEndMs = msIn(lastEnd);
  delivery.waitsForSubscription = stored.waitsFor !== undefined;
  delivery.silent = stored.silent === true;
  delivery.lastTransition = transitions.at(-1);
  return delivery;
}

function msIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : msOf(text);
}

/** Time from the start of the delivery's first attempt to the end of its last one, which has just ended. */
function spanOf(
  before: AttemptSpan | undefined,
  { row }: LiveMessage,
  startedMs: number,
  endMs: number,
): AttemptSpan {
  const acceptedMs = msOf(row.at);
  // After a start with an earlier time of day the attempt may seem older than its message.
  const firstMs = before?.firstMs ?? Math.max(0, startedMs - acceptedMs);
  return { firstMs, endMs: Math.max(firstMs, endMs - acceptedMs) };
}
