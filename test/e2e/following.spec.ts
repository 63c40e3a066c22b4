// A list that grows while it is read: follow, pause, unread.
import type { Locator, Page } from '@playwright/test';
import { messages, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

async function publishMany(product: Product, from: number, to: number): Promise<void> {
  for (let orderId = from; orderId <= to; orderId += 1) await product.publish('orders', { orderId });
}

/** Id of the first row in sight, under the column heads. */
const firstInSight = (page: Page): Promise<string | undefined> =>
  messages(page).evaluate((grid) => {
    const top = grid.getBoundingClientRect().top + 32;
    const seen = [...grid.querySelectorAll('[data-message]')].filter(
      (row) => row.getBoundingClientRect().top >= top,
    );
    seen.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
    return seen[0]?.id;
  });

const lastRow = (page: Page, count: number): Locator =>
  messages(page).locator(`[role="row"][aria-rowindex="${count}"]`);

test('reading on is not disturbed; End follows again', async ({ page, product, accessible }) => {
  await publishMany(product, 1, 60);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '60');
  await expect(lastRow(page, 60)).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Follow newest' })).toHaveAttribute('aria-pressed', 'true');

  await messages(page).hover();
  await page.mouse.wheel(0, -600);
  await expect(page.getByRole('button', { name: 'Follow newest' })).toHaveAttribute('aria-pressed', 'false');
  const before = await firstInSight(page);
  await publishMany(product, 61, 90);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '90');
  await expect(page.getByRole('button', { name: '30 new messages' })).toBeVisible();
  expect(await firstInSight(page)).toBe(before);
  await accessible();

  await messages(page).focus();
  await page.keyboard.press('End');
  await expect(lastRow(page, 90)).toBeInViewport();
  await expect(page.getByRole('button', { name: /new messages?$/ })).toHaveCount(0);
  await page.keyboard.press('Home');
  await expect(lastRow(page, 1)).toBeInViewport();
  await expect(lastRow(page, 1)).toHaveAttribute('aria-selected', 'true');
  await expect(messages(page)).toHaveAttribute('aria-activedescendant', /^row-msg_/);
});

test('a paused view stands still and catches up', async ({ page, product, accessible }) => {
  await publishMany(product, 1, 3);
  await expect(rows(page, /Processed/)).toHaveCount(3);
  await messages(page).focus();
  await page.keyboard.press('s');
  await publishMany(product, 4, 8);
  await expect(page.getByText('Paused — 5 newer messages are waiting')).toBeVisible();
  await expect(rows(page, /Processed/)).toHaveCount(3);
  await accessible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(rows(page, /Processed/)).toHaveCount(8);
});

test('unread until looked at', async ({ page, product }) => {
  await publishMany(product, 1, 4);
  await expect(rows(page, /Unread$/)).toHaveCount(4);
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Messages, 4 unread' })).toBeVisible();
  await rows(page, /Unread$/)
    .first()
    .click();
  await expect(rows(page, /Unread$/)).toHaveCount(3);
  await messages(page).focus();
  await page.keyboard.press('Shift+U');
  await expect(rows(page, /Unread$/)).toHaveCount(0);
  await expect(nav.getByRole('link', { name: 'Messages', exact: true })).toBeVisible();
  await publishMany(product, 5, 5);
  await expect(rows(page, /Unread$/)).toHaveCount(1);
});
