/** Binary mode: a broker's message whose bytes are the data alone, and whose attributes are in its metadata as `ce_*`. */
import { textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { BINARY_CONTENT_TYPE, mediaTypeOf } from './content-type.ts';
import { EVENT_FIELDS } from './topic-event.ts';
import type { BatchedEvent } from './topic-event.ts';

type Metadata = Readonly<Record<string, string>>;

const PREFIX = 'ce_';

/**
 * The event that rules and expiry see of a message in binary mode; undefined: the message is not in binary
 * mode. The content type alone does not decide, because publishers of ordinary envelopes may use it too: an
 * attribute that every event has must be present.
 */
export function binaryEvent(
  wire: Wire,
  metadata: Metadata,
  codec: Codec,
): Readonly<Record<string, unknown>> | undefined {
  const contentType = metadata['content-type'];
  if (contentType === undefined || mediaTypeOf(contentType) !== BINARY_CONTENT_TYPE) return undefined;
  const attributes = attributesOf(metadata);
  if (attributes['specversion'] === undefined && attributes['id'] === undefined) return undefined;
  return { ...attributes, data: textOf(wire, codec), datacontenttype: contentType };
}

/**
 * An event in binary mode for an app that speaks gRPC. The bytes stay as they are; attributes without a field
 * of their own become extensions.
 */
export function binaryTopicEvent(wire: Wire, metadata: Metadata, codec: Codec): BatchedEvent | undefined {
  const event = binaryEvent(wire, metadata, codec);
  if (event === undefined) return undefined;
  const { id = '', source = '', type = '', specversion = '', ...more } = attributesOf(metadata);
  return {
    id,
    source,
    type,
    spec_version: specversion,
    data_content_type: metadata['content-type'] ?? BINARY_CONTENT_TYPE,
    data: wire,
    extensions: Object.fromEntries(Object.entries(more).filter(([name]) => !EVENT_FIELDS.has(name))),
  };
}

/**
 * Attributes by their names in lower case, without the prefix. The keys of the metadata match in any letter
 * case.
 */
function attributesOf(metadata: Metadata): Readonly<Record<string, string>> {
  const found = Object.entries(metadata).map(([key, value]) => [key.toLowerCase(), value] as const);
  return Object.fromEntries(
    found.flatMap(([key, value]) => (key.startsWith(PREFIX) ? [[key.slice(PREFIX.length), value]] : [])),
  );
}
