/** Reads requests that pass: a publish to the sidecar, or a delivery of events to a route of the app. */
import { elementTexts } from '../contract/json-scan.ts';
import type { Profile } from '../contract/profile.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { bytesOf } from '../domain/codec.ts';
import type { Codec, Wire } from '../domain/codec.ts';
import { hasMoreValues, isObject, MAX_PASSING_VALUES, tryParse } from '../domain/json.ts';
import { memberTexts, withParts } from '../domain/json-parts.ts';
import { tooLongName } from '../domain/name-length.ts';
import type { SeenEvent, SeenPublish } from '../ports/tap.ts';
import { cleanTarget, FIXED_SEGMENTS, topicPath } from '../http/path.ts';
import { metadataQuery } from '../http/metadata-query.ts';
import { headerOf } from './head.ts';
import type { RequestHead } from './head.ts';

export interface PublishTarget {
  readonly pubsubname: string;
  readonly topic: string;
  readonly isBulk: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Paths of a bulk publish: the alpha one, and the stable one of later releases of the reference. */
const BULK_PATH = /^\/v1\.0(?:-alpha1)?\/publish\/bulk\/[^/?]+\/[^?]/;
const ALPHA_BULK = /^\/v1\.0-alpha1\//;
const SINGLE_PATH = /^\/v1\.0\/publish\/[^/?]+\/[^?]/;

/** Component and topic of a publish; undefined: the request is not a publish. */
function publishTarget({ method, target }: RequestHead, { differences }: Profile): PublishTarget | undefined {
  if (method !== 'POST' && method !== 'PUT') return undefined;
  const path = cleanTarget(target);
  const isBulk = BULK_PATH.test(path);
  if (!isBulk && !SINGLE_PATH.test(path)) return undefined;
  try {
    const fixed = isBulk || ALPHA_BULK.test(path) ? FIXED_SEGMENTS.bulk : FIXED_SEGMENTS.publish;
    return { ...topicPath(path, fixed), isBulk, metadata: metadataQuery(target, differences) };
  } catch {
    // A path with broken escapes names nothing: the sidecar says so.
    return undefined;
  }
}

/** Facts that the head of a publish gives. */
export interface PublishHead {
  readonly target: PublishTarget;
  readonly more: Pick<SeenPublish, 'contentType' | 'traceparent' | 'tracestate'>;
  /** Its topic or its content type is too long for the row of a message. */
  readonly isTooLong: boolean;
}

/** Reads the head of a publish; undefined: the request is none. */
export function publishHead(head: RequestHead, profile: Profile): PublishHead | undefined {
  const target = publishTarget(head, profile);
  if (target === undefined) return undefined;
  const [contentType, traceparent, tracestate] = [
    headerOf(head, 'content-type'),
    headerOf(head, 'traceparent'),
    headerOf(head, 'tracestate'),
  ];
  const isTooLong = [target.topic, contentType ?? ''].some(
    (name) => tooLongName('a name', name) !== undefined,
  );
  return { target, more: withoutUndefined({ contentType, traceparent, tracestate }), isTooLong };
}

/** The events of a delivery, and what they name. */
export interface ReadDelivery {
  readonly events: readonly SeenEvent[];
  readonly isBulk: boolean;
  readonly pubsubname?: string;
  readonly topic?: string;
}

/** Reads the body of a delivery; undefined: the body cannot be read, or has too many values. */
export function readDelivery(body: Buffer, codec: Codec): ReadDelivery | undefined {
  const text = codec.toText(body);
  const value = hasMoreValues(text, MAX_PASSING_VALUES) ? undefined : tryParse(text)?.value;
  if (!isObject(value)) return undefined;
  const [pubsubname, topic] = [value['pubsubname'], value['topic']];
  const named = {
    ...(typeof pubsubname === 'string' ? { pubsubname } : {}),
    ...(typeof topic === 'string' ? { topic } : {}),
  };
  if (!Array.isArray(value['entries']))
    return { ...named, isBulk: false, events: [{ entryId: '', wire: text, event: value }] };
  const entries = elementTexts(memberTexts(text).get('entries') ?? '[]');
  const events = (value['entries'] as readonly unknown[]).flatMap((entry, i) => {
    const entryId = isObject(entry) ? entry['entryId'] : undefined;
    const wire = memberTexts(entries[i] ?? '{}').get('event');
    return typeof entryId !== 'string' || wire === undefined || !isObject(entry)
      ? []
      : [{ entryId, wire: eventOf(wire, entry, codec) }];
  });
  return { ...named, isBulk: true, events };
}

/** An entry of a raw subscription carries its bytes in base64; a text otherwise stands for itself. */
function eventOf(text: string, entry: Readonly<Record<string, unknown>>, codec: Codec): Wire {
  const value = tryParse(text)?.value;
  if (typeof value !== 'string') return text;
  return entry['contentType'] === 'application/octet-stream' ? (codec.fromBase64(value) ?? value) : value;
}

/** The bytes inside a raw subscription's wrapper; anything else is returned as it is. */
export function unwrapped(wire: Wire, codec: Codec): Wire {
  const value = typeof wire === 'string' ? tryParse(wire)?.value : undefined;
  const base64 = isObject(value) ? value['data_base64'] : undefined;
  const bytes = typeof base64 === 'string' ? codec.fromBase64(base64) : undefined;
  if (bytes === undefined) return wire;
  return codec.isUtf8(bytes) ? codec.toText(bytes) : bytes;
}

/** Body of a single delivery with another event. In a raw subscription's wrapper, only the event's bytes change. */
export function withEvent(body: Buffer, wire: Wire, isRaw: boolean, codec: Codec): Buffer {
  const text = codec.toText(body);
  if (!isRaw || unwrapped(text, codec) === text) return Buffer.from(wire);
  const base64 = JSON.stringify(codec.toBase64(bytesOf(wire, codec)));
  return Buffer.from(withParts(text, (name, own) => (name === 'data_base64' ? base64 : own)));
}

/** The body of a batch with other events in some of its entries; every other byte stays. */
export function withEvents(body: Buffer, wires: ReadonlyMap<string, Wire>, codec: Codec): Buffer {
  const text = codec.toText(body);
  const changed = withParts(text, (name, value) => {
    if (name !== 'entries') return value;
    const entries = elementTexts(value).map((entry) => {
      const entryId = memberTexts(entry).get('entryId');
      const wire = wires.get(String(tryParse(entryId ?? '')?.value));
      if (wire === undefined) return entry;
      return withParts(entry, (member, own) => (member === 'event' ? eventText(wire, own, codec) : own));
    });
    return `[${entries.join(',')}]`;
  });
  return Buffer.from(changed);
}

function eventText(wire: Wire, before: string, codec: Codec): string {
  if (!before.startsWith('"')) return typeof wire === 'string' ? wire : codec.toText(wire);
  return JSON.stringify(typeof wire === 'string' ? wire : codec.toBase64(wire));
}
