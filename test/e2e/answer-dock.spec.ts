// One loud act for each state, a head that keeps its place, and the answer given where the message is read.
import { chooseTab, detail, openMessage, rows, toast } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

test('a call that waits is answered in its own detail', async ({ page, product, accessible }) => {
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /, orders, .*Waiting for you, 1 attempt/);
  const dock = detail(page).getByRole('region', { name: 'The app waits for your answer' });
  await expect(detail(page).getByText('Waiting for you')).toBeVisible();
  await expect(dock.getByText(/gives up in/)).toBeVisible();
  await expect(detail(page).getByText(/(gives|given) up in/)).toHaveCount(1);
  await accessible();
  await dock.getByRole('button', { name: 'SUCCESS' }).focus();
  await page.keyboard.press('2');
  // The reason is that of the attempt before, and is said to be.
  await expect(detail(page).locator('header')).toContainText(
    'Attempt 2 is under way. Before it: The app asked for a retry.',
  );
  await chooseTab(detail(page), 'Attempts');
  await expect(
    detail(page).getByRole('article', { name: 'Attempt 2, running, Waiting for you' }),
  ).toBeVisible();
  await dock.getByRole('button', { name: 'SUCCESS' }).focus();
  await page.keyboard.press('3');
  await expect(toast(page, 'Answered.')).toBeVisible();
  await expect(dock).toHaveCount(0);
  await expect(rows(page, /, orders, .*Dropped, .*200 DROP/)).toBeVisible();
});

test('the head asks for one act, and its buttons keep their place on every tab', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await product.publish('nobody', { orderId: 2 });
  await openMessage(page, /, orders, .*Processed/);
  const head = detail(page).locator('header');
  await expect(head.locator('[data-primary]')).toHaveText('Edit and replay');
  await expect(head.getByText('The app answered')).toBeVisible();
  const place = await head.locator('[data-primary]').boundingBox();
  const tabs = isLong ? ['Attempts', 'Timeline', 'Route', 'Envelope', 'Notes', 'Data'] : ['Envelope', 'Data'];
  for (const tab of tabs) {
    await chooseTab(detail(page), tab);
    expect(await head.locator('[data-primary]').boundingBox()).toEqual(place);
    await expect(head.getByText('The app answered')).toBeVisible();
  }
  await chooseTab(detail(page), 'Attempts');
  const sections = detail(page).getByRole('article').getByRole('region');
  await expect(sections.first()).toHaveAccessibleName('Response');
  const request = sections.filter({ hasText: 'POST http://' });
  await expect(request.getByText('content-type', { exact: true })).toBeHidden();
  await request.getByText(/^\d+ headers$/).click();
  await expect(request.getByText('content-type', { exact: true })).toBeVisible();
  // One below the other beside the list, beside each other where there is room.
  const tops = async (): Promise<readonly (number | undefined)[]> =>
    [await sections.first().boundingBox(), await request.boundingBox()].map((box) => box?.y);
  const [above, below] = await tops();
  expect(below).toBeGreaterThan(above ?? Infinity);
  await page.setViewportSize({ width: 1920, height: 800 });
  await expect.poll(async () => new Set(await tops()).size).toBe(1);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(detail(page).getByText('http://').first()).toHaveCSS('font-variant-ligatures', 'none');

  await rows(page, /, nobody, /).click();
  await head.getByRole('button', { name: 'Subscribe the mock app' }).click();
  await expect(toast(page, /subscribes to this topic now/)).toBeVisible();
  await head.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(rows(page, /, nobody, .*Processed/)).toBeVisible();
});
