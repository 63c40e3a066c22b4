// Keyboard alternatives to dragging, hovering and right clicks; docs/accessibility.md lists them.
import type { Page } from '@playwright/test';
import { chooseTab, detail, go, messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** The event that a browser makes of the menu key: `contextmenu` at the focused element, with no mouse button. */
async function menuKey(page: Page): Promise<void> {
  await messages(page).dispatchEvent('contextmenu', { button: 0, bubbles: true, cancelable: true });
}

test("keys select and filter messages, move the panel's edge and an answer, and show rules", async ({
  page,
  product,
  accessible,
}) => {
  await test.step('a message is chosen, a range selected, and any of its cells becomes a filter', async () => {
    for (const total of [5, 70, 4000]) await product.publish('orders', { total });
    await expect(rows(page, /Processed/)).toHaveCount(3);
    await messages(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(page.getByText('2 selected')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await expect(page.getByText('1 selected')).toBeVisible();
    await page.keyboard.press('Escape');

    await menuKey(page);
    await page.getByRole('menuitem', { name: 'Filter by' }).press('ArrowRight');
    const answer = page.getByRole('menuitem', { name: 'answer:SUCCESS' });
    await expect(answer).toBeVisible();
    await accessible();
    await answer.press('Enter');
    const field = page.getByRole('combobox', { name: 'Filter messages' });
    await expect(field).toHaveValue('answer:SUCCESS');
    await messages(page).focus();
    await page.keyboard.press('Home');
    await menuKey(page);
    await page.getByRole('menuitem', { name: 'Exclude' }).press('ArrowRight');
    await page.getByRole('menuitem', { name: '-answer:SUCCESS' }).press('Enter');
    await expect(field).toHaveValue('answer:SUCCESS -answer:SUCCESS');
  });
  await test.step('the edge between list and message is moved', async () => {
    await page.getByRole('combobox', { name: 'Filter messages' }).fill('');
    await page.getByRole('combobox', { name: 'Filter messages' }).press('Enter');
    await expect(rows(page, /Processed/)).toHaveCount(3);
    await messages(page).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
    const edge = page.getByRole('separator').first();
    const before = (await edge.boundingBox())?.x ?? 0;
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => (await edge.boundingBox())?.x ?? 0).toBeLessThan(before);
  });
  await test.step('a subscription shows its rules, an answer of the mock app is moved', async () => {
    await product.rpc('mockApp.setRules', {
      rules: ['first', 'second'].map((name) => ({
        name,
        enabled: true,
        match: {},
        answer: { kind: 'respond', status: 200 },
      })),
    });
    await go(page, 'Topics');
    await chooseTab(page, 'Subscriptions');
    const tree = page.getByRole('treegrid');
    await tree.focus();
    await page.keyboard.press('Home');
    const line = tree.locator('[aria-level="1"]').first();
    await page.keyboard.press('ArrowRight');
    await expect(line).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('ArrowLeft');
    await expect(line).toHaveAttribute('aria-expanded', 'false');

    await go(page, 'Mock app');
    const answers = page.getByRole('list', { name: 'Answers' }).getByRole('listitem');
    await expect(answers.first()).toContainText('first');
    await answers.first().getByRole('switch').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect(answers.first()).toContainText('second');
  });
});
