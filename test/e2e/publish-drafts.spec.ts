// Several drafts at a time, saved requests beside the form and as files, bytes, and a run that goes on elsewhere.
import fs from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { go, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish a message' });
const drafts = (page: Page): Locator => page.getByRole('tablist', { name: 'Drafts' }).getByRole('tab');

test('drafts are in tabs, a closed one can be restored, and a run continues on other screens', async ({
  page,
  accessible,
}) => {
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
  await page.keyboard.press('Alt+n');
  await expect(drafts(page)).toHaveText(['orders', 'Draft 2']);
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('payments');
  await expect(drafts(page)).toHaveText(['orders', 'payments']);
  await accessible();
  await drafts(page).first().click();
  await expect(form(page).getByRole('combobox', { name: 'Topic' })).toHaveValue('orders');
  await page.keyboard.press('Alt+w');
  await expect(drafts(page)).toHaveText(['payments']);
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
  await expect(drafts(page)).toHaveText(['payments', 'orders']);

  await test.step('a run goes on while another screen is looked at, and can be stopped', async () => {
    await go(page, 'Publish');
    await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
    await form(page).getByRole('textbox', { name: 'Times' }).fill('1000');
    await form(page).getByRole('textbox', { name: 'Pause in ms' }).fill('50');
    await form(page).getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(form(page).getByRole('progressbar')).toBeVisible();
    await go(page, 'Holds');
    await go(page, 'Publish');
    await form(page).getByRole('button', { name: 'Stop' }).click();
    await expect(form(page).getByRole('progressbar')).toHaveCount(0);
    await expect(form(page).getByRole('status').filter({ hasText: /× 204/ })).toBeVisible();
  });
});

test('a saved request is loaded from beside the form, written to a file and read again', async ({
  page,
  product,
  accessible,
}) => {
  const request = { pubsubname: 'pubsub', topic: 'orders', data: '{"n":{{counter}}}' };
  await product.rpc('requests.save', { name: 'order created', folder: 'Orders', shortcut: 2, request });
  await go(page, 'Publish');
  const side = page.getByRole('navigation', { name: 'Saved requests' });
  await side.getByRole('button', { name: 'order created' }).click();
  await expect(form(page).getByRole('combobox', { name: 'Topic' })).toHaveValue('orders');
  await expect(form(page).getByRole('textbox', { name: 'Message data' })).toContainText('{"n":{{counter}}}');
  await form(page).getByText('Request preview').click();
  await expect(form(page).getByLabel('Data with variables filled in')).toHaveText('{"n":1}');
  await accessible();

  await page.getByRole('tab', { name: /^Saved/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export to a file' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('order-created.sidelight.json');
  const text = await fs.readFile(await saved.path(), 'utf8');
  const [{ requestId } = { requestId: '' }] = (await product.rpc('requests.list', {})).items;
  await product.rpc('requests.remove', { requestId });
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import a file…' }).click();
  await (
    await chosen
  ).setFiles({ name: 'a.sidelight.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(toast(page, '1 added, 0 replaced.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Orders' })).toContainText('order created');
  await accessible();
});

test('bytes that are not text are sent unchanged', async ({ page, product, accessible }) => {
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
  const chosen = page.waitForEvent('filechooser');
  await form(page).getByRole('button', { name: 'Load file…' }).click();
  const buffer = Buffer.from([0xff, 0xd8, 0, 1, 2]);
  await (await chosen).setFiles({ name: 'a.bin', mimeType: 'application/octet-stream', buffer });
  await expect(form(page).getByText('a.bin: 5 B, not text; sent as it is.')).toBeVisible();
  await accessible();
  await form(page).getByRole('combobox', { name: 'Content type' }).fill('application/octet-stream');
  await form(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(form(page).getByRole('status').filter({ hasText: 'Message delivered.' })).toBeVisible();
  const [row] = (await product.rpc('messages.list', {})).items;
  const { dataBase64 } = await product.rpc('messages.get', { messageId: row?.messageId ?? '' });
  expect(dataBase64).toBe(buffer.toString('base64'));
});
