// A message goes to a dead-letter topic: to that of its subscription, and to one that a person chooses.
import { detail, openMessage, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

/** Two quick attempts, both answered 503. */
async function prepareParking(product: Product): Promise<void> {
  const twice = { maxAttempts: 2, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: twice });
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
}

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
  await expect(
    detail(page).getByText(
      /^All 2 attempts used; the last answer was \d+\. A copy was published to orders-dead\./,
    ),
  ).toBeVisible();

  await product.publish('plain', { orderId: 2 });
  await openMessage(page, /, plain, .*Parked/);
  await detail(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /^Dead-letter/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Move to dead-letter topic' });
  await dialog.getByRole('textbox', { name: 'Dead-letter topic' }).fill('graveyard');
  await dialog.getByRole('button', { name: 'Dead-letter' }).click();
  await expect(rows(page, /, plain, .*Dead-lettered/)).toBeVisible();
  await expect(rows(page, /, graveyard, /)).toBeVisible();
});
