// Messages of one trace.
import { detail, openMessage } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('messages of one trace are found from each other', async ({ page, product, accessible }) => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  for (const topic of ['orders', 'shipments']) {
    await product.sidecar(`/v1.0/publish/pubsub/${topic}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent },
      body: '{}',
    });
  }
  await openMessage(page, /, orders, .*Processed/, 'Timeline');
  const table = detail(page).getByRole('table', { name: 'Messages of the same trace' });
  await expect(detail(page).getByRole('heading', { name: 'Same trace: 2 messages' })).toBeVisible();
  await expect(table.getByRole('row').nth(1)).toContainText('orders (this message)');
  await accessible();
  await table.getByRole('link', { name: 'shipments' }).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toContainText('shipments');
  await expect(table.getByRole('row').nth(2)).toContainText('shipments (this message)');
});
