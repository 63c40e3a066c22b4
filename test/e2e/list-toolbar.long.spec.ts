// The tools of the list in full: sample data by name, only what changes from here on, menus of a right click.
import { chooseTab, detail, messages, openMessage, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('sample traffic is named, and its button is below the rows beside an open message', async ({
  page,
  accessible,
}) => {
  await page.getByRole('button', { name: 'Send sample traffic' }).click();
  await expect(toast(page, /\d+ subscriptions, \d+ mock answers, .*\d+ hold/)).toBeVisible();
  await openMessage(page, /Parked/);
  const remove = await page.getByRole('button', { name: 'Remove sample data' }).boundingBox();
  const list = await messages(page).boundingBox();
  expect(remove?.y).toBeGreaterThanOrEqual((list?.y ?? Infinity) + (list?.height ?? 0));
  // The envelope has a column for notes where there is one.
  await chooseTab(detail(page), 'Envelope');
  const envelope = detail(page).getByRole('table').first();
  await expect(envelope.getByRole('columnheader')).toHaveText(['Attribute', 'Value']);
  await accessible();
});

test('with changes since here a changed message appears, and others stay hidden until all are shown', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('settings.set', { key: 'delivery.retry', value: { maxAttempts: 1 } });
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
  for (const orderId of [1, 2]) await product.publish('orders', { orderId });
  await expect(rows(page, /Parked/)).toHaveCount(2);
  await page.getByRole('button', { name: 'Show only what changes from here on' }).click();
  await expect(
    page.getByText(/^No message that matches this filter has changed since \d\d:\d\d:\d\d/),
  ).toBeVisible();
  const { items } = await product.rpc('messages.list', { order: 'oldest' });
  const deliveryId = items[0]?.deliveries[0]?.deliveryId;
  if (deliveryId === undefined) throw new Error('no delivery');
  await product.rpc('deliveries.drop', { deliveryId });
  await expect(rows(page, /Dropped/)).toHaveCount(1);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(page.getByText(/^The list shows only what changed since \d\d:\d\d:\d\d\./)).toBeVisible();
  await accessible();
  await page.getByRole('button', { name: 'Show everything again' }).first().click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
});

test('a right click on a column head opens its menu, and none beside the rows', async ({ page, product }) => {
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /Processed/);
  await messages(page).getByRole('columnheader', { name: 'Topic' }).click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Hide' })).toBeVisible();
  await expect(page.getByRole('menu')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await messages(page).click({ button: 'right', position: { x: 200, y: 400 } });
  await expect(page.getByRole('menu')).toHaveCount(0);
  await rows(page, /Processed/).click({ button: 'right' });
  await expect(page.getByRole('menu')).toHaveCount(1);
  await expect(page.getByRole('menuitem', { name: 'Open', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await messages(page).focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Open', exact: true })).toBeVisible();
});

test('another row height leaves the row at the upper edge where it is, and the end in sight', async ({
  page,
  product,
}) => {
  const entries = Array.from({ length: 200 }, (_, n) => ({
    entryId: `${n}`,
    event: { n },
    contentType: 'application/json',
  }));
  await product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'orders', entries });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '200');
  const topRow = async (): Promise<number> =>
    await messages(page).evaluate((grid) => {
      const edge = grid.getBoundingClientRect().top + 28;
      const shown = [...grid.querySelectorAll('[data-message]')];
      const first = shown.find((row) => row.getBoundingClientRect().bottom > edge + 1);
      return Number(first?.getAttribute('aria-rowindex'));
    });
  const switchHeight = async (to: number): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.insertText('row height');
    await page.getByRole('option', { name: 'Switch row height' }).click();
    await expect
      .poll(async () => (await messages(page).locator('[data-message]').first().boundingBox())?.height)
      .toBe(to);
  };
  // The traffic comes with the figures of the first second, and takes its height from the list.
  await expect(page.getByRole('slider', { name: /^Traffic of/ })).toBeVisible();
  const last = messages(page).locator('[aria-rowindex="200"]');
  await expect(last).toBeInViewport({ ratio: 1 });
  const fromEnd = async (): Promise<number> =>
    await messages(page).evaluate((grid) => grid.scrollHeight - grid.clientHeight - grid.scrollTop);
  await expect.poll(fromEnd).toBe(0);
  await messages(page).hover();
  await page.mouse.wheel(0, -2000);
  // A wheel moves the rows in steps, and a row that is looked at too early is not the one where they stop.
  await expect.poll(fromEnd).toBe(2000);
  const before = await topRow();
  expect(before).toBeGreaterThan(20);
  await switchHeight(36);
  expect(await topRow()).toBe(before);
  await switchHeight(28);
  expect(await topRow()).toBe(before);
  await page.mouse.wheel(0, 20_000);
  await expect(last).toBeInViewport({ ratio: 1 });
  await switchHeight(36);
  await expect(last).toBeInViewport({ ratio: 1 });
});

test('a sorted list stands still from here on, and says what shows the changes', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /, orders, /)).toHaveCount(1);
  await page.getByRole('columnheader', { name: 'Topic' }).click();
  await expect(page.getByText(/^Sorted by Topic as of/)).toBeVisible();
  await page.getByRole('button', { name: 'Show only what changes from here on' }).click();
  const still = page.getByText(/^The list is not live\. .+ shows what has changed since \d\d:\d\d:\d\d\.$/);
  await expect(still).toBeVisible();
  await product.publish('orders', { orderId: 2 });
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect(rows(page, /, orders, /)).toHaveCount(1);
  await expect(still).toHaveCount(0);
});
