// Twelve of fourteen questions; the others are in questions.spec.ts.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { detail, messages, openMessage, rows } from './console-page.ts';
import { expect, startProduct } from './fixture.ts';
import { openConsole } from './open-console.ts';
import { test, SUCCESS, answers, waitLong, tab, head } from './question-page.ts';

test('why was it retried?', async ({ page, product, hand, accessible }) => {
  await answers(product, { kind: 'respond', status: 503, body: '' }, SUCCESS);
  await product.publish('orders', { orderId: 1 });
  await hand.click(rows(page, /Processed, 2 attempts/));
  await hand.click(tab(page, 'Attempts'));
  const first = detail(page).getByRole('article', { name: 'Attempt 1, 503, Retrying' });
  await expect(first).toContainText('The app answered 503: to be retried. A warning was logged.');
  await expect(first).toContainText('single.other');
  await accessible();
});

test('why was it dropped although the app said 200?', async ({ page, product, hand }) => {
  await answers(product, { kind: 'respond', status: 200, body: { status: 'DROP' } });
  await product.publish('orders', { orderId: 1 });
  await hand.click(rows(page, /Dropped, 1 attempt, last answer 200 DROP/));
  await expect(head(page)).toContainText(
    'The app answered 200 DROP: it asked to drop the message. A warning was logged.',
  );
  await expect(head(page)).toContainText('single.2xx.drop');
});

test('why is it parked, and what did the app answer last?', async ({ page, product, hand, accessible }) => {
  await waitLong(product, 1);
  await answers(product, { kind: 'respond', status: 429, body: '' });
  await product.publish('orders', { orderId: 1 });
  await hand.click(rows(page, /Parked, 1 attempt/));
  await expect(head(page)).toContainText(
    'Only one attempt was allowed; the answer was 429. Parked: retry, replay or drop it.',
  );
  await expect(head(page)).toContainText('policy.exhausted');
  await accessible();
});

test('why did no one get it, although an app subscribes to its topic?', async ({
  page,
  product,
  hand,
  accessible,
}) => {
  await product.publish('later', { orderId: 1 });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'later', routes: { default: '/later' } }],
  });
  await hand.click(rows(page, /, later, .*No subscription/));
  await expect(head(page)).toContainText(
    'Replay it to deliver it to the app. It was published before there was a subscription for topic later on pubsub.',
  );
  await accessible();
});

test('what exactly did the app answer, and how long did it take?', async ({ page, product, hand }) => {
  await answers(product, {
    kind: 'respond',
    status: 200,
    headers: { 'x-shop': 'north' },
    body: { status: 'SUCCESS', receipt: 'r-17' },
    delayMs: 20,
  });
  await product.publish('orders', { orderId: 1 });
  await hand.click(rows(page, /Processed/));
  await hand.click(tab(page, 'Attempts'));
  const response = detail(page).getByRole('region', { name: 'Response' });
  await expect(response).toContainText('200 OK');
  await expect(response).toContainText('x-shop');
  await expect(response).toContainText('r-17');
  await expect(detail(page).getByRole('article')).toContainText(/\d+ ms/);
  await expect(detail(page).getByRole('article')).toContainText('single.2xx.success');
});

test('when is the next attempt, and how many are left?', async ({ page, product, hand, accessible }) => {
  await waitLong(product);
  await answers(product, { kind: 'respond', status: 503, body: '' });
  await product.publish('orders', { orderId: 1 });
  await hand.click(rows(page, /Retrying, 1 attempt/));
  await expect(head(page)).toContainText('1 (max 5) · 4 left');
  await expect(head(page)).toContainText(/in (10|9\.\d) min, at \d\d:\d\d:\d\d/);
  await expect(head(page)).toContainText('single.other');
  await accessible();
});

test('how do I get this one again, changed?', async ({ page, product, hand, accessible }) => {
  await product.publish('orders', { orderId: 1 });
  await hand.click(rows(page, /Processed/));
  await hand.press('e');
  const dialog = page.getByRole('dialog', { name: 'Edit and replay' });
  await expect(dialog.getByRole('textbox', { name: 'New event' })).toContainText('"orderId": 1');
  await expect(dialog.getByRole('button', { name: 'Replay', exact: true })).toBeVisible();
  await accessible();
});

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
  await expect(detail(page)).toContainText('Rule 2 `event.type == "b"` matched: route /b.');
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
  await expect(head(page)).toContainText('There is a subscription for topic orders on pubsub.');
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
      'Interrupted deliveries, repeated after this start (at least once): 1. restart.requeued',
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
