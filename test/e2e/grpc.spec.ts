// One message over gRPC as the console shows it, from publish to verdict.
import { openClient } from '../support/grpc-client.ts';
import { choose, detail, openMessage } from './console-page.ts';
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
  test.use({ opensConsole: false, flags: ['--app-protocol', 'grpc'] });

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
