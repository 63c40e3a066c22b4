// Two messages of the list beside each other.
import { messages, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('any two messages of the list are compared by key', async ({ page, product, accessible }) => {
  for (const orderId of [1, 2]) await product.publish('orders', { orderId });
  await expect(rows(page, /Processed/)).toHaveCount(2);
  await messages(page).focus();
  await page.keyboard.press('=');
  await expect(toast(page, 'Select two messages, or open one and select another.').first()).toBeVisible();
  for (const key of ['Home', 'x', 'ArrowDown', 'x', '=']) await page.keyboard.press(key);
  const dialog = page.getByRole('dialog', { name: 'Compare messages' });
  await expect(dialog.getByText('1 changed line', { exact: true })).toBeVisible();
  await expect(dialog).toContainText('"orderId": 2');
  await expect(dialog.getByRole('listitem')).toHaveText([
    /^− lines only in the message orders of \d\d:/,
    /^\+ lines only in the message orders of \d\d:/,
  ]);
  await accessible();
});
