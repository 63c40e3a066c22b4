// A column out of the payload, and a list that is sorted by it: frozen, and live again.
import type { Locator, Page } from '@playwright/test';
import { messages } from './console-page.ts';
import { expect, test } from './fixture.ts';

const head = (page: Page, name: string): Locator =>
  messages(page).getByRole('columnheader').filter({ hasText: name });

test("a column of one's own, sorted as of a moment and live", async ({ page, product, accessible }) => {
  for (const total of [5, 4000, 70]) await product.publish('orders', { total });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  await page.getByRole('button', { name: 'Columns' }).click();
  const panel = page.getByRole('dialog', { name: 'Columns of the list' });
  const path = panel.getByRole('textbox', { name: 'Own column' });
  await path.fill('total');
  await path.press('Enter');
  await expect(panel).toContainText('Use a path into the payload');
  await path.fill('data.total');
  await path.press('Enter');
  await expect(panel.getByRole('checkbox', { name: 'total', exact: true })).toBeChecked();
  await accessible();
  await page.keyboard.press('Escape');
  const values = messages(page).getByRole('row').locator('[role="gridcell"]:last-child');
  await expect(values).toHaveText(['5', '4000', '70']);

  await head(page, 'total').getByRole('button').press('Enter');
  await expect(values).toHaveText(['4000', '70', '5']);
  await expect(head(page, 'total')).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByText(/^Sorted as of \d\d:\d\d:\d\d$/)).toBeVisible();
  await product.publish('orders', { total: 6 });
  await expect(page.getByText(/^Sorted as of .* · 1 newer message$/)).toBeVisible();
  await accessible();
  await head(page, 'total').getByRole('button').click();
  await expect(head(page, 'total')).toHaveAttribute('aria-sort', 'ascending');
  await expect(values).toHaveText(['5', '6', '70', '4000']);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect(values).toHaveText(['5', '4000', '70', '6']);

  // Newest first is a live order: what comes stands on the first line.
  await head(page, 'Time').getByRole('button').click();
  await expect(head(page, 'Time')).toHaveAttribute('aria-sort', 'descending');
  await expect(values).toHaveText(['6', '70', '4000', '5']);
  await product.publish('orders', { total: 8 });
  await expect(values).toHaveText(['8', '6', '70', '4000', '5']);
  await messages(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: /orders/ })).toContainText('"total": 6');
});
