/** Request bytes of each app method, and its reply as JSON. */
import { APP_METHODS } from '../../contract/grpc.ts';
import { encodedBatch, encodedEvent } from '../../grpc-protocol/events.ts';
import { ownBytes } from '../../grpc-protocol/messages.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import { batchReply, decodedReply, eventReply } from '../../grpc-protocol/replies.ts';
import type { AppCall } from '../../ports/app-channel.ts';

export interface AppMethod {
  readonly request: Buffer;
  /** The reply as a value that reads as JSON; throws where the bytes cannot be decoded. */
  readonly read: (reply: Buffer) => unknown;
}

/** Throws for a path that is no method of an app. */
export function methodOf({ path, message }: AppCall, protocol: Protocol): AppMethod {
  switch (message?.kind) {
    case 'event':
      return {
        request: protocol.topicEventRequest.encode(encodedEvent(message.event)),
        read: (reply) => eventReply(reply, protocol),
      };
    case 'batch':
      return {
        request: protocol.topicEventBulkRequest.encode(encodedBatch(message.batch)),
        read: (reply) => batchReply(reply, protocol),
      };
    case 'binding': {
      const { name, data, metadata } = message.event;
      return {
        request: protocol.bindingEventRequest.encode({ name, data: ownBytes(data), metadata }),
        read: (reply) => {
          const { to, data: given } = decodedReply(protocol.bindingEventResponse, reply);
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
      return decodedReply(protocol.listTopicSubscriptionsResponse, reply);
    case APP_METHODS.listInputBindings:
      return decodedReply(protocol.listInputBindingsResponse, reply);
    case APP_METHODS.healthCheck:
      return {};
    default:
      throw new Error(`${path} is no method that is called without a message`);
  }
}
