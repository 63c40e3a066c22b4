// Components and subscriptions of a folder: a mistake in one is named with its place, and the others work.
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { chooseTab, go, messages, retype, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

const SHOP = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: shop
spec:
  type: pubsub.in-memory
  version: v1
`;
const BROKEN = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: broken
spec:
  type: pubsub.in-memry
  version: v1
`;
const REFUNDS = `apiVersion: sidecar.io/v2alpha1
kind: Subscription
metadata:
  name: refunds
spec:
  pubsubname: shop
  topic: refunds
  routes:
    rules:
      - match: event.type == "refund.large"
        path: /refunds/large
    default: /refunds
  deadLetterTopic: refunds-dead
`;

const subscription = (page: Page, topic: string): Locator =>
  page.getByRole('treegrid', { name: 'Subscriptions' }).getByRole('row').filter({ hasText: topic }).first();

async function openSubscriptions(page: Page): Promise<void> {
  await go(page, 'Topics');
  await chooseTab(page, 'Subscriptions');
}

test.describe('a folder with a broken component', () => {
  test.use({ files: { 'shop.yaml': SHOP, 'broken.yaml': BROKEN, 'refunds.yaml': REFUNDS } });

  test('names file, line and field, and is loaded when it is fixed', async ({
    page,
    product,
    folder,
    accessible,
  }) => {
    await expect(page.getByRole('button', { name: /^Sidecar not healthy/ })).toBeVisible();
    const nav = page.getByRole('navigation', { name: 'Main' });
    await nav.getByRole('link', { name: 'Components, 1 problem in components and resource files' }).click();
    const list = page.getByRole('listbox', { name: 'Components' });
    await expect(list.getByRole('option', { name: /^shop/ })).toContainText('Ready');
    await list.getByRole('option', { name: /^broken/ }).click();
    const about = page.getByRole('region', { name: 'Component broken' });
    const problem = about.getByRole('list', { name: 'Problems 1' }).getByRole('listitem');
    await expect(problem).toContainText('6:9');
    await expect(problem).toContainText(
      'Unknown type pubsub.in-memry/v1; did you mean pubsub.in-memory? Known types: ',
    );
    await accessible();

    await fs.writeFile(path.join(folder, 'broken.yaml'), BROKEN.replace('in-memry', 'in-memory'));
    await page.getByRole('button', { name: 'Reload folder' }).click();
    // The folder tells of its change by itself too, and the newer of the two is on screen: the list has both.
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const told = page.getByRole('list', { name: 'Notifications' });
    await expect(told.getByText('Reloaded: 2 components.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(told).toHaveCount(0);
    await expect(list.getByRole('option', { name: /^broken/ })).toContainText('Ready');
    await expect(about.getByText('No problems.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Sidecar healthy/ })).toBeVisible();
    expect((await product.sidecar('/v1.0/healthz')).status).toBe(204);
    await accessible();
  });

  test('the other component works, and its declared subscription is shown with its file and rules', async ({
    page,
    product,
    accessible,
  }) => {
    const published = await product.sidecar(
      '/v1.0/publish/shop/refunds?metadata.cloudevent.type=refund.large',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"amount":900}' },
    );
    expect(published.status).toBe(204);
    await expect(rows(page, /, refunds, refund\.large, Processed/)).toBeVisible();
    await openSubscriptions(page);
    await expect(subscription(page, 'orders')).toContainText('programmatic');
    await expect(subscription(page, 'refunds')).toContainText('refunds.yaml');
    await expect(subscription(page, 'refunds')).toContainText('refunds-dead');
    await expect(subscription(page, 'refunds')).toContainText('Active');
    await page.getByRole('button', { name: 'Show the rules of refunds' }).click();
    const rules = page.getByRole('treegrid', { name: 'Subscriptions' }).locator('[aria-level="2"]');
    const both = ['1 event.type == "refund.large" → /refunds/large', 'Default route → /refunds'];
    await expect(rules).toHaveText(both);
    await accessible();

    const row = subscription(page, 'refunds');
    const tree = page.getByRole('treegrid', { name: 'Subscriptions' });
    await row.click({ position: { x: 4, y: 4 } });
    await tree.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(rules).toHaveCount(0);
    await page.keyboard.press('ArrowRight');
    await expect(row).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('ArrowRight');
    await expect(rules.first()).toHaveAttribute('aria-selected', 'true');
    await expect(tree).toHaveAttribute(
      'aria-activedescendant',
      (await rules.first().getAttribute('id')) ?? '',
    );
    await page.keyboard.press('ArrowLeft');
    await expect(row).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('End');
    await expect(rules.last()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('ArrowLeft');

    const tester = page.getByRole('region', { name: 'Try an event' });
    await tester.getByRole('textbox', { name: 'Topic' }).fill('refunds');
    await tester.getByRole('textbox', { name: 'Event type' }).fill('refund.large');
    const told = tester.getByRole('status');
    await expect(told).toHaveText(
      /Rule 1 `event\.type == "refund\.large"` matched: route \/refunds\/large\./,
    );
    await tester.getByRole('textbox', { name: 'Event type' }).fill('refund.small');
    await expect(told).toHaveText(/No rule matched: default route \/refunds\./);
    await tester.getByRole('textbox', { name: 'Topic' }).fill('nothing');
    await expect(told).toHaveText('No subscription for topic nothing.');
    await accessible();
  });

  test('a file changed on disk is loaded, with a notification', async ({ page, folder }) => {
    await go(page, 'Components');
    await expect(page.getByRole('option', { name: /^shop/ })).toBeVisible();
    const text = page.getByRole('textbox', { name: 'Text of broken.yaml, read-only' });
    await expect(text).toContainText('pubsub.in-memry');
    await fs.writeFile(path.join(folder, 'broken.yaml'), BROKEN.replace('in-memry', 'in-memory'));
    await expect(toast(page, 'broken.yaml changed on disk and was loaded.')).toBeVisible();
    await expect(page.getByRole('option', { name: /^broken/ })).toContainText('Ready');
    await expect(text).toContainText('pubsub.in-memory');
    await fs.rm(path.join(folder, 'broken.yaml'));
    await expect(toast(page, /^broken\.yaml was removed from the folder/)).toBeVisible();
    await expect(page.getByRole('option', { name: /^broken/ })).toHaveCount(0);
  });
});

test('subscriptions are discovered again, and mistakes in them are named', async ({
  page,
  product,
  accessible,
}) => {
  await openSubscriptions(page);
  const found = page.getByText(/Last discovered \d\d:\d\d:\d\d from .*: 200, 1 subscription$/);
  await expect(found).toBeVisible();
  await page.getByRole('button', { name: 'Discover again' }).click();
  await expect(toast(page, 'Discovered 1 subscription.')).toBeVisible();

  await go(page, 'Mock app');
  await chooseTab(page, 'Subscriptions');
  const editor = page.getByRole('textbox', { name: 'Subscriptions that the mock app serves' });
  await retype(editor, '[{"pubsubname": "pubsub"');
  await expect(page.getByRole('alert')).toContainText(/^Line 1, column \d+: /);
  await expect(page.getByRole('button', { name: 'Serve and discover again' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await accessible();
  const served = [
    { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } },
    { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/twice' } },
    { pubsubname: 'nowhere', topic: 'lost', routes: { default: '/lost' } },
    { pubsubname: 'pubsub', topic: 'typed', routes: { rules: [{ match: 'event.type ==', path: '/x' }] } },
  ];
  await retype(editor, JSON.stringify(served));
  await page.getByRole('button', { name: 'Serve and discover again' }).click();
  const problems = page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  await expect(problems).not.toHaveCount(0);
  await accessible();

  await openSubscriptions(page);
  await expect(page.getByRole('list', { name: 'Problems' }).getByRole('listitem').first()).toBeVisible();
  await expect(subscription(page, 'orders')).toContainText('Active');
  await product.publish('orders', { orderId: 1 });
  await chooseTab(page, 'Topics');
  const orders = page.getByRole('table', { name: 'Topics' }).getByRole('row').filter({ hasText: 'orders' });
  await expect(orders).toContainText('app');
  await accessible();
});

test('topics have counts, subscribers and links to messages', async ({ page, product, accessible }) => {
  for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
  await product.publish('unheard', { orderId: 4 });
  await go(page, 'Topics');
  const table = page.getByRole('table', { name: 'Topics' });
  const orders = table.getByRole('row').filter({ hasText: 'orders' });
  await expect(orders.getByRole('cell').nth(3)).toHaveText('3');
  await expect(orders.getByRole('link', { name: /Processed.*3/ })).toBeVisible();
  const unheard = table.getByRole('row').filter({ hasText: 'unheard' });
  await expect(unheard).toContainText('No subscription');
  await expect(orders.getByRole('cell').nth(6)).toHaveText(/^up to date/);
  await expect(unheard.getByRole('cell').nth(6)).toHaveText('no known subscription');
  await table.getByRole('button', { name: 'Topic' }).click();
  await table.getByRole('button', { name: 'Published' }).click();
  const published = table.getByRole('columnheader', { name: 'Published' });
  await expect(published).toHaveAttribute('aria-sort', 'descending');
  await expect(table.getByRole('row').nth(1)).toContainText('orders');
  await table.getByRole('button', { name: 'Published' }).press('Enter');
  await expect(published).toHaveAttribute('aria-sort', 'ascending');
  await expect(table.getByRole('row').nth(1)).toContainText('unheard');
  await accessible();
  // The key of the filter leads to the search of the screen that is shown.
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Find a topic' })).toBeFocused();
  await page.keyboard.type('unh');
  await expect(orders).toHaveCount(0);
  // The order stays while no topic has the name that is typed.
  await page.getByRole('searchbox', { name: 'Find a topic' }).fill('nowhere');
  await expect(page.getByText('No topic matches "nowhere".')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find a topic' }).fill('');
  await expect(published).toHaveAttribute('aria-sort', 'ascending');

  await page.getByRole('button', { name: 'Hold orders' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Add hold' }).getByRole('combobox', { name: 'Filter' }),
  ).toHaveValue('topic:orders');
  await page.keyboard.press('Escape');
  // The tooltip of the button that has the focus again lies over its neighbours.
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByRole('button', { name: 'Publish to unheard' }).click();
  await expect(page.getByRole('combobox', { name: 'Topic' })).toHaveValue('unheard');
  await go(page, 'Topics');
  await orders.getByRole('link', { name: 'orders', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue(
    'topic:orders pubsub:pubsub',
  );
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  await go(page, 'Topics');
  await orders.getByRole('link', { name: /Processed.*3/ }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
});

test('a narrow window keeps every column and every button in sight, and the status in one line', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('samples.add', {});
  await product.publish(`a-long-name-${'of-a-topic-'.repeat(8)}`.slice(0, 90), {});
  await go(page, 'Topics');
  const table = page.getByRole('table', { name: 'Topics' });
  const frame = page.getByRole('group', { name: 'Topics' });
  const isOver = (): Promise<boolean> => frame.evaluate((each) => each.scrollWidth > each.clientWidth);
  // A long name leaves the lag room for its rates, and the buttons theirs.
  await expect(table.getByRole('cell', { name: 'no known subscription' }).first()).toBeVisible();
  const lag = await table
    .getByRole('cell', { name: /^up to date/ })
    .first()
    .boundingBox();
  expect(lag?.width).toBeGreaterThan(135);
  expect(await isOver()).toBe(false);
  await page.setViewportSize({ width: 700, height: 900 });
  const orders = table.getByRole('row').filter({ has: page.getByText('orders', { exact: true }) });
  await expect(page.getByRole('button', { name: 'Show orders in the graph' })).toBeInViewport({ ratio: 1 });
  await expect(orders.first()).toBeVisible();
  // A value without a column of its own stands under the row, with its name.
  await expect(table.getByRole('columnheader', { name: 'States' })).toHaveCount(0);
  await expect(table.getByRole('term').filter({ hasText: 'States' }).first()).toBeVisible();
  await expect(table.getByRole('term').filter({ hasText: 'Lag' }).first()).toBeVisible();
  expect(await isOver()).toBe(false);
  await chooseTab(page, 'Subscriptions');
  await expect(page.getByRole('columnheader', { name: 'State' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('columnheader', { name: 'Dead letter' })).toHaveCount(0);
  await expect(subscription(page, 'shipments')).toContainText('Dead lettershipments-dead');
  await accessible();
  await page.getByRole('button', { name: 'Hold all' }).click();
  // The samples have a call that is never answered.
  await expect(page.getByText(/^New attempts are held\. 1 attempt /)).toBeVisible();
  await page.getByRole('button', { name: 'Release and stop holding' }).click();
  const line = page.getByRole('contentinfo', { name: 'Runtime status' });
  expect(await line.evaluate((each) => each.getBoundingClientRect().height)).toBeLessThan(36);
  await accessible();
});
