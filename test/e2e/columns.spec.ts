// The columns of the list: chosen, ordered, resized by keys and by dragging, kept.
import type { Locator, Page } from '@playwright/test';
import { messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const heads = (page: Page): Locator => messages(page).getByRole('columnheader');
const head = (page: Page, name: string): Locator => heads(page).filter({ hasText: name });

async function widthOf(page: Page, name: string): Promise<number> {
  return Math.round((await head(page, name).boundingBox())?.width ?? 0);
}

test('columns are chosen, ordered, resized and dragged, and stay so', async ({
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
  await panel.getByRole('checkbox', { name: 'Took' }).click();
  await panel.getByRole('button', { name: 'Move Route to the left' }).click();
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
  await page.getByRole('button', { name: 'Use the usual columns' }).click();
  await page.keyboard.press('Escape');
  await expect(heads(page).last()).toHaveText('Took');
  await head(page, 'Took').getByRole('button').dragTo(head(page, 'Topic').getByRole('button'));
  await expect(heads(page).nth(3)).toHaveText('Took');
});

async function headMenu(page: Page, name: string, entry: string): Promise<void> {
  await head(page, name).getByRole('button').click({ button: 'right' });
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

test('a head has a menu for width, place and sorting, by keyboard too', async ({
  page,
  product,
  accessible,
}) => {
  for (const total of [5, 4000, 70]) await product.publish('orders', { total });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  await head(page, 'Time').getByRole('button').focus();
  await page.keyboard.press('ArrowRight');
  await expect(head(page, 'Topic').getByRole('button')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Sort ascending' })).toBeVisible();
  await accessible();
  await page.getByRole('menuitem', { name: 'Width…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Column Topic' });
  await dialog.getByRole('textbox', { name: 'Width in px' }).fill('180');
  await page.keyboard.press('Enter');
  await expect.poll(() => widthOf(page, 'Topic')).toBe(180);
  await headMenu(page, 'State', 'Move left');
  await expect(heads(page).nth(5)).toHaveText('State');

  await head(page, 'Topic').getByRole('button').press('Enter');
  await expect(head(page, 'Topic')).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByText(/^Sorted as of \d\d:\d\d:\d\d$/)).toBeVisible();
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect(head(page, 'Topic')).not.toHaveAttribute('aria-sort', 'descending');
});
