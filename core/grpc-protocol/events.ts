/** Converts events and batches of events to messages and back. */
import type { BatchedEvent, EventBatch, TopicEvent } from '../domain/topic-event.ts';
import { ownBytes } from './messages.ts';
import type { EncodedTopicEvent, TopicEventBulkRequest } from './messages.ts';
import { jsonOf, structOf } from './struct.ts';

export function encodedEvent<E extends BatchedEvent>(
  event: E,
): Omit<E, 'data' | 'extensions'> & {
  readonly data: Buffer;
  readonly extensions: ReturnType<typeof structOf>;
} {
  return { ...event, data: ownBytes(event.data), extensions: structOf(event.extensions) };
}

export function encodedBatch({ entries, ...batch }: EventBatch): TopicEventBulkRequest {
  return {
    ...batch,
    entries: entries.map(({ bytes, cloud_event: event, ...entry }) => ({
      ...entry,
      ...(bytes === undefined ? {} : { bytes: ownBytes(bytes) }),
      ...(event === undefined ? {} : { cloud_event: encodedEvent(event) }),
    })),
  };
}

/** The event of a decoded message; its data are a copy. */
export function decodedEvent(message: EncodedTopicEvent): TopicEvent {
  const { topic, pubsub_name, path } = message;
  return { ...batchedOf(message), topic, pubsub_name, path };
}

/** The batch of a decoded message; the data of its entries are copies. */
export function decodedBatch(message: TopicEventBulkRequest): EventBatch {
  const { id, metadata, topic, pubsub_name, type, path } = message;
  return {
    id,
    entries: message.entries.map(({ bytes, cloud_event: event, entry_id, content_type, metadata: own }) => ({
      entry_id,
      ...(event === undefined || event === null
        ? { bytes: ownBytes(bytes ?? []) }
        : { cloud_event: batchedOf(event) }),
      content_type,
      metadata: { ...own },
    })),
    metadata: { ...metadata },
    topic,
    pubsub_name,
    type,
    path,
  };
}

function batchedOf(message: Omit<EncodedTopicEvent, 'topic' | 'pubsub_name' | 'path'>): BatchedEvent {
  const { id, source, type, spec_version, data_content_type, data, extensions } = message;
  return {
    id,
    source,
    type,
    spec_version,
    data_content_type,
    data: ownBytes(data),
    extensions: jsonOf(extensions),
  };
}
