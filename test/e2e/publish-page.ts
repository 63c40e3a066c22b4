// The publish form as a person uses it.
import type { Locator, Page } from '@playwright/test';
import { detail, go, retype } from './console-page.ts';
import { expect } from './fixture.ts';

export const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish a message' });

export async function fillForm(page: Page, topic: string, data: string): Promise<void> {
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill(topic);
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), data);
}

export async function publish(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Publish' }).click();
}

/** Waits until the message is accepted and opens it. */
export async function showPublished(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Show message' }).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
}

/** Takes the data from a file. */
export async function loadFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await form(page).getByRole('button', { name: 'Load file…' }).click();
  await (await chosen).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
}
