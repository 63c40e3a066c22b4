/** By what an event that passes is known again: its id, or, where nobody has told it yet, its payload. */
import { bytesOf } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import { readEvent } from '../../domain/inbound.ts';
import { payloadOf } from '../../domain/inbound.ts';
import { isObject, tryParse } from '../../domain/json.ts';

/** Component and topic. */
export interface EventPlace {
  readonly pubsubname: string;
  readonly topic: string;
}

/** The id of an event as its bytes tell it; undefined: they tell none. */
export function eventIdOf(wire: Wire, codec: Codec): string | undefined {
  const read = readEvent(wire, codec);
  const id = read.ok ? read.event['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

export function keyOfId({ pubsubname, topic }: EventPlace, id: string): string {
  return `${pubsubname}\n${topic}\nid ${id}`;
}

/** The payload of an event, whatever the order of its members and the spaces between them: a sidecar writes JSON again. */
export function keyOfPayload(
  { pubsubname, topic }: EventPlace,
  wire: Wire,
  raw: boolean,
  codec: Codec,
): string {
  const payload = payloadOf(wire, raw, codec);
  const place = `${pubsubname}\n${topic}\n`;
  switch (payload.kind) {
    case 'none':
      return `${place}none`;
    case 'bytes':
      return `${place}${summary(payload.base64)}`;
    case 'text':
      return `${place}${summary(codec.toBase64(codec.fromText(payload.text)))}`;
    case 'json': {
      const value = tryParse(payload.text)?.value;
      const text = typeof value === 'string' ? value : JSON.stringify(ordered(value));
      return `${place}${summary(codec.toBase64(bytesOf(text, codec)))}`;
    }
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, ordered(value[name])]),
  );
}

const SHORT = 64;

/** A short text as it is; of a longer one its length and two sums of 32 bits. */
function summary(text: string): string {
  if (text.length <= SHORT) return text;
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  return `${text.length}:${(a >>> 0).toString(16)}:${(b >>> 0).toString(16)}`;
}
