// After an act by keys the keyboard goes on from where it was: never from the top of the page.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, go, messages, rows } from './console-page.ts';
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

test('the part of the graph that was looked at has the keyboard again, and its lines have names', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await go(page, 'Topics');
  await chooseTab(page, 'Graph');
  const part = page.getByRole('button', { name: /^Topic orders/ });
  await press(part);
  await press(page.getByRole('region', { name: 'About orders' }).getByRole('button', { name: 'Close' }));
  await expect(part).toBeFocused();
  await expect(
    page.getByRole('img', { name: /^Publisher Publishers to Topic orders: .*1 published$/ }),
  ).toHaveCount(1);
  await expect(page.getByRole('img', { name: /^Topic orders to Subscription orders/ })).toHaveCount(1);
});

test('a removed entry and a setting that is reset leave the keyboard where it was', async ({
  page,
  product,
}) => {
  await test.step('the entry that comes to the place of a removed one has the keyboard', async () => {
    await go(page, 'Publish');
    await chooseTab(page, 'Bulk');
    for (let n = 0; n < 3; n += 1) await page.getByRole('button', { name: 'Add entry' }).click();
    await press(page.getByRole('button', { name: 'Remove row 2' }));
    await expect(page.getByRole('checkbox', { name: 'Select row 2' })).toBeFocused();
    await press(page.getByRole('button', { name: 'Remove row 2' }));
    await expect(page.getByRole('checkbox', { name: 'Select row 1' })).toBeFocused();
    await press(page.getByRole('button', { name: 'Remove row 1' }));
    await expect(page.getByRole('form', { name: 'Publish in bulk' })).toBeFocused();
  });
  await test.step('a setting whose fields go away keeps the keyboard', async () => {
    await product.rpc('settings.set', {
      key: 'delivery.retryByTopic',
      value: { 'pubsub/orders': { maxAttempts: 2 } },
    });
    await go(page, 'Settings');
    await chooseTab(page, 'Delivery');
    const setting = page.locator('form').filter({ hasText: 'delivery.retryByTopic' });
    await press(setting.getByRole('button', { name: 'Reset' }));
    await expect(setting.getByRole('button', { name: 'Reset' })).toHaveCount(0);
    await expect(setting).toBeFocused();
  });
  await test.step('a button that has nothing to do any more is the same button', async () => {
    await chooseTab(page, 'Keyboard');
    await press(page.getByRole('button', { name: 'Change the keys of Replay', exact: true }));
    await page.keyboard.press('y');
    const restore = page.getByRole('button', { name: 'Restore' });
    await expect(restore).toBeEnabled();
    await press(restore);
    await expect(restore).toBeDisabled();
    await expect(restore).toBeFocused();
  });
});
