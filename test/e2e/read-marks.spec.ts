// Read marks survive a reload. In a narrow window the open message replaces the list.
import { chooseTab, detail, messages, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const PROCESSED = /, orders, .*Processed, 1 attempt, last answer 200/;

test('a reload keeps list, open message and filter', async ({ page, product }) => {
  for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
  await product.publish('unheard', { orderId: 4 });
  await page.getByRole('combobox', { name: 'Filter messages' }).fill('topic:orders');
  await page.keyboard.press('Enter');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  await rows(page, PROCESSED).nth(1).click();
  await chooseTab(detail(page), 'Attempts');
  const address = page.url();

  await page.reload();
  expect(page.url()).toBe(address);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue('topic:orders');
  await expect(rows(page, PROCESSED).nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(detail(page).getByRole('article', { name: /^Attempt 1, 200 SUCCESS/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
  await expect(rows(page, /, unheard, .*No subscription/)).toBeVisible();
});

test.describe('narrow', () => {
  test.use({ viewport: { width: 700, height: 900 } });

  test('the open message takes the place of the list, and gives it back', async ({
    page,
    product,
    accessible,
  }) => {
    await product.publish('orders', { orderId: 1 });
    await openMessage(page, PROCESSED);
    await expect(messages(page)).toHaveCount(0);
    await accessible();
    await page.getByRole('button', { name: 'Back to list' }).click();
    await expect(rows(page, PROCESSED)).toBeVisible();
    await expect(detail(page)).toHaveCount(0);
  });
});
