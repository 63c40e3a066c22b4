// The columns of the list: chosen, ordered, resized by keys and by dragging, kept. A column out of the payload, and a list that is sorted
// by it: frozen, and live again.
import type { Locator, Page } from '@playwright/test';
import { messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const heads = (page: Page): Locator => messages(page).getByRole('columnheader');
const head = (page: Page, name: string): Locator => heads(page).filter({ hasText: name });

async function widthOf(page: Page, name: string): Promise<number> {
  return Math.round((await head(page, name).boundingBox())?.width ?? 0);
}

test('a column of a path is sorted as of a moment and live', async ({ page, product, accessible }) => {
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
  await expect(page.getByText(/^Sorted by .+ as of \d\d:\d\d:\d\d$/)).toBeVisible();
  await product.publish('orders', { total: 6 });
  await expect(page.getByText(/^Sorted by .+ as of .* · 1 newer message$/)).toBeVisible();
  await accessible();
  await head(page, 'total').getByRole('button').click();
  await expect(head(page, 'total')).toHaveAttribute('aria-sort', 'ascending');
  await expect(values).toHaveText(['5', '6', '70', '4000']);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect(values).toHaveText(['5', '4000', '70', '6']);

  // Newest first is a live order: a new message stands on the first line.
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

test('columns are chosen, ordered, resized and dragged, and the layout is kept', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1 });
  await expect(messages(page)).toHaveAttribute('aria-colcount', '9');
  await expect(rows(page, /orders/).locator('[data-col="preview"]')).toHaveText('{orderId:1}');
  await page.getByRole('button', { name: 'Columns' }).click();
  const panel = page.getByRole('dialog', { name: 'Columns of the list' });
  await panel.getByRole('checkbox', { name: 'Route' }).click();
  await panel.getByRole('checkbox', { name: 'Last call' }).click();
  await panel.getByRole('button', { name: 'Move Route up' }).click();
  await panel.getByRole('spinbutton', { name: 'Width of Topic in px' }).fill('200');
  await accessible();
  await page.keyboard.press('Escape');
  await expect(heads(page)).toHaveText([
    'Unread',
    'Select',
    'Time',
    'Topic',
    'Type',
    'Preview',
    'State',
    'Route',
    'Last answer',
  ]);
  await expect(messages(page).getByRole('gridcell', { name: '/orders', exact: true })).toBeVisible();
  expect(await widthOf(page, 'Topic')).toBe(200);

  const box = await head(page, 'Time').boundingBox();
  if (box === null) throw new Error('no head');
  const [x, y] = [box.x + box.width + 3, box.y + 10];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y, { steps: 4 });
  await page.mouse.up();
  expect(await widthOf(page, 'Time')).toBe(144);
  await accessible();

  await page.reload();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  expect([await widthOf(page, 'Time'), await widthOf(page, 'Topic')]).toEqual([144, 200]);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Reset columns' }).click();
  await page.keyboard.press('Escape');
  await expect(heads(page).last()).toHaveText('Last call');
  await head(page, 'Last call').getByRole('button').dragTo(head(page, 'Topic').getByRole('button'));
  await expect(heads(page).nth(3)).toHaveText('Last call');
});
