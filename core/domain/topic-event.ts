/**
 * An event as a gRPC app gets it: the envelope's attributes as fields, its data as bytes. People see it as
 * JSON text.
 */
import { bytesOf, textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { CLOUDEVENT_CONTENT_TYPE, kindOf, mediaTypeOf } from './content-type.ts';
import { readEvent } from './inbound.ts';
import { hasMoreValues, tryParse } from './json.ts';
import { memberTexts } from './json-parts.ts';
import { rawEvent } from './raw-wrapper.ts';
import type { RawWrapperFacts } from './raw-wrapper.ts';
import type { Result } from './result.ts';
import { no, ok } from './result.ts';

/** An event with its destination. Members are named as on the wire. */
export interface TopicEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly spec_version: string;
  readonly data_content_type: string;
  /** The subscribed topic; for a wildcard subscription the pattern. */
  readonly topic: string;
  readonly data: Wire;
  readonly pubsub_name: string;
  /** The path of the matched rule, exactly as the app gave it. */
  readonly path: string;
  /** All other attributes. The member is always present, because an SDK reads it without a check. */
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** One event of a batch, without its destination, which the batch names. */
export type BatchedEvent = Omit<TopicEvent, 'topic' | 'pubsub_name' | 'path'>;

export interface EventAddress {
  readonly topic: string;
  readonly pubsubname: string;
  readonly path: string;
}

/** Attributes with fields of their own; all others are extensions. */
export const EVENT_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'source',
  'type',
  'specversion',
  'datacontenttype',
  'data',
  'data_base64',
]);

/** Most values of the attributes that have no field of their own: each becomes a message of its own, and millions take seconds to encode. */
const MAX_EXTENSION_VALUES = 100_000;
const TOO_MANY_VALUES = `its attributes have more than ${MAX_EXTENSION_VALUES.toLocaleString('en')} values, more than Sidelight sends over gRPC`;

/** The event of a normal subscription; the complaint says why the bytes are no event, or none that a gRPC app can get. */
export function batchedEvent(wire: Wire, codec: Codec): Result<BatchedEvent, string> {
  const tooMany = extensionsProblem(wire, codec);
  if (tooMany !== undefined) return no(tooMany);
  const read = readEvent(wire, codec);
  if (!read.ok) return no(read.reason);
  const { event } = read;
  const data = dataOf(event, wire, codec);
  if (!data.ok) return data;
  const text = (name: string): string => {
    const value = event[name];
    return typeof value === 'string' ? value : '';
  };
  return ok({
    id: text('id'),
    source: text('source'),
    type: text('type'),
    spec_version: text('specversion'),
    data_content_type: text('datacontenttype'),
    data: data.value,
    extensions: Object.fromEntries(Object.entries(event).filter(([name]) => !EVENT_FIELDS.has(name))),
  });
}

/** False: the event is so short that its attributes need not be counted. */
export function mayHaveTooManyExtensions(wire: Wire): boolean {
  // No JSON text has more values than characters.
  return wire.length > MAX_EXTENSION_VALUES;
}

/** Why the attributes of an event are too many for gRPC; undefined: they are not. The event need not be read. */
export function extensionsProblem(wire: Wire, codec: Codec): string | undefined {
  if (!mayHaveTooManyExtensions(wire)) return undefined;
  const members = [...memberTexts(textOf(wire, codec))];
  const texts = members.flatMap(([name, text]) => (EVENT_FIELDS.has(name) ? [] : [text]));
  return hasMoreValues(texts.join(','), MAX_EXTENSION_VALUES) ? TOO_MANY_VALUES : undefined;
}

/** The wrapper for a raw subscription, with the stored bytes as data. */
export function rawBatchedEvent(wire: Wire, facts: RawWrapperFacts): BatchedEvent {
  const wrapper = rawEvent(wire, facts);
  const { id = '', source = '', type = '', specversion = '', datacontenttype = '' } = wrapper;
  return {
    id,
    source,
    type,
    spec_version: specversion,
    data_content_type: datacontenttype,
    data: wire,
    extensions: { pubsubname: facts.pubsubname, topic: facts.topic, ...facts.trace },
  };
}

/**
 * The event as JSON text, as a sidecar stores it except for the order of members. `batchedEvent` reads it
 * back to an equal event. An event without data has no `data`.
 */
export function eventText(event: BatchedEvent, codec: Codec): string {
  const { id, source, type, spec_version: specversion, data_content_type: datacontenttype } = event;
  const attributes = { id, source, type, specversion, datacontenttype };
  const members = Object.entries({ ...attributes, ...event.extensions })
    .filter(([name, value]) => !(name in attributes) || value !== '')
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...members, ...dataMember(bytesOf(event.data, codec), datacontenttype, codec)].join(',')}}`;
}

function dataMember(data: Uint8Array, contentType: string, codec: Codec): readonly string[] {
  if (data.length === 0) return [];
  if (kindOf(contentType) === 'binary' || !codec.isUtf8(data))
    return [`"data_base64":"${codec.toBase64(data)}"`];
  const text = codec.toText(data);
  const isValue = isJson(contentType === '' ? undefined : contentType) && tryParse(text) !== undefined;
  return [`"data":${isValue ? text : JSON.stringify(text)}`];
}

/** Adds the destination to an event. */
export function addressedEvent(event: BatchedEvent, { topic, pubsubname, path }: EventAddress): TopicEvent {
  const { extensions, data, ...attributes } = event;
  return { ...attributes, topic, data, pubsub_name: pubsubname, path, extensions };
}

/** Several events of one route in one call. */
export interface EventBatch {
  /** UUID of the call. */
  readonly id: string;
  readonly entries: readonly {
    readonly entry_id: string;
    /** The stored bytes, for a raw subscription. */
    readonly bytes?: Wire;
    /** The event, for a subscription that is not raw. */
    readonly cloud_event?: BatchedEvent;
    readonly content_type: string;
    readonly metadata: Readonly<Record<string, string>>;
  }[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly topic: string;
  readonly pubsub_name: string;
  readonly type: string;
  readonly path: string;
}

/** Content of one call to a gRPC app. */
export type AppMessage =
  | { readonly kind: 'event'; readonly event: TopicEvent }
  | { readonly kind: 'batch'; readonly batch: EventBatch }
  | {
      readonly kind: 'binding';
      readonly event: {
        readonly name: string;
        readonly data: Wire;
        readonly metadata: Readonly<Record<string, string>>;
      };
    };

/** The message as JSON text for people: bytes as base64, everything else unchanged. */
export function messageText(message: AppMessage, codec: Codec): string {
  const base64 = (wire: Wire): string => codec.toBase64(bytesOf(wire, codec));
  switch (message.kind) {
    case 'event':
    case 'binding':
      return JSON.stringify({ ...message.event, data: base64(message.event.data) });
    case 'batch': {
      const entries = message.batch.entries.map(({ bytes, cloud_event: event, ...rest }) => ({
        ...rest,
        ...(bytes === undefined ? {} : { bytes: base64(bytes) }),
        ...(event === undefined ? {} : { cloud_event: { ...event, data: base64(event.data) } }),
      }));
      return JSON.stringify({ ...message.batch, entries });
    }
  }
}

/** The data as bytes for an app; its content type never leaves anything out. */
function dataOf(event: Readonly<Record<string, unknown>>, wire: Wire, codec: Codec): Result<Wire, string> {
  const base64 = event['data_base64'];
  if (base64 !== undefined && base64 !== null) {
    const bytes = typeof base64 === 'string' ? codec.fromBase64(base64) : undefined;
    return bytes === undefined ? no('its data_base64 is not base64') : ok(bytes);
  }
  const { data } = event;
  if (data === undefined) return ok('');
  if (isJson(event['datacontenttype'])) return ok(data === null ? '' : ownText(wire, codec));
  return ok(typeof data === 'string' ? data : ownText(wire, codec));
}

/** Whether data are JSON. By the rules of CloudEvents an event without a content type carries JSON. */
function isJson(contentType: unknown): boolean {
  if (typeof contentType !== 'string') return true;
  const media = mediaTypeOf(contentType);
  return media === 'application/json' || media === CLOUDEVENT_CONTENT_TYPE;
}

/** The JSON text of `data` as it is stored, with all its digits. */
function ownText(wire: Wire, codec: Codec): string {
  return memberTexts(textOf(wire, codec)).get('data') ?? '';
}
