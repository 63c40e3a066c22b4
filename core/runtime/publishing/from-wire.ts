/** Reads the facts about a message from its bytes, if its envelope was made elsewhere. */
import type { Codec, Wire } from '../../domain/codec.ts';
import { readEvent } from '../../domain/inbound.ts';
import { parseTraceparent } from '../../domain/trace.ts';
import { expirationOf } from '../../domain/ttl.ts';
import type { Wrapped } from '../../domain/publish-input.ts';

/**
 * @param flags sentences for a person
 * @param read the wire as an event, if it was read before
 */
export function wrappedFromWire(
  wire: Wire,
  flags: readonly string[],
  codec: Codec,
  read = readEvent(wire, codec),
): Wrapped {
  const seen = read.ok ? read.event : {};
  const text = (name: string): string | undefined =>
    typeof seen[name] === 'string' ? seen[name] : undefined;
  const [eventId, eventType, subject] = [text('id'), text('type'), text('subject')];
  const expiresAtMs = expirationOf(seen);
  const traceId = parseTraceparent(text('traceparent'))?.traceId;
  return {
    kind: read.ok ? 'own' : 'raw',
    wire,
    contentType: text('datacontenttype') ?? '',
    flags,
    ...(eventId === undefined ? {} : { eventId }),
    ...(eventType === undefined ? {} : { eventType }),
    ...(subject === undefined ? {} : { subject }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...(traceId === undefined ? {} : { traceId }),
  };
}
