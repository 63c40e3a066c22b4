// An event of the topic `orders` as a sidecar hands it to an app over gRPC.
import { encodedEvent } from '../../core/grpc-protocol/events.ts';
import type { EncodedTopicEvent } from '../../core/grpc-protocol/messages.ts';

export function orderEvent(more: Partial<EncodedTopicEvent> = {}): EncodedTopicEvent {
  return {
    ...encodedEvent({
      id: 'e1',
      source: 'shop',
      type: 'com.dapr.event.sent',
      spec_version: '1.0',
      data_content_type: 'application/json',
      data: Buffer.from('{"n":1}'),
      extensions: { topic: 'orders', pubsubname: 'redis' },
    }),
    topic: 'orders',
    pubsub_name: 'redis',
    path: '',
    ...more,
  };
}
