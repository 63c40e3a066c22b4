/** Gives the payload of one message in parts, because a page that reads megabytes at once stands still meanwhile. */
import type { Params } from '../contract/console.ts';
import type { MessageDetail, PayloadPart } from '../contract/message.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { Codec, Wire } from '../domain/codec.ts';
import { describe, shownPayload } from '../domain/inbound.ts';
import { noMessage } from '../domain/no-message.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Cancel, Clock } from '../ports/clock.ts';
import type { Journal, MessageDetailSource } from '../ports/journal.ts';

/** Most characters of one part: in base64 a whole number of bytes. */
export const PART_CHARACTERS = 256 * 1024;
/** A payload is forgotten when its next part is not asked for in this time. */
const FORGET_MS = 10_000;

type Journals = (recordingId: string | undefined) => Pick<Journal, 'get'>;
type Whole = Omit<PayloadPart, 'size' | 'next'>;

/** Reads payloads. The one that is being read is kept, so that its next part needs no reading of the whole message. */
export class PayloadParts {
  readonly #journalOf: Journals;
  readonly #codec: Codec;
  readonly #clock: Clock;
  #kept: { readonly key: string; readonly whole: Whole; readonly forget: Cancel } | undefined;
  #isClosed = false;

  constructor(journalOf: Journals, codec: Codec, clock: Clock) {
    this.#journalOf = journalOf;
    this.#codec = codec;
    this.#clock = clock;
  }

  /** Throws Refusal NOT_FOUND. */
  async part(asked: Params<'messages.payload'>): Promise<PayloadPart> {
    const { messageId, deliveryId, recordingId, from = 0 } = asked;
    const key = [recordingId ?? '', messageId, deliveryId ?? ''].join('\n');
    // The first part is always read again: somebody may have edited the message.
    const kept = from > 0 && this.#kept?.key === key ? this.#kept.whole : undefined;
    const whole = kept ?? (await this.#read(asked));
    const { text } = whole;
    const end = Math.min(from + PART_CHARACTERS, text.length);
    this.#keep(end < text.length ? { key, whole } : undefined);
    return {
      ...whole,
      text: text.slice(from, end),
      size: text.length,
      ...withoutUndefined({ next: end < text.length ? end : undefined }),
    };
  }

  /** Keeps nothing from now on: a running timer would hold up the end of the process. */
  close(): void {
    this.#isClosed = true;
    this.#keep(undefined);
  }

  async #read({ messageId, deliveryId, recordingId }: Params<'messages.payload'>): Promise<Whole> {
    const { message, row, deliveries } = await storedMessage(this.#journalOf(recordingId), messageId);
    const found = deliveries.find(({ delivery }) => delivery.deliveryId === deliveryId);
    if (deliveryId !== undefined && found === undefined) throw noDelivery(deliveryId, messageId);
    const edited = found?.delivery.changedWire;
    if (edited === undefined) return this.#whole(message.wire, row.raw);
    const type = describe(edited, row.raw, this.#codec).envelope?.['datacontenttype'];
    return {
      ...this.#whole(edited, row.raw),
      ...withoutUndefined({ contentType: typeof type === 'string' ? type : undefined }),
    };
  }

  #whole(wire: Wire, raw: boolean): Whole {
    const payload = shownPayload(wire, raw, this.#codec);
    if (payload.kind === 'bytes') return { kind: 'base64', text: payload.base64 };
    return payload.kind === 'none' ? { kind: 'none', text: '' } : payload;
  }

  #keep(next: { readonly key: string; readonly whole: Whole } | undefined): void {
    this.#kept?.forget();
    if (next === undefined || this.#isClosed) {
      this.#kept = undefined;
      return;
    }
    const forget = this.#clock.at(this.#clock.now() + FORGET_MS, () => (this.#kept = undefined));
    this.#kept = { ...next, forget };
  }
}

function noDelivery(deliveryId: string, messageId: string): Refusal {
  const reason = `The message ${messageId} has no delivery ${deliveryId}.`;
  return new Refusal('NOT_FOUND', { reason }, { field: 'deliveryId' });
}

/** A message with what the journal has of it. Throws Refusal NOT_FOUND. */
export async function storedMessage(
  journal: Pick<Journal, 'get'>,
  messageId: string,
): Promise<MessageDetailSource> {
  const found = await journal.get(messageId);
  if (found !== undefined) return found;
  throw noMessage(messageId);
}

/** The message; without its payload where it has more bytes than `upTo`. */
export function withPayloadUpTo(detail: MessageDetail, upTo: number | undefined): MessageDetail {
  if (upTo === undefined || detail.sizeBytes <= upTo) return detail;
  const { data: _data, dataBase64: _dataBase64, envelope, ...rest } = detail;
  if (envelope === undefined) return { ...rest, payloadApart: true };
  const { data: _inside, data_base64: _bytes, ...attributes } = envelope;
  return { ...rest, envelope: attributes, payloadApart: true };
}
