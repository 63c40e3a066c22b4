// The event router as a person uses it: its example added, an event created.
import type { Locator, Page } from '@playwright/test';
import { go, chooseTab } from './console-page.ts';
import { expect } from './fixture.ts';

export const region = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name });

/** Adds the example component and waits until its input side is ready. */
export async function withExample(page: Page): Promise<void> {
  await go(page, 'Event router');
  await expect(page.getByText('No component of type bindings.cloud.eventrouter is loaded.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a working example' }).click();
  await expect(page.getByText(/^Listening on 127\.0\.0\.1:\d+ at \//)).toBeVisible({ timeout: 20_000 });
  const steps = region(page, 'Start-up').getByRole('listitem');
  await expect(steps.filter({ hasText: 'done' })).toHaveCount(8, { timeout: 20_000 });
  await expect(steps.filter({ hasText: 'Asking the app' })).toContainText('skipped');
}

/** Creates an event through the output side. */
export async function create(page: Page, type: string): Promise<void> {
  await chooseTab(page, 'Output');
  const form = region(page, 'Create event');
  await form.getByRole('textbox', { name: 'Type' }).fill(type);
  await form.getByRole('button', { name: 'Create event' }).click();
  await expect(form.getByRole('status').filter({ hasText: 'Created: 204' })).toBeVisible();
}
