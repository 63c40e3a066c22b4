/** Turns publishes to a tapped sidecar into messages. */
import { checkEntries, readBulkPublish } from '../../domain/bulk-publish.ts';
import type { BulkPublishEntry, GivenEntry } from '../../domain/bulk-publish.ts';
import { bytesOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import { readOverrides } from '../../domain/metadata.ts';
import { rowText } from '../../domain/name-length.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { SeenPublish } from '../../ports/tap.ts';
import type { SharedServices } from '../common-services.ts';
import { wrapRequest } from '../publishing/wrap-request.ts';
import type { LiveMessage } from '../state/live.ts';
import { UNKNOWN_ID } from './observed-messages.ts';
import type { ObservedMessages } from './observed-messages.ts';

export class ObservedPublishes {
  readonly #shared: SharedServices;
  readonly #messages: ObservedMessages;

  constructor(shared: SharedServices, messages: ObservedMessages) {
    this.#shared = shared;
    this.#messages = messages;
  }

  /** Creates the messages of a request; a batch has one for each entry. */
  note(seen: SeenPublish): readonly LiveMessage[] {
    const { ids } = this.#shared;
    const batchId = seen.isBulk ? ids.next('batch') : undefined;
    return this.#entriesOf(seen).map((entry) => this.#publish(seen, entry, batchId));
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

  #publish(seen: SeenPublish, entry: GivenEntry, batchId: string | undefined): LiveMessage {
    const { appId, protocol, pubsubname, topic, caller } = seen;
    const { wrapped, id } = this.#wrapped(seen, entry);
    const origin = protocol === 'grpc' ? 'grpc' : 'http';
    const inBatch = protocol === 'grpc' ? 'grpc-bulk' : 'bulk';
    return this.#messages.published({
      id,
      facts: {
        appId,
        tap: appId,
        pubsubname,
        topic,
        source: seen.replayOf === undefined ? (seen.isBulk ? inBatch : origin) : 'replay',
        wrapped,
        givenContentType: rowText(entry.contentType),
        metadata: entry.metadata,
        ...(seen.at === undefined ? {} : { atMs: seen.at.ms }),
        ...(batchId === undefined ? {} : { batchId }),
        ...(seen.replayOf === undefined ? {} : { replayOf: seen.replayOf }),
        caller: { ...caller, ...(entry.entryId === '' ? {} : { entryId: entry.entryId }) },
      },
    });
  }

  /** The envelope as the sidecar creates it. If the publisher gave no id, it is unknown. */
  #wrapped(
    { appId, pubsubname, topic, traceparent, tracestate, profile }: SeenPublish,
    { event, contentType, metadata }: GivenEntry,
  ): { readonly wrapped: Wrapped; readonly id: string | undefined } {
    const trace = {
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(tracestate === undefined ? {} : { tracestate }),
    };
    try {
      const request = { appId, pubsubname, topic, contentType, metadata, body: event, ...trace };
      const wrapped = wrapRequest({ ...this.#shared, profile }, request, '');
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
