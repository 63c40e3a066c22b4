/** What the runtime keeps in memory: messages that are not finished, with their deliveries. */
import type { DeliveryState } from '../../contract/delivery.ts';
import type { Attempt, AttemptSpan, LastAnswer, MessageRow, Transition } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import type { CompiledRoutes } from '../../domain/routing.ts';
import { awaitedBy, shownDelivery } from '../../domain/shown-delivery.ts';
import type { DeliverySettings, Subscription } from '../../contract/subscription.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { PendingAnswer, ReceivedAnswer } from '../../ports/app-channel.ts';
import type { Cancel } from '../../ports/clock.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import type { Taken } from '../../ports/pubsub.ts';
import type { Share } from './backlog.ts';
import type { Counted } from './state-tally.ts';
import type { StartedAttempt } from './attempt-record.ts';

/** A body, in memory or only in the journal. */
export interface CountedBody {
  /** undefined: not in memory, the journal has it. */
  wire: Wire | undefined;
  /** Bytes that the body counts for in the memory budget of bodies that the journal has too; 0: not counted. */
  countedBytes: number;
}

/** A message with something unfinished. `row.deliveries` is [] here; `rowOf` fills it in. */
export interface LiveMessage extends CountedBody {
  readonly messageId: string;
  row: MessageRow;
  metadata: Readonly<Record<string, string>>;
  givenContentType: string;
  releasedFrom: readonly string[];
  published: boolean;
  /** Number of its records not yet on disk; above 0 the journal is behind memory. */
  owed: number;
  /** True while the broker is about to deliver the message, see expected-hand-overs.ts. */
  expected: boolean;
  /** Number of acts that use it, see `LiveSet.keep`. */
  inUse: number;
  /** True after the message was removed from the history: all work on it stops. */
  gone: boolean;
  /** Timers of a message held at publish: its TTL, and the automatic release of its hold. */
  alarms: readonly Cancel[];
  /** Share of the message in the backlog; undefined: none. */
  share: Share | undefined;
  deliveries: LiveDelivery[];
}

/** The part of a subscription that a delivery needs, even after the subscription has ended. */
export interface LaneKey {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** Number among the streams of this topic, from 1; absent: not a stream. */
  readonly stream?: number;
}

/** Body that a person gave a delivery. */
export interface ChangedBody extends CountedBody {
  /** Whether the journal has it. */
  isKept: boolean;
  /** Body as it is sent. */
  readonly bytes: number;
}

export interface LiveDelivery {
  readonly deliveryId: string;
  /** Topic and lane by which it is counted. */
  readonly counted: Counted;
  readonly message: LiveMessage;
  readonly appId: string;
  /** Replaced by the first attempt if an older journal lacks its settings, and when another stream takes over. */
  subscription: StoredDelivery['subscription'];
  /** Name of the delivery in bulk deliveries: stable over retries. */
  entryId: string;
  route: StoredDelivery['route'];
  state: DeliveryState | null;
  attemptCount: number;
  /** Number of attempts before the present round, which a retry by hand opens; the policy counts only later ones. */
  roundStart: number;
  /** Number of the last attempt that the policy allows; 0: no limit. */
  maxAttempts: number;
  /** When the next attempt is due; undefined: none is planned. */
  dueMs: number | undefined;
  expiresAtMs: number | undefined;
  heldBy: string | undefined;
  heldAt: 'delivery' | 'response' | undefined;
  deadLetter: { readonly topic: string; readonly messageId: string } | undefined;
  releasedFrom: readonly string[];
  changed: ChangedBody | undefined;
  lastAnswer: LastAnswer | undefined;
  /** Answer of the app that did not accept a binding's event, or why there was none. */
  answerText: string | undefined;
  lastDurationMs: number | undefined;
  /** Time from the first attempt's start to the last one's end. */
  span: AttemptSpan | undefined;
  /** When the last attempt ended, for "waited". */
  lastEndMs: number | undefined;
  /** Headers from the component; undefined: those of the subscription's metadata. */
  headers: Readonly<Record<string, string>> | undefined;
  /** True while it is in its lane's queue. */
  queued: boolean;
  /** Number of calls that it counts for in the queue of its app, see backpressure.ts. */
  countedCalls: number;
  /** True while it waits for the app to subscribe again; its row says so. */
  waits: boolean;
  /** Observed by a tap and not seen again for long: it counts as finished, though another sidecar may still have it. */
  silent: boolean;
  /** Lock: set while an asynchronous act (a dead-letter publish) uses the delivery. */
  busy: Promise<void> | undefined;
  call: PendingAnswer | undefined;
  attemptId: string | undefined;
  /** The running call, for display. */
  started: StartedAttempt | undefined;
  /** Deadline of the call that the sidecar behind a tap makes now; undefined: unknown, or this sidecar makes the delivery. */
  givesUpMs: number | undefined;
  /** The answer that a hold at `response` holds. */
  heldAnswer: HeldAnswer | undefined;
  /** Timer of the next attempt or the automatic release; every transition cancels it. */
  alarm: Cancel | undefined;
  /** Timer of the TTL; cancelled when it can no longer pass. */
  ttl: Cancel | undefined;
  /** Callbacks of waiting components, called once when the delivery ends or is parked. */
  done: readonly ((taken: Taken) => void)[];
  lastTransition: Transition | undefined;
}

export interface HeldAnswer {
  readonly answer: ReceivedAnswer;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly note: string | undefined;
}

/** A served subscription with compiled rules. */
export interface ActiveSubscription {
  readonly subscription: Subscription;
  readonly routes: CompiledRoutes;
  /** Settings shared by all deliveries created under it. */
  readonly settings: DeliverySettings;
}

/** List row of a live message. It includes a delivery without a state, while its rules or its copy take time. */
export function rowOf(message: LiveMessage, iso: (ms: number) => string): MessageRow {
  if (message.deliveries.length === 0) return message.row;
  return {
    ...message.row,
    deliveries: message.deliveries
      .filter((d) => d.state !== null || d.busy !== undefined)
      .map((d) => shownDelivery(d, d.lastTransition?.rule, iso)),
  };
}

/** Whether the next step of a delivery is an attempt and no act locks it. */
export function awaitsAttempt(d: LiveDelivery): boolean {
  return !d.message.gone && d.busy === undefined && (d.state === 'queued' || d.state === 'retrying');
}

/** Whether an attempt taken from its lane may still start: an act may have changed the delivery while its body was read. */
export function isStartable(d: LiveDelivery): boolean {
  return !d.queued && awaitsAttempt(d);
}

/** Bytes of the body sent for a delivery. */
export function sentBytes({ changed, message }: LiveDelivery): number {
  return changed?.bytes ?? message.row.sizeBytes;
}

/**
 * Journal record of the delivery, without a body that the journal has. Members are set one by one, because each message passes here several
 * times and spreading an object for each optional member takes several times as long.
 */
export function storedDelivery(d: LiveDelivery, iso: (ms: number) => string): StoredDelivery {
  const { state, dueMs, heldBy, heldAt, deadLetter, releasedFrom, changed, headers } = d;
  const { lastAnswer, lastDurationMs, span, lastTransition } = d;
  const stored: Making<StoredDelivery> = {
    deliveryId: d.deliveryId,
    messageId: d.message.messageId,
    appId: d.appId,
    subscription: d.subscription,
    route: d.route,
    state: state ?? 'queued',
    maxAttempts: d.maxAttempts,
    attemptCount: d.attemptCount,
    roundStart: d.roundStart,
  };
  if (dueMs !== undefined && state === 'retrying') stored.nextAttemptAt = iso(dueMs);
  if (d.expiresAtMs !== undefined) stored.expiresAt = iso(d.expiresAtMs);
  if (heldBy !== undefined) stored.heldBy = heldBy;
  if (heldAt !== undefined) stored.heldAt = heldAt;
  if (deadLetter !== undefined) stored.deadLetter = deadLetter;
  if (releasedFrom.length > 0) stored.releasedFrom = releasedFrom;
  if (changed?.wire !== undefined && !changed.isKept) stored.changedWire = changed.wire;
  if (headers !== undefined && Object.keys(headers).length > 0) stored.headers = headers;
  if (lastAnswer !== undefined) stored.lastAnswer = lastAnswer;
  if (lastDurationMs !== undefined) stored.lastDurationMs = lastDurationMs;
  if (span !== undefined) stored.span = span;
  if (lastTransition !== undefined) stored.rule = lastTransition.rule;
  if (d.waits) stored.waitsFor = awaitedBy(d);
  if (d.silent) stored.silent = true;
  return stored;
}

type Making<T> = { -readonly [K in keyof T]: T[K] };

/** The lane of a delivery. */
export function laneKey({ appId, subscription }: Pick<LiveDelivery, 'appId' | 'subscription'>): LaneKey {
  const { pubsubname, topic } = subscription;
  return { appId, pubsubname, topic, ...streamOf(subscription) };
}

/** Number of a stream's subscription among those of its topic; nothing for any other subscription. */
export function streamOf(subscription: { readonly source: string; readonly stream?: number }): {
  stream?: number;
} {
  return subscription.source === 'streaming' ? { stream: subscription.stream ?? 1 } : {};
}

/** Name of the lane a delivery runs in: one per app and subscription. */
export function laneName(key: LaneKey): string {
  const lane = `${key.appId}\n${key.pubsubname}\n${key.topic}`;
  return key.stream === undefined ? lane : `${lane}\n${key.stream}`;
}

/**
 * Topic and lane under which a delivery is counted.
 * @param topic the message's topic; that of a wildcard subscription differs
 */
export function countedAs(
  topic: string,
  { appId, subscription }: Pick<LiveDelivery, 'appId' | 'subscription'>,
): Counted {
  const { pubsubname } = subscription;
  return { pubsubname, topic, lane: laneName({ appId, pubsubname, topic: subscription.topic }) };
}
