// Deciding by hand: parked messages retried, dropped and replayed, a running call cancelled, a message edited and sent anew.
import type { Page } from '@playwright/test';
import { chooseTab, detail, messages, openMessage, retype, rows, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

/** Two quick attempts, both answered 503. */
async function prepareParking(product: Product): Promise<void> {
  const twice = { maxAttempts: 2, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: twice });
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
}

/** Publishes a message, lets it be parked, and lets the app answer again. */
async function park(product: Product, page: Page, orderId: number): Promise<void> {
  await prepareParking(product);
  await product.publish('orders', { orderId });
  await expect(rows(page, /Parked, 2 attempts/).last()).toBeVisible();
  await product.rpc('mockApp.usePreset', { preset: 'everything-succeeds' });
}

test('parked: retried by hand', async ({ page, product, accessible }) => {
  await park(product, page, 1);
  await page.getByRole('tab', { name: /^Needs attention/ }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(page.getByRole('tab', { name: 'Needs attention 1' })).toHaveAttribute('aria-selected', 'true');
  await openMessage(page, /Parked/, 'Attempts');
  await expect(
    detail(page).getByText('All 2 attempts used. Parked: retry, replay or drop it.'),
  ).toBeVisible();
  await accessible();

  await messages(page).focus();
  await page.keyboard.press('t');
  await expect(toast(page, 'Queued for attempt 3.')).toBeVisible();
  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(rows(page, /Processed, 3 attempts/)).toBeVisible();
  await chooseTab(detail(page), 'Timeline');
  const transitions = detail(page).getByRole('table', { name: 'Transitions' });
  await expect(transitions.getByRole('row').filter({ hasText: 'You retried it.' })).toContainText(
    'user.retry',
  );
  await accessible();
});

test('parked: replayed as a new message; the old one stays', async ({ page, product }) => {
  await park(product, page, 1);
  await rows(page, /Parked/).click();
  await messages(page).focus();
  await page.keyboard.press('r');
  await expect(toast(page, 'Replayed to orders.')).toBeVisible();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Show' }).click();
  await expect(rows(page, /Processed, 1 attempt/)).toHaveAttribute('aria-selected', 'true');
  await expect(rows(page, /Parked, 2 attempts/)).toBeVisible();
  await chooseTab(detail(page), 'Envelope');
  await expect(detail(page).getByRole('link', { name: /^Replay of/ })).toBeVisible();
  await detail(page).getByRole('link', { name: /^msg_/ }).click();
  await expect(rows(page, /Parked, 2 attempts/)).toHaveAttribute('aria-selected', 'true');
});

test('a call that hangs is not dropped, but cancelled', async ({ page, product, accessible }) => {
  const once = { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: once });
  await product.rpc('mockApp.usePreset', { preset: 'hang' });
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /Attempting, 1 attempt/);
  const drop = detail(page).getByRole('button', { name: 'Drop' });
  await expect(drop).toHaveAttribute('aria-disabled', 'true');
  await drop.hover();
  await expect(
    page.getByText('The app already has it; wait for the answer or cancel the call.').first(),
  ).toBeVisible();
  // A tooltip stays while the pointer is over it.
  await page.mouse.move(0, 0);
  await messages(page).focus();
  await page.keyboard.press('d');
  await expect(toast(page, 'The app already has it; wait for the answer or cancel the call.')).toBeVisible();
  await accessible();

  await detail(page).getByRole('button', { name: 'Cancel call' }).click();
  await expect(toast(page, 'Call cancelled.')).toBeVisible();
  await expect(rows(page, /Retrying, 1 attempt, last answer no answer/)).toBeVisible();
  await chooseTab(detail(page), 'Attempts');
  await expect(detail(page).getByRole('article', { name: /^Attempt 1, no answer, Retrying$/ })).toContainText(
    'You cancelled the call. To be retried.',
  );
});

test('many at once: the selection says what applies, dropping several asks first', async ({
  page,
  product,
  accessible,
}) => {
  await prepareParking(product);
  for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Parked/)).toHaveCount(3);
  await product.rpc('mockApp.usePreset', { preset: 'everything-succeeds' });
  await product.publish('orders', { orderId: 4 });
  await expect(rows(page, /Processed/)).toHaveCount(1);
  await rows(page, /Parked/)
    .first()
    .click();
  await messages(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  const bar = page.getByRole('toolbar', { name: 'Actions for selected messages' });
  await expect(bar).toContainText('4 selected');
  await expect(bar.getByRole('button', { name: 'Retry now (3)' })).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Release (0)' })).toHaveAttribute('aria-disabled', 'true');
  await accessible();

  await bar.getByRole('button', { name: 'Drop (3)' }).click();
  const question = page.getByRole('alertdialog', { name: 'Drop 3 deliveries?' });
  await expect(question).toContainText('Topics: orders. Apps: app.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await accessible();
  await page.keyboard.press('Escape');
  await expect(rows(page, /Parked/)).toHaveCount(3);

  await bar.getByRole('button', { name: 'Drop (3)' }).click();
  await question.getByRole('button', { name: 'Drop' }).click();
  await expect(toast(page, '3 dropped.')).toBeVisible();
  await expect(rows(page, /Dropped/)).toHaveCount(3);
});

test('edit and replay shows what changes and leaves the original alone', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1, total: 120 });
  await rows(page, /Processed/).click();
  await messages(page).focus();
  await page.keyboard.press('e');
  const editor = page.getByRole('dialog', { name: 'Edit and replay' });
  await retype(editor.getByRole('textbox', { name: 'New event' }), '{\n  "orderId": 1,\n  "total": 999\n}');
  await accessible();
  await chooseTab(editor, 'Changes 1');
  await expect(editor.getByText('-   "total": 120')).toBeVisible();
  await expect(editor.getByText('+   "total": 999')).toBeVisible();
  await accessible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(editor).toHaveCount(0);
  await expect(toast(page, 'Replayed to orders.')).toBeVisible();
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Show' }).click();
  await expect(detail(page).getByText('"total": 999')).toBeVisible();
  await expect(detail(page).getByRole('link', { name: /^Replay of/ })).toBeVisible();
  await detail(page).getByRole('button', { name: 'Compare with original' }).click();
  const compare = page.getByRole('dialog', { name: 'Compare messages' });
  await expect(compare.getByRole('status')).toHaveText('1 changed line');
  await expect(compare.getByText('+   "total": 999')).toBeVisible();
  await accessible();
  await page.keyboard.press('Escape');
  await rows(page, /Processed/)
    .first()
    .click();
  await expect(detail(page).getByText('"total": 120')).toBeVisible();
  const { items } = await product.rpc('messages.list', { order: 'oldest' });
  expect(items.map(({ source }) => source)).toEqual(['http', 'replay']);
});

test('a message is dead-lettered by its subscription and by hand', async ({ page, product }) => {
  await prepareParking(product);
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'orders',
        routes: { default: '/orders' },
        deadLetterTopic: 'orders-dead',
      },
      { pubsubname: 'pubsub', topic: 'plain', routes: { default: '/plain' } },
    ],
  });
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /, orders, .*Dead-lettered, 2 attempts/)).toBeVisible();
  await expect(rows(page, /, orders-dead, .*No subscription/)).toBeVisible();
  await openMessage(page, /, orders, .*Dead-lettered/, 'Attempts');
  await expect(detail(page).getByText('All 2 attempts used: published to orders-dead.')).toBeVisible();

  await product.publish('plain', { orderId: 2 });
  await openMessage(page, /, plain, .*Parked/);
  await detail(page).getByRole('button', { name: 'Dead-letter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move to dead letter' });
  await dialog.getByRole('textbox', { name: 'Dead-letter topic' }).fill('graveyard');
  await dialog.getByRole('button', { name: 'Dead-letter' }).click();
  await expect(rows(page, /, plain, .*Dead-lettered/)).toBeVisible();
  await expect(rows(page, /, graveyard, /)).toBeVisible();
});
