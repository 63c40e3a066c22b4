// Many messages at once: replayed with a pace, dead letters sent back to where they came from, taken away and brought back.
import type { Page } from '@playwright/test';
import { messages, rows, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const DEAD = {
  pubsubname: 'pubsub',
  topic: 'orders',
  routes: { default: '/orders' },
  deadLetterTopic: 'orders-dead',
};

async function deadLetter(product: Product, n: number): Promise<void> {
  const once = { maxAttempts: 1, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: once });
  await product.rpc('mockApp.setSubscriptions', { subscriptions: [DEAD] });
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
  for (let orderId = 1; orderId <= n; orderId += 1) await product.publish('orders', { orderId });
  await product.when('all are dead letters', async () => {
    const { total } = await product.rpc('messages.list', { filter: 'topic:orders-dead' });
    return total === n ? total : undefined;
  });
  await product.rpc('mockApp.usePreset', { preset: 'everything-succeeds' });
}

async function selectAll(page: Page): Promise<void> {
  await messages(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('dead letters go back to their topic and away', async ({ page, product, accessible }) => {
      await deadLetter(product, 2);
      await expect(rows(page, /, orders, .*Dead-lettered/)).toHaveCount(2);
      await page.getByRole('combobox', { name: 'Filter messages' }).fill('topic:orders-dead');
      await page.keyboard.press('Enter');
      await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
      await selectAll(page);
      const bar = page.getByRole('toolbar', { name: 'Actions for selected messages' });
      await bar.getByRole('button', { name: 'Replay to original topic and remove' }).click();
      const dialog = page.getByRole('dialog', { name: 'Replay 2 to the original topic and remove' });
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await accessible();
      await dialog.getByRole('button', { name: 'Replay 2 and remove' }).click();
      await expect(toast(page, '2 replayed, 0 not · 2 removed.')).toBeVisible();
      await expect(page.getByText('No message matches this filter.')).toBeVisible();
      await accessible();
      const replays = await product.rpc('messages.list', {
        filter: 'topic:orders origin:replay state:processed',
      });
      expect(replays.total).toBe(2);
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
      await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
    });
  });
}

test('a slow replay shows how far it is, outlives a reload, and is stopped', async ({
  page,
  product,
  open,
  accessible,
}) => {
  for (let orderId = 1; orderId <= 5; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Processed/)).toHaveCount(5);
  await rows(page, /Processed/)
    .first()
    .click();
  await selectAll(page);
  await page.keyboard.press('Shift+R');
  const dialog = page.getByRole('dialog', { name: /^Replay \d messages$/ });
  await dialog.getByRole('checkbox', { name: 'Leave out what is already processed' }).check();
  await expect(dialog.getByRole('button', { name: 'Replay 0' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('checkbox', { name: 'Leave out what is already processed' }).uncheck();
  await dialog.getByRole('radio', { name: 'A number per second' }).check();
  await dialog.getByRole('textbox', { name: 'Messages per second' }).fill('0');
  await expect(dialog.getByText('Use a number from 0.01 to 100,000.').first()).toBeVisible();
  await accessible();
  await dialog.getByRole('textbox', { name: 'Messages per second' }).fill('0.05');
  await dialog.getByRole('button', { name: 'Replay 5' }).click();
  const strip = page.getByRole('region', { name: 'Replay of many messages' });
  await expect(strip.getByRole('progressbar', { name: 'Replaying: 1 of 5' })).toBeVisible();
  await accessible();
  await open(page);
  await expect(strip.getByRole('progressbar', { name: 'Replaying: 1 of 5' })).toBeVisible();
  await strip.getByRole('button', { name: 'Stop' }).click();
  await expect(toast(page, 'Stopped: 1 replayed, 0 not, 4 not begun')).toBeVisible();
  await expect(strip).toHaveCount(0);
  expect((await product.rpc('messages.list', {})).total).toBe(6);
});

test('what could not be replayed says why', async ({ page, product, accessible }) => {
  await product.publish('orders', { orderId: 1 });
  await product.publish('nobody', { orderId: 2 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await rows(page, /, nobody, /).click();
  await selectAll(page);
  await page.keyboard.press('Shift+R');
  const dialog = page.getByRole('dialog', { name: 'Replay 2 messages' });
  await dialog.getByRole('radio', { name: /^The same deliveries/ }).check();
  await dialog.getByRole('button', { name: 'Replay 2' }).click();
  const strip = page.getByRole('region', { name: 'Replay of many messages' });
  await expect(strip.getByRole('status')).toHaveText('1 replayed, 1 not');
  await strip.getByRole('button', { name: 'Why not' }).click();
  const reasons = page.getByRole('dialog', { name: 'What was not replayed' });
  await expect(reasons).toContainText('It has no delivery that could be repeated.');
  await accessible();
  await page.keyboard.press('Escape');
  await strip.getByRole('button', { name: 'Close' }).click();
  await expect(strip).toHaveCount(0);
});

test('messages are taken away, one at once and several after a question, and brought back', async ({
  page,
  product,
  accessible,
}) => {
  for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Processed/)).toHaveCount(3);
  await rows(page, /Processed/)
    .first()
    .click();
  await messages(page).focus();
  await page.keyboard.press('Delete');
  await expect(toast(page, '1 deleted.')).toBeVisible();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, '1 brought back.')).toBeVisible();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');

  await rows(page, /Processed/)
    .first()
    .click();
  await selectAll(page);
  await page.keyboard.press('Delete');
  const question = page.getByRole('alertdialog', { name: 'Delete 3 messages?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await accessible();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, '3 deleted.')).toBeVisible();
  await expect(page.getByText('Nothing has been published yet')).toBeVisible();
});

test('a message is copied as code for many clients', async ({ page, product, accessible }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await product.publish('orders', { orderId: 1 });
  await rows(page, /Processed/).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Publish again' }).click();
  await expect(page.getByRole('menuitem', { name: 'Go net/http' })).toBeVisible();
  await accessible();
  await page.getByRole('menuitem', { name: 'Node fetch' }).click();
  await expect(toast(page, 'Copied.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('await fetch("http://127.0.0.1:');
  expect(copied).toContain('/v1.0/publish/pubsub/orders');
});
