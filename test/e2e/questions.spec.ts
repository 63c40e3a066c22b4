// Seven of thirteen questions, each answered in words with its rule, from the message list, in at most two clicks or keys.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { detail, messages, openMessage, rows } from './console-page.ts';
import { expect, startProduct } from './fixture.ts';
import { openConsole } from './opening.ts';
import { test, SUCCESS, answers, waitLong, tab, head } from './question-page.ts';

test('which rule chose this route, and why not the others?', async ({ page, product, hand }) => {
  const rules = [
    { match: 'event.type == "a"', path: '/a' },
    { match: 'event.type == "b"', path: '/b' },
    { match: 'event.data.total > 100', path: '/large' },
  ];
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', routes: { rules, default: '/all' } }],
  });
  await product.publish('orders', { total: 500 }, '?metadata.cloudevent.type=b');
  await hand.click(rows(page, /, orders, b, Processed/));
  await hand.click(tab(page, 'Route'));
  await expect(detail(page)).toContainText('Rule 2 `event.type == "b"` matched: POST /b.');
  const others = detail(page).getByRole('list', { name: 'Why not the others' }).getByRole('listitem');
  await expect(others).toHaveText([
    'Rule 1 `event.type == "a"` was not chosen: it is false for this event.',
    'Rule 3 `event.data.total > 100` was not looked at: the first rule that is true decides.',
    'Default route /all was not used: a rule matched.',
  ]);
});

test('why did no one get it?', async ({ page, product, hand, accessible }) => {
  await product.publish('Orders', { orderId: 1 });
  await hand.click(rows(page, /, Orders, .*No subscription/));
  await expect(head(page)).toContainText(
    'No subscription for topic Orders on pubsub: names are compared exactly, upper and lower case included.',
  );
  await expect(head(page)).toContainText('There is one for topic orders on pubsub.');
  await accessible();
});

test('why did the app get it twice?', async ({ page, product, hand, accessible }) => {
  await answers(product, { kind: 'respond', status: 200, body: { status: 'RETRY' } }, SUCCESS);
  await product.publish('orders', { orderId: 1 });
  await hand.click(rows(page, /Processed, 2 attempts/));
  await hand.click(tab(page, 'Attempts'));
  const times = detail(page).getByRole('region', { name: 'How often the app got it' });
  await expect(times).toContainText('The app got it 2 times:');
  await expect(times).toContainText('Attempt 2: because attempt 1 was answered 200 RETRY. single.2xx.retry');
  await accessible();
});

test('what would happen if the app answered something else?', async ({ page, product, hand, accessible }) => {
  await product.publish('orders', { orderId: 1 });
  await hand.click(rows(page, /Processed/));
  await hand.press('w');
  const dialog = page.getByRole('dialog', { name: 'What if the app answered…' });
  const answer = (name: RegExp): Locator => dialog.getByRole('row', { name });
  await expect(answer(/^200 RETRY/)).toContainText('The app asked for a retry. single.2xx.retry');
  await expect(answer(/^404/)).toContainText('Dropped');
  await expect(answer(/^404/)).toContainText('single.404');
  await expect(answer(/^503/)).toContainText('The app answered 503: to be retried.');
  await accessible();
  expect((await product.rpc('messages.list', {})).total).toBe(1);
});

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
    '1 message parked: no attempt is left, nothing lost. Retry, replay or drop. policy.exhausted',
  );
  await expect(items.nth(1)).toContainText('1 held by "the orders". Release, edit or drop. hold.matched');
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
    await expect(file('late.yaml')).toContainText(/late\.yaml:7:\d+ .*topic/);
    await accessible();
  });
});

test.describe('after a crash', () => {
  let folder: string;
  test.beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-'));
  });
  test.afterEach(() => fs.rm(folder, { recursive: true, force: true }));

  test('did the restart lose anything?', async ({ page, hand, accessible }) => {
    await page.goto('about:blank');
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
    // The answer comes when the act, and with it everything before, is on disk.
    const { items } = await before.rpc('messages.list', { limit: 1 });
    await before.rpc('messages.update', { messageId: items[0]?.messageId ?? '', note: 'seen' });
    await before.kill();

    const after = await startProduct({ flags: ['--data-dir', folder] });
    await openConsole(page, after);
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
    // The banner and what the footer opens say the same figures.
    await expect(
      page.getByText('2 messages: of their deliveries 1 was interrupted and is repeated, 1 had ended.'),
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
    await expect(detail(page).getByText(/^no longer known: kept for the last 2,000/)).toBeVisible();
    await page.goto('about:blank');
    await after.stop();
  });
});
