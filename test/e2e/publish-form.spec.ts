// Publishing from the form: plain, without a content type, as an own CloudEvent, raw, and with a time to live.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, go, openMessage, retype, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish a message' });

async function fillForm(page: Page, topic: string, data: string): Promise<void> {
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill(topic);
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), data);
}

async function publish(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Publish' }).click();
}

async function showPublished(page: Page): Promise<void> {
  await expect(form(page).getByRole('status').filter({ hasText: 'Message delivered.' })).toBeVisible();
  await form(page).getByRole('button', { name: 'Show message' }).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
}

const attribute = (page: Page, name: string): Locator =>
  detail(page)
    .getByRole('table', { name: 'Envelope attributes' })
    .getByRole('row', { name: new RegExp(`^${name} `) });

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('the form publishes and shows the message', async ({ page, accessible }) => {
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('p');
      await expect(form(page)).toBeVisible();
      await fillForm(page, 'orders', '{"orderId": 7}');
      await expect(form(page).getByText('Valid JSON')).toBeVisible();
      await expect(form(page).getByText('Subscribed by app')).toBeVisible();
      await accessible();
      await page.keyboard.press('ControlOrMeta+Enter');
      await showPublished(page);
      await expect(rows(page, /orders, .*Processed/)).toHaveAttribute('aria-selected', 'true');
      await chooseTab(detail(page), 'Envelope');
      await expect(detail(page).getByText('published from this console')).toBeVisible();
      await accessible();
    });
  });
}

test('without a content type the data is text/plain', async ({ page }) => {
  await fillForm(page, 'orders', 'hello');
  await form(page).getByRole('combobox', { name: 'Content type' }).fill('');
  await expect(form(page).getByText('text/plain is used')).toBeVisible();
  await publish(page);
  await showPublished(page);
  await chooseTab(detail(page), 'Envelope');
  await expect(attribute(page, 'datacontenttype')).toContainText('text/plain');
});

test('an own CloudEvent says what is missing and is published unchanged', async ({
  page,
  product,
  accessible,
}) => {
  await fillForm(page, 'orders', '{"orderId": 8}');
  await form(page).getByRole('radio', { name: 'My own CloudEvent' }).check();
  await chooseTab(form(page), 'Attributes');
  await form(page).getByRole('textbox', { name: /^id/ }).fill('order-8');
  await form(page)
    .getByRole('textbox', { name: /^source/ })
    .fill('shop');
  await publish(page);
  await expect(form(page).getByRole('alert')).toHaveText('Missing: type');
  await accessible();
  expect((await product.rpc('messages.list', {})).total).toBe(0);

  await form(page).getByRole('combobox', { name: /^type/ }).fill('order.created');
  await publish(page);
  await showPublished(page);
  await chooseTab(detail(page), 'Envelope');
  await expect(attribute(page, 'id')).toContainText('order-8');
  await expect(attribute(page, 'source')).toContainText('shop');
  await expect(attribute(page, 'type')).toContainText('order.created');
});

test('raw data has no envelope', async ({ page, accessible }) => {
  await fillForm(page, 'orders', '{"orderId": 9}');
  await form(page).getByRole('radio', { name: 'Raw, no envelope' }).check();
  await expect(form(page).getByText('metadata.rawPayload=true')).toBeVisible();
  await publish(page);
  await showPublished(page);
  await chooseTab(detail(page), 'Envelope');
  await expect(detail(page).getByText('Published with rawPayload: no envelope.')).toBeVisible();
  await accessible();
});

test('data that is not JSON is said once, then sent as it is', async ({ page }) => {
  await fillForm(page, 'orders', '{"orderId":');
  await publish(page);
  await expect(
    form(page)
      .getByText(/^Line 1, column \d+: /)
      .first(),
  ).toBeVisible();
  await form(page).getByRole('button', { name: 'Publish anyway' }).click();
  await showPublished(page);
  await expect(detail(page).getByText('{"orderId":')).toBeVisible();
});

test('a refusal is shown with the answer of the sidecar', async ({ page, product, accessible }) => {
  await fillForm(page, 'orders', '{}');
  await form(page).getByRole('textbox', { name: 'TTL in seconds' }).fill('soon');
  await publish(page);
  await expect(form(page).getByRole('alert')).toHaveText('TTL is a whole number of seconds from 1.');
  await form(page).getByRole('textbox', { name: 'TTL in seconds' }).fill('');
  await chooseTab(form(page), 'Metadata');
  await form(page).getByRole('button', { name: 'Add metadata' }).click();
  await form(page).getByRole('textbox', { name: 'Key 1' }).fill('rawPayload');
  await form(page).getByRole('textbox', { name: 'Value 1' }).fill('maybe');
  await publish(page);
  const answer = form(page).getByLabel('Answer', { exact: true });
  await expect(answer).toContainText('ERR_PUBSUB_REQUEST_METADATA');
  await accessible();
  expect((await product.rpc('messages.list', {})).total).toBe(0);
});

test('a message with a time to live is retried, then expires', async ({ page, accessible }) => {
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Add answer' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  await editor.getByRole('textbox', { name: 'Name' }).fill('asks again');
  await editor.getByRole('combobox', { name: 'Topic' }).fill('orders');
  await editor.getByRole('textbox', { name: 'Body' }).fill('{"status":"RETRY"}');
  await expect(editor.getByRole('status').filter({ hasText: 'For topic orders: answer' })).toBeVisible();
  await accessible();
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);

  await fillForm(page, 'orders', '{"orderId": 10}');
  await form(page).getByRole('textbox', { name: 'TTL in seconds' }).fill('2');
  await publish(page);
  await go(page, 'Messages');
  await expect(rows(page, /orders, .*Retrying/)).toBeVisible();
  await expect(rows(page, /orders, .*Expired/)).toBeVisible();
  await openMessage(page, /Expired/, 'Attempts');
  await expect(
    detail(page).getByText(/^It expired .* after publishing \(ttlInSeconds = 2\)\./),
  ).toBeVisible();
  await detail(page).getByRole('button', { name: 'Rule' }).first().click();
  const popover = page.getByRole('dialog', { name: 'Why this happened' });
  await expect(popover).toContainText('ttl.expired');
  await expect(popover).toContainText("Not in the interface; Sidelight's rule");
  await page.keyboard.press('Escape');
  await detail(page).getByRole('article').first().getByRole('button', { name: 'Rule' }).click();
  const applying = page.getByRole('table', { name: 'Rules' }).locator('[aria-current="true"]');
  await expect(applying).toContainText('2xx, status RETRY');
  await accessible();
});
