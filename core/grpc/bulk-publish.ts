/** `BulkPublishEvent` and the older `BulkPublishEventAlpha1`: several messages to one topic. */
import type { BulkPublishRequest, BulkPublishResponse } from '../grpc-protocol/messages.ts';
import { ownBytes } from '../grpc-protocol/messages.ts';
import { MAX_ENTRIES, TOO_MANY_PARTS } from '../domain/bulk-publish.ts';
import { Refusal } from '../domain/refusal.ts';
import { callerOf, traceOf } from './caller.ts';
import type { Edge, UnaryMethod } from './calls.ts';

export function bulkPublishEvent(
  { sidecar, protocol }: Edge,
  name: 'BulkPublishEvent' | 'BulkPublishEventAlpha1',
): UnaryMethod<BulkPublishRequest, BulkPublishResponse> {
  return {
    name,
    request: protocol.bulkPublishRequest,
    response: protocol.bulkPublishResponse,
    facts: ({ metadata }) => ({ requestMetadata: metadata, bulk: true }),
    entries: { most: MAX_ENTRIES, complaint: TOO_MANY_PARTS },
    names: ({ pubsub_name: pubsubname, topic }) => ({ pubsubname, topic, appId: sidecar.appId }),
    subject: ({ pubsub_name: pubsubname, topic }) => `${pubsubname}/${topic}`,
    act: async (request, call) => {
      const { pubsub_name: pubsubname, topic, entries } = request;
      const { failedEntries } = await sidecar.publishBulk({
        pubsubname,
        topic,
        body: entries.map((entry) => ({
          entryId: entry.entry_id,
          event: ownBytes(entry.event),
          contentType: entry.content_type,
          metadata: { ...entry.metadata },
        })),
        metadata: { ...request.metadata },
        ...traceOf(call),
        source: 'grpc',
        caller: callerOf(call),
      });
      const [first] = failedEntries;
      // If nothing was published, the call itself fails, because clients of the reference check that.
      if (first !== undefined && failedEntries.length === entries.length)
        throw new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', { topic, pubsubname, reason: first.error });
      return { failedEntries: failedEntries.map(({ entryId, error }) => ({ entry_id: entryId, error })) };
    },
  };
}
