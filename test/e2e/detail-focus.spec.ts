// The keyboard focus in and around the open message: opening, moving, closing.
import { detail, messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('the panel takes the focus and gives it back, and its buttons step on while they are pressed', async ({
  page,
  product,
}) => {
  for (let orderId = 1; orderId <= 4; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Processed/)).toHaveCount(4);
  await messages(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();

  await test.step('Escape in the panel closes it, and the list has the keyboard again', async () => {
    await expect(messages(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(detail(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(detail(page)).toHaveCount(0);
    await expect(messages(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await detail(page)
      .getByRole('button', { name: /^Close/ })
      .press('Enter');
    await expect(messages(page)).toBeFocused();
  });

  await test.step('the buttons of the panel walk as long as they are pressed', async () => {
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const data = detail(page).getByLabel('Message data', { exact: true });
    const next = detail(page).getByRole('button', { name: 'Next message' });
    await next.focus();
    for (const orderId of [2, 3, 4]) {
      await page.keyboard.press('Enter');
      await expect(data).toContainText(`"orderId": ${orderId}`);
      await expect(next).toBeFocused();
    }
    const previous = detail(page).getByRole('button', { name: 'Previous message' });
    await previous.focus();
    await page.keyboard.press('Enter');
    await expect(data).toContainText('"orderId": 3');
    await expect(previous).toBeFocused();
  });

  await test.step('in one column the panel takes the place of the list', async () => {
    await messages(page).press('Escape');
    await expect(detail(page)).toHaveCount(0);
    await page.setViewportSize({ width: 700, height: 900 });
    // The list is drawn again outside the panels, and keeps the focus.
    await expect(page.locator('[data-panel]')).toHaveCount(0);
    await expect(messages(page)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(messages(page)).toHaveCount(0);
    await expect(detail(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(messages(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Back to list' }).press('Enter');
    await expect(messages(page)).toBeFocused();
    await expect(messages(page)).toHaveAttribute('aria-activedescendant', /^row-/);
  });
});

test('after a reload the list has the keyboard at the row of the open message, or the message itself, unless a person acted first', async ({
  page,
  product,
}) => {
  for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Processed/)).toHaveCount(3);
  await messages(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const data = detail(page).getByLabel('Message data', { exact: true });
  await expect(data).toContainText('"orderId": 1');
  await page.reload();
  await expect(messages(page)).toBeFocused();
  await expect(data).toContainText('"orderId": 1');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(data).toContainText('"orderId": 2');

  await test.step('a control that a person went to meanwhile keeps the focus', async () => {
    // The first Tab of a page that is still empty would go nowhere, so the rows are kept back and the frame is not.
    let come = (): void => undefined;
    const coming = new Promise<void>((resolve) => {
      come = resolve;
    });
    await page.route(/\/assets\/message-[^/]*\.js$/, async (route) => {
      await coming;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    const skip = page.getByRole('link', { name: /^Skip/ });
    await skip.focus();
    come();
    await expect(data).toContainText('"orderId": 2');
    await expect(messages(page)).toBeVisible();
    await expect(skip).toBeFocused();
    await page.unrouteAll({ behavior: 'wait' });
  });

  await test.step('in one column the open message has it, and Escape leads to the list', async () => {
    await page.setViewportSize({ width: 600, height: 800 });
    await page.reload();
    await expect(detail(page)).toBeFocused();
    await expect(data).toContainText('"orderId": 2');
    await page.keyboard.press('Escape');
    await expect(messages(page)).toBeFocused();
  });
});

test('a message that is opened before its parts have come says that it loads, and its panel keeps the focus', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 600, height: 800 });
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /Processed/)).toHaveCount(1);
  let come = (): void => undefined;
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(/\/assets\/message-[^/]*\.js$/, async (route) => {
    await coming;
    await route.continue();
  });
  await page.reload();
  await rows(page, /Processed/).click();
  await expect(detail(page)).toBeFocused();
  await expect(detail(page)).toHaveAccessibleName(/^orders/);
  await expect(detail(page).getByRole('status')).toHaveText('Loading the message');
  // Mouse and touch have a way back meanwhile, as Escape is for keys.
  await detail(page).getByRole('button', { name: 'Back to list' }).click();
  await expect(messages(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(detail(page)).toBeFocused();
  come();
  await expect(detail(page).getByLabel('Message data', { exact: true })).toContainText('"orderId": 1');
  await expect(detail(page)).toBeFocused();
});

test.describe('a file that fails', () => {
  test.use({ expectedErrors: [/Failed to load resource|Failed to fetch/] });

  test('a message whose parts cannot be loaded keeps the focus and the way back to the list', async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width: 600, height: 800 });
    await product.publish('orders', { orderId: 1 });
    await expect(rows(page, /Processed/)).toHaveCount(1);
    await page.route(/\/assets\/message-[^/]*\.js$/, (route) => route.abort());
    await page.reload();
    const failed = detail(page).getByText('This part of the console could not be loaded');
    await rows(page, /Processed/).click();
    await expect(failed).toBeVisible();
    await expect(detail(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(messages(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(failed).toBeVisible();
    await detail(page).getByRole('button', { name: 'Back to list' }).click();
    await expect(messages(page)).toBeFocused();
  });
});
