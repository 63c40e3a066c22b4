// Messages that no app subscribed to are sent again once a subscription is there, and are not left over any more.
import type { Locator } from '@playwright/test';
import { chooseTab, detail, messages, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

/** Subscribes the mock app to the topic `late`. */
async function subscribeToLate(product: Product): Promise<void> {
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'late', route: '/late' }],
  });
  await product.when('it is subscribed', async () => {
    const { items } = await product.rpc('subscriptions.list', {});
    return items.some(({ topic }) => topic === 'late') ? true : undefined;
  });
}

test('replayed messages leave the view of those without a subscription, and say as what they were replayed', async ({
  page,
  product,
}) => {
  for (const n of [1, 2]) await product.publish('late', { n });
  const view = page.getByRole('tab', { name: /^No subscription/ });
  await expect(view).toHaveText(/2$/);
  await subscribeToLate(product);
  await view.click();
  await rows(page, /, late, /)
    .first()
    .click();
  await chooseTab(detail(page), 'Route');
  await expect(detail(page)).toContainText('This is the route that a replay would take now:');
  await rows(page, /, late, /)
    .last()
    .click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByText('2 selected')).toBeVisible();
  const bar = page.getByRole('toolbar', { name: 'Actions for selected messages' });
  await bar
    .getByRole('button', { name: /^Replay/ })
    .first()
    .click();
  await expect(messages(page).getByRole('row')).toHaveCount(0);
  await expect(view).toHaveText(/^\D*$/);
  await page.getByRole('tab', { name: 'All' }).click();
  await rows(page, /, late, /)
    .first()
    .click();
  await expect(detail(page)).toContainText('It was replayed as msg_');
});

test('a banner counts what can be delivered now, and replays it', async ({ page, product, accessible }) => {
  for (const n of [1, 2]) await product.publish('late', { n });
  await subscribeToLate(product);
  const banner = page.getByText('2 messages that no app got can be delivered now');
  await expect(banner).toBeVisible();
  await accessible();
  await page.getByRole('button', { name: 'Replay them' }).click();
  // Messages that no app got have no deliveries to repeat, and none of them is processed.
  await expect(page.getByRole('group', { name: 'Pace' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'To', exact: true })).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Leave out what is already processed' })).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Replay 2' }).click();
  await expect(banner).toHaveCount(0);
  await expect(rows(page, /, late, .*Processed/)).toHaveCount(2);
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Topics/ })
    .click();
  await expect(page.getByRole('link', { name: /^Processed 2/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^No subscription/ })).toHaveCount(0);
});

test('a reason that is longer than its two lines can be opened in place, and only such a one', async ({
  page,
  product,
}) => {
  await product.publish('orders', { n: 1 });
  await rows(page, /, orders, .*Processed/).click();
  await expect(detail(page).locator('header')).toContainText('The app answered SUCCESS.');
  await expect(detail(page).getByRole('button', { name: 'All facts' })).toBeVisible();
  await expect(detail(page).getByRole('button', { name: 'Whole text' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 700, height: 800 });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      { pubsubname: 'pubsub', topic: 'LATE', route: '/late' },
      { pubsubname: 'pubsub', topic: 'lates', route: '/late' },
    ],
  });
  await product.publish('late', { n: 1 });
  await rows(page, /, late, /).click();
  const more = detail(page).getByRole('button', { name: 'Whole text' });
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  const rule = detail(page).locator('abbr');
  const height = (button: Locator): Promise<number> =>
    button.evaluate((element) => element.parentElement?.clientHeight ?? 0);
  const closed = await height(more);
  await more.focus();
  await page.keyboard.press('Enter');
  const less = detail(page).getByRole('button', { name: 'Less', exact: true });
  await expect(less).toBeFocused();
  await expect(less).toHaveAttribute('aria-expanded', 'true');
  expect(await height(less)).toBeGreaterThan(closed);
  await expect(rule).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(more).toBeFocused();
  expect(await height(more)).toBe(closed);
});
