// A selection of everything is what matched when the key was pressed; acts on it do what the bar says.
import type { Locator, Page } from '@playwright/test';
import { messages } from './console-page.ts';
import { openFresh } from './call-interceptor.ts';
import { expect, test } from './fixture.ts';

const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Actions for selected messages' });

test('messages that come after everything was selected are not selected, and are not removed with it', async ({
  page,
  product,
}) => {
  for (const n of [1, 2, 3]) await product.publish('orders', { n });
  await openFresh(page, '/messages');
  await messages(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(bar(page)).toContainText('3 selected');
  for (const n of [4, 5]) await product.publish('orders', { n });
  await expect(bar(page)).toContainText('3 selected · 2 newer messages are not selected');
  await expect(bar(page).getByRole('button', { name: /^Replay \(3\)/ })).toBeVisible();
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect
    .poll(async () => (await product.rpc('messages.list', {})).items.map(({ number }) => number).toSorted())
    .toEqual([4, 5]);
  // The keyboard row is not what the next Delete would be about.
  await expect(bar(page)).toBeHidden();
});

test('everything in a sorted list is what it shows', async ({ page, product }) => {
  for (const n of [1, 2, 3]) await product.publish('orders', { n });
  await openFresh(page, '/messages');
  await page.getByRole('columnheader', { name: /Topic/ }).getByRole('button').first().click();
  await expect(page.getByText(/Sorted/)).toBeVisible();
  for (const n of [4, 5]) await product.publish('orders', { n });
  await expect(page.getByText(/2 newer/)).toBeVisible();
  await messages(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(bar(page)).toContainText('3 selected');
  await page.keyboard.press('Delete');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Delete 3 messages?');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect
    .poll(async () => (await product.rpc('messages.list', {})).items.map(({ number }) => number).toSorted())
    .toEqual([4, 5]);
});

test('what was selected stays so while the connection is lost: an act reaches nothing that matches since then', async ({
  page,
  product,
}) => {
  const all = 100;
  await product.rpc('settings.set', {
    key: 'delivery.retry',
    value: { maxAttempts: 3, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000, jitter: 0 },
  });
  await product.rpc('mockApp.setRules', {
    rules: [{ name: 'fails', match: { filter: 'data.n:0' }, answer: { kind: 'respond', status: 503 } }],
  });
  await product.rpc('holds.add', { at: 'delivery', filter: 'data.n>0' });
  await product.publish('orders', { n: 0 });
  for (let n = 1; n <= all; n += 1) await product.publish('orders', { n });
  let cut = async (): Promise<void> => undefined;
  await page.routeWebSocket(/\/stream$/, (socket) => {
    socket.connectToServer();
    cut = () => socket.close();
  });
  await openFresh(page, '/messages?f=state:held');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(all));
  await messages(page).focus();
  // Ids are known where every row was loaded.
  for (const [key, at] of [
    ['Home', 1],
    ['End', all],
  ] as const) {
    await page.keyboard.press(key);
    const row = messages(page).locator(`[role="row"][aria-rowindex="${at}"]`);
    await expect(row).toHaveAccessibleName(/orders/);
  }
  await page.keyboard.press('ControlOrMeta+a');
  await expect(bar(page)).toContainText(`${all} selected`);
  await cut();
  await expect(bar(page)).toContainText('not loaded');
  expect(await product.rpc('deliveries.hold', { filter: 'data.n:0' })).toMatchObject({ changed: 1 });
  const drop = bar(page).getByRole('button', { name: 'Drop' });
  await expect(drop).not.toHaveAttribute('aria-disabled', 'true');
  await drop.click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(`Drop ${all} deliveries?`);
  await question.getByRole('button', { name: 'Drop' }).click();
  const heldNow = async (): Promise<readonly number[]> =>
    (await product.rpc('messages.list', { filter: 'state:held' })).items.map(({ number }) => number);
  await expect.poll(heldNow).toEqual([1]);
  expect((await product.rpc('messages.list', { filter: 'state:dropped' })).total).toBe(all);
});

test('two selected messages are compared by a button, and the comparison closes with its place', async ({
  page,
  product,
}) => {
  for (const n of [1, 2, 3]) await product.publish('orders', { n });
  await openFresh(page, '/messages');
  const lines = messages(page).getByRole('row', { name: /, orders, / });
  await expect(lines).toHaveCount(3);
  const compare = bar(page).getByRole('button', { name: 'Compare' });
  await lines.nth(0).click({ modifiers: ['ControlOrMeta'] });
  await lines.nth(1).click({ modifiers: ['ControlOrMeta'] });
  await compare.click();
  const dialog = page.getByRole('dialog', { name: 'Compare messages' });
  await expect(dialog.getByText('"n": 2')).toBeVisible();
  await page.evaluate(() => {
    location.hash = '#/topics';
  });
  await expect(page.getByRole('heading', { level: 1, name: 'Topics' })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('a message that a person edited for its delivery is compared as it was published, and as it was edited', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { n: 1 });
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await product.publish('orders', { n: 2 });
  const held = await product.when(
    'held',
    async () => (await product.rpc('messages.list', { filter: 'state:held' })).items[0],
  );
  const deliveryId = held.deliveries[0]?.deliveryId ?? '';
  await product.rpc('deliveries.release', { deliveryId, changes: { data: '{"n":77}' } });
  await openFresh(page, '/messages');
  const lines = messages(page).getByRole('row', { name: /, orders, / });
  for (const at of [0, 1]) await lines.nth(at).click({ modifiers: ['ControlOrMeta'] });
  await bar(page).getByRole('button', { name: 'Compare' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare messages' });
  await expect(dialog.getByText('"n": 2')).toBeVisible();
  const version = dialog.getByRole('combobox', { name: '+ version' });
  await expect(version).toContainText('as it was published');
  await version.click();
  await page.getByRole('option', { name: 'as a person edited it for the app' }).click();
  await expect(dialog.getByText('"n": 77')).toBeVisible();
  await accessible();
  await version.click();
  await page.getByRole('option', { name: 'as it was published' }).click();
  await expect(dialog.getByText('"n": 2')).toBeVisible();
});
