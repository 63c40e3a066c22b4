// The list in groups: counted by the host, opened by mouse and keys, live; a flood that shares lines.
import type { Locator, Page } from '@playwright/test';
import { choose, detail } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const tree = (page: Page): Locator => page.getByRole('treegrid', { name: 'Messages' });
const lines = (page: Page, name: RegExp): Locator => tree(page).getByRole('row', { name });

async function publish(product: Product, topic: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await product.publish(topic, { order: { id: n % 2 }, total: n });
}

test('groups by topic: count, worst state, opened and closed by keys, followed live', async ({
  page,
  product,
  accessible,
}) => {
  await publish(product, 'orders', 3);
  await publish(product, 'refunds', 2);
  await expect(page.getByRole('grid', { name: 'Messages' })).toHaveAttribute('aria-rowcount', '5');
  await choose(page, 'Group by', 'Topic');
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '2');
  await expect(lines(page, /^orders, 3 messages, Processed, /)).toHaveAttribute('aria-expanded', 'false');
  await expect(lines(page, /^refunds, 2 messages, No subscription, /)).toHaveAttribute('aria-level', '1');
  await accessible();

  await tree(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '5');
  await expect(lines(page, /^orders, 3/)).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const second = lines(page, /, orders, .*Processed/).nth(1);
  await expect(second).toHaveAttribute('aria-level', '2');
  await page.keyboard.press('Enter');
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  await accessible();

  await publish(product, 'orders', 4);
  await expect(lines(page, /^orders, 7 messages/)).toBeVisible();
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '9');
  await tree(page).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '2');
  await page.keyboard.press('*');
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '11');
  await lines(page, /, orders, .*Processed/)
    .nth(2)
    .click();
  await expect(lines(page, /, orders, .*Processed/).nth(2)).toHaveAttribute('aria-selected', 'true');
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '11');
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '2');

  // A group has a bar of its states, whatever the messages share.
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
  await product.rpc('settings.set', { key: 'delivery.retry', value: { maxAttempts: 1 } });
  await publish(product, 'orders', 2);
  await expect(
    lines(page, /^orders, 9 messages, Parked/).locator('[title="2 Parked, 7 Processed"] > *'),
  ).toHaveCount(2);
  await choose(page, 'Group by', 'State');
  await expect(lines(page, /^Parked, 2 messages/).locator('[title="2 Parked"] > *')).toHaveCount(1);
  await choose(page, 'Group by', 'Route');
  await expect(lines(page, /^\/orders, 9 messages/)).toHaveAttribute('aria-expanded', 'false');
  await choose(page, 'Group by', 'Answer');
  await expect(lines(page, /^200 SUCCESS, 7 messages/)).toHaveAttribute('aria-expanded', 'false');
});

test('a flood shares lines by itself while it is followed, with a way out and a way back', async ({
  page,
  product,
}) => {
  await publish(product, 'refunds', 1);
  const grid = page.getByRole('grid', { name: 'Messages' });
  await expect(grid).toHaveAttribute('aria-rowcount', '1');
  // Many in one call: one call a second is a flood on a slow machine too, and five are not too much for a page.
  const entries = Array.from({ length: 300 }, (_, n) => ({
    entryId: `${n}`,
    event: { n },
    contentType: 'application/json',
  }));
  let isOver = false;
  const flood = (async (): Promise<void> => {
    while (!isOver) {
      await product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'nobody', entries });
      await new Promise((next) => void setTimeout(next, 200));
    }
  })();
  try {
    await expect(page.getByText('Above 200 msg/s')).toBeVisible();
    await expect(lines(page, /^nobody.*, \d+ messages?, No subscription, /).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Follow newest' })).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('button', { name: 'Show each message' }).click();
    await expect(grid).toBeVisible();
    // Who asked for each message gets the offer, not the change.
    await page.getByRole('button', { name: 'Collapse repeats' }).click();
    await expect(tree(page)).toBeVisible();
  } finally {
    isOver = true;
    await flood;
  }
  await expect(grid).toBeVisible();
  await expect(page.getByText('Above 200 msg/s')).toHaveCount(0);
});
