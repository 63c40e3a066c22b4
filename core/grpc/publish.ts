/** `PublishEvent`: one message. */
import type { Empty, PublishEventRequest } from '../grpc-protocol/messages.ts';
import { ownBytes } from '../grpc-protocol/messages.ts';
import { callerOf, traceOf } from './caller.ts';
import type { Edge, UnaryMethod } from './calls.ts';

export function publishEvent({ sidecar, protocol }: Edge): UnaryMethod<PublishEventRequest, Empty> {
  return {
    name: 'PublishEvent',
    request: protocol.publishEventRequest,
    response: protocol.empty,
    facts: ({ metadata }) => ({ requestMetadata: metadata }),
    subject: ({ pubsub_name: pubsubname, topic }) => `${pubsubname}/${topic}`,
    act: async (request, call) => {
      await sidecar.publish({
        pubsubname: request.pubsub_name,
        topic: request.topic,
        body: ownBytes(request.data),
        ...(request.data_content_type === '' ? {} : { contentType: request.data_content_type }),
        metadata: { ...request.metadata },
        ...traceOf(call),
        source: 'grpc',
        caller: callerOf(call),
      });
      return {};
    },
  };
}
