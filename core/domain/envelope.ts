/**
 * Turns a publish into what the component gets: a CloudEvents envelope, the caller's own event, or the raw
 * bytes. Behaviour 1.3 to 1.5, 2.
 */
import type { Profile } from '../contract/profile.ts';
import type { Mutable } from '../contract/mutable.ts';
import { DEFAULT_CONTENT_TYPE, BINARY_CONTENT_TYPE, isProtobuf, kindOf } from './content-type.ts';
import { bytesOf, textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { firstText } from './json.ts';
import { keysComplaint, rawPayloadComplaint, readOverrides, readRawPayload } from './metadata.ts';
import type { Metadata } from './metadata.ts';
import { ownEvent } from './own-event.ts';
import { no, ok } from './result.ts';
import type { Complaint, Result } from './result.ts';
import { parseTraceparent } from './trace.ts';
import { expirationAttribute, expiryOf, readTtl, rfc3339, ttlComplaint } from './ttl.ts';
import { ttlNotes } from './ttl-notes.ts';
import { FLAGS, jsonAsText } from './publish-input.ts';
import type { PublishFacts, PublishInput, Settled, Wrapped } from './publish-input.ts';

export type { PublishFacts, PublishInput, Wrapped } from './publish-input.ts';

/** Complaint about the metadata of a publish; undefined: they are valid. */
export function metadataComplaint(metadata: Metadata, profile: Profile): Complaint | undefined {
  const tooMany = keysComplaint(metadata);
  if (tooMany !== undefined) return tooMany;
  const value = metadata['rawPayload'];
  if (readRawPayload(value) !== undefined) return ttlComplaint(metadata, profile);
  const reason = rawPayloadComplaint(value ?? '');
  return {
    code: 'ERR_PUBSUB_REQUEST_METADATA',
    field: 'metadata.rawPayload',
    expected: 'true or false',
    reason,
    params: { reason },
  };
}

/** Complaint about metadata that a person gives a message instead of its own; undefined: they are valid. */
export function changedComplaint(metadata: Metadata, profile: Profile): Complaint | undefined {
  return keysComplaint(metadata) ?? ttlComplaint(metadata, profile);
}

/**
 * Makes the bytes of a publish. Complaints: ERR_PUBSUB_REQUEST_METADATA (`metadataComplaint`),
 * ERR_PUBSUB_CLOUD_EVENTS_SER (own event not a JSON object).
 */
export function wrap(input: PublishInput, facts: PublishFacts): Result<Wrapped> {
  if (input.misplacedTtl === undefined && isWithout(input.metadata)) return wrapPlain(input, facts);
  const complaint = metadataComplaint(input.metadata, facts.profile);
  if (complaint !== undefined) return no(complaint);
  const raw = readRawPayload(input.metadata['rawPayload']) === true;
  const ttl = readTtl(input.metadata, facts.profile);
  if (raw) return ok(asRaw(input, ttl));
  const expiresAtMs = expiryOf(ttl ?? (facts.defaultTtlSeconds || undefined), facts.nowMs);
  const contentType = input.contentType || DEFAULT_CONTENT_TYPE;
  const flags = ttl === undefined ? ttlNotes(input, facts.profile) : [];
  if (kindOf(contentType) === 'cloudevent')
    return ownEvent(input, facts, { contentType, expiresAtMs, flags });
  return ok(asEnvelope(input, facts, { contentType, expiresAtMs, flags }));
}

/** Whether `wrap` may complain about such a publish. For any other it always makes an event. */
export function mayBeRefused({
  contentType,
  metadata,
}: Pick<PublishInput, 'contentType' | 'metadata'>): boolean {
  return !isWithout(metadata) || kindOf(contentType || DEFAULT_CONTENT_TYPE) === 'cloudevent';
}

/**
 * Does what `wrap` does for a publish without metadata, which nearly all are: the checks and overrides are
 * skipped.
 */
function wrapPlain(input: PublishInput, facts: PublishFacts): Result<Wrapped> {
  const expiresAtMs = expiryOf(facts.defaultTtlSeconds || undefined, facts.nowMs);
  const contentType = input.contentType || DEFAULT_CONTENT_TYPE;
  const settled = { contentType, expiresAtMs, flags: [] };
  if (kindOf(contentType) === 'cloudevent') return ownEvent(input, facts, settled);
  return ok(asEnvelope(input, facts, settled));
}

function isWithout(metadata: Metadata): boolean {
  for (const _key in metadata) return false;
  return true;
}

function asRaw(input: PublishInput, ttl: number | undefined): Wrapped {
  return {
    kind: 'raw',
    wire: input.body,
    contentType: input.contentType || BINARY_CONTENT_TYPE,
    flags: ttl === undefined ? [] : [FLAGS.rawTtl],
  };
}

function asEnvelope(input: PublishInput, facts: PublishFacts, settled: Settled): Wrapped {
  const { profile } = facts;
  const { contentType, expiresAtMs } = settled;
  const overrides = readOverrides(input.metadata, profile);
  const flags: string[] = settled.flags.length === 0 ? [] : [...settled.flags];
  const data = dataMember(input.body, contentType, facts.codec, flags);
  const id = overrides.id ?? facts.id;
  const source = overrides.source ?? facts.appId;
  const type = overrides.type ?? profile.eventType;
  const traceparent = overrides.traceparent ?? overrides.traceid ?? facts.traceparent;
  const expiration = expiresAtMs === undefined ? '' : `,"expiration":"${expirationAttribute(expiresAtMs)}"`;
  const trace = quoted(traceparent);
  const subject = overrides.subject === undefined ? '' : `,"subject":${JSON.stringify(overrides.subject)}`;
  // Members are in alphabetical order. The text of the data is inserted unchanged, so that long numbers keep
  // their digits.
  const wire =
    `{${data},"datacontenttype":${quoted(contentType)}${expiration},"id":${quoted(id)}` +
    `,"pubsubname":${quoted(input.pubsubname)},"source":${quoted(source)},"specversion":"1.0"` +
    `${subject},"time":"${rfc3339(facts.nowMs)}","topic":${quoted(input.topic)},"traceid":${trace},"traceparent":${trace}` +
    `,"tracestate":${quoted(overrides.tracestate ?? facts.tracestate)},"type":${quoted(type)}}`;
  const isOwn = traceparent === facts.traceparent && facts.traceId !== undefined;
  const traceId = isOwn ? facts.traceId : parseTraceparent(traceparent)?.traceId;
  const wrapped: Mutable<Wrapped> = {
    kind: 'wrapped',
    wire,
    eventId: id,
    eventType: type,
    eventSource: source,
    contentType,
    flags,
  };
  if (overrides.subject !== undefined) wrapped.subject = overrides.subject;
  if (traceId !== undefined) wrapped.traceId = traceId;
  if (expiresAtMs !== undefined) wrapped.expiresAtMs = expiresAtMs;
  return wrapped;
}

/** Text without a character that JSON has to escape. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;

/** A text as JSON. */
function quoted(text: string): string {
  return PLAIN_TEXT.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Makes `"data":…` or `"data_base64":…`, and notes in `flags` what a person should know. Behaviour 1.4. */
function dataMember(body: Wire, contentType: string, codec: Codec, flags: string[]): string {
  const kind = kindOf(contentType);
  if (kind === 'binary') return `"data_base64":"${codec.toBase64(bytesOf(body, codec))}"`;
  if (kind === 'protobuf') {
    const bytes = bytesOf(body, codec);
    if (isProtobuf(bytes, (part) => codec.isUtf8(part))) return `"data_base64":"${codec.toBase64(bytes)}"`;
  }
  const text = textOf(body, codec);
  if (typeof body !== 'string' && text.includes('\ufffd') && !codec.isUtf8(body)) flags.push(FLAGS.notUtf8);
  if (kind === 'json') {
    const first = firstText(text);
    if (first !== undefined) {
      if (first.trailing) flags.push(FLAGS.trailing);
      return `"data":${first.text}`;
    }
    flags.push(FLAGS.notJson);
  } else if (isWholeJson(text)) flags.push(jsonAsText(contentType));
  return `"data":${JSON.stringify(text)}`;
}

/** Whether a text is a JSON object or list. Any other text is told by its first character, so that it costs nothing. */
function isWholeJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  return firstText(text)?.trailing === false;
}
