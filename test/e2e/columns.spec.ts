// The columns of the list: chosen, ordered, resized by keys and by dragging, kept.
import type { Locator, Page } from '@playwright/test';
import { messages } from './console-page.ts';
import { expect, test } from './fixture.ts';

const heads = (page: Page): Locator => messages(page).getByRole('columnheader');
const head = (page: Page, name: string): Locator => heads(page).filter({ hasText: name });

async function widthOf(page: Page, name: string): Promise<number> {
  return Math.round((await head(page, name).boundingBox())?.width ?? 0);
}

test('columns are chosen, ordered and resized, and stay so', async ({ page, product, accessible }) => {
  await product.publish('orders', { orderId: 1 });
  await expect(messages(page)).toHaveAttribute('aria-colcount', '9');
  await page.getByRole('button', { name: 'Columns' }).click();
  const panel = page.getByRole('dialog', { name: 'Columns of the list' });
  await panel.getByRole('checkbox', { name: 'Route' }).click();
  await panel.getByRole('checkbox', { name: 'Size' }).click();
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
    'State',
    'Att',
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
  await expect(heads(page).last()).toHaveText('Size');
});
