// A flood shares lines by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, type Product, test } from './fixture.ts';

const tree = (page: Page): Locator => page.getByRole('treegrid', { name: 'Messages' });
const lines = (page: Page, name: RegExp): Locator => tree(page).getByRole('row', { name });

async function publish(product: Product, topic: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await product.publish(topic, { order: { id: n % 2 }, total: n });
}

test('a flood is collapsed by itself while following, and can be expanded and collapsed again', async ({
  page,
  product,
}) => {
  await publish(product, 'refunds', 1);
  const grid = page.getByRole('grid', { name: 'Messages' });
  await expect(grid).toHaveAttribute('aria-rowcount', '1');
  // One bulk call publishes many messages, which is a flood on a slow machine too.
  const entries = Array.from({ length: 300 }, (_, n) => ({
    entryId: `${n}`,
    event: { n },
    contentType: 'application/json',
  }));
  let isOver = false;
  const flood = (async (): Promise<void> => {
    while (!isOver) {
      await product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'nobody', entries });
      await sleep(500);
    }
  })();
  try {
    await expect(page.getByText('Above 200 msg/s')).toBeVisible();
    await expect(lines(page, /^nobody.*, \d+ messages?, No subscription, /).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Follow newest' })).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('button', { name: 'Show each message' }).click();
    await expect(grid).toBeVisible();
    // After "Show each message" the list offers to collapse repeats, and does not do it by itself.
    await page.getByRole('button', { name: 'Collapse repeats' }).click();
    await expect(tree(page)).toBeVisible();
  } finally {
    isOver = true;
    await flood;
  }
  await expect(grid).toBeVisible();
  await expect(page.getByText('Above 200 msg/s')).toHaveCount(0);
});
