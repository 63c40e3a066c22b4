/** Reads stored bytes back: as the event of a normal subscription, and as people see a message. */
import { textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { EVENT_DEPTH, firstValue, isObject, nestsTooDeep } from './json.ts';
import { memberTexts } from './json-parts.ts';

export type InboundEvent =
  | { readonly ok: true; readonly event: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: string };

/**
 * The event of a normal subscription. The bytes have to be one JSON object. Behaviour 2.2, "raw publish →
 * normal subscriber".
 * @param event the wire as a JSON object, if it was read before
 */
export function readEvent(wire: Wire, codec: Codec, event?: Readonly<Record<string, unknown>>): InboundEvent {
  if (event !== undefined && !nestsTooDeep(textOf(wire, codec), EVENT_DEPTH)) return { ok: true, event };
  const first = firstValue(textOf(wire, codec), EVENT_DEPTH);
  if (first === undefined)
    return { ok: false, reason: 'it is not JSON, and the subscription does not accept raw payloads' };
  if (first.trailing) return { ok: false, reason: 'there is text after the JSON value' };
  if (!isObject(first.value)) return { ok: false, reason: 'it is JSON but not an object' };
  return { ok: true, event: first.value };
}

/** Beginning of an escaped half of a character in JSON. Where halves stand alone, they stand as such escapes. */
const HALF = /\\u[dD][89a-fA-F]/;

/**
 * The event that match rules see: as `readEvent`, but half a surrogate is U+FFFD, as the reference reads it.
 * @param event the wire as a JSON object, if it was read before
 */
export function readRuledEvent(
  wire: Wire,
  codec: Codec,
  event?: Readonly<Record<string, unknown>>,
): InboundEvent {
  const text = textOf(wire, codec);
  const read = readEvent(text, codec, event);
  return read.ok && HALF.test(text) ? { ok: true, event: wellFormedObject(read.event) } : read;
}

function wellFormedObject(of: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(of).map(([name, value]) => [name.toWellFormed(), wellFormed(value)]),
  );
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  return isObject(value) ? wellFormedObject(value) : value;
}

export interface Description {
  readonly envelope?: Readonly<Record<string, unknown>>;
  /** JSON value or text; undefined for bytes. */
  readonly data: unknown;
  readonly dataBase64?: string;
}

/** A message as people see it: the envelope with its data; for a raw message the payload itself. */
export function describe(wire: Wire, raw: boolean, codec: Codec): Description {
  if (!raw) {
    const read = readEvent(wire, codec);
    if (read.ok) {
      const bytes = read.event['data_base64'];
      if (typeof bytes === 'string') return { envelope: read.event, data: undefined, dataBase64: bytes };
      return { envelope: read.event, data: read.event['data'] };
    }
  }
  if (typeof wire !== 'string' && !codec.isUtf8(wire))
    return { data: undefined, dataBase64: codec.toBase64(wire) };
  const text = textOf(wire, codec);
  const first = firstValue(text);
  return { data: first === undefined || first.trailing ? text : first.value };
}

/**
 * Text of a payload. `json`: unchanged, with all digits. `text`: a payload that is no JSON. `none`: an
 * envelope without data.
 */
export type Payload =
  | { readonly kind: 'json' | 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly base64: string }
  | { readonly kind: 'none' };

/** The payload as people see it, with all digits: of a raw message its bytes as they are, of an event whose data are a text their value. */
export function shownPayload(wire: Wire, raw: boolean, codec: Codec): Payload {
  const payload = payloadOf(wire, raw, codec);
  if (payload.kind !== 'json') return payload;
  if (raw) return { kind: 'json', text: textOf(wire, codec) };
  return payload.text.startsWith('"') ? { kind: 'text', text: String(JSON.parse(payload.text)) } : payload;
}

/** The payload of `describe`, with all digits. */
export function payloadOf(wire: Wire, raw: boolean, codec: Codec): Payload {
  const { envelope, data, dataBase64 } = describe(wire, raw, codec);
  if (dataBase64 !== undefined) return { kind: 'bytes', base64: dataBase64 };
  const text = textOf(wire, codec);
  if (envelope !== undefined) {
    const own = memberTexts(text).get('data');
    return own === undefined ? { kind: 'none' } : { kind: 'json', text: own };
  }
  // A text equal to its value is no JSON.
  return data === text ? { kind: 'text', text } : { kind: 'json', text: text.trim() };
}
