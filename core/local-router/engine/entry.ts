/** A delivery as the engine holds it, and as the console shows it. */
import type { Cause, DeliveryState } from '../../contract/delivery.ts';
import type { EvrCode, InputSchema } from '../../contract/event-router/wire.ts';
import type { RouterDeliveryRow, RouterOutcome } from '../../contract/event-router/local-router.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';

/** A delivery in the engine. Only the engine changes it; the store keeps it as JSON. */
export interface Entry {
  readonly no: number;
  readonly id: string;
  /** Number of the event in the store. */
  readonly event: number;
  /** Key of the event subscription. */
  readonly lane: string;
  readonly subscriptionId: string;
  readonly subscriptionName: string;
  readonly topic: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly subject: string;
  readonly bytes: number;
  readonly publishedMs: number;
  state: DeliveryState;
  attempts: number;
  /** Number of attempts before the present round; a retry by hand begins a new round. */
  roundStart: number;
  maxAttempts: number;
  expiresMs: number;
  /** Time of the next attempt; only for queued and retrying deliveries. */
  dueMs: number;
  rule: string;
  /** Number of the last history record. */
  seq: number;
  lastOutcome?: RouterOutcome;
  lastStatus?: number;
  lastCode?: EvrCode;
  lastAttemptMs?: number;
  deadLetter?: NonNullable<RouterDeliveryRow['deadLetter']>;
}

/** An event in the store: its own text, and the values for members that it lacks. */
export interface KeptEvent {
  readonly schema: InputSchema;
  readonly text: string;
  readonly id: string;
  readonly time: string;
  readonly resourceId: string;
}

/** Reason for which a delivery changes its state. */
export interface Why {
  readonly cause: Cause;
  readonly rule: string;
  readonly note?: string;
}

/** States in which the engine acts by itself; only deliveries in these are in memory. */
export const LIVE_STATES: readonly DeliveryState[] = ['queued', 'retrying', 'attempting'];

export function rowOf(entry: Entry): RouterDeliveryRow {
  const waits = entry.state === 'queued' || entry.state === 'retrying';
  return {
    deliveryId: entry.id,
    eventId: entry.eventId,
    eventType: entry.eventType,
    ...(entry.subject === '' ? {} : { subject: entry.subject }),
    topic: entry.topic,
    subscriptionId: entry.subscriptionId,
    subscriptionName: entry.subscriptionName,
    state: entry.state,
    attempts: entry.attempts,
    maxAttempts: entry.maxAttempts,
    publishedAt: iso(entry.publishedMs),
    expiresAt: iso(entry.expiresMs),
    ...(waits ? { nextAttemptAt: iso(entry.dueMs) } : {}),
    ...withoutUndefined({
      lastOutcome: entry.lastOutcome,
      lastStatus: entry.lastStatus,
      lastCode: entry.lastCode,
    }),
    rule: entry.rule,
    sizeBytes: entry.bytes,
    ...withoutUndefined({ deadLetter: entry.deadLetter }),
  };
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
