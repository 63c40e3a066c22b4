/** An accepted message as the runtime keeps it: its row for the lists, its bytes, where it comes from. */
import type { Origin } from '../../contract/message.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import type { Wrapped } from '../../domain/wrapped.ts';
import type { GivenCaller } from './callers.ts';
import type { LiveMessage } from '../state/live.ts';
import { iso } from '../time/time.ts';
import { SameTexts } from './same-texts.ts';

/** Shared by all messages: never changed. */
const NONE: readonly never[] = [];
const same = new SameTexts();

export interface AcceptFacts {
  readonly appId: string;
  /** The tapped app that showed it; absent: it is ours. */
  readonly tap?: string;
  readonly pubsubname: string;
  readonly topic: string;
  readonly source: Origin;
  readonly wrapped: Wrapped;
  readonly givenContentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly replayOf?: string;
  /** The app that alone is given it. */
  readonly replayTo?: string;
  readonly batchId?: string;
  readonly deadLetterOf?: { readonly messageId: string; readonly deliveryId: string; readonly topic: string };
  readonly releasedFrom?: readonly string[];
  readonly flags?: readonly string[];
  readonly caller?: GivenCaller;
  /** Given where the broker's entry says which message it is; else a new one. */
  readonly messageId?: string;
  readonly broker?: Readonly<Record<string, string>>;
  /** When it passed; absent: now. */
  readonly atMs?: number;
}

export interface MessageIdentity {
  readonly messageId: string;
  /** Place in the order of acceptance, from 1. */
  readonly number: number;
  readonly nowMs: number;
  readonly codec: Codec;
}

/** Nothing of it is journalled or published yet. */
export function newMessage(
  facts: AcceptFacts,
  { messageId, number, nowMs, codec }: MessageIdentity,
): LiveMessage {
  const { wrapped } = facts;
  const flags = [...wrapped.flags, ...(facts.flags ?? [])];
  return {
    messageId,
    row: {
      messageId,
      number,
      at: iso(nowMs),
      pubsubname: same.of(facts.pubsubname),
      topic: same.of(facts.topic),
      appId: facts.appId,
      source: facts.source,
      ...(facts.tap === undefined ? {} : { tap: facts.tap }),
      ...(wrapped.eventId === undefined ? {} : { eventId: wrapped.eventId }),
      ...(wrapped.eventType === undefined ? {} : { eventType: same.of(wrapped.eventType) }),
      ...(wrapped.subject === undefined ? {} : { subject: wrapped.subject }),
      contentType: same.of(wrapped.contentType),
      sizeBytes: sizeOf(wrapped.wire, codec),
      raw: wrapped.kind === 'raw',
      ...(facts.replayOf === undefined ? {} : { replayOf: facts.replayOf }),
      ...(facts.replayTo === undefined ? {} : { replayTo: facts.replayTo }),
      ...(facts.batchId === undefined ? {} : { batchId: facts.batchId }),
      ...(facts.deadLetterOf === undefined ? {} : { deadLetterOf: facts.deadLetterOf }),
      ...(wrapped.traceId === undefined ? {} : { traceId: wrapped.traceId }),
      ...(wrapped.expiresAtMs === undefined ? {} : { expiresAt: iso(wrapped.expiresAtMs) }),
      ...(facts.broker === undefined ? {} : { broker: facts.broker }),
      ...(flags.length === 0 ? {} : { flags }),
      unread: true,
      deliveries: NONE,
    },
    wire: wrapped.wire,
    metadata: facts.metadata,
    givenContentType: same.of(facts.givenContentType),
    releasedFrom: facts.releasedFrom ?? NONE,
    published: false,
    owed: 0,
    gone: false,
    alarms: NONE,
    deliveries: NONE,
  };
}

/** Bytes that it takes on the wire. */
export function sizeOf(wire: Wire, codec: Codec): number {
  return typeof wire === 'string' ? codec.sizeOfText(wire) : wire.length;
}
