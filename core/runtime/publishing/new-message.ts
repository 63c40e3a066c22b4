/** Creates the live message of an accepted publish: its row for the lists, its bytes, its origin. */
import type { MessageRow, Origin } from '../../contract/message.ts';
import type { Mutable } from '../../contract/mutable.ts';
import { bytesIn } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import { rowText } from '../../domain/name-length.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { GivenCaller } from './callers.ts';
import { liveMessage } from '../state/live-state.ts';
import type { LiveMessage } from '../state/live.ts';
import { iso } from '../time/time.ts';
import { SameTexts } from './same-texts.ts';

/** Shared by all messages: never changed. */
const NONE: readonly never[] = [];
const same = new SameTexts();

export interface AcceptFacts {
  readonly appId: string;
  /** Id of the tapped app where it was observed; absent: it was published here. */
  readonly tap?: string;
  readonly pubsubname: string;
  readonly topic: string;
  readonly source: Origin;
  readonly wrapped: Wrapped;
  readonly givenContentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly replayOf?: string;
  /** The only app that gets it. */
  readonly replayTo?: string;
  readonly batchId?: string;
  readonly deadLetterOf?: { readonly messageId: string; readonly deliveryId: string; readonly topic: string };
  readonly releasedFrom?: readonly string[];
  readonly flags?: readonly string[];
  readonly caller?: GivenCaller;
  /** Message id, from the broker's entry or given before; absent: the message gets a new one. */
  readonly messageId?: string;
  /** Number that was taken for it; absent: the next one. */
  readonly number?: number;
  readonly broker?: Readonly<Record<string, string>>;
  /** Time at which the publish passed the tap; absent: now. */
  readonly atMs?: number;
}

export interface MessageIdentity {
  readonly messageId: string;
  /** Position in the order of acceptance, from 1. */
  readonly number: number;
  readonly nowMs: number;
  readonly codec: Codec;
}

/** Creates a message that is not journalled or published yet. */
export function newMessage(facts: AcceptFacts, identity: MessageIdentity): LiveMessage {
  return liveMessage(
    rowOf(facts, identity),
    facts.wrapped.wire,
    facts.metadata,
    same.of(facts.givenContentType),
    facts.releasedFrom ?? NONE,
  );
}

/** Creates the row. Rare members are set one by one, which is far cheaper than spreading an object for each of them. */
function rowOf(facts: AcceptFacts, { messageId, number, nowMs, codec }: MessageIdentity): MessageRow {
  const { wrapped } = facts;
  const row: Mutable<MessageRow> = {
    messageId,
    number,
    at: iso(nowMs),
    pubsubname: same.of(facts.pubsubname),
    topic: same.of(facts.topic),
    appId: facts.appId,
    source: facts.source,
    contentType: same.of(rowText(wrapped.contentType)),
    sizeBytes: bytesIn(wrapped.wire, codec),
    raw: wrapped.kind === 'raw',
    unread: true,
    deliveries: NONE,
  };
  if (facts.tap !== undefined) row.tap = facts.tap;
  if (wrapped.eventId !== undefined) row.eventId = rowText(wrapped.eventId);
  if (wrapped.eventType !== undefined) row.eventType = same.of(rowText(wrapped.eventType));
  if (wrapped.subject !== undefined) row.subject = rowText(wrapped.subject);
  if (facts.replayOf !== undefined) row.replayOf = facts.replayOf;
  if (facts.replayTo !== undefined) row.replayTo = facts.replayTo;
  if (facts.batchId !== undefined) row.batchId = facts.batchId;
  if (facts.deadLetterOf !== undefined) row.deadLetterOf = facts.deadLetterOf;
  if (wrapped.traceId !== undefined) row.traceId = wrapped.traceId;
  if (wrapped.expiresAtMs !== undefined) row.expiresAt = iso(wrapped.expiresAtMs);
  if (facts.broker !== undefined) row.broker = facts.broker;
  if (wrapped.flags.length > 0 || facts.flags !== undefined) {
    const flags = [...wrapped.flags, ...(facts.flags ?? NONE)];
    if (flags.length > 0) row.flags = flags;
  }
  return row;
}
