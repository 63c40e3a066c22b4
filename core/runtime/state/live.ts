/** What the runtime keeps in memory: messages that are not finished, with their deliveries. */
import type { MessageRow } from '../../contract/message.ts';
import type { CompiledRoutes } from '../../domain/routing.ts';
import { awaitedBy, shownDelivery } from '../../domain/shown-delivery.ts';
import type { DeliverySettings, Subscription } from '../../contract/subscription.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import type { LiveDelivery, LiveMessage } from './live-state.ts';
import type { Counted } from './state-tally.ts';

export type { CountedBody, HeldAnswer, LiveDelivery, LiveMessage } from './live-state.ts';

/** The part of a subscription a delivery needs, also after the subscription is gone. */
export interface LaneKey {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** Number among the streams of this topic, from 1; absent: not a stream. */
  readonly stream?: number;
}

/** A subscription that is being served, with its rules compiled. */
export interface ActiveSubscription {
  readonly subscription: Subscription;
  readonly routes: CompiledRoutes;
  /** Shared by all deliveries that are made under it. */
  readonly settings: DeliverySettings;
}

/** The whole list row of a live message. A delivery that has no state yet is in it while its rules, or its copy, take time. */
export function rowOf(message: LiveMessage, iso: (ms: number) => string): MessageRow {
  if (message.deliveries.length === 0) return message.row;
  return {
    ...message.row,
    deliveries: message.deliveries
      .filter((d) => d.state !== null || d.lock !== undefined)
      .map((d) => shownDelivery(d, d.lastTransition?.rule, iso)),
  };
}

/** Whether the next thing for a delivery is an attempt, and nobody acts on it. */
export function awaitsAttempt(d: LiveDelivery): boolean {
  return !d.message.isRemoved && d.lock === undefined && (d.state === 'queued' || d.state === 'retrying');
}

/** Whether an attempt may still start that was taken from its lane: somebody may have acted on the delivery while its body was read. */
export function isStartable(d: LiveDelivery): boolean {
  return !d.queued && awaitsAttempt(d);
}

/** Bytes of what is sent for a delivery. */
export function sentBytes({ changed, message }: LiveDelivery): number {
  return changed?.bytes ?? message.row.sizeBytes;
}

/**
 * The delivery as the journal keeps it; bytes that the journal has are left out. Each message passes here several times, and setting
 * members takes a fraction of what a literal takes that spreads an object for each member that may be absent.
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
  if (d.waitsForSubscription) stored.waitsFor = awaitedBy(d);
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

/** The numbers a delivery belongs to. @param topic the message's: that of a wildcard subscription is another */
export function countedAs(
  topic: string,
  { appId, subscription }: Pick<LiveDelivery, 'appId' | 'subscription'>,
): Counted {
  const { pubsubname } = subscription;
  return { pubsubname, topic, lane: laneName({ appId, pubsubname, topic: subscription.topic }) };
}
