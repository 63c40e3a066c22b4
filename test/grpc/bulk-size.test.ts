/** A batch for an app over gRPC is no larger than what such an app takes of one message by default. */
import { expect, test } from 'vitest';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import type { TopicEventBulkRequest } from '../../core/grpc-protocol/messages.ts';
import { rawGrpcApp } from './raw-app.ts';
import { count, product } from './running-product.ts';

const SUCCESS = 0;

test.each([
  ['events', {}],
  ['raw payloads, which go as their bytes', { rawPayload: 'true' }],
])(
  '%s are sent in as many calls as needed',
  async (_, metadata) => {
    const app = await rawGrpcApp();
    const { protocol } = app;
    const { listTopicSubscriptionsResponse, topicEventBulkRequest, topicEventBulkResponse } = protocol;
    app.on(APP_METHODS.listTopicSubscriptions, protocol.empty, listTopicSubscriptionsResponse, () => ({
      subscriptions: [
        {
          pubsub_name: 'pubsub',
          topic: 'orders',
          metadata,
          routes: null,
          dead_letter_topic: '',
          bulk_subscribe: { enabled: true, max_messages_count: 5, max_await_duration_ms: 5_000 },
        },
      ],
    }));
    const calls: TopicEventBulkRequest[] = [];
    app.on(APP_METHODS.onBulkTopicEvent, topicEventBulkRequest, topicEventBulkResponse, (request) => {
      calls.push(request);
      return { statuses: request.entries.map(({ entry_id }) => ({ entry_id, status: SUCCESS })) };
    });
    const run = await product('--app-url', app.url);
    await run.when('the subscription', async () => {
      const { items } = await run.rpc('subscriptions.list', {});
      return items.some(({ state }) => state === 'active') ? true : undefined;
    });
    for (let n = 0; n < 5; n += 1) await run.publish('orders', { n, text: 'x'.repeat(1_300_000) });
    await count(run, 'state:processed attempts:1', 5);
    expect(calls.map(({ entries }) => entries.length)).toEqual([3, 2]);
  },
  60_000,
);
