// Deciding by hand about several at once, and moving a message to a dead-letter topic of choice.
import { detail, messages, openMessage, rows, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

/** Two quick attempts, both answered 503. */
async function prepareParking(product: Product): Promise<void> {
  const twice = { maxAttempts: 2, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: twice });
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
}

test('many at once: the selection says what applies, dropping several asks first', async ({
  page,
  product,
  accessible,
}) => {
  await prepareParking(product);
  for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Parked/)).toHaveCount(3);
  await product.rpc('mockApp.usePreset', { preset: 'everything-succeeds' });
  await product.publish('orders', { orderId: 4 });
  await expect(rows(page, /Processed/)).toHaveCount(1);
  await rows(page, /Parked/)
    .first()
    .click();
  await messages(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  const bar = page.getByRole('toolbar', { name: 'Actions for selected messages' });
  await expect(bar).toContainText('4 selected');
  await expect(bar.getByRole('button', { name: 'Retry now (3)' })).toBeVisible();
  await expect(bar.getByRole('button', { name: /^Release/ })).toHaveCount(0);
  await accessible();

  await bar.getByRole('button', { name: 'Drop (3)' }).click();
  const question = page.getByRole('alertdialog', { name: 'Drop 3 deliveries?' });
  await expect(question).toContainText('Topics: orders. Apps: app.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await accessible();
  await page.keyboard.press('Escape');
  await expect(rows(page, /Parked/)).toHaveCount(3);

  await bar.getByRole('button', { name: 'Drop (3)' }).click();
  await question.getByRole('button', { name: 'Drop' }).click();
  await expect(toast(page, '3 dropped.')).toBeVisible();
  await expect(rows(page, /Dropped/)).toHaveCount(3);
});

test('a message is dead-lettered by its subscription and by hand', async ({ page, product }) => {
  await prepareParking(product);
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'orders',
        routes: { default: '/orders' },
        deadLetterTopic: 'orders-dead',
      },
      { pubsubname: 'pubsub', topic: 'plain', routes: { default: '/plain' } },
    ],
  });
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /, orders, .*Dead-lettered, 2 attempts/)).toBeVisible();
  await expect(rows(page, /, orders-dead, .*No subscription/)).toBeVisible();
  await openMessage(page, /, orders, .*Dead-lettered/, 'Attempts');
  await expect(detail(page).getByText('All 2 attempts used: published to orders-dead.')).toBeVisible();

  await product.publish('plain', { orderId: 2 });
  await openMessage(page, /, plain, .*Parked/);
  await detail(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /^Dead-letter/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Move to dead letter' });
  await dialog.getByRole('textbox', { name: 'Dead-letter topic' }).fill('graveyard');
  await dialog.getByRole('button', { name: 'Dead-letter' }).click();
  await expect(rows(page, /, plain, .*Dead-lettered/)).toBeVisible();
  await expect(rows(page, /, graveyard, /)).toBeVisible();
});
