// After an act by keys the keyboard goes on from where it was: never from the top of the page.
import type { Locator, Page } from '@playwright/test';
import { go, messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** Presses a button as a person without a mouse does. */
async function press(button: Locator): Promise<void> {
  await button.focus();
  await button.press('Enter');
}

const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Actions for selected messages' });

test('acts on the selection give the keyboard back to the list', async ({ page, product }) => {
  for (const orderId of [1, 2]) await product.publish('orders', { orderId });
  await expect(rows(page, /Processed/)).toHaveCount(2);
  await messages(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await press(bar(page).getByRole('button', { name: 'Clear selection' }));
  await expect(bar(page)).toHaveCount(0);
  await expect(messages(page)).toBeFocused();
});

test('after a row of a list is deleted the next one has the keyboard', async ({ page, product }) => {
  const answer = { kind: 'respond', status: 200 } as const;
  await product.rpc('mockApp.setRules', {
    rules: ['first', 'second', 'third'].map((name) => ({ name, enabled: true, match: {}, answer })),
  });
  await go(page, 'Mock app');
  // The default answer at the end is no row that can be deleted.
  const answers = page
    .getByRole('list', { name: 'Answers' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('switch') });
  await expect(answers).toHaveCount(3);
  await press(answers.nth(1).getByRole('button', { name: /^(?:Delete|Remove)/ }));
  await expect(answers).toHaveCount(2);
  await expect(answers.nth(1)).toContainText('third');
  await expect(answers.nth(1)).toBeFocused();
  await press(answers.nth(1).getByRole('button', { name: /^(?:Delete|Remove)/ }));
  await expect(answers).toHaveCount(1);
  // The default answer stands there now.
  await expect(page.getByRole('list', { name: 'Answers' }).getByRole('listitem').nth(1)).toBeFocused();
});

test('the bar of a selection does not cover the newest row of a list that ends with it', async ({
  page,
  product,
}) => {
  await page.evaluate(() => localStorage.setItem('sidelight.ui', JSON.stringify({ collapseRepeats: false })));
  await page.reload();
  for (let orderId = 1; orderId <= 40; orderId += 1) await product.publish('orders', { orderId });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '40');
  const newest = messages(page).locator('[aria-rowindex="40"]');
  await expect(newest).toBeInViewport({ ratio: 1 });
  await messages(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(bar(page)).toBeVisible();
  await expect(newest).toBeInViewport({ ratio: 1 });
});
