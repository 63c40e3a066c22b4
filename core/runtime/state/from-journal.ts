/** Turns journal records into live messages: at a restart, and when a person acts on an ended message. */
import { bytesIn } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import type { Unfinished } from '../../ports/journal.ts';
import { countedAs } from './live.ts';
import type { ChangedBody, LiveDelivery, LiveMessage } from './live.ts';
import { msOf } from '../time/time.ts';

/** Creates a live message with its deliveries in their recorded states. Sets no timers and queues nothing. */
export function liveFrom(source: Unfinished, codec: Codec): LiveMessage {
  const { message: stored } = source;
  const message: LiveMessage = {
    messageId: stored.row.messageId,
    row: { ...stored.row, deliveries: [] },
    wire: stored.wire,
    countedBytes: 0,
    metadata: stored.metadata,
    givenContentType: stored.givenContentType,
    releasedFrom: stored.releasedFrom ?? [],
    published: source.published,
    owed: 0,
    expected: false,
    inUse: 0,
    gone: false,
    alarms: [],
    share: undefined,
    deliveries: [],
  };
  message.deliveries = source.deliveries.map((one) => deliveryOf(message, one, codec));
  return message;
}

function deliveryOf(
  message: LiveMessage,
  { delivery, attempts, transitions }: Unfinished['deliveries'][number],
  codec: Codec,
): LiveDelivery {
  const last = attempts.at(-1);
  return {
    deliveryId: delivery.deliveryId,
    message,
    counted: countedAs(message.row.topic, delivery),
    appId: delivery.appId,
    subscription: delivery.subscription,
    entryId: delivery.deliveryId,
    route: delivery.route,
    state: delivery.state,
    attemptCount: delivery.attemptCount,
    roundStart: delivery.roundStart,
    maxAttempts: delivery.maxAttempts,
    dueMs: delivery.nextAttemptAt === undefined ? undefined : msOf(delivery.nextAttemptAt),
    expiresAtMs: delivery.expiresAt === undefined ? undefined : msOf(delivery.expiresAt),
    heldBy: delivery.heldBy,
    heldAt: delivery.heldAt,
    deadLetter: delivery.deadLetter,
    releasedFrom: delivery.releasedFrom ?? [],
    changed: changedBody(delivery.changedWire, codec),
    lastAnswer: delivery.lastAnswer,
    answerText: undefined,
    lastDurationMs: delivery.lastDurationMs,
    span: delivery.span,
    lastEndMs: last?.endedAt === undefined ? undefined : msOf(last.endedAt),
    headers: delivery.headers,
    queued: false,
    countedCalls: 0,
    waits: delivery.waitsFor !== undefined,
    silent: delivery.silent === true,
    busy: undefined,
    call: undefined,
    attemptId: undefined,
    started: undefined,
    givesUpMs: undefined,
    heldAnswer: undefined,
    alarm: undefined,
    ttl: undefined,
    done: [],
    lastTransition: transitions.at(-1),
  };
}

function changedBody(wire: Wire | undefined, codec: Codec): ChangedBody | undefined {
  return wire === undefined
    ? undefined
    : { wire, isKept: true, bytes: bytesIn(wire, codec), countedBytes: 0 };
}
