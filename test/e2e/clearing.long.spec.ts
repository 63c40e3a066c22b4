// Dead letters of a view go back to their topic.
import { messages, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('dead letters go back to their topic and leave the view', async ({ page, product, accessible }) => {
  const value = { maxAttempts: 1, firstDelayMs: 1, factor: 1, maxDelayMs: 1 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      { pubsubname: 'pubsub', topic: 'orders', route: '/orders', deadLetterTopic: 'orders-dead' },
    ],
  });
  await product.rpc('mockApp.setRules', {
    rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 500, body: '' } }],
  });
  for (const n of [1, 2]) await product.publish('orders', { n });
  await page.getByRole('tab', { name: /^Dead-lettered/ }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await product.rpc('mockApp.setRules', { rules: [] });
  await messages(page).focus();
  await page.keyboard.press('Control+a');
  const bar = page.getByRole('toolbar', { name: 'Actions for selected messages' });
  await expect(bar).toContainText('2 selected');
  await accessible();
  await bar.getByRole('button', { name: 'Replay and remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay 2 and remove' });
  await expect(dialog).toContainText('Copies on a dead-letter topic stay there.');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Replay 2 and remove' }).click();
  await expect(toast(page, '2 replayed, 0 failed').first()).toBeVisible();
  await expect(page.getByText('No message matches this filter.')).toBeVisible();

  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await filter.fill('topic:orders-dead');
  await filter.press('Enter');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await messages(page).focus();
  await page.keyboard.press('Control+a');
  await bar.getByRole('button', { name: 'Replay to original topic and remove' }).click();
  const ofCopies = page.getByRole('dialog', { name: 'Replay 2 to the original topic and remove' });
  await expect(ofCopies).toContainText('goes to the topic where its message was first published');
  await ofCopies.getByRole('button', { name: 'Replay 2 and remove' }).click();
  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  const { items } = await product.rpc('messages.list', { order: 'oldest' });
  expect(items.map(({ topic }) => topic)).toEqual(['orders', 'orders', 'orders', 'orders']);
});
