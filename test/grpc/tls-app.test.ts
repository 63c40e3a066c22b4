/** An app that speaks gRPC over TLS, with a self-signed certificate, behind the whole product. */
import { expect, test } from 'vitest';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { rawGrpcApp } from './raw-app.ts';
import { count, product } from './running-product.ts';

test('an app over TLS is asked for its subscriptions, and gets published messages', async () => {
  const app = await rawGrpcApp(true);
  const { empty, listTopicSubscriptionsResponse, topicEventRequest, topicEventResponse } = app.protocol;
  app.on(APP_METHODS.listTopicSubscriptions, empty, listTopicSubscriptionsResponse, () => ({
    subscriptions: [{ pubsub_name: 'pubsub', topic: 'orders', metadata: {}, dead_letter_topic: '' }],
  }));
  const got: string[] = [];
  app.on(APP_METHODS.onTopicEvent, topicEventRequest, topicEventResponse, ({ data }) => {
    got.push(Buffer.from(data).toString());
    return { status: 0 };
  });
  const run = await product('--app-url', app.url);
  expect(run.ready.apps[0]).toMatchObject({ app: app.url, protocol: 'grpc' });
  await run.publish('orders', { n: 1 });
  await count(run, 'state:processed protocol:grpc', 1);
  expect(got).toEqual(['{"n":1}']);
}, 60_000);
