// A long payload in a table, a graph larger than its frame, a state beside an open message.
import type { Locator } from '@playwright/test';
import { chooseTab, go, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const isCut = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => element.scrollWidth > element.clientWidth);

test('save as test: a long payload ends before the next column, and a failure is in sight', async ({
  page,
  product,
}) => {
  await product.publish('orders', { note: 'x'.repeat(150) });
  await expect(rows(page, /orders/)).toBeVisible();
  await go(page, 'Recordings');
  const row = page.getByRole('region', { name: 'Save as test' }).getByRole('row', { name: /orders/ });
  const isClipped = await row
    .getByText(/xxxx/)
    .first()
    .evaluate((text) => {
      for (let at: Element | null = text; at !== null && at.tagName !== 'TD'; at = at.parentElement) {
        if (getComputedStyle(at).overflowX === 'hidden') return true;
      }
      return false;
    });
  expect(isClipped).toBe(true);

  await go(page, 'Messages');
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  for (let orderId = 1; orderId <= 12; orderId += 1) await product.publish('orders', { orderId });
  await expect(rows(page, /Held/)).toHaveCount(12);
  await go(page, 'Recordings');
  await expect(page.getByText(/^ ?12 of these messages cannot be repeated by a test/)).toBeVisible();
  const taken = page.getByRole('table', { name: 'Messages of the test' }).getByRole('checkbox');
  await expect(taken).toHaveCount(13);
  const impossible = taken.and(page.getByTitle(/^A test cannot repeat it: /));
  await expect(impossible).toHaveCount(12);
  for (const one of await impossible.all()) {
    await expect(one).not.toBeChecked();
    await expect(one).toHaveAttribute('aria-disabled', 'true');
  }
  await expect(taken.and(page.locator(':checked'))).toHaveCount(1);
  await page.getByRole('button', { name: 'Make the test' }).click();
  await expect(page.getByText(/left out, because a test cannot repeat/)).toBeInViewport({ ratio: 1 });
});

test('a graph larger than its frame shows where it continues, and scrolls there', async ({
  page,
  product,
}) => {
  const topics = Array.from({ length: 14 }, (_, n) => `topic-${n}`);
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: topics.map((topic) => ({ pubsubname: 'pubsub', topic, routes: { default: '/x' } })),
  });
  await product.when('all are subscribed', async () => {
    const { items } = await product.rpc('subscriptions.list', {});
    return items.length === topics.length ? true : undefined;
  });
  await go(page, 'Topics');
  await chooseTab(page, 'Graph');
  const graph = page.getByRole('group', { name: 'Topology' });
  const [below, above] = ['More below', 'More above'].map((name) => graph.getByRole('button', { name }));
  await expect(below ?? graph).toBeVisible();
  await below?.press('Enter');
  await expect(above ?? graph).toBeVisible();
  await graph.press('0');
  await expect(graph.getByRole('button', { name: /^More / })).toHaveCount(0);
});

test('a state is not cut beside an open message, also at a second waiting call', async ({
  page,
  product,
}) => {
  await product.rpc('mockApp.setRules', { rules: [{ match: {}, answer: { kind: 'ask' } }] });
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /orders/)).toContainText('Waiting for you');
  await rows(page, /orders/).click();
  const dock = page
    .getByRole('region', { name: 'Your answer' })
    .or(page.getByLabel('The app waits for your answer'));
  await dock.getByRole('button', { name: '503' }).click();
  await expect(page.getByRole('tab', { name: 'Attempts 2' })).toBeVisible();
  const state = rows(page, /orders/).locator('[data-col="state"]');
  await expect(state).toContainText('Waiting for you');
  for (const text of await state.locator('*').all()) expect(await isCut(text)).toBe(false);
});
