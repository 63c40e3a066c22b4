// The form for many messages in one request.
import type { Locator, Page } from '@playwright/test';
import { go } from './console-page.ts';

export const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish in bulk' });

export const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Bulk entries' });

export const entry = (page: Page, n: number): Locator => grid(page).locator(`[aria-rowindex="${n}"]`);

export async function openBulk(page: Page): Promise<void> {
  await go(page, 'Publish');
  await page.getByRole('tab', { name: 'Bulk' }).click();
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
}

export async function importFile(page: Page, name: string, text: string | Buffer): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await form(page).getByRole('button', { name: 'Import CSV / NDJSON / JSON…' }).click();
  await (await chosen).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
}
