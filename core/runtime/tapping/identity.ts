/** Recognises an event that passes a tap by its id or, while the id is unknown, by its payload. */
import type { Codec, Wire } from '../../domain/codec.ts';
import { describe, readEvent } from '../../domain/inbound.ts';
import type { InboundEvent } from '../../domain/inbound.ts';
import { isObject } from '../../domain/json.ts';
import { rowText } from '../../domain/name-length.ts';
import type { SeenEvent } from '../../ports/tap.ts';

/** Component and topic. */
export interface EventAddress {
  readonly pubsubname: string;
  readonly topic: string;
}

/** Key of an event by its id. A long id is cut as in its row, because after a restart the rest is unknown. */
export function keyOfId({ pubsubname, topic }: EventAddress, id: string): string {
  return `${pubsubname}\n${topic}\nid ${rowText(id)}`;
}

/** Key of an event by the value of its data, as `PassingEvent.payloadKey`. */
export function keyOfData(address: EventAddress, data: unknown): string {
  return keyOf(address, digestOf(data));
}

function keyOf({ pubsubname, topic }: EventAddress, digested: string): string {
  return `${pubsubname}\n${topic}\n${digested}`;
}

/** A passing event, parsed once. */
export class PassingEvent {
  readonly address: EventAddress;
  readonly wire: Wire;
  readonly read: InboundEvent;
  readonly #codec: Codec;
  readonly #raw: boolean;
  #key: string | undefined;

  /** @param raw true: all bytes are the payload, for a raw subscription */
  constructor(
    address: EventAddress,
    { wire, event }: Omit<SeenEvent, 'entryId'>,
    raw: boolean,
    codec: Codec,
  ) {
    this.address = address;
    this.wire = wire;
    this.#raw = raw;
    this.#codec = codec;
    this.read = readEvent(wire, codec, event);
  }

  /** Id in the event; undefined: none. */
  get id(): string | undefined {
    const id = this.read.ok ? this.read.event['id'] : undefined;
    return typeof id === 'string' && id !== '' ? id : undefined;
  }

  /** Topic named in the event: a dead-letter copy names the one that it was first published to. */
  get ownTopic(): string | undefined {
    const topic = this.read.ok ? this.read.event['topic'] : undefined;
    return typeof topic === 'string' ? topic : undefined;
  }

  /** Key by its id, otherwise by its payload: equal keys mean the same event. */
  get key(): string {
    this.#key ??= this.#ownKey();
    return this.#key;
  }

  #ownKey(): string {
    const { id } = this;
    return id === undefined ? this.payloadKey(this.#raw) : keyOfId(this.address, id);
  }

  /**
   * Key of the payload, independent of the order of members and of spaces, because a sidecar writes JSON in its own way.
   * @param raw true: all bytes are the payload; false: the event's data is
   */
  payloadKey(raw: boolean): string {
    return keyOf(this.address, this.#payload(raw));
  }

  #payload(raw: boolean): string {
    const codec = this.#codec;
    const { read } = this;
    if (read.ok && raw) return digestOf(read.event);
    if (read.ok) {
      const { data_base64: base64 } = read.event;
      if (typeof base64 === 'string') return digestOfBytes(base64, codec);
      return 'data' in read.event ? digestOf(read.event['data']) : 'none';
    }
    const { data, dataBase64 } = describe(this.wire, true, codec);
    return dataBase64 === undefined ? digestOf(data) : digestOfBytes(dataBase64, codec);
  }
}

function digestOf(value: unknown): string {
  return digest(typeof value === 'string' ? value : JSON.stringify(ordered(value)));
}

/** Digest of bytes. Bytes of a text have the text's digest, because one side of the tap may see the text and the other one its bytes. */
function digestOfBytes(base64: string, codec: Codec): string {
  const bytes = codec.fromBase64(base64);
  return digest(bytes !== undefined && codec.isUtf8(bytes) ? codec.toText(bytes) : base64);
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

/** A short text unchanged; for a longer one its length and two sums of 32 bits. */
function digest(text: string): string {
  if (text.length <= SHORT) return text;
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  return `${text.length}:${(a >>> 0).toString(16)}:${(b >>> 0).toString(16)}`;
}
