// Acts on several messages at once.
import { messages, rows, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

/** Two quick attempts, both answered 503. */
async function prepareParking(product: Product): Promise<void> {
  const twice = { maxAttempts: 2, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: twice });
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
}

test('several selected: the bar shows which acts apply, and dropping several asks first', async ({
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
