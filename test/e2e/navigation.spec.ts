// Going to another screen and back: each screen opens as it was left, and its own link leads to its beginning.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, go, messages, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const filter = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter messages' });
const link = (page: Page, screen: string): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen });

test('a screen opens as it was left, by the mouse and by keys, and pressed again at its beginning', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1 });
  await product.publish('unheard', { orderId: 2 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await filter(page).fill('topic:orders');
  await filter(page).press('Enter');
  await openMessage(page, /, orders, /, 'Attempts');

  await go(page, 'Topics');
  await chooseTab(page, 'Graph');
  await go(page, 'Messages');
  await expect(filter(page)).toHaveValue('topic:orders');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(detail(page).getByRole('tab', { name: /^Attempts/ })).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('tab', { name: 'Graph' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(filter(page)).toHaveValue('topic:orders');
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();

  await test.step('the link of the present screen says what it does, and does it', async () => {
    // The pointer is still where it pressed the link, and a link that stays under it opens no tooltip.
    await page.getByRole('heading', { level: 1 }).hover();
    await link(page, 'Messages').hover();
    await expect(
      page.getByText('Messages: press again to clear the filter and close the message'),
    ).toBeVisible();
    await accessible();
    await link(page, 'Messages').click();
    await expect(filter(page)).toHaveValue('');
    await expect(detail(page)).toHaveCount(0);
    await expect(rows(page, /, unheard, /)).toBeVisible();
    await page.goBack();
    await expect(filter(page)).toHaveValue('topic:orders');
  });
});

test('a list that follows the newest still does after a publish on another screen', async ({
  page,
  product,
}) => {
  for (let n = 0; n < 80; n += 1) await product.publish('orders', { n });
  const follow = page.getByRole('button', { name: 'Follow newest' });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '80');
  await expect(follow).toHaveAttribute('aria-pressed', 'true');
  await go(page, 'Publish');
  await product.publish('last', { n: 80 });
  await go(page, 'Messages');
  await expect(rows(page, /, last, /)).toBeInViewport();
  await expect(follow).toHaveAttribute('aria-pressed', 'true');
});

test('a link of the Apps screen is as high as other targets of the pointer', async ({ page }) => {
  await go(page, 'Apps');
  const topic = page.getByRole('main').getByRole('link', { name: /^orders of / });
  await expect(topic).toBeVisible();
  expect((await topic.boundingBox())?.height).toBeGreaterThanOrEqual(24);
});
