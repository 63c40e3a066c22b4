/** Turns publishes to a tapped sidecar into messages. */
import { checkEntries, readBulkPublish } from '../../domain/bulk-publish.ts';
import type { BulkPublishEntry, GivenEntry } from '../../domain/bulk-publish.ts';
import { bytesOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import { kindOf } from '../../domain/content-type.ts';
import { firstValue } from '../../domain/json.ts';
import { readOverrides } from '../../domain/metadata.ts';
import { rowText } from '../../domain/name-length.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { SeenPublish } from '../../ports/tap.ts';
import type { SharedServices } from '../common-services.ts';
import { wrapRequest } from '../publishing/wrap-request.ts';
import type { ObservedMessages } from './observed-messages.ts';
import { UNKNOWN_ID } from './unmade-publishes.ts';
import type { NotedPublish } from './unmade-publishes.ts';

type PublishHead = Omit<SeenPublish, 'body'>;

export class ObservedPublishes {
  readonly #shared: SharedServices;
  readonly #messages: ObservedMessages;

  constructor(shared: SharedServices, messages: ObservedMessages) {
    this.#shared = shared;
    this.#messages = messages;
  }

  /** Creates the messages of a request; a batch has one for each entry. */
  note(seen: SeenPublish): readonly NotedPublish[] {
    const { ids, clock } = this.#shared;
    const batchId = seen.isBulk ? ids.next('batch') : undefined;
    const atMs = seen.at?.ms ?? clock.now();
    const entries = this.#entriesOf(seen);
    // An entry may wait for its event, and would keep the bytes of the whole batch.
    const { body: _body, ...head } = seen;
    return entries.map((entry) => this.#publish(head, entry, atMs, batchId));
  }

  /** Published entries. An unreadable request is one entry with its bytes, and the sidecar reports the error. */
  #entriesOf(seen: SeenPublish): readonly GivenEntry[] {
    const { appId, pubsubname, topic, metadata, contentType = '', body } = seen;
    const { profile } = seen;
    const { codec } = this.#shared;
    if (!(body instanceof Uint8Array)) {
      const checked = checkEntries(body, { appId, pubsubname, topic, metadata, profile, codec });
      return checked.ok ? checked.value.map((one) => givenOf(one, codec)) : body;
    }
    const whole: GivenEntry = { entryId: '', event: body, contentType, metadata };
    if (!seen.isBulk) return [whole];
    const read = readBulkPublish(body, { appId, pubsubname, topic, metadata, profile, codec });
    if (!read.ok) return [whole];
    return read.value.map((one) => givenOf(one, codec));
  }

  #publish(seen: PublishHead, entry: GivenEntry, atMs: number, batchId: string | undefined): NotedPublish {
    const { appId, protocol, pubsubname, topic, caller } = seen;
    const origin = protocol === 'grpc' ? 'grpc' : 'http';
    const inBatch = protocol === 'grpc' ? 'grpc-bulk' : 'bulk';
    const facts = {
      appId,
      tap: appId,
      pubsubname,
      topic,
      source: seen.replayOf === undefined ? (seen.isBulk ? inBatch : origin) : 'replay',
      givenContentType: rowText(entry.contentType),
      metadata: entry.metadata,
      atMs,
      ...(batchId === undefined ? {} : { batchId }),
      ...(seen.replayOf === undefined ? {} : { replayOf: seen.replayOf }),
      caller: { ...caller, ...(entry.entryId === '' ? {} : { entryId: entry.entryId }) },
    } as const;
    // A replay has to name its message at once.
    const data = seen.replayOf === undefined ? this.#plainData(entry) : undefined;
    if (data !== undefined) {
      const wrapped = () => this.#wrapped(seen, entry, atMs).wrapped;
      return this.#messages.expected({ facts, bytes: entry.event.length, wrapped }, data.value);
    }
    const { wrapped, id } = this.#wrapped(seen, entry, atMs);
    const message = this.#messages.published({ id, facts: { ...facts, wrapped } });
    return { messageId: message.messageId, message: () => message };
  }

  /** The data of a publish of JSON without metadata: its body as it is; undefined: its envelope has to be made first. */
  #plainData({ event, contentType, metadata }: GivenEntry): { readonly value: unknown } | undefined {
    if (kindOf(contentType) !== 'json' || Object.keys(metadata).length > 0) return undefined;
    const text = this.#shared.codec.toText(event);
    if (text.includes('\ufffd')) return undefined;
    const first = firstValue(text);
    return first?.trailing === false ? first : undefined;
  }

  /** The envelope as the sidecar creates it. If the publisher gave no id, it is unknown. */
  #wrapped(
    { appId, pubsubname, topic, traceparent, tracestate, profile }: PublishHead,
    { event, contentType, metadata }: GivenEntry,
    atMs: number,
  ): { readonly wrapped: Wrapped; readonly id: string | undefined } {
    const trace = {
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(tracestate === undefined ? {} : { tracestate }),
    };
    try {
      const request = { appId, pubsubname, topic, contentType, metadata, body: event, ...trace };
      const wrapped = wrapRequest({ ...this.#shared, profile }, request, '', atMs);
      const given = readOverrides(metadata, profile).id;
      const { eventId, ...rest } = wrapped;
      if (wrapped.kind === 'raw') return { wrapped, id: undefined };
      if (wrapped.kind === 'own') return { wrapped, id: eventId };
      if (given !== undefined) return { wrapped, id: given };
      return { wrapped: { ...rest, flags: [...wrapped.flags, UNKNOWN_ID] }, id: undefined };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { wrapped: { kind: 'raw', wire: event, contentType, flags: [error.message] }, id: undefined };
    }
  }
}

function givenOf({ entryId, contentType, body, metadata }: BulkPublishEntry, codec: Codec): GivenEntry {
  return { entryId, event: bytesOf(body, codec), contentType, metadata };
}
