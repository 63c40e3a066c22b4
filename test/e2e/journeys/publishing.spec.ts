// Publishing from the console: the form and its envelopes, many entries of which one fails.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, go, messages, openMessage, retype, rows } from '../console-page.ts';
import { expect, test } from '../fixture.ts';
import { fillForm, form, publish, showPublished } from '../publish-page.ts';
import { inLong, journey } from './journey.ts';

const attribute = (page: Page, name: string): Locator =>
  detail(page)
    .getByRole('table', { name: 'Envelope attributes' })
    .getByRole('row', { name: new RegExp(`^${name} `) });

journey(
  'publish from the form',
  async ({ page, product, look, accessible }) => {
    // Narrow, the navigation shows the title of the screen in place of its heading.
    await page.getByRole('heading', { name: 'Nothing has been published yet' }).click();
    await page.keyboard.press('p');
    await expect(form(page)).toBeVisible();
    await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
    await retype(form(page).getByRole('textbox', { name: 'Message data' }), '{"orderId": 7}');
    await expect(form(page).getByText('Valid JSON')).toBeVisible();
    await expect(form(page).getByText('Subscribed by app')).toBeVisible();
    await accessible();
    await page.keyboard.press('ControlOrMeta+Enter');
    await showPublished(page);
    // Narrow, the message stands in the place of the list.
    if (look === 'narrow') await page.getByRole('button', { name: 'Back to list' }).click();
    else await expect(rows(page, /orders, .*Processed/)).toHaveAttribute('aria-selected', 'true');
    await expect(rows(page, /orders, .*Processed/)).toBeVisible();
    const { items } = await product.rpc('messages.list', { filter: 'origin:console' });
    expect(items.map(({ topic }) => topic)).toEqual(['orders']);
    await openMessage(page, /orders, .*Processed/, 'Envelope');
    await expect(detail(page).getByText('published from this console')).toBeVisible();
  },
  ['light', ...inLong('narrow')],
);

journey('an own CloudEvent, and raw data', async ({ page, product, accessible }) => {
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
  for (const [name, value] of [
    ['id', 'order-8'],
    ['source', 'shop'],
    ['type', 'order.created'],
  ] as const) {
    await expect(attribute(page, name)).toContainText(value);
  }

  await go(page, 'Publish');
  await form(page).getByRole('radio', { name: 'Raw, no envelope' }).check();
  await expect(form(page).getByText('metadata.rawPayload=true')).toBeVisible();
  await publish(page);
  await showPublished(page);
  await chooseTab(detail(page), 'Envelope');
  await expect(
    detail(page).getByText('Published with rawPayload: the message has no envelope.'),
  ).toBeVisible();
});

const bulk = (page: Page): Locator => page.getByRole('form', { name: 'Publish in bulk' });
const entry = (page: Page, n: number): Locator =>
  page.getByRole('grid', { name: 'Bulk entries' }).locator(`[aria-rowindex="${n}"]`);

test.describe('a component that refuses', () => {
  const metadata = '[{ name: failPublish, value: "rotten" }]';
  test.use({
    files: {
      'pubsub.yaml': `apiVersion: sidelight/v1
kind: Component
metadata: { name: pubsub }
spec: { type: pubsub.in-memory, version: v1, metadata: ${metadata} }
`,
    },
  });

  const FOUR = [1, 2, 3, 4].map((n) =>
    JSON.stringify({
      entryId: String(n === 3 ? 2 : n),
      contentType: 'application/json',
      event: { n, apple: n === 2 ? 'rotten' : 'red' },
    }),
  );

  journey('bulk publish with failures', async ({ page, product, accessible }) => {
    await go(page, 'Publish');
    await page.getByRole('tab', { name: 'Bulk' }).click();
    await bulk(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
    await expect(bulk(page).getByText('No entries. Add one, paste, or import a file.')).toBeVisible();
    const chosen = page.waitForEvent('filechooser');
    await bulk(page).getByRole('button', { name: 'Import CSV / NDJSON / JSON…' }).click();
    const buffer = Buffer.from(FOUR.join('\n'));
    await (await chosen).setFiles({ name: 'apples.ndjson', mimeType: 'application/x-ndjson', buffer });
    await expect(bulk(page).getByText('1 entry id is used more than once.')).toBeVisible();
    const four = bulk(page).getByRole('button', { name: 'Publish 4 entries' });
    await expect(four).toHaveAttribute('aria-disabled', 'true');
    await accessible();

    await bulk(page).getByRole('button', { name: 'Renumber' }).click();
    await expect(bulk(page).getByText('1 entry id is used more than once.')).toHaveCount(0);
    await four.click();
    const answer = bulk(page).getByRole('status');
    await expect(answer.filter({ hasText: 'ERR_PUBSUB' })).toHaveText(
      '500 · ERR_PUBSUB_PUBLISH_MESSAGE · 1 of 4 failed',
    );
    for (const n of [1, 3, 4]) await expect(entry(page, n)).toContainText('✓ Published');
    await expect(entry(page, 2)).toContainText('✗ the message contains "rotten" (failPublish)');
    await accessible();

    await entry(page, 2).getByRole('textbox', { name: 'event of row 2' }).fill('{"apple":"green"}');
    await bulk(page).getByRole('button', { name: 'Retry failed 1' }).click();
    await expect(answer.filter({ hasText: '1 of 1 published' })).toBeVisible();
    await bulk(page).getByRole('link', { name: 'Show messages' }).click();
    await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue(/^batch:/);
    await expect(messages(page)).not.toHaveAttribute('aria-rowcount', '0');
    expect((await product.rpc('messages.list', { filter: 'state:processed' })).total).toBe(4);

    await go(page, 'Publish');
    await page.getByRole('tab', { name: 'Bulk' }).click();
    await bulk(page).getByRole('button', { name: 'Test the error answers' }).click();
    await page.getByRole('menuitem', { name: 'Unknown pub/sub' }).click();
    await expect(answer.filter({ hasText: 'The pub/sub does not exist.' })).toBeVisible();
    await bulk(page).getByRole('button', { name: 'Raw answer' }).click();
    await expect(bulk(page).getByLabel('Raw answer')).toContainText('400');
  });
});
