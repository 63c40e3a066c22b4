/** Converts a sidecar's calls for the rules, and the mock app's subscriptions for gRPC. */
import type { WireSubscription } from '../contract/subscription.ts';
import type {
  BindingEventRequest,
  EncodedTopicEvent,
  ListTopicSubscriptionsResponse,
  TopicEventBulkRequest,
} from '../grpc-protocol/messages.ts';
import { ownBytes } from '../grpc-protocol/messages.ts';
import { jsonOf } from '../grpc-protocol/struct.ts';
import { tryParse } from '../domain/json.ts';
import type { Incoming, IncomingEvent } from './incoming.ts';

type Read = Omit<Incoming, 'headers'>;
type AnyEvent = Omit<EncodedTopicEvent, 'topic' | 'pubsub_name' | 'path'>;

export function deliveryOf(request: EncodedTopicEvent): Read {
  const event = eventOf(request);
  const { topic } = event.event ?? {};
  return {
    kind: 'delivery',
    path: request.path,
    pubsubname: request.pubsub_name,
    // For a wildcard subscription the request names the pattern, so the topic is read from the event.
    topic: typeof topic === 'string' ? topic : request.topic,
    events: [event],
    isWhole: true,
    body: Buffer.from(JSON.stringify(event.event)),
  };
}

export function batchOf(request: TopicEventBulkRequest): Read {
  const events = request.entries.map((entry): IncomingEvent => {
    const { cloud_event: event, entry_id: entryId, bytes } = entry;
    if (event !== undefined && event !== null) return { ...eventOf(event), entryId };
    return { ...(bytes === undefined ? {} : { wire: ownBytes(bytes) }), entryId };
  });
  const entries = events.map(({ wire: _wire, ...event }) => event);
  return {
    kind: 'bulk',
    path: request.path,
    pubsubname: request.pubsub_name,
    topic: request.topic,
    events,
    body: Buffer.from(JSON.stringify({ entries })),
  };
}

export function bindingOf({ name, data }: BindingEventRequest): Read {
  return { kind: 'binding', path: `/${name}`, events: [{}], body: ownBytes(data) };
}

/** The CloudEvent of a message. */
function eventOf(request: AnyEvent): IncomingEvent {
  const { id, source, type, data_content_type: datacontenttype } = request;
  const text = ownBytes(request.data).toString('utf8');
  const event = {
    ...jsonOf(request.extensions),
    specversion: request.spec_version,
    id,
    source,
    type,
    datacontenttype,
    data: tryParse(text)?.value ?? text,
  };
  return { ...(id === '' ? {} : { id }), ...(type === '' ? {} : { type }), event };
}

export function listed(
  subscription: WireSubscription,
): ListTopicSubscriptionsResponse['subscriptions'][number] {
  const { pubsubname, topic, route, routes, metadata, bulkSubscribe, deadLetterTopic } = subscription;
  const { maxMessagesCount = 0, maxAwaitDurationMs = 0, enabled = true } = bulkSubscribe ?? {};
  return {
    pubsub_name: pubsubname,
    topic,
    metadata: { ...metadata },
    routes: {
      rules: (routes?.rules ?? []).map(({ match = '', path }) => ({ match, path })),
      default: routes?.default ?? route ?? '',
    },
    dead_letter_topic: deadLetterTopic ?? '',
    ...(bulkSubscribe === undefined || bulkSubscribe === null
      ? {}
      : {
          bulk_subscribe: {
            enabled,
            max_messages_count: maxMessagesCount,
            max_await_duration_ms: maxAwaitDurationMs,
          },
        }),
  };
}
