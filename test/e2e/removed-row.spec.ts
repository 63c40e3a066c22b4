// The focused row leaves the list: because it is deleted, or no longer matches the filter.
import { messages, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test.beforeEach(async ({ page, product }) => {
  await product.rpc('settings.set', {
    key: 'delivery.retry',
    value: { maxAttempts: 1, firstDelayMs: 1000, factor: 1, maxDelayMs: 1000 },
  });
  await product.rpc('mockApp.setRules', {
    rules: [{ name: 'ill', enabled: true, match: {}, answer: { kind: 'respond', status: 503, body: '' } }],
  });
  for (let orderId = 1; orderId <= 5; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Parked/)).toHaveCount(5);
});

test('after a deletion the focus is on the next row, or at the end on the one before', async ({ page }) => {
  const ids = await rows(page, /Parked/).evaluateAll((all) => all.map(({ id }) => id));
  await messages(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(messages(page)).toHaveAttribute('aria-activedescendant', ids[1] ?? '');
  await page.keyboard.press('Delete');
  await expect(toast(page, '1 deleted. You can undo this for 10 s.')).toBeVisible();
  await expect(messages(page)).toHaveAttribute('aria-activedescendant', ids[2] ?? '');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Delete');
  await expect(rows(page, /Parked/)).toHaveCount(3);
  await expect(messages(page)).toHaveAttribute('aria-activedescendant', ids[3] ?? '');
});

test('after a row leaves the view the arrow keys continue from its place', async ({ page, product }) => {
  await page.getByRole('combobox', { name: 'Filter messages' }).fill('state:parked');
  await page.getByRole('combobox', { name: 'Filter messages' }).press('Enter');
  await expect(page.getByText('5 of 5')).toBeVisible();
  const ids = await rows(page, /Parked/).evaluateAll((all) => all.map(({ id }) => id));
  await product.rpc('mockApp.setRules', { rules: [] });
  await messages(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('t');
  await expect(rows(page, /Parked/)).toHaveCount(4);
  await page.keyboard.press('ArrowDown');
  await expect(messages(page)).toHaveAttribute('aria-activedescendant', ids[2] ?? '');
});
