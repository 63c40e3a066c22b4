// Two of fourteen questions, each answered in words with its rule, from the message list, in at most two clicks or keys.
import type { Locator } from '@playwright/test';
import { rows } from './console-page.ts';
import { expect } from './fixture.ts';
import { test, answers, waitLong } from './question-page.ts';

test('what is waiting for me right now?', async ({ page, product, hand, accessible }) => {
  await waitLong(product, 1);
  await answers(product, { kind: 'respond', status: 503, body: '' });
  await product.publish('orders', { orderId: 1 });
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'the orders' });
  await product.publish('orders', { orderId: 2 });
  await expect(rows(page, /Held/)).toHaveCount(1);
  await hand.click(page.getByRole('button', { name: 'Waiting for you 2' }));
  const items = page.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem');
  await expect(items.nth(0)).toContainText(
    '1 message parked: no further attempt is allowed, nothing lost. Retry, replay or drop. policy.exhausted',
  );
  await expect(items.nth(1)).toContainText('1 held by "the orders". Release, edit or drop.');
  await accessible();
});

const GOOD = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: shop
spec:
  type: pubsub.in-memory
  version: v1
`;
const TOPIC = (name: string, topic: string): string => `apiVersion: sidecar.io/v2alpha1
kind: Subscription
metadata:
  name: ${name}
spec:
  pubsubname: shop
  topic: ${topic}
  routes:
    default: /${name}
`;

test.describe('a folder of files', () => {
  test.use({
    files: {
      'shop.yaml': GOOD,
      'refunds.yaml': TOPIC('refunds', 'refunds'),
      'late.yaml': TOPIC('late', '""'),
    },
  });

  test('is my file used, and if not, which line is wrong?', async ({ page, hand, accessible }) => {
    const nav = page.getByRole('navigation', { name: 'Main' });
    await hand.click(nav.getByRole('link', { name: /^Components/ }));
    const file = (name: string): Locator =>
      page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name }).first();
    await expect(file('shop.yaml')).toContainText('Component shop (line 1) is used.');
    await expect(file('refunds.yaml')).toContainText('Subscription refunds (line 1) is used.');
    await expect(file('late.yaml')).toContainText('Not used');
    await expect(file('late.yaml')).toContainText(/7:\d+ .*topic/);
    await accessible();
  });
});
