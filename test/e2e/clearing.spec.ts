// Clearing the list, with what stays and the way back; the next row that needs attention; a link to a row far away.
import { messages, rows, toast } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, type Product, test } from './fixture.ts';

/** Messages before and after the one that needs attention: more than a page reads at first, in steps of 500. */
const [BEFORE, AFTER] = isLong ? [2000, 1000] : [500, 500];

async function publishMany(product: Product, count: number): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const entries = Array.from({ length: 500 }, (_, n) => ({
      entryId: String(n),
      event: { n: from + n },
      contentType: 'application/json',
    }));
    await product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'quiet', entries });
  }
}

test('everything but pinned messages is removed, and comes back', async ({ page, product, accessible }) => {
  for (const topic of ['orders', 'orders', 'refunds']) await product.publish(topic, { n: 1 });
  const { items } = await product.rpc('messages.list', { order: 'oldest' });
  await product.rpc('messages.update', { messageId: items[0]?.messageId ?? '', pinned: true });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  await page.getByRole('button', { name: 'Clear…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Clear all messages?' });
  await expect(dialog).toContainText('Sidelight removes 2 messages and their attempts.');
  await expect(dialog).toContainText('Messages in a broker stay there. 1 pinned message stays.');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Export first…' })).toBeVisible();
  await accessible();
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await toast(page, '2 deleted. You can undo this for 10 s.')
    .locator('..')
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
});

test('messages that need attention, and a linked message, are found outside the loaded rows', async ({
  page,
  product,
}) => {
  await publishMany(product, BEFORE);
  const { items } = await product.rpc('messages.list', { order: 'oldest', limit: 2 });
  const oldest = items[0]?.messageId ?? '';
  const far = items[1]?.messageId ?? '';
  const value = { maxAttempts: 1, firstDelayMs: 1, factor: 1, maxDelayMs: 1 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
  await product.rpc('mockApp.setRules', {
    rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 503, body: '' } }],
  });
  await product.publish('orders', { n: 'parked' });
  await product.when('it is parked', async () => {
    const { counts } = await product.rpc('metrics.get', {});
    return counts.parked === 1 ? true : undefined;
  });
  await product.rpc('mockApp.setRules', { rules: [] });
  await publishMany(product, AFTER);
  // A slow machine takes these for a flood, whose repeats share lines: here each message has its own. What came before the page is
  // loaded is read as it is looked at.
  await page.evaluate(() => localStorage.setItem('sidelight.ui', JSON.stringify({ collapseRepeats: false })));
  await page.reload();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(BEFORE + 1 + AFTER));
  await messages(page).focus();
  await page.keyboard.press('Home');
  // The row is still being loaded.
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`[?&]m=${oldest}(&|$)`));
  await expect(messages(page).locator(`[data-message="${oldest}"]`)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  await expect(rows(page, /Parked/)).toBeVisible();
  await expect(rows(page, /Parked/)).toHaveAttribute('aria-rowindex', String(BEFORE + 1));

  await page.goto(`${page.url().replace(/#.*/, '')}#/messages?m=${far}`);
  await page.reload();
  await expect(messages(page).locator(`[data-message="${far}"]`)).toBeVisible();
});
