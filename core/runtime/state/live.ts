/** Unfinished messages in memory, with their deliveries. */
import { countedWithout, type CountedWithout } from '../../contract/attention.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { CompiledRoutes } from '../../domain/routing.ts';
import { deliveryRow } from '../../domain/delivery-row.ts';
import type { DeliverySettings, Subscription } from '../../contract/subscription.ts';
import type { Mutable } from '../../contract/mutable.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import type { LiveDelivery, LiveMessage } from './live-state.ts';
import type { Counted } from './state-tally.ts';

export type { CountedBody } from './live-body.ts';
export type { LiveDelivery, LiveMessage } from './live-state.ts';
export type { HeldAnswer } from './rare-members.ts';

/** The part of a subscription that a delivery needs, even after the subscription has ended. */
export interface LaneKey {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  /** Number among the streams of this topic, from 1; absent: not a stream. */
  readonly stream?: number;
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
      .filter((d) => d.state !== null || d.lock !== undefined)
      .map((d) => deliveryRow(storedDelivery(d, iso))),
  };
}

/** Whether the next step of a delivery is an attempt and no act locks it. */
export function awaitsAttempt(d: LiveDelivery): boolean {
  return !d.message.isRemoved && d.lock === undefined && (d.state === 'queued' || d.state === 'retrying');
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
  const stored: Mutable<StoredDelivery> = {
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
  if (d.heldBeforeDrop !== undefined) stored.heldBeforeDrop = d.heldBeforeDrop;
  if (heldAt !== undefined) stored.heldAt = heldAt;
  if (deadLetter !== undefined) stored.deadLetter = deadLetter;
  if (releasedFrom.length > 0) stored.releasedFrom = releasedFrom;
  if (changed?.wire !== undefined && !changed.isKept) stored.changedWire = changed.wire;
  if (changed !== undefined) stored.edits = changed.edits;
  if (headers !== undefined && Object.keys(headers).length > 0) stored.headers = headers;
  if (lastAnswer !== undefined) stored.lastAnswer = lastAnswer;
  if (lastDurationMs !== undefined) stored.lastDurationMs = lastDurationMs;
  if (span !== undefined) stored.span = span;
  if (lastTransition !== undefined) stored.rule = lastTransition.rule;
  if (d.waitsForSubscription) {
    const { pubsubname, topic } = d.subscription;
    stored.waitsFor = { pubsubname, topic };
  }
  if (d.silent) stored.silent = true;
  return stored;
}

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

/**
 * How a message counts that has no subscription, by the rule of the journal, which has the numbers of a start; undefined: it has one, or does
 * not count yet. Whatever changes one of these facts keeps the count right.
 */
export function liveWithout({ published, deliveries, row }: LiveMessage): CountedWithout | undefined {
  return published && deliveries.every(({ state }) => state === null) ? countedWithout(row) : undefined;
}
