// A gRPC stream that ends and comes back, as the console shows it.
import { openClient } from '../support/grpc-client.ts';
import { chooseTab, detail, openMessage, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

function grpcOf({ ready: { apps } }: Product): string {
  const address = apps[0]?.grpc;
  if (address === undefined) throw new Error('the product serves no gRPC');
  return address;
}

test.describe('an app that only streams', () => {
  test.use({ flags: ['--app-url', 'none'] });

  test('a stream ends and comes back: unanswered messages wait, and are shown waiting', async ({
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
