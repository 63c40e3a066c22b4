// What a person sees of the traffic: the first minute, and a list that grows.
import type { Locator, Page } from '@playwright/test';
import { messages, rows, toast } from '../console-page.ts';
import { expect, type Product } from '../fixture.ts';
import { inLong, journey } from './journey.ts';

const STATES = [
  'Queued',
  'Held',
  'Attempting',
  'Retrying',
  'Processed',
  'Dropped',
  'Expired',
  'Dead-lettered',
  'Parked',
];

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Messages', exact: true });

journey(
  'first run',
  async ({ page, product, accessible }) => {
    await expect(page.getByRole('heading', { name: 'Messages', level: 1 })).toBeVisible();
    await expect(page.getByText('Nothing has been published yet')).toBeVisible();
    await expect(page.getByText(`Sidecar listens on ${product.ready.apps[0]?.sidecar}`)).toBeVisible();
    await expect(
      page.getByText(`curl -g -X POST ${product.at('/v1.0/publish/pubsub/orders')}`),
    ).toBeVisible();
    await accessible();

    await page.getByRole('button', { name: 'Send sample traffic' }).click();
    await expect(toast(page, 'Sample traffic sent.')).toBeVisible();
    await expect
      .poll(async () => Number(await grid(page).getAttribute('aria-rowcount')))
      .toBeGreaterThanOrEqual(12);
    for (const state of STATES) await expect(rows(page, new RegExp(`, ${state},`)).first()).toBeVisible();
    await accessible();

    await page.getByRole('button', { name: 'Remove sample data' }).click();
    await expect(page.getByText('Nothing has been published yet')).toBeVisible();
    const { items: subscriptions } = await product.rpc('subscriptions.list', {});
    expect(subscriptions.map(({ topic }) => topic)).toEqual(['orders']);
    expect((await product.rpc('mockApp.get', {})).rules).toEqual([]);
    expect((await product.rpc('holds.list', {})).items).toEqual([]);
    const { items: settings } = await product.rpc('settings.get', {});
    expect(settings.filter(({ origin }) => origin === 'here')).toEqual([]);
  },
  ['light', ...inLong('narrow', 'dark')],
);

/** Id of the first row in sight, under the column heads. */
const firstInSight = (page: Page): Promise<string | undefined> =>
  messages(page).evaluate((list) => {
    const top = list.getBoundingClientRect().top + 32;
    const seen = [...list.querySelectorAll('[data-message]')].filter(
      (row) => row.getBoundingClientRect().top >= top,
    );
    seen.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
    return seen[0]?.id;
  });

async function publishMany(product: Product, from: number, to: number): Promise<void> {
  for (let orderId = from; orderId <= to; orderId += 1) await product.publish('orders', { orderId });
}

journey('follow, pause, unread', async ({ page, product, accessible }) => {
  await publishMany(product, 1, 60);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '60');
  const last = (n: number): Locator => messages(page).locator(`[role="row"][aria-rowindex="${n}"]`);
  await expect(last(60)).toBeInViewport();
  // A bar that comes late over the list takes room from it, as a smaller window does.
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width, height: height - 100 });
  await expect(last(60)).toBeInViewport({ ratio: 1 });
  await messages(page).hover();
  await page.mouse.wheel(0, -600);
  await expect(page.getByRole('button', { name: 'Follow newest' })).toHaveAttribute('aria-pressed', 'false');
  const before = await firstInSight(page);
  await publishMany(product, 61, 90);
  await expect(page.getByRole('button', { name: /^30 new messages$/ })).toBeVisible();
  expect(await firstInSight(page)).toBe(before);
  await accessible();

  await messages(page).focus();
  await page.keyboard.press('End');
  await expect(last(90)).toBeInViewport();
  await expect(page.getByRole('button', { name: /new messages?$/ })).toHaveCount(0);
  await page.keyboard.press('s');
  await publishMany(product, 91, 95);
  await expect(page.getByText('Paused · 5 newer messages')).toBeVisible();
  await accessible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(last(95)).toBeInViewport();
  await expect(rows(page, /Unread$/)).not.toHaveCount(0);
  await messages(page).focus();
  await page.keyboard.press('Shift+U');
  await expect(rows(page, /Unread$/)).toHaveCount(0);
});
