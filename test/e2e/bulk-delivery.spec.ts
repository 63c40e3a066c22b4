// Batches: what the app says of each entry decides about that entry, a status for the whole batch about all.
import type { Page } from '@playwright/test';
import { chooseTab, detail, messages, openMessage, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

/** Batches of three on the topic `batched`; long waits between attempts, so that "retrying" can be read. */
async function prepare(product: Product, preset: string): Promise<void> {
  const once = { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: once });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'batched',
        routes: { default: '/batched' },
        bulkSubscribe: { enabled: true, maxMessagesCount: 3, maxAwaitDurationMs: 60_000 },
      },
    ],
  });
  await product.rpc('mockApp.usePreset', { preset });
}

/** Three messages; the third one makes the batch complete. */
async function publishThree(product: Product, page: Page): Promise<void> {
  for (let entry = 1; entry <= 3; entry += 1) await product.publish('batched', { entry });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
}

test('each entry of a batch has the outcome that the app named for it', async ({
  page,
  product,
  accessible,
}) => {
  await prepare(product, 'B1m');
  await publishThree(product, page);
  await expect(rows(page, /, batched, .*Processed, 1 attempt/)).toHaveCount(1);
  await expect(rows(page, /, batched, .*Retrying, 1 attempt/)).toHaveCount(2);

  await rows(page, /Retrying/)
    .last()
    .click();
  await chooseTab(detail(page), 'Attempts');
  const card = detail(page).getByRole('article', { name: /^Attempt 1, 200, Retrying$/ });
  await expect(card).toContainText(/The answer has no status for entry .+: treated as RETRY\./);
  await expect(card.getByText(/^Batch of 3; this is entry /)).toBeVisible();
  await accessible();
  await card.getByRole('button', { name: 'Rule' }).click();
  const applying = page.getByRole('table', { name: 'Rules' }).locator('[aria-current="true"]');
  await expect(applying).toContainText('2xx, no status for the entry');
});

for (const { preset, answer, state, sentence } of [
  {
    preset: 'B3',
    answer: '404',
    state: 'Dropped',
    sentence: 'The app answered 404 to the batch: all 3 entries dropped.',
  },
  {
    preset: 'B4',
    answer: '503',
    state: 'Retrying',
    sentence: 'The app answered 503 to the batch: all 3 entries to be retried.',
  },
]) {
  test(`${answer} to a batch decides about all of it`, async ({ page, product }) => {
    await prepare(product, preset);
    await publishThree(product, page);
    await expect(
      rows(page, new RegExp(`, batched, .*${state}, 1 attempt, last answer ${answer}`)),
    ).toHaveCount(3);
    await rows(page, new RegExp(state)).first().click();
    await chooseTab(detail(page), 'Attempts');
    await expect(detail(page).getByRole('article')).toContainText(sentence);
  });
}

test('a message that waits for its batch is queued', async ({ page, product }) => {
  await prepare(product, 'B1');
  await product.publish('batched', { entry: 1 });
  await openMessage(page, /, batched, .*Queued, 0 attempts/, 'Attempts');
  await expect(detail(page).getByText('No attempt was made yet.')).toBeVisible();
  await product.publish('batched', { entry: 2 });
  await product.publish('batched', { entry: 3 });
  await expect(rows(page, /, batched, .*Processed, 1 attempt/)).toHaveCount(3);
});
