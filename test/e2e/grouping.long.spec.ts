// Groups in the list: the host counts them, mouse and keys open them, and they stay live. Groups in the address, repeats within a second,
// chains of replays.
import type { Locator, Page } from '@playwright/test';
import { choose, detail } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const tree = (page: Page): Locator => page.getByRole('treegrid', { name: 'Messages' });
const lines = (page: Page, name: RegExp): Locator => tree(page).getByRole('row', { name });

async function publish(product: Product, topic: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await product.publish(topic, { order: { id: n % 2 }, total: n });
}

test('the grouping is part of the address, and open groups stay open after a pause', async ({
  page,
  product,
}) => {
  await publish(product, 'orders', 4);
  await page.goto(`${page.url().replace(/#.*/, '')}#/messages?g=data.order.id`);
  await expect(lines(page, /^0, 2 messages/)).toBeVisible();
  await lines(page, /^1, 2 messages/).click();
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '4');
  await page.getByRole('button', { name: 'Pause view' }).click();
  await publish(product, 'orders', 2);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(lines(page, /^1, 3 messages/)).toHaveAttribute('aria-expanded', 'true');
  await expect(tree(page)).toHaveAttribute('aria-rowcount', '5');
  await page.reload();
  await expect(lines(page, /^0, 3 messages/)).toBeVisible();
  await choose(page, 'Group by', 'No groups');
  await expect(page.getByRole('grid', { name: 'Messages' })).toHaveAttribute('aria-rowcount', '6');
});

test('repeats within a second share one line that is updated, opens, and shows their number', async ({
  page,
  product,
  accessible,
}) => {
  const entries = Array.from({ length: 148 }, (_, n) => ({
    entryId: `${n}`,
    event: { n },
    contentType: 'application/json',
  }));
  const send = (topic: string): Promise<unknown> =>
    product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic, entries });
  await send('orders');
  await send('refunds');
  await choose(page, 'Group by', 'Repeats within a second');
  const ofOrders = lines(page, /^orders · .* · 200 SUCCESS, \d+ messages?, Processed, /);
  await expect(ofOrders.first()).toHaveAttribute('aria-expanded', 'false');
  const counted = async (): Promise<number> => {
    const names = await ofOrders.evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    return names.reduce((sum, name) => sum + Number(/(\d+) messages?/.exec(name ?? '')?.[1]), 0);
  };
  await expect.poll(counted).toBe(148);
  await expect(page.getByRole('button', { name: 'Follow newest' })).toHaveAttribute('aria-pressed', 'true');
  await accessible();
  const before = Number(await tree(page).getAttribute('aria-rowcount'));
  await ofOrders.first().click();
  await expect
    .poll(async () => Number(await tree(page).getAttribute('aria-rowcount')))
    .toBeGreaterThan(before);
});

test('a chain of replays is a group', async ({ page, product }) => {
  await publish(product, 'orders', 2);
  const { items } = await product.rpc('messages.list', { order: 'oldest' });
  const [first] = items;
  if (first === undefined) throw new Error('no message');
  await product.rpc('messages.replay', { messageId: first.messageId });
  await choose(page, 'Group by', 'Replay chain');
  await expect(lines(page, /^Replays of .*, 2 messages/)).toBeVisible();
  await expect(lines(page, /^Never replayed, 1 message/)).toBeVisible();
});

test('groups by topic show count and worst state, open and close by keys, and follow live traffic', async ({
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
