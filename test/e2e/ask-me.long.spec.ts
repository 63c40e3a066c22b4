// "Ask me": calls to the mock app wait until a person answers them.
import type { Locator, Page } from '@playwright/test';
import { choose, go, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const waiting = (page: Page): Locator => page.getByRole('list', { name: 'Waiting for your answer' });

test('a person gives another answer, and one for each entry of a batch', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } },
      {
        pubsubname: 'pubsub',
        topic: 'batched',
        routes: { default: '/batched' },
        bulkSubscribe: { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 60_000 },
      },
    ],
  });
  await product.publish('orders', { orderId: 1 });
  await go(page, 'Mock app');
  await waiting(page).getByRole('button', { name: 'Other…' }).click();
  const other = page.getByRole('dialog', { name: 'Other…' });
  await expect(other.getByText('Leads to')).toContainText('Processed');
  await other.getByRole('textbox', { name: 'Status' }).fill('404');
  await expect(other.getByText('Leads to')).toContainText('Dropped');
  await accessible();
  await other.getByRole('button', { name: 'Answer' }).click();
  await expect(waiting(page)).toHaveCount(0);

  await product.publish('batched', { entry: 1 });
  await product.publish('batched', { entry: 2 });
  for (const preview of ['{entry:1}', '{entry:2}'])
    await expect(waiting(page).getByRole('group', { name: 'Answer each entry' })).toContainText(preview);
  await choose(waiting(page), 'Status of entry 2', 'DROP');
  await accessible();
  await waiting(page).getByRole('button', { name: 'Answer the batch' }).click();
  await expect(waiting(page)).toHaveCount(0);
  await go(page, 'Messages');
  await expect(rows(page, /, orders, .*Dropped, 1 attempt, last answer 404/)).toBeVisible();
  await expect(rows(page, /, batched, .*Processed/)).toHaveCount(1);
  await expect(rows(page, /, batched, .*Dropped/)).toHaveCount(1);
});

test('digits that are typed into the body of another answer are part of it, and answer nothing', async ({
  page,
  product,
}) => {
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { orderId: 1 });
  await go(page, 'Mock app');
  await waiting(page).getByRole('button', { name: 'Other…' }).click();
  const other = page.getByRole('dialog', { name: 'Other…' });
  const body = other.getByRole('textbox', { name: 'Body' });
  await body.fill('');
  await page.keyboard.press('Control+1');
  await page.keyboard.type('{"status":"DROP","n":1}');
  await other.getByRole('button', { name: 'Answer' }).click();
  await expect(waiting(page)).toHaveCount(0);
  await go(page, 'Messages');
  await expect(rows(page, /, orders, .*Dropped, 1 attempt, last answer 200/)).toBeVisible();
});

test('a call of a second attempt has one line, as the first one has', async ({ page, product }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { orderId: 1, note: 'a payload that is longer than its place' });
  await go(page, 'Mock app');
  const call = waiting(page).getByRole('listitem');
  const first = (await call.boundingBox())?.height;
  await call.getByRole('button', { name: 'RETRY' }).click();
  await expect(call).toContainText('attempt 2');
  expect((await call.boundingBox())?.height).toBe(first);
});
