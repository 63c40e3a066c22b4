// Forms: a mistake stands beside its field until it is fixed, a refusal stands in the form, and no single key loses what was typed.
import type { Locator, Page } from '@playwright/test';
import { choose, go, messages } from './console-page.ts';
import { expect, test } from './fixture.ts';

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const asked = (page: Page): Locator => page.getByText('Discard what you entered?');
const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

test('forms of a view, a width, a hold and an answer show what is refused, and ask before input is lost', async ({
  page,
  product,
  accessible,
}) => {
  await test.step('a view without a name, and a width that no column can have', async () => {
    await product.publish('orders', { orderId: 1 });
    const filter = page.getByRole('combobox', { name: 'Filter messages' });
    await filter.fill('topic:orders');
    await filter.press('Enter');
    await page.getByRole('button', { name: 'Save view' }).click();
    const view = dialog(page, 'Save view');
    const name = view.getByRole('textbox', { name: 'Name' });
    await view.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(name).toHaveAccessibleDescription('Give the view a name.');
    await accessible('[role="dialog"]');
    await name.fill('Orders');
    await expect(name).toHaveAccessibleDescription('');
    await page.keyboard.press('Escape');
    await expect(asked(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(name).toHaveValue('Orders');
    await view.getByRole('button', { name: 'Cancel' }).click();

    await messages(page).getByRole('columnheader', { name: 'Topic' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Width…' }).click();
    const width = dialog(page, 'Column Topic').getByRole('textbox');
    await expect(width).not.toHaveAttribute('aria-invalid', 'true');
    await width.fill('5');
    await expect(width).toHaveAttribute('aria-invalid', 'true');
    await width.fill('150');
    await expect(width).not.toHaveAttribute('aria-invalid', 'true');
    await width.press('Enter');
    await expect(dialog(page, 'Column Topic')).toHaveCount(0);
  });
  await test.step('a hold that is refused', async () => {
    await go(page, 'Holds');
    await page.getByRole('button', { name: 'Add hold' }).click();
    const hold = dialog(page, 'Add hold');
    await hold.getByRole('combobox').fill('topik:orders');
    await hold.getByRole('button', { name: 'Save hold' }).click();
    await expect(hold.getByRole('combobox')).toHaveAccessibleDescription(/^Unknown key "topik"/);
    await expect(hold.getByRole('button', { name: 'Save hold' })).not.toHaveAttribute('aria-busy', 'true');
    await expect(hold.getByText(/^Unknown key "topik"/)).toHaveCount(1);
    await expect(hold.getByRole('combobox')).toBeFocused();
    await expect(notices(page)).not.toContainText('topik');
    await accessible('[role="dialog"]');
    await hold.getByRole('combobox').fill('topic:orders');
    await expect(hold.getByRole('alert')).toHaveCount(0);
    await hold.getByRole('button', { name: 'Save hold' }).click();
    await expect(hold).toHaveCount(0);
  });
  await test.step('paths to mask are asked for before an export throws them away', async () => {
    await go(page, 'Messages');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const paths = dialog(page, 'Export').getByRole('textbox', { name: 'Mask values in the data' });
    await paths.fill('card.number');
    await page.keyboard.press('Escape');
    await expect(asked(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(paths).toHaveValue('card.number');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog(page, 'Export')).toHaveCount(0);
  });
  await test.step('a choice is an entry too: Escape asks before it is thrown away', async () => {
    await go(page, 'Mock app');
    await page.getByRole('button', { name: 'Add answer' }).click();
    const answer = dialog(page, 'Add answer');
    await choose(answer, 'Answer', 'Ask me');
    await page.keyboard.press('Escape');
    await expect(asked(page)).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(answer).toHaveCount(0);
  });
  await test.step('a condition that is taken from the suggestions is an entry as well', async () => {
    await go(page, 'Holds');
    await page.getByRole('button', { name: 'Add hold' }).click();
    const hold = dialog(page, 'Add hold');
    const filter = hold.getByRole('combobox');
    await filter.press('ArrowDown');
    await page.getByRole('option').first().click();
    await expect(filter).not.toHaveValue('');
    await filter.press('Escape');
    if (!(await asked(page).isVisible())) await filter.press('Escape');
    await expect(asked(page)).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(hold).toHaveCount(0);
  });
});
