// A mistyped key of the filter, and a link to a row within a filter.
import type { Locator, Page } from '@playwright/test';
import { detail, messages, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter messages' });

async function publish(product: Product): Promise<void> {
  for (const topic of ['orders', 'orders', 'refunds']) await product.publish(topic, { total: 1 });
}

test('a misspelt word has its correction as a button, and a link opens its row within its filter', async ({
  page,
  product,
  accessible,
}) => {
  await publish(product);
  await field(page).fill('topik:refunds');
  await page.getByRole('button', { name: 'Use topic' }).click();
  await expect(field(page)).toHaveValue('topic:refunds');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await accessible();

  const { items } = await product.rpc('messages.list', { filter: 'topic:refunds' });
  const id = items[0]?.messageId ?? '';
  await page.goto(`${page.url().split('#')[0]}#/messages?f=topic%3Arefunds&m=${id}&t=envelope`);
  await page.reload();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(rows(page, /, refunds, /)).toHaveAttribute('aria-selected', 'true');
  await expect(detail(page).getByRole('tab', { name: 'Envelope' })).toHaveAttribute('aria-selected', 'true');
});
