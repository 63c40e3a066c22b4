// The head of a column: its menu, by keyboard too.
import type { Locator, Page } from '@playwright/test';
import { go, messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const heads = (page: Page): Locator => messages(page).getByRole('columnheader');
const head = (page: Page, name: string): Locator => heads(page).filter({ hasText: name });

async function widthOf(page: Page, name: string): Promise<number> {
  return Math.round((await head(page, name).boundingBox())?.width ?? 0);
}

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
  // Rows whose names differ in the time alone are told apart by their payloads, also when they are heard.
  await expect(rows(page, /orders/).first()).toHaveAccessibleDescription('{total:5}');
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
  await expect(page.getByText(/^Sorted by .+ as of \d\d:\d\d:\d\d$/)).toBeVisible();
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect(head(page, 'Topic')).not.toHaveAttribute('aria-sort', 'descending');
});

test.describe('two apps', () => {
  test.use({ flags: ['--app', 'second=mock'] });

  test('answers without their words leave the payload its room, also after another screen', async ({
    page,
    product,
  }) => {
    const value = { maxAttempts: 1, firstDelayMs: 1, factor: 1, maxDelayMs: 1 };
    await product.rpc('settings.set', { key: 'delivery.retry', value });
    const answer = { kind: 'respond', status: 503, body: '' } as const;
    const rules = [{ name: 'fails', enabled: true, match: {}, answer }];
    for (const appId of ['app', 'second']) await product.rpc('mockApp.setRules', { appId, rules });
    await product.publish('orders', { total: 5 });
    await expect(rows(page, /Parked, .*last answer 503/)).toBeVisible();
    await go(page, 'Topics');
    await go(page, 'Messages');
    await expect(rows(page, /Parked, .*last answer 503/)).toBeVisible();
    // "503 Service Unavailable" does not fit beside the column App, and its room would stay empty.
    expect(await widthOf(page, 'Last answer')).toBeLessThan(100);
  });
});
