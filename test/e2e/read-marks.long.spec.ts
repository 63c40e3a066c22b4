// Unread marks, an incomplete batch, and what another answer would lead to.
import { choose, detail, messages, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('a message is unread until it is opened', async ({ page, product }) => {
  for (let orderId = 1; orderId <= 4; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Unread$/)).toHaveCount(4);
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Messages, 4 unread' })).toBeVisible();
  await rows(page, /Unread$/)
    .first()
    .click();
  await expect(rows(page, /Unread$/)).toHaveCount(3);
  await messages(page).focus();
  await page.keyboard.press('Shift+U');
  await expect(rows(page, /Unread$/)).toHaveCount(0);
  await expect(nav.getByRole('link', { name: 'Messages', exact: true })).toBeVisible();
  await product.publish('orders', { orderId: 5 });
  await expect(rows(page, /Unread$/)).toHaveCount(1);
  // One that was read with all others can be marked unread again, and the list and the number agree.
  await page.keyboard.press('Home');
  await page.keyboard.press('u');
  await expect(nav.getByRole('link', { name: 'Messages, 2 unread' })).toBeVisible();
  await expect(rows(page, /Unread$/)).toHaveCount(2);
});

test('a message that waits for its batch is queued', async ({ page, product }) => {
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'batched',
        routes: { default: '/batched' },
        bulkSubscribe: { enabled: true, maxMessagesCount: 3, maxAwaitDurationMs: 60_000 },
      },
    ],
  });
  await product.rpc('mockApp.usePreset', { preset: 'B1' });
  await product.publish('batched', { entry: 1 });
  await openMessage(page, /, batched, .*Queued, 0 attempts/, 'Attempts');
  await expect(detail(page).getByText('The app has not got it yet.')).toBeVisible();
  await product.publish('batched', { entry: 2 });
  await product.publish('batched', { entry: 3 });
  await expect(rows(page, /, batched, .*Processed, 1 attempt/)).toHaveCount(3);
});

test('"What if" says what another answer would lead to, and sends nothing', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /Processed/, 'Attempts');
  const sent = (await product.rpc('mockApp.get', {})).requests.length;
  await choose(detail(page), 'What if the app had answered', '404');
  const told = detail(page).getByRole('status').filter({ hasText: 'The app answered 404: dropped.' });
  await expect(told).toContainText('Dropped');
  await accessible();
  expect((await product.rpc('mockApp.get', {})).requests).toHaveLength(sent);
  await expect(rows(page, /Processed, 1 attempt/)).toBeVisible();
});
