// Clearing the history from the settings.
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';

test.use({ flags: ['--set', 'delivery.concurrency=3'] });

test('the history is cleared after a question, pinned messages stay, and it comes back', async ({
  page,
  product,
  accessible,
}) => {
  for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
  const { items } = await product.rpc('messages.list', {});
  await product.rpc('messages.update', { messageId: items[0]?.messageId ?? '', pinned: true });
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Storage' }).click();
  await expect(page.getByText(/^3 of 100,000 messages, \d/)).toBeVisible();
  await page.getByRole('button', { name: 'Clear…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Clear all messages?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await accessible();
  await question.getByRole('button', { name: 'Clear', exact: true }).click();
  await product.when('one left', async () => {
    const { total } = await product.rpc('messages.list', {});
    return total === 1 ? true : undefined;
  });
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
  await product.when('all back', async () => {
    const { total } = await product.rpc('messages.list', {});
    return total === 3 ? true : undefined;
  });
});
