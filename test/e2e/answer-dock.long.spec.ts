// The one act that the head of a message asks for, on every tab.
import { chooseTab, detail, openMessage, rows, toast } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

test('the head offers one primary act, and its buttons keep their place on every tab', async ({
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
  // The two sides stand below each other beside the list, and beside each other where there is room.
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
