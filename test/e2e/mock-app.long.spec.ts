// The mock app with many subscriptions and many answers, and its counters.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, go, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

const fields = (page: Page): Locator => page.getByRole('region', { name: 'Fields' });

test('the button that applies the subscriptions is in sight, however many there are', async ({
  page,
  product,
  accessible,
}) => {
  const subscriptions = Array.from({ length: 12 }, (_, n) => ({
    pubsubname: 'pubsub',
    topic: `t${n}`,
    routes: { default: `/t${n}` },
  }));
  await product.rpc('mockApp.setSubscriptions', { subscriptions });
  await product.publish('t3', { orderId: 1 });
  await go(page, 'Mock app');
  await chooseTab(page, 'Subscriptions');
  const serve = page.getByRole('button', { name: 'Serve and discover again' });
  await expect(serve).toBeInViewport({ ratio: 1 });
  const seventh = fields(page).getByRole('group', { name: /^Subscription 7/ });
  await seventh.getByRole('textbox', { name: 'Topic', exact: true }).fill('else');
  await expect(page.getByText('Changed, not served yet.')).toBeInViewport();
  await accessible();
  await chooseTab(page, 'Requests');
  await expect(page.getByRole('row', { name: /delivery POST \/t3/ })).toContainText('(default)');
});

test('hundreds of answers are drawn as they scroll into view', async ({ page, product }) => {
  const rules = Array.from({ length: 200 }, (_, n) => ({
    name: `answer ${n + 1}`,
    enabled: true,
    match: { topic: `t${n}` },
    answer: { kind: 'respond', status: 200 } as const,
  }));
  await product.rpc('mockApp.setRules', { rules });
  await go(page, 'Mock app');
  const list = page.getByRole('list', { name: 'Answers' });
  await expect(list.getByText('answer 1', { exact: true })).toBeVisible();
  expect(await list.getByRole('listitem').count()).toBeLessThan(100);
  await expect(async () => {
    await list.getByText('(default)', { exact: true }).scrollIntoViewIfNeeded();
    await expect(list.getByText('answer 200', { exact: true })).toBeVisible({ timeout: 500 });
  }).toPass();
});

test('hits are counted for each answer, and can be reset', async ({ page, product, accessible }) => {
  const rules = [
    { name: 'orders', enabled: true, match: { topic: 'orders' }, answer: { kind: 'respond', status: 200 } },
  ] as const;
  await product.rpc('mockApp.setRules', { rules });
  await product.publish('orders', { n: 1 });
  await go(page, 'Mock app');
  const list = page.getByRole('list', { name: 'Answers' });
  await expect(list.getByRole('link', { name: '1 hit' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset counters' }).click();
  await expect(toast(page, 'Counters start at 0.')).toBeVisible();
  await expect(list.getByRole('link', { name: '1 hit' })).toHaveCount(0);
  await accessible();
});

test('the link of hits says the name of the answer above the messages', async ({ page, product }) => {
  const rules = [
    { name: 'orders', enabled: true, match: { topic: 'orders' }, answer: { kind: 'respond', status: 200 } },
  ] as const;
  await product.rpc('mockApp.setRules', { rules });
  await product.publish('orders', { n: 1 });
  await go(page, 'Mock app');
  await page.getByRole('list', { name: 'Answers' }).getByRole('link', { name: '1 hit' }).click();
  await expect(page.getByText('Messages that the mock app answered with "orders".')).toBeVisible();
});
