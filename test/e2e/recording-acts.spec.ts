// A recording cannot be changed, and what is chosen in the live list stays out of reach of the keys and commands that are used in it.
import type { Page } from '@playwright/test';
import { go, messages, rows, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const READ_ONLY = /^Recordings are read-only\./;

async function recordNow(product: Product): Promise<void> {
  const { jobId } = await product.rpc('recordings.export', {});
  const { text } = await product.rpc('recordings.read', { jobId, part: 1 });
  await product.rpc('recordings.import', { name: 'monday.sidelight.jsonl', text });
}

/** The live history as far as an act could change it. */
async function history(product: Product): Promise<unknown> {
  const { total, items } = await product.rpc('messages.list', {});
  return {
    total,
    items: items.map(({ messageId, pinned, deliveries }) => [
      messageId,
      pinned === true,
      deliveries.map(({ state, attempts }) => [state, attempts]),
    ]),
  };
}

/** Presses a key where nothing of the list has the focus, and takes the notification away. */
async function pressOutside(page: Page, key: string): Promise<void> {
  await page.getByRole('main').focus();
  await page.keyboard.press(key);
  await expect(toast(page, READ_ONLY)).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toast(page, READ_ONLY)).toHaveCount(0);
}

test('keys and commands do nothing to the live history while a recording is open', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'orders' });
  for (const orderId of [1, 2]) await product.publish('orders', { orderId });
  await expect(rows(page, /Held/)).toHaveCount(2);
  await recordNow(product);
  // One message is chosen in the live list.
  await rows(page, /Held/)
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByText('1 selected')).toBeVisible();
  const before = await history(product);

  await go(page, 'Recordings');
  await page.getByRole('button', { name: 'Show monday.sidelight.jsonl' }).click();
  await expect(page.getByText('Recording: monday.sidelight.jsonl')).toBeVisible();
  await test.step('keys outside of the list', async () => {
    for (const key of ['r', 'e', 't', 'h', 'd', 'k', 'l', 'i', 'Delete', 'Shift+R'])
      await test.step(key, () => pressOutside(page, key));
  });
  await test.step('keys in the list', async () => {
    for (const key of ['r', 'd', 'Delete']) {
      await messages(page).press(key);
      await expect(toast(page, READ_ONLY)).toBeVisible();
      await page.getByRole('button', { name: 'Dismiss' }).click();
    }
  });
  await test.step('commands of the palette', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    for (const title of [
      'Replay',
      'Edit and replay',
      'Retry now',
      'Hold',
      'Release',
      'Drop',
      'Delete',
      'Pin',
      'Clear all messages…',
    ]) {
      await palette.getByRole('combobox').fill(title);
      const entry = palette.getByRole('option', { name: `${title} Recordings are read-only.` }).first();
      await expect(entry).toHaveAttribute('aria-disabled', 'true');
    }
    await page.keyboard.press('Escape');
  });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await history(product)).toEqual(before);
});

test('a key of the list does nothing on a screen without it', async ({ page, product }) => {
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /Processed/)).toHaveCount(1);
  await rows(page, /Processed/).click({ modifiers: ['ControlOrMeta'] });
  await go(page, 'Topics');
  await page.getByRole('main').focus();
  await page.keyboard.press('r');
  await expect(toast(page, 'Open Messages first.')).toBeVisible();
  expect((await product.rpc('messages.list', {})).total).toBe(1);
});
