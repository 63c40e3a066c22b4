// Messages of one trace; 2,000 messages, of which the list draws few and shows what the host has.
import { detail, messages, openMessage, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** Far more than are drawn; a multiple of 100. */
const MANY = 2000;

test('messages of one trace link to each other', async ({ page, product, accessible }) => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  for (const topic of ['orders', 'shipments']) {
    await product.sidecar(`/v1.0/publish/pubsub/${topic}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent },
      body: '{}',
    });
  }
  await openMessage(page, /, orders, .*Processed/, 'Timeline');
  const table = detail(page).getByRole('table', { name: 'Messages of the same trace' });
  await expect(detail(page).getByRole('heading', { name: 'Same trace: 2 messages' })).toBeVisible();
  await expect(table.getByRole('row').nth(1)).toContainText('orders (this message)');
  await accessible();
  await table.getByRole('link', { name: 'shipments' }).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toContainText('shipments');
  await expect(table.getByRole('row').nth(2)).toContainText('shipments (this message)');
});

test('2,000 messages have the right counts and rows, and few elements', async ({
  page,
  product,
  accessible,
}) => {
  const value = { maxAttempts: 1, firstDelayMs: 1, factor: 1, maxDelayMs: 1 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
  await product.rpc('mockApp.setRules', {
    rules: [
      {
        enabled: true,
        match: { filter: `data.n:>${MANY - 11}` },
        answer: { kind: 'respond', status: 503, body: '' },
      },
    ],
  });
  for (let batch = 0; batch < MANY / 100; batch += 1) {
    const entries = Array.from({ length: 100 }, (_, index) => ({
      entryId: String(index),
      event: { n: batch * 100 + index },
      contentType: 'application/json',
    }));
    await product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'orders', entries });
  }
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(MANY));
  await product.when('all have ended', async () => {
    const { counts } = await product.rpc('metrics.get', {});
    return counts.processed + counts.parked === MANY ? true : undefined;
  });
  const { total } = await product.rpc('messages.list', { limit: 1 });
  expect(total).toBe(MANY);
  expect(await messages(page).getByRole('row').count()).toBeLessThanOrEqual(120);

  /** Ids of the rows in the page, by their place. */
  const drawn = (): Promise<[number, string | null][]> =>
    messages(page)
      .locator('[data-message]')
      .evaluateAll((all) =>
        all.map((row) => [Number(row.getAttribute('aria-rowindex')), row.getAttribute('data-message')]),
      );
  const oldest: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const answer = await product.rpc('messages.list', {
      order: 'oldest',
      limit: 500,
      ...(cursor === undefined ? {} : { cursor }),
    });
    oldest.push(...answer.items.map(({ messageId }) => messageId));
    cursor = answer.nextCursor;
  }
  await messages(page).focus();
  for (const key of ['Home', 'PageDown', 'PageDown', 'End']) {
    await page.keyboard.press(key);
    await expect
      .poll(async () => {
        const seen = await drawn();
        return seen.length > 10 && seen.every(([place, id]) => oldest[place - 1] === id);
      }, key)
      .toBe(true);
  }
  await expect(rows(page, /Processed|Parked/).last()).toBeVisible();

  const field = page.getByRole('combobox', { name: 'Filter messages' });
  await field.fill('state:parked');
  await field.press('Enter');
  const { total: parked } = await product.rpc('messages.list', { filter: 'state:parked', limit: 1 });
  expect(parked).toBeGreaterThan(0);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(parked));
  await accessible();
});
