// "Save as test": the file passes as it was recorded, and fails when it expects another end.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { choose, go, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { BUILT } from './product.ts';

let folder = '';

test.beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(tmpdir(), 'sidelight-clicked-'));
});
test.afterEach(() => fs.rm(folder, { recursive: true, force: true }));

/** Presses "Make the test" and saves the file that comes; its path. */
async function make(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Make the test' }).click();
  const save = page
    .getByRole('list', { name: 'Files of the test' })
    .getByRole('button', { name: /^Save .*\.scenario\.yaml$/ });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const file = path.join(folder, download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

function runMade(file: string): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUILT, 'test', file], { encoding: 'utf8' });
  return { status, said: `${stdout}\n${stderr}` };
}

test('save as test: messages, expected ends and kind of test give a file that runs', async ({
  page,
  product,
  accessible,
}) => {
  test.setTimeout(120_000);
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /orders.*Processed/)).toHaveCount(1);
  await product.rpc('mockApp.usePreset', { preset: 'S4' });
  await product.publish('orders', { orderId: 2 });
  await expect(rows(page, /orders.*Dropped/)).toHaveCount(1);
  await product.publish('nobody', { orderId: 3 });
  await expect(rows(page, /nobody/)).toHaveCount(1);

  await go(page, 'Recordings');
  const wizard = page.getByRole('region', { name: 'Save as test' });
  await expect(wizard.getByRole('status').first()).toHaveText('In the test: 3 of 3 messages.');
  await wizard.getByRole('checkbox', { name: /nobody/ }).uncheck();
  await expect(wizard.getByRole('status').first()).toHaveText('In the test: 2 of 3 messages.');
  await product.publish('nobody', { orderId: 4 });
  await wizard.getByRole('button', { name: 'Read again' }).click();
  await expect(wizard.getByRole('status').first()).toHaveText('In the test: 3 of 4 messages.');
  await wizard.getByRole('checkbox', { name: /nobody/, checked: true }).uncheck();
  await wizard.getByRole('textbox', { name: 'Title of the test' }).fill('orders end as they did');
  await accessible();

  const asRecorded = await make(page);
  expect(path.basename(asRecorded)).toBe('orders-end-as-they-did.scenario.yaml');
  const text = await fs.readFile(asRecorded, 'utf8');
  expect(text).not.toContain('nobody');
  const good = runMade(asRecorded);
  expect(good.said).toContain('1 passed, 0 failed');
  expect(good.status).toBe(0);

  const table = wizard.getByRole('table', { name: 'Messages of the test' });
  const expected = table.getByRole('combobox', { name: /^Expected of app for orders/ });
  await expect(expected).toHaveCount(2);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 640, height: 400 });
  const frame = wizard.getByRole('group', { name: 'Messages of the test', exact: true });
  expect(await frame.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await page.setViewportSize(size ?? { width: 1280, height: 800 });
  const dropped = await expected.filter({ hasText: 'Dropped' }).getAttribute('aria-label');
  await choose(table, dropped ?? '', 'Processed');
  await accessible();
  const bad = runMade(await make(page));
  expect(bad.said).toContain('0 passed, 1 failed');
  expect(bad.said).toContain('processed');
  expect(bad.status).toBe(1);
});

test('messages that are too large together are left out, and then the others that cannot be repeated are', async ({
  page,
  product,
}) => {
  const { holdId } = await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /orders.*Held/)).toHaveCount(1);
  await product.rpc('holds.remove', { holdId, release: true });
  await expect(rows(page, /orders.*Processed/)).toHaveCount(1);
  for (const n of [1, 2]) await product.publish('nobody', { n, long: 'x'.repeat(3_000_000) });
  await expect(rows(page, /nobody/)).toHaveCount(2);

  await go(page, 'Recordings');
  const wizard = page.getByRole('region', { name: 'Save as test' });
  await expect(wizard.getByRole('status').first()).toHaveText('In the test: 3 of 3 messages.');
  const large = wizard.getByRole('checkbox', { name: /nobody/ });
  await large.nth(0).uncheck();
  await large.nth(1).uncheck();
  await expect(wizard.getByRole('checkbox', { name: /orders/ })).not.toBeChecked();
  await expect(wizard.getByRole('table', { name: 'Messages of the test' })).toContainText(
    'a person changed, released or retried it',
  );
});
