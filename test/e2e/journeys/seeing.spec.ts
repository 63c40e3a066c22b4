// What a person sees of the traffic: the first minute, one publish, why it took its route, the filter, a list that grows.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, messages, openMessage, rows, toast } from '../console-page.ts';
import { expect, type Product } from '../fixture.ts';
import { ALSO_NARROW, inLong, journey } from './journey.ts';

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
const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter messages' });

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
  [...ALSO_NARROW, ...inLong('dark')],
);

journey('see a publish live', async ({ page, product, accessible }) => {
  const answer = await product.sidecar('/v1.0/publish/pubsub/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"orderId":1,"total":120}',
  });
  expect(answer.status).toBe(204);
  const row = grid(page).getByRole('row', { name: /orders, .*Processed, 1 attempt, last answer 200/ });
  await expect(row).toHaveAccessibleName(/, Unread$/);
  await row.click();
  const region = page.getByRole('region', { name: /^orders/ });
  await expect(region).toBeVisible();
  await expect(region.getByRole('tab', { name: 'Data' })).toHaveAttribute('aria-selected', 'true');
  await expect(region.getByText('"orderId": 1')).toBeVisible();
  await expect(row).not.toHaveAccessibleName(/Unread/);

  await region.getByRole('tab', { name: 'Envelope' }).click();
  const attributes = region.getByRole('table', { name: 'Envelope attributes' });
  await expect(attributes.getByRole('row', { name: /^datacontenttype / })).toContainText('application/json');
  await expect(region.getByText('published over HTTP')).toBeVisible();

  await chooseTab(region, 'Attempts');
  const attempt = region.getByRole('article', { name: 'Attempt 1, 200 SUCCESS, Processed' });
  await expect(attempt).toContainText('The app answered SUCCESS.');
  await expect(attempt.getByRole('region', { name: 'Request' })).toContainText(
    `POST ${product.ready.apps[0]?.app}/orders`,
  );
  await accessible();
  await chooseTab(region, 'Timeline');
  const transitions = region.getByRole('table', { name: 'Transitions' });
  for (const rule of ['policy.accepted', 'policy.attempt', 'single.2xx.success']) {
    await expect(transitions.getByRole('row').filter({ hasText: rule })).toBeVisible();
  }
});

journey('why this route', async ({ page, product }) => {
  const routes = { rules: [{ match: 'event.type == "a"', path: '/a' }], default: '/all' };
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', routes }],
  });
  await product.publish('orders', { total: 1 }, '?metadata.cloudevent.type=b');
  await openMessage(page, /, orders, b, Processed/);
  await detail(page).getByRole('tab', { name: 'Route' }).click();
  await expect(detail(page).getByText('No rule matched: default route /all.')).toBeVisible();
  const rules = detail(page).getByRole('table', { name: 'Rules for orders' });
  await expect(rules.getByRole('row').nth(1)).toContainText(/event\.type == "a".*false/);
  await expect(rules.getByRole('row').nth(2)).toContainText('used');

  await detail(page).getByRole('textbox', { name: 'Try another type' }).fill('a');
  await expect(detail(page).getByText('Rule 1 `event.type == "a"` matched: POST /a.')).toBeVisible();
  await expect(rules.getByRole('row').nth(1)).toContainText('true');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  expect((await product.rpc('messages.list', {})).total).toBe(1);
});

/** Two on orders that are retried, one of them late; one that was processed; one more late one elsewhere. */
async function someLate(product: Product): Promise<void> {
  const later = { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: later });
  const subscriptions = ['orders', 'refunds'].map((topic) => ({
    pubsubname: 'pubsub',
    topic,
    routes: { default: `/${topic}` },
  }));
  await product.rpc('mockApp.setSubscriptions', { subscriptions });
  await product.publish('orders', { total: 500, note: 'late fee' });
  await product.when('processed', async () => {
    const { total } = await product.rpc('messages.list', { filter: 'state:processed' });
    return total === 1 ? total : undefined;
  });
  await product.rpc('mockApp.usePreset', { preset: 'S3' });
  await product.publish('orders', { total: 120, note: 'late fee' });
  await product.publish('orders', { total: 99, note: 'late fee' });
  await product.publish('orders', { total: 130 });
  await product.publish('refunds', { total: 140, note: 'late fee' });
}

journey('the filter language', async ({ page, product, accessible }) => {
  await someLate(product);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');
  await field(page).fill('topic:orders state:retrying data.total>100 "late"');
  await field(page).press('Enter');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(rows(page, /, orders, .*Retrying/)).toHaveCount(1);
  await expect(page.getByText('1 of 5', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Late');
  await accessible();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const tab = page.getByRole('tab', { name: 'Late' });
  await expect(tab).toHaveAttribute('aria-selected', 'true');

  await field(page).fill('');
  await field(page).pressSequentially('sta');
  await expect(page.getByRole('option', { name: 'state — state of a delivery' })).toBeVisible();
  await accessible();
  await field(page).fill('topic:orders');
  await field(page).press('Enter');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
  await field(page).fill('topik:x');
  await field(page).press('Enter');
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page)).toHaveAccessibleDescription('Unknown key "topik" at 1–5. Did you mean "topic"?');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
  await accessible();

  await page.reload();
  await tab.click();
  await expect(field(page)).toHaveValue('topic:orders state:retrying data.total>100 "late"');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
});

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
