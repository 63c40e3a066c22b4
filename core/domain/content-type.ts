/** Sorts content types into the four kinds of treatment. */
import { nearest } from '../contract/nearest.ts';

export type ContentKind = 'text' | 'json' | 'binary' | 'cloudevent' | 'protobuf';

export const DEFAULT_CONTENT_TYPE = 'text/plain';
export const CLOUDEVENT_CONTENT_TYPE = 'application/cloudevents+json';
export const BINARY_CONTENT_TYPE = 'application/octet-stream';

/** Media type up to the first `;`, lower-cased and not trimmed: `application/json ;x` is not JSON. Behaviour 1.4. */
export function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).toLowerCase();
}

/**
 * Decides how a published body becomes `data` or `data_base64`. `protobuf`: base64 if the bytes are a
 * protobuf message, else text.
 */
export function kindOf(contentType: string): ContentKind {
  if (contentType !== last.contentType) last = { contentType, kind: readKind(contentType) };
  return last.kind;
}

/** The kind that was read last, since publish after publish has the same content type. */
let last: { readonly contentType: string; readonly kind: ContentKind } = { contentType: '', kind: 'text' };

function readKind(contentType: string): ContentKind {
  switch (mediaTypeOf(contentType)) {
    case 'application/json':
      return 'json';
    case CLOUDEVENT_CONTENT_TYPE:
      return 'cloudevent';
    case BINARY_CONTENT_TYPE:
    case 'application/cloudevents+protobuf':
      return 'binary';
    case 'application/x-protobuf':
      return 'protobuf';
    default:
      return 'text';
  }
}

const JSON_TYPES: readonly string[] = ['application/json', CLOUDEVENT_CONTENT_TYPE];

/** Names that other programs use for JSON. Here, as at the reference, they make a text of it. */
const OTHER_NAMES: ReadonlySet<string> = new Set(['json', 'text/json', 'text/x-json', 'application/x-json']);

/** Types of other formats whose names are near: nobody mistyped them. */
const OTHER_TYPES: ReadonlySet<string> = new Set(
  ['ndjson', 'jsonl', 'json5', 'jsonc', 'hjson', 'cson', 'bson', 'ubjson', 'ion', 'jose'].map(
    (name) => `application/${name}`,
  ),
);

/** Longest media type that a person may have mistyped. */
const MAX_TYPED = 60;

/** The type of JSON that was probably meant by a content type that makes a text of its body; undefined: none. */
export function meantJsonType(contentType: string): string | undefined {
  if (contentType !== lastMeant.contentType) lastMeant = { contentType, meant: readMeant(contentType) };
  return lastMeant.meant;
}

let lastMeant: { readonly contentType: string; readonly meant: string | undefined } = {
  contentType: '',
  meant: undefined,
};

function readMeant(contentType: string): string | undefined {
  if (kindOf(contentType) !== 'text') return undefined;
  const media = mediaTypeOf(contentType).trim();
  if (media === DEFAULT_CONTENT_TYPE || OTHER_TYPES.has(media) || media.length > MAX_TYPED) return undefined;
  return OTHER_NAMES.has(media) ? 'application/json' : nearest(media, JSON_TYPES);
}

/**
 * Whether bytes decode as a protobuf message whose text members (fields 1 to 4 of a CloudEvent) are UTF-8.
 * Groups are refused, as CloudEvents have none.
 */
export function isProtobuf(bytes: Uint8Array, isUtf8: (part: Uint8Array) => boolean): boolean {
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    if (tag === undefined) return false;
    const [field, wireType] = [Math.floor(tag.value / 8), tag.value % 8];
    if (field === 0) return false;
    let end: number;
    if (wireType === 1) end = tag.end + 8;
    else if (wireType === 5) end = tag.end + 4;
    else if (wireType === 0 || wireType === 2) {
      const number = readVarint(bytes, tag.end);
      if (number === undefined) return false;
      end = wireType === 0 ? number.end : number.end + number.value;
      if (wireType === 2 && field <= 4 && end <= bytes.length && !isUtf8(bytes.subarray(number.end, end)))
        return false;
    } else return false;
    if (end > bytes.length) return false;
    at = end;
  }
  return true;
}

function readVarint(
  bytes: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 10; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  return undefined;
}
