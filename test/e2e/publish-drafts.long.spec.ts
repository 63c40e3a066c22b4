// A draft with an unknown variable.
import type { Locator, Page } from '@playwright/test';
import { go, retype } from './console-page.ts';
import { expect, test } from './fixture.ts';

const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish a message' });

test('an unknown variable is reported with its place', async ({ page }) => {
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), '{\n "a": "{{usid}}"}');
  await form(page).getByText('Request preview').click();
  await expect(form(page).getByRole('alert')).toContainText('Line 2, column 8: {{usid}} is unknown');
});
