// Playing the app: calls wait until a person answers them.
import type { Locator, Page } from '@playwright/test';
import { choose, chooseTab, detail, go, openMessage, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

const waiting = (page: Page): Locator => page.getByRole('list', { name: 'Waiting for your answer' });

test('a call is answered RETRY, the next one SUCCESS', async ({ page, product, accessible }) => {
  const soon = { maxAttempts: 5, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: soon });
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Add answer' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  await editor.getByRole('combobox', { name: 'Topic' }).fill('orders');
  await choose(editor, 'Answer', 'Ask me');
  await expect(editor.getByRole('status').last()).toHaveText('For topic orders: ask me.');
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);

  await go(page, 'Messages');
  await product.publish('orders', { orderId: 1 });
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Mock app, 1 waiting' }).click();
  const item = waiting(page).getByRole('listitem');
  await expect(item).toContainText('orders → POST /orders');
  await accessible();
  await item.getByRole('button', { name: 'RETRY' }).focus();
  await page.keyboard.press('2');
  await expect(toast(page, 'Answered.').first()).toBeVisible();

  await expect(item).toHaveCount(1);
  await expect(item.getByRole('button', { name: 'SUCCESS' })).toBeVisible();
  await item.getByRole('button', { name: 'SUCCESS' }).focus();
  await page.keyboard.press('1');
  await expect(item).toHaveCount(0);
  await go(page, 'Messages');
  await openMessage(page, /Processed, 2 attempts, last answer 200 SUCCESS/, 'Attempts');
  await expect(detail(page).getByRole('article', { name: /^Attempt 1, 200 RETRY/ })).toContainText(
    'The app asked for a retry.',
  );
  await chooseTab(detail(page), 'Timeline');
  await expect(detail(page).getByRole('table', { name: 'Transitions' })).toContainText('single.2xx.retry');
});

test('any other answer, and one for each entry of a batch', async ({ page, product, accessible }) => {
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
  await other.getByRole('textbox', { name: 'Status' }).fill('404');
  await accessible();
  await other.getByRole('button', { name: 'Answer' }).click();
  await expect(waiting(page)).toHaveCount(0);

  await product.publish('batched', { entry: 1 });
  await product.publish('batched', { entry: 2 });
  await choose(waiting(page), 'Status of entry 2', 'DROP');
  await accessible();
  await waiting(page).getByRole('button', { name: 'Answer the batch' }).click();
  await expect(waiting(page)).toHaveCount(0);
  await go(page, 'Messages');
  await expect(rows(page, /, orders, .*Dropped, 1 attempt, last answer 404/)).toBeVisible();
  await expect(rows(page, /, batched, .*Processed/)).toHaveCount(1);
  await expect(rows(page, /, batched, .*Dropped/)).toHaveCount(1);
});
