// A message published over HTTP, seen as it happens and still there after a reload.
import type { Page } from '@playwright/test';
import { chooseTab, detail, messages, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const PROCESSED = /, orders, .*Processed, 1 attempt, last answer 200/;

const envelope = (page: Page) => detail(page).getByRole('table', { name: 'Envelope attributes' });

test('a publish appears with its attempt and verdict, data and envelope', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1, total: 120 });
  await expect(rows(page, PROCESSED)).toBeVisible();
  await expect(rows(page, PROCESSED)).toHaveAccessibleName(/, Unread$/);

  await openMessage(page, PROCESSED);
  await expect(detail(page)).toHaveAccessibleName(/^orders · /);
  await expect(detail(page).getByRole('tab', { name: 'Data' })).toHaveAttribute('aria-selected', 'true');
  await expect(detail(page).getByText('"orderId": 1')).toBeVisible();
  await expect(rows(page, PROCESSED)).not.toHaveAccessibleName(/Unread/);
  await accessible();

  await chooseTab(detail(page), 'Envelope');
  const type = envelope(page).getByRole('row').filter({ hasText: 'datacontenttype' });
  await expect(type).toContainText('application/json');
  await expect(detail(page).getByText('published over HTTP')).toBeVisible();

  await chooseTab(detail(page), 'Attempts');
  const attempt = detail(page).getByRole('article', { name: 'Attempt 1, 200 SUCCESS, Processed' });
  await expect(attempt).toContainText('The app answered SUCCESS.');
  await expect(attempt.getByRole('region', { name: 'Request' })).toContainText(
    `POST ${product.ready.apps[0]?.app}/orders`,
  );
  await accessible();

  await chooseTab(detail(page), 'Timeline');
  const transitions = detail(page).getByRole('table', { name: 'Transitions' });
  for (const rule of ['policy.accepted', 'policy.attempt', 'single.2xx.success']) {
    await expect(transitions.getByRole('row').filter({ hasText: rule })).toBeVisible();
  }
  await accessible();
});

test('nothing is lost by a reload: list, open message and filter', async ({ page, product }) => {
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
