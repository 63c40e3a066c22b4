/** "Edit and release" of a message that is held at publish: builds its new body and the changes to its row. */
import type { MessageChanges } from '../../contract/publish.ts';
import { editMessage, withExpiration } from '../../domain/edit-message.ts';
import { bytesIn } from '../../domain/codec.ts';
import type { Wire } from '../../domain/codec.ts';
import { changedComplaint } from '../../domain/envelope.ts';
import { describe } from '../../domain/inbound.ts';
import { rowText } from '../../domain/name-length.ts';
import { refusalOf } from '../../domain/refusal.ts';
import { parseTraceparent } from '../../domain/trace.ts';
import { expirationAttribute, expirationOf, expiryOf, readTtl } from '../../domain/ttl.ts';
import { FLAGS } from '../../domain/publish-input.ts';
import type { SharedServices } from '../common-services.ts';
import type { Rewritten } from '../state/delivery.ts';
import type { LiveMessage } from '../state/live.ts';
import { iso } from '../time/time.ts';

type Envelope = Readonly<Record<string, unknown>>;
type Tools = Pick<SharedServices, 'clock' | 'codec' | 'profile'>;

/**
 * Edits the message by the rules of a replay with changes. Throws Refusal ERR_PUBSUB_REQUEST_METADATA.
 * @param wire its present body
 */
export function editHeld(
  { clock, codec, profile }: Tools,
  { row, metadata, givenContentType }: LiveMessage,
  wire: Wire,
  changes: MessageChanges,
): Rewritten {
  const { raw, contentType, flags = [] } = row;
  const complaint = changes.metadata && changedComplaint(changes.metadata, profile);
  if (complaint !== undefined) throw refusalOf(complaint);
  const changed = editMessage({ wire, raw, contentType }, changes, codec);
  // With changed metadata a new time to live starts now; otherwise the old one continues.
  const ttlMs =
    changes.metadata === undefined ? undefined : expiryOf(readTtl(changes.metadata, profile), clock.now());
  const text = ttlMs === undefined ? undefined : expirationAttribute(ttlMs);
  const next = changes.metadata === undefined ? changed.wire : withExpiration(changed.wire, raw, text, codec);
  const before = describe(wire, raw, codec).envelope;
  const after = describe(next, raw, codec).envelope;
  return {
    patch: {
      topic: changes.topic ?? row.topic,
      ...(changes.topic === undefined || changes.topic === row.topic ? {} : { expectedBy: undefined }),
      contentType: changed.contentType,
      sizeBytes: bytesIn(next, codec),
      ...(before === undefined || after === undefined ? {} : ofEnvelope(before, after, ttlMs)),
      flags: [...flags.filter((flag) => flag !== FLAGS.changed), FLAGS.changed],
    },
    content: {
      wire: next,
      metadata: changes.metadata ?? metadata,
      givenContentType: changes.contentType ?? givenContentType,
    },
  };
}

/** Changed members of the row that follow from the envelope. */
function ofEnvelope(
  before: Envelope,
  after: Envelope,
  ttlMs: number | undefined,
): Partial<Rewritten['patch']> {
  const text = (name: string): string | undefined =>
    typeof after[name] === 'string' ? rowText(after[name]) : undefined;
  const expiresAtMs = ttlMs ?? expirationOf(after);
  return {
    ...(before['id'] === after['id'] ? {} : { eventId: text('id') }),
    ...(before['type'] === after['type'] ? {} : { eventType: text('type') }),
    ...(before['subject'] === after['subject'] ? {} : { subject: text('subject') }),
    ...(before['traceparent'] === after['traceparent']
      ? {}
      : { traceId: parseTraceparent(text('traceparent'))?.traceId }),
    ...(before['expiration'] === after['expiration']
      ? {}
      : { expiresAt: expiresAtMs === undefined ? undefined : iso(expiresAtMs) }),
  };
}
