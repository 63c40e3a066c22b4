// Keys alone: export and import of the history, a test made of it, a restart, a lost connection.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { detail, messages, rows, toast } from '../console-page.ts';
import { expect, type Product, test } from '../fixture.ts';
import { openConsole } from '../open-console.ts';
import { reusablePort } from '../reusable-port.ts';
import { BUILT, startProduct } from '../product.ts';
import { journey } from './journey.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

/** Runs a command of the palette. */
async function run(page: Page, words: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(words);
  await expect(palette.getByRole('option').first()).toContainText(words);
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
}

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab did not come to ${target.toString()}`);
}

/** Presses a button that saves a file; gives the file. */
async function saved(page: Page, button: Locator): Promise<{ readonly name: string; readonly text: string }> {
  await tabTo(page, button);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  return { name: download.suggestedFilename(), text: await fs.readFile(await download.path(), 'utf8') };
}

/** Runs a made scenario with the product that is tested here; gives what it said. */
async function runMade(file: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [BUILT, 'test', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, said };
}

/** A filter under a name, by the field's own keys. */
async function saveView(page: Page, filter: string, name: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(filter);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Save view' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Save view' })).toBeVisible();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true');
}

test.describe('a data folder', () => {
  let folder = '';
  test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });
  test.beforeEach(async () => {
    test.setTimeout(240_000);
    // Inside the project, where the packages that a made test imports are found.
    await fs.mkdir(path.join(ROOT, '.cache'), { recursive: true });
    folder = await fs.mkdtemp(path.join(ROOT, '.cache', 'journey-'));
  });
  test.afterEach(() => fs.rm(folder, { recursive: true, force: true }));

  journey('recording to test, by keys alone', async ({ page, accessible }) => {
    const data = ['--data-dir', path.join(folder, 'data')];
    const onePort = ['--console-port', await reusablePort()];
    const lost = page.getByRole('status').filter({ hasText: 'Connection to Sidelight lost' });
    let product: Product = await startProduct({ flags: [...data, ...onePort] });
    try {
      await openConsole(page, product);
      for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
      await expect(rows(page, /Processed/)).toHaveCount(3);

      // A draft, a view and a pin, to be found again.
      await page.keyboard.press('p');
      await expect(page.getByRole('form').getByRole('combobox', { name: 'Topic' })).toBeFocused();
      await page.keyboard.type('refunds');
      await page.keyboard.press('Escape');
      await run(page, 'Go to Messages');
      await saveView(page, 'topic:orders', 'Only orders');
      await tabTo(page, messages(page));
      await page.keyboard.press('End');
      await page.keyboard.press('i');
      await expect(toast(page, 'Pinned.')).toBeVisible();

      await run(page, 'Export recording');
      await accessible();
      const recording = await saved(page, page.getByRole('button', { name: 'Export to a file' }));
      expect(recording.name).toMatch(/\.sidelight\.jsonl$/);
      await expect(page.getByRole('dialog', { name: 'Export' })).toHaveCount(0);
      await run(page, 'Save as test');
      await tabTo(page, page.getByRole('textbox', { name: 'Title of the test' }));
      await page.keyboard.type('orders are processed');
      await tabTo(page, page.getByRole('button', { name: 'Make the test' }));
      await page.keyboard.press('Enter');
      const files = page.getByRole('list', { name: 'Files of the test' });
      const made = await saved(page, files.getByRole('button', { name: /^Save .*\.scenario\.yaml$/ }));
      await accessible();
      await fs.writeFile(path.join(folder, made.name), made.text);
      const { code, said } = await runMade(path.join(folder, made.name));
      expect(said).toContain('1 passed, 0 failed');
      expect(code).toBe(0);

      expect(await product.stop()).toBe(0);
      await expect(lost).toBeVisible();
      for (const name of ['Hold all', 'Make the test']) {
        await expect(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
      }
      await accessible();

      product = await startProduct({ flags: [...data, ...onePort] });
      // The page reconnects by itself; "Try now" is for the impatient.
      await expect(lost).toHaveCount(0, { timeout: 20_000 });
      await run(page, 'Go to Messages');
      await page.reload();
      await expect(page.getByRole('tab', { name: 'Only orders' })).toBeVisible();
      await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
      await expect(messages(page).locator('[data-message]')).toHaveCount(3);
      const { items } = await product.rpc('messages.list', { order: 'oldest' });
      expect(items.map(({ pinned }) => pinned === true)).toEqual([false, false, true]);
      await page.keyboard.press('p');
      await expect(page.getByRole('form').getByRole('combobox', { name: 'Topic' })).toHaveValue('refunds');

      await run(page, 'Go to Recordings');
      await tabTo(page, page.getByRole('button', { name: 'Open a recording…' }));
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
      const buffer = Buffer.from(recording.text);
      await chooser.setFiles({ name: recording.name, mimeType: 'application/x-ndjson', buffer });
      await expect(page.getByText(`Recording: ${recording.name}`)).toBeVisible();
      await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
      await tabTo(page, messages(page));
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
      await accessible();
    } finally {
      expect(await product.stop()).toBe(0);
    }
  });
});
