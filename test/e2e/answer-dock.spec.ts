// Each state has one primary button, the head keeps its place, and a held answer is given where the message is read.
import { choose, chooseTab, detail, openMessage, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test.use({ looksAlways: true });

test('a waiting call is answered in its own detail', async ({ page, product, accessible }) => {
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /, orders, .*Waiting for you, 1 attempt/);
  const dock = detail(page).getByRole('region', { name: 'The app waits for your answer' });
  await expect(detail(page).getByText('Waiting for you')).toBeVisible();
  await expect(detail(page).getByText(/(gives|given) up in|times out in/)).toHaveCount(1);
  await accessible();
  await dock.getByRole('button', { name: 'SUCCESS' }).focus();
  await page.keyboard.press('2');
  // The reason is that of the previous attempt, and the text says so.
  await expect(detail(page).locator('header')).toContainText(
    'Attempt 2 is running. Before it: The app asked for a retry.',
  );
  await chooseTab(detail(page), 'Attempts');
  await expect(
    detail(page).getByRole('article', { name: 'Attempt 2, running, Waiting for you' }),
  ).toBeVisible();
  await dock.getByRole('button', { name: 'SUCCESS' }).focus();
  await page.keyboard.press('3');
  await expect(toast(page, 'Answered.')).toBeVisible();
  await expect(dock).toHaveCount(0);
  await expect(rows(page, /, orders, .*Dropped, .*200 DROP/)).toBeVisible();
});

test('a waiting batch is answered in the detail of one of its messages', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'batched',
        routes: { default: '/batched' },
        bulkSubscribe: { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 60_000 },
      },
    ],
  });
  await product.publish('batched', { entry: 1 });
  await product.publish('batched', { entry: 2 });
  const asking = rows(page, /, batched, .*Waiting for you/);
  await expect(asking).toHaveCount(2);
  await asking.first().click();
  const dock = detail(page).getByRole('region', { name: 'The app waits for your answer' });
  await expect(dock.getByRole('button', { name: 'All SUCCESS' })).toBeVisible();
  await dock.getByRole('button', { name: 'Each entry…' }).click();
  const panel = page.getByRole('dialog', { name: 'Answer each entry' });
  await choose(panel, 'Status of entry 2', 'DROP');
  await accessible();
  await panel.getByRole('button', { name: 'Answer the batch' }).click();
  await expect(rows(page, /, batched, .*Processed/)).toHaveCount(1);
  await expect(rows(page, /, batched, .*Dropped/)).toHaveCount(1);
});
