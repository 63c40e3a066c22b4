// Publishing without a content type, and a time to live that passes.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, go, openMessage, rows } from '../console-page.ts';
import { expect } from '../fixture.ts';
import { fillForm, form, publish, showPublished } from '../publish-page.ts';
import { journey } from './journey.ts';

const attribute = (page: Page, name: string): Locator =>
  detail(page)
    .getByRole('table', { name: 'Envelope attributes' })
    .getByRole('row', { name: new RegExp(`^${name} `) });

journey('no content type', async ({ page }) => {
  await fillForm(page, 'orders', 'hello');
  await form(page).getByRole('combobox', { name: 'Content type' }).fill('');
  await expect(form(page).getByText('text/plain is used')).toBeVisible();
  await publish(page);
  await showPublished(page);
  await chooseTab(detail(page), 'Envelope');
  await expect(attribute(page, 'datacontenttype')).toContainText('text/plain');
});

journey('a time to live passes', async ({ page, product, accessible }) => {
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'ttl', routes: { default: '/ttl' } }],
  });
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Add answer' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  await editor.getByRole('textbox', { name: 'Name' }).fill('asks again');
  await editor.getByText('Applies to everything', { exact: true }).click();
  await editor.getByRole('combobox', { name: 'Topic' }).fill('ttl');
  await editor.getByRole('textbox', { name: 'Body' }).fill('{"status":"RETRY"}');
  await expect(editor.getByRole('status').filter({ hasText: 'For topic ttl: answer' })).toBeVisible();
  await accessible();
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);

  await fillForm(page, 'ttl', '{"orderId": 10}');
  await form(page).getByRole('textbox', { name: 'TTL in seconds' }).fill('2');
  await publish(page);
  await go(page, 'Messages');
  await expect(rows(page, /ttl, .*Expired/)).toBeVisible();
  await openMessage(page, /Expired/, 'Attempts');
  await expect(detail(page).getByRole('article', { name: /^Attempt 1, 200 RETRY, Retrying$/ })).toBeVisible();
  await expect(
    detail(page).getByText(/^It expired .* after publishing \(ttlInSeconds = 2\)\./),
  ).toBeVisible();
  await detail(page).getByRole('button', { name: 'Rule' }).first().click();
  const popover = page.getByRole('dialog', { name: 'Why this happened' });
  await expect(popover).toContainText('ttl.expired');
  await expect(popover).toContainText("Not in the interface; Sidelight's rule");
  await accessible();
  await page.keyboard.press('Escape');
  await detail(page).getByRole('article').first().getByRole('button', { name: 'Rule' }).click();
  const applying = page.getByRole('table', { name: 'Rules' }).locator('[aria-current="true"]');
  await expect(applying).toContainText('2xx, status RETRY');
});
