// One publish, its route and the filter, each from start to end.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, messages, openMessage, rows } from '../console-page.ts';
import { expect, type Product } from '../fixture.ts';
import { journey } from './journey.ts';

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Messages', exact: true });
const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter messages' });

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
  await expect(detail(page).getByText('Rule 1 `event.type == "a"` matched: route /a.')).toBeVisible();
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
  await expect(page.getByText('1 of 5 messages', { exact: true })).toBeVisible();

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
