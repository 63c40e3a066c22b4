// Many messages in one request: pasted, read from files of several kinds, refused in part, and the rest sent again.
import type { Locator, Page } from '@playwright/test';
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';

const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish in bulk' });
const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Bulk entries' });
const entry = (page: Page, n: number): Locator => grid(page).locator(`[aria-rowindex="${n}"]`);

async function openBulk(page: Page): Promise<void> {
  await go(page, 'Publish');
  await page.getByRole('tab', { name: 'Bulk' }).click();
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
}

test('entries that fail are named, and only they are sent again', async ({ page, product, accessible }) => {
  await product.rpc('mockApp.usePreset', { preset: 'hang' });
  // One topic alone fills nine tenths: 100 of them.
  await product.rpc('settings.set', { key: 'delivery.backlog', value: 111 });
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Paste…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste entries' });
  const lines = Array.from({ length: 101 }, (_, index) => JSON.stringify({ orderId: index + 1 }));
  await dialog.getByRole('textbox', { name: 'Entries' }).fill(lines.join('\n'));
  await accessible();
  await dialog.getByRole('button', { name: 'Add entries' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '101');
  // Far fewer rows are drawn than there are.
  expect(await grid(page).getByRole('row').count()).toBeLessThan(60);
  await form(page).getByRole('combobox', { name: 'Topic' }).press('ControlOrMeta+Enter');
  const answer = form(page).getByRole('status').filter({ hasText: 'failed' });
  await expect(answer).toHaveText('500 · ERR_PUBSUB_PUBLISH_MESSAGE · 1 of 101 failed');
  await expect(entry(page, 1)).toContainText('✓ Published');
  await grid(page).hover();
  await page.mouse.wheel(0, 10_000);
  await expect(entry(page, 101)).toContainText('✗ the backlog limit of 111 unfinished deliveries');
  await accessible();

  await product.rpc('settings.set', { key: 'delivery.backlog', value: null });
  await form(page).getByRole('button', { name: 'Retry failed 1' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '1 of 1 published' })).toBeVisible();
  expect((await product.rpc('messages.list', {})).total).toBe(101);
});

test('long numbers arrive as they were pasted', async ({ page, product }) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Paste…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste entries' });
  await dialog.getByRole('textbox', { name: 'Entries' }).fill('[{"id": 12345678901234567890, "rate": 1.0}]');
  await dialog.getByRole('button', { name: 'Add entries' }).click();
  await form(page).getByRole('button', { name: 'Publish 1 entry' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '1 of 1 published' })).toBeVisible();
  const { items } = await product.rpc('messages.list', {});
  const { wire } = await product.rpc('messages.get', { messageId: items[0]?.messageId ?? '' });
  expect(wire.body).toContain('{"id":12345678901234567890,"rate":1.0}');
});

test('an entry that is no CloudEvent keeps all of them back', async ({ page, product }) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Add entry' }).click();
  await form(page).getByRole('button', { name: 'Add entry' }).click();
  await entry(page, 1).getByRole('textbox', { name: 'event of row 1' }).fill('{"orderId":');
  await expect(form(page).getByText('2 events are not valid JSON.')).toBeVisible();
  await entry(page, 2)
    .getByRole('textbox', { name: 'contentType of row 2' })
    .fill('application/cloudevents+json');
  await entry(page, 2).getByRole('textbox', { name: 'event of row 2' }).fill('"not an event"');
  await form(page).getByRole('button', { name: 'Publish 2 entries' }).click();
  await expect(entry(page, 2)).toContainText('✗');
  expect((await product.rpc('messages.list', {})).total).toBe(0);

  await entry(page, 2).getByRole('textbox', { name: 'contentType of row 2' }).fill('text/plain');
  await form(page).getByRole('button', { name: 'Publish 2 entries' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '2 of 2 published' })).toBeVisible();
});

async function importFile(page: Page, name: string, text: string | Buffer): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await form(page).getByRole('button', { name: 'Import CSV / NDJSON / JSON…' }).click();
  await (await chosen).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
}

test('a file that cannot be read says which line; a CSV file asks which column is what', async ({
  page,
  product,
  accessible,
}) => {
  await openBulk(page);
  await importFile(page, 'bad.ndjson', '{"a":1}\n{"a":2}\n{"a":');
  await expect(
    page.getByRole('region', { name: 'Notifications' }).getByText('Line 3: not valid JSON.'),
  ).toBeVisible();
  await importFile(page, 'bytes.csv', Buffer.from([0xff, 0xfe, 0x80]));
  await expect(
    page.getByRole('region', { name: 'Notifications' }).getByText('The file is not UTF-8 text.'),
  ).toBeVisible();
  await expect(form(page).getByText('No entries. Add one, paste, or import a file.')).toBeVisible();

  await importFile(page, 'orders.csv', 'id,total,note\r\n7,12.5,"with, comma"\r\n8,1,"two\nlines"\r\n');
  const dialog = page.getByRole('dialog', { name: 'Columns of the file' });
  await expect(dialog.getByRole('combobox', { name: 'Entry id' })).toHaveText(/id/);
  const preview = dialog.getByRole('table', { name: 'First rows as entries' });
  await expect(preview).toContainText('{"id":7,"total":12.5,"note":"with, comma"}');
  await accessible();
  await dialog.getByRole('button', { name: 'Add 2 entries' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '2');
  await form(page).getByRole('button', { name: 'Publish 2 entries' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '2 of 2 published' })).toBeVisible();
  const { items } = await product.rpc('messages.list', { filter: 'data.total:12.5' });
  expect(items).toHaveLength(1);
});

test('ten thousand entries are made, checked, edited and published', async ({
  page,
  product,
  accessible,
}) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Generate…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Generate entries' });
  await dialog.getByRole('textbox', { name: 'How many' }).fill('10001');
  await expect(dialog.getByText('Use a whole number from 1 to 10,000.').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'How many' }).fill('10000');
  await accessible();
  await dialog.getByRole('button', { name: 'Add 10000 entries' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '10000');
  expect(await grid(page).getByRole('row').count()).toBeLessThan(60);
  await entry(page, 1).getByRole('textbox', { name: 'event of row 1' }).focus();
  await expect(form(page).getByRole('textbox', { name: 'Event of row 1', exact: true })).toHaveText(
    '{"orderId": 1}',
  );
  await form(page).getByRole('button', { name: 'Select all' }).click();
  await expect(form(page).getByRole('button', { name: 'Remove 10,000 selected' })).toBeVisible();
  await entry(page, 1).getByRole('checkbox', { name: 'Select row 1' }).uncheck();
  await form(page).getByRole('button', { name: 'Select all' }).click();
  await form(page).getByRole('button', { name: 'Select none' }).click();
  await accessible();
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('nobody');
  await form(page).getByRole('button', { name: 'Publish 10,000 entries' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '10,000 of 10,000 published' })).toBeVisible({
    timeout: 30_000,
  });
  expect((await product.rpc('messages.list', { limit: 1 })).total).toBe(10_000);
});

test('the error answers are there to be looked at', async ({ page, accessible }) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Add entry' }).click();
  await entry(page, 1).getByRole('textbox', { name: 'event of row 1' }).fill('{}');
  await form(page).getByRole('button', { name: 'Test the error answers' }).click();
  await page.getByRole('menuitem', { name: 'Unknown pub/sub' }).click();
  await expect(
    form(page).getByRole('status').filter({ hasText: 'The pub/sub does not exist.' }),
  ).toBeVisible();
  await form(page).getByRole('button', { name: 'Raw answer' }).click();
  await expect(form(page).getByLabel('Raw answer')).toContainText('400');
  await expect(form(page).getByLabel('Raw answer')).toContainText('ERR_PUBSUB_NOT_FOUND');
  await accessible();
  await form(page).getByRole('button', { name: 'Test the error answers' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate an entryId' }).click();
  await expect(form(page).getByLabel('Raw answer')).toContainText('400');
});
