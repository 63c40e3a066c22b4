// Saved views: filters with a name, as tabs.
import type { Locator, Page } from '@playwright/test';
import { messages, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter messages' });
const views = (page: Page): Locator => page.getByRole('tablist', { name: 'Views' });
const ofView = (page: Page, name: string): Locator => page.getByRole('button', { name: `View "${name}"` });

async function saveView(page: Page, filter: string, name: string): Promise<void> {
  await field(page).fill(filter);
  await field(page).press('Enter');
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  // A filter is applied once it has been checked, and the dialog shows the one that it saves.
  await expect(dialog).toContainText(`Filter: ${filter}`);
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(views(page).getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true');
}

async function chooseAct(page: Page, view: string, act: string): Promise<void> {
  await ofView(page, view).click();
  await page.getByRole('menuitem', { name: act }).click();
}

const names = (page: Page): Promise<string[]> =>
  views(page)
    .getByRole('tab')
    .evaluateAll((tabs) => tabs.slice(7).map((tab) => tab.textContent ?? ''));

async function publish(product: Product): Promise<void> {
  for (const topic of ['orders', 'orders', 'refunds']) await product.publish(topic, { total: 1 });
}

test('a view is saved, renamed, moved and removed, and is there after a reload', async ({
  page,
  product,
  accessible,
}) => {
  await publish(product);
  await saveView(page, 'topic:refunds', 'Late');
  await saveView(page, 'topic:orders', 'Orders');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await accessible();
  await views(page).getByRole('tab', { name: 'Late' }).click();
  await expect(field(page)).toHaveValue('topic:refunds');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');

  await chooseAct(page, 'Late', 'Move right');
  await expect.poll(() => names(page)).toEqual(['Orders', 'Late']);
  await chooseAct(page, 'Late', 'Rename…');
  const dialog = page.getByRole('dialog', { name: 'Rename view' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Refunds');
  await accessible();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => names(page)).toEqual(['Orders', 'Refunds']);

  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Orders', 'Refunds']);
  await expect(views(page).getByRole('tab', { name: 'Refunds' })).toHaveAttribute('aria-selected', 'true');
  await chooseAct(page, 'Refunds', 'Remove view');
  await expect.poll(() => names(page)).toEqual(['Orders']);
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, 'View "Refunds" saved.').first()).toBeVisible();
  await expect.poll(() => names(page)).toEqual(['Orders', 'Refunds']);
});
