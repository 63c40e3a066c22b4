// Three of fourteen questions, each answered in words with its rule, from the message list, in at most two clicks or keys.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { detail, messages, openMessage, rows } from './console-page.ts';
import { expect, startProduct } from './fixture.ts';
import { openConsole } from './open-console.ts';
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
    await expect(file('shop.yaml')).toContainText('Component shop (line 1): used.');
    await expect(file('refunds.yaml')).toContainText('Subscription refunds (line 1): used.');
    await expect(file('late.yaml')).toContainText('Not used');
    await expect(file('late.yaml')).toContainText(/7:\d+ .*topic/);
    await accessible();
  });
});

test.describe('after a crash', () => {
  test.use({ opensConsole: false });

  let folder: string;
  test.beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-'));
  });
  test.afterEach(() => fs.rm(folder, { recursive: true, force: true }));

  test('did the restart lose anything?', async ({ page, hand, accessible }) => {
    const before = await startProduct({ flags: ['--data-dir', folder] });
    await before.rpc('mockApp.setRules', {
      rules: [
        { name: 'hangs', enabled: true, match: { filter: 'data.orderId:2' }, answer: { kind: 'hang' } },
      ],
    });
    for (const orderId of [1, 2]) await before.publish('orders', { orderId });
    await before.when('one is processed, one under way', async () => {
      const { counts } = await before.rpc('metrics.get', {});
      return counts.processed === 1 && counts.attempting === 1 ? true : undefined;
    });
    // The act is answered once it, and everything before it, is on disk.
    const { items } = await before.rpc('messages.list', { limit: 1 });
    await before.rpc('messages.update', { messageId: items[0]?.messageId ?? '', note: 'seen' });
    await before.kill();

    const after = await startProduct({ flags: ['--data-dir', folder] });
    await openConsole(page, after);
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
    // The banner and the panel of the footer show the same figures.
    await expect(
      page.getByText(
        '2 messages. Of the messages and deliveries 1 was interrupted and is repeated, 1 was finished before.',
      ),
    ).toBeVisible();
    await hand.click(page.getByRole('button', { name: /^Started \d\d:/ }));
    const found = page.getByRole('dialog', { name: 'What this start found' });
    await expect(found).toContainText('Messages kept from earlier runs: 2.');
    await expect(found).toContainText(
      'Interrupted deliveries, repeated now (at least once): 1. restart.requeued',
    );
    await expect(found).toContainText('Deliveries that had ended: 1.');
    await expect(found).toContainText('Nothing was lost.');
    await accessible();
    await page.keyboard.press('Escape');
    await openMessage(page, /Processed/, 'Envelope');
    await expect(
      detail(page).getByText(/^no longer known: Sidelight keeps the callers of the last 2,000/),
    ).toBeVisible();
    await page.goto('about:blank');
    await after.stop();
  });
});
