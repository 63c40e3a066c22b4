/** `BulkPublishEvent` and the older `BulkPublishEventAlpha1`: several messages to one topic. */
import { errorText } from '../contract/error-text.ts';
import { grpcCode } from '../contract/grpc.ts';
import type { BulkPublishResponse } from '../grpc-protocol/messages.ts';
import { ownBytes } from '../grpc-protocol/messages.ts';
import type { BulkCodec, EncodedEntries } from '../grpc-protocol/protocol.ts';
import { MAX_ENTRIES, TOO_MANY_PARTS } from '../domain/bulk-publish.ts';
import type { GivenEntries, GivenEntry } from '../domain/bulk-publish.ts';
import { Refusal } from '../domain/refusal.ts';
import { callerOf, traceOf } from './caller.ts';
import type { Edge, UnaryMethod } from './calls.ts';
import { CallRefused } from './errors.ts';

/** A request whose entries are not decoded yet. */
type BulkHead = ReturnType<BulkCodec['decodeHead']>;

export function bulkPublishEvent(
  { sidecar, protocol }: Edge,
  name: 'BulkPublishEvent' | 'BulkPublishEventAlpha1',
): UnaryMethod<BulkHead, BulkPublishResponse> {
  const codec = protocol.bulkPublishRequest;
  return {
    name,
    // Decoded entries take many times the memory of the bytes, so those of a request that waits are not decoded.
    request: { ...codec, decode: (bytes) => codec.decodeHead(bytes) },
    response: protocol.bulkPublishResponse,
    facts: ({ metadata }) => ({ requestMetadata: metadata, bulk: true }),
    entries: { most: MAX_ENTRIES, complaint: TOO_MANY_PARTS },
    names: ({ pubsub_name: pubsubname, topic }) => ({ pubsubname, topic, appId: sidecar.appId }),
    subject: ({ pubsub_name: pubsubname, topic }) => `${pubsubname}/${topic}`,
    act: async (request, call) => {
      const { pubsub_name: pubsubname, topic, entries } = request;
      const left = new AbortController();
      call.whenLeft(() =>
        left.abort(new CallRefused(grpcCode('CANCELLED'), 'the client left before anything was published')),
      );
      const { failedEntries } = await sidecar.publishBulk({
        pubsubname,
        topic,
        body: givenEntries(entries),
        metadata: { ...request.metadata },
        ...traceOf(call),
        source: 'grpc',
        caller: callerOf(call),
        signal: left.signal,
      });
      const [first] = failedEntries;
      // If nothing was published, the call itself fails, because clients of the reference check that.
      if (first !== undefined && failedEntries.length === entries.length)
        throw new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', { topic, pubsubname, reason: first.error });
      return { failedEntries: failedEntries.map(({ entryId, error }) => ({ entry_id: entryId, error })) };
    },
  };
}

function givenEntries(entries: EncodedEntries): GivenEntries {
  return { length: entries.length, bytes: entries.bytes, [Symbol.iterator]: () => decoded(entries) };
}

function* decoded(entries: EncodedEntries): Generator<GivenEntry> {
  try {
    for (const { entry_id: entryId, event, content_type: contentType, metadata } of entries)
      yield { entryId, event: ownBytes(event), contentType, metadata: { ...metadata } };
  } catch (error) {
    // The library answers a request that it cannot decode in these words.
    throw new CallRefused(grpcCode('INTERNAL'), `Error deserializing request: ${errorText(error)}`);
  }
}
