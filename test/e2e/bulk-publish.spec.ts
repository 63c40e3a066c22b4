// Many messages in one request: read from a file, numbered anew, refused in part, and the rest sent again.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { go, messages } from './console-page.ts';
import { expect, test } from './fixture.ts';

const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish in bulk' });
const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Bulk entries' });
const entry = (page: Page, n: number): Locator => grid(page).locator(`[aria-rowindex="${n}"]`);

async function openBulk(page: Page): Promise<void> {
  await go(page, 'Publish');
  await page.getByRole('tab', { name: 'Bulk' }).click();
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
}

const FOUR = [1, 2, 3, 4].map((orderId) =>
  JSON.stringify({
    entryId: String(orderId === 3 ? 2 : orderId),
    contentType: 'application/json',
    event: { orderId },
  }),
);

test('entries of a file with one id twice', async ({ page, product, accessible }) => {
  await openBulk(page);
  await expect(form(page).getByText('No entries. Add one, paste, or import a file.')).toBeVisible();
  await accessible();
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-'));
  try {
    const file = path.join(folder, 'orders.ndjson');
    await fs.writeFile(file, FOUR.join('\n'));
    const chosen = page.waitForEvent('filechooser');
    await form(page).getByRole('button', { name: 'Import file…' }).click();
    await (await chosen).setFiles(file);
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '4');
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
  await expect(form(page).getByRole('status').filter({ hasText: '1 entry id is used twice.' })).toBeVisible();
  const publish = form(page).getByRole('button', { name: 'Publish 4 entries' });
  await expect(publish).toHaveAttribute('aria-disabled', 'true');
  await accessible();

  await form(page).getByRole('button', { name: 'Renumber' }).click();
  await expect(form(page).getByText('1 entry id is used twice.')).toHaveCount(0);
  await publish.click();
  await expect(form(page).getByRole('status').filter({ hasText: '4 of 4 published' })).toBeVisible();
  for (let n = 1; n <= 4; n += 1) await expect(entry(page, n)).toContainText('✓ Published');
  await accessible();
  expect((await product.rpc('messages.list', {})).total).toBe(4);

  await form(page).getByRole('link', { name: 'Show messages' }).click();
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue(/^batch:/);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
});

test('entries that fail are named, and only they are sent again', async ({ page, product, accessible }) => {
  await product.rpc('mockApp.usePreset', { preset: 'hang' });
  await product.rpc('settings.set', { key: 'delivery.backlog', value: 100 });
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
  await expect(entry(page, 101)).toContainText('✗ the backlog limit of 100 unfinished deliveries is reached');
  await accessible();

  await product.rpc('settings.set', { key: 'delivery.backlog', value: null });
  await form(page).getByRole('button', { name: 'Retry failed 1' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '1 of 1 published' })).toBeVisible();
  expect((await product.rpc('messages.list', {})).total).toBe(101);
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
