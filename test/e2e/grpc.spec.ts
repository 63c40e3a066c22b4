// Messages that come and go over gRPC, as a person sees them: from publish to verdict, and a stream that ends and comes back.
import { openClient } from '../support/grpc-client.ts';
import { choose, chooseTab, detail, openMessage, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

function grpcOf({ ready: { apps } }: Product): string {
  const address = apps[0]?.grpc;
  if (address === undefined) throw new Error('the product serves no gRPC');
  return address;
}

const ORDER = {
  pubsub_name: 'pubsub',
  topic: 'orders',
  data: Buffer.from('{"orderId":1}'),
  data_content_type: 'application/json',
  metadata: {},
};

test.describe('an app over gRPC', () => {
  test.use({ flags: ['--app-protocol', 'grpc'] });

  test('a message from publish to verdict: method, code, both messages, and what another answer would do', async ({
    page,
    open,
    product,
    accessible,
  }) => {
    await product.rpc('mockApp.setRules', {
      rules: [{ ruleId: 'no', enabled: true, match: {}, answer: { kind: 'respond', status: 501 } }],
    });
    const client = await openClient(grpcOf(product));
    try {
      const { publishEventRequest, empty } = client.protocol;
      expect(await client.call('PublishEvent', publishEventRequest, ORDER, empty)).toEqual({});
    } finally {
      client.close();
    }
    await open(page);
    await openMessage(page, /orders/, 'Attempts');
    const attempt = detail(page).getByRole('article').first();
    await expect(attempt).toContainText('12 UNIMPLEMENTED');
    await expect(attempt).toContainText('OnTopicEvent');
    await expect(attempt).toContainText('it has no handler for this event');
    await choose(attempt, 'What if the app had answered', 'UNAVAILABLE');
    await expect(attempt.getByRole('status')).toContainText('The app answered UNAVAILABLE: to be retried.');
    await expect(attempt.getByRole('button', { name: 'Copy as grpcurl' })).toBeVisible();
    await accessible();
  });
});

test.describe('an app that only streams', () => {
  test.use({ flags: ['--app-url', 'none'] });

  test('a stream ends and comes back: what it had not answered waits, and is seen waiting', async ({
    page,
    open,
    product,
  }) => {
    const client = await openClient(grpcOf(product));
    try {
      const first = client.stream();
      first.subscribe({ topic: 'orders' });
      expect(await first.next()).toHaveProperty('initial_response');
      await product.publish('orders', { orderId: 1 });
      expect(await first.next()).toHaveProperty('event_message.topic', 'orders');
      await open(page);
      await openMessage(page, /orders/);
      first.cancel();
      await chooseTab(detail(page), 'Timeline');
      await expect(detail(page)).toContainText('The stream ended before the app answered');
      await expect(rows(page, /orders/)).toContainText('Waiting for app');
      const second = client.stream();
      second.subscribe({ topic: 'orders' });
      expect(await second.next()).toHaveProperty('initial_response');
      const again = await second.next();
      if (typeof again === 'string' || !('event_message' in again)) throw new Error('no event came');
      second.send({ event_processed: { id: again.event_message?.id ?? '', status: { status: 0 } } });
      await expect(rows(page, /orders/)).toContainText('Processed');
      await expect(detail(page)).toContainText('The app answered SUCCESS');
    } finally {
      client.close();
    }
  });
});
