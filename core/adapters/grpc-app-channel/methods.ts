/** What goes out as bytes for each method of an app, and its reply as JSON. */
import { APP_METHODS } from '../../contract/grpc.ts';
import type { TopicEventBulkRequest } from '../../grpc-protocol/messages.ts';
import { ownBytes } from '../../grpc-protocol/messages.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import { structOf } from '../../grpc-protocol/struct.ts';
import type { BatchedEvent, EventBatch } from '../../domain/topic-event.ts';
import type { AppCall } from '../../ports/app-channel.ts';

export interface AppMethod {
  readonly request: Buffer;
  /** The reply as a value that reads as JSON; throws for bytes that are none. */
  readonly read: (reply: Buffer) => unknown;
}

const STATUSES = ['SUCCESS', 'RETRY', 'DROP'] as const;

/** Throws for a path that is no method of an app. */
export function methodOf({ path, message }: AppCall, protocol: Protocol): AppMethod {
  switch (message?.kind) {
    case 'event':
      return {
        request: protocol.topicEventRequest.encode(encoded(message.event)),
        read: (reply) => ({ status: wordOf(protocol.topicEventResponse.decode(reply).status) }),
      };
    case 'batch':
      return {
        request: protocol.topicEventBulkRequest.encode(batchOf(message.batch)),
        read: (reply) => ({
          statuses: protocol.topicEventBulkResponse
            .decode(reply)
            .statuses.map(({ entry_id, status }) => ({ entry_id, status: wordOf(status) })),
        }),
      };
    case 'binding': {
      const { name, data, metadata } = message.event;
      return {
        request: protocol.bindingEventRequest.encode({ name, data: ownBytes(data), metadata }),
        read: (reply) => {
          const { to, data: given } = protocol.bindingEventResponse.decode(reply);
          return { to, data: ownBytes(given).toString('base64') };
        },
      };
    }
    case undefined:
      return { request: protocol.empty.encode({}), read: (reply) => emptyReply(path, reply, protocol) };
  }
}

function emptyReply(path: string, reply: Buffer, protocol: Protocol): unknown {
  switch (path) {
    case APP_METHODS.listTopicSubscriptions:
      return protocol.listTopicSubscriptionsResponse.decode(reply);
    case APP_METHODS.listInputBindings:
      return protocol.listInputBindingsResponse.decode(reply);
    case APP_METHODS.healthCheck:
      return {};
    default:
      throw new Error(`${path} is no method that is called without a message`);
  }
}

function encoded<E extends BatchedEvent>(
  event: E,
): Omit<E, 'data' | 'extensions'> & {
  readonly data: Buffer;
  readonly extensions: ReturnType<typeof structOf>;
} {
  return { ...event, data: ownBytes(event.data), extensions: structOf(event.extensions) };
}

function batchOf({ entries, ...batch }: EventBatch): TopicEventBulkRequest {
  return {
    ...batch,
    entries: entries.map(({ bytes, cloud_event: event, ...entry }) => ({
      ...entry,
      ...(bytes === undefined ? {} : { bytes: ownBytes(bytes) }),
      ...(event === undefined ? {} : { cloud_event: encoded(event) }),
    })),
  };
}

function wordOf(status: number): string | number {
  return STATUSES[status] ?? status;
}
