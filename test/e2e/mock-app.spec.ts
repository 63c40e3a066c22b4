// The mock app's own screen: subscriptions as fields and as JSON, the order of its answers.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, go, retype, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

const fields = (page: Page): Locator => page.getByRole('region', { name: 'Fields' });
const json = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Subscriptions that the mock app serves' });

test('subscriptions as fields and as JSON stay equal', async ({ page, product, accessible }) => {
  await go(page, 'Mock app');
  await chooseTab(page, 'Subscriptions');
  const first = fields(page).getByRole('group', { name: /^Subscription 1/ });
  await expect(first.getByRole('textbox', { name: 'Topic', exact: true })).toHaveValue('orders');
  await first.getByRole('button', { name: 'Add rule' }).click();
  await first.getByRole('textbox', { name: 'Condition of rule 1' }).fill('event.type == "a"');
  await first.getByRole('textbox', { name: 'Path of rule 1' }).fill('/a');
  await first.getByRole('checkbox', { name: 'Deliver in batches' }).check();
  await first.getByRole('textbox', { name: 'Messages in a batch' }).fill('3');
  await expect(json(page)).toContainText('"match": "event.type == \\"a\\""');
  await expect(json(page)).toContainText('"maxMessagesCount": 3');
  await accessible();

  await fields(page).getByRole('button', { name: 'Add subscription' }).click();
  const second = fields(page).getByRole('group', { name: /^Subscription 2/ });
  await second.getByRole('textbox', { name: 'Topic', exact: true }).fill('orders');
  await expect(
    page.getByText('pubsub / orders is listed twice: the app gets each message once.'),
  ).toBeVisible();
  await accessible();
  await second.getByRole('textbox', { name: 'Topic', exact: true }).fill('refunds');
  await page.getByRole('button', { name: 'Serve and discover again' }).click();
  await expect(toast(page, 'Discovered 2 subscriptions.')).toBeVisible();
  const { subscriptions } = await product.rpc('mockApp.get', {});
  expect(subscriptions).toEqual([
    {
      pubsubname: 'pubsub',
      topic: 'orders',
      routes: { default: '/orders', rules: [{ match: 'event.type == "a"', path: '/a' }] },
      bulkSubscribe: { enabled: true, maxMessagesCount: 3 },
    },
    { pubsubname: 'pubsub', topic: 'refunds', routes: { default: '/' } },
  ]);

  await retype(json(page), '[{"pubsubname":"pubsub","topic":"only"}]');
  await expect(first.getByRole('textbox', { name: 'Topic', exact: true })).toHaveValue('only');
  await expect(second).toHaveCount(0);
  await retype(json(page), '{"pubsubname":');
  await expect(fields(page)).toContainText('The JSON is not a list of subscriptions. Fix the JSON first.');
  await accessible();
  await page.getByRole('button', { name: 'Undo changes' }).click();
  await expect(second.getByRole('textbox', { name: 'Topic', exact: true })).toHaveValue('refunds');
});

test('an answer is dragged to its place, past the tooltip of the focused one', async ({ page, product }) => {
  const rules = ['one', 'two', 'three'].map((name) => ({
    name,
    enabled: true,
    match: { eventType: name },
    answer: { kind: 'respond', status: 200 } as const,
  }));
  await product.rpc('mockApp.setRules', { rules });
  await go(page, 'Mock app');
  const handle = (name: string): Locator => page.getByRole('button', { name: `Move "${name}": drag` });
  const row = (n: number): Locator =>
    page.getByRole('list', { name: 'Answers' }).getByRole('listitem').nth(n);
  await page.getByRole('switch', { name: 'Mock app on' }).focus();
  await page.keyboard.press('Tab');
  await expect(handle('one')).toBeFocused();
  await expect(page.getByText(/^Move "one": drag/)).toBeVisible();

  await handle('two').dragTo(row(0), { targetPosition: { x: 60, y: 4 } });
  await expect(row(0)).toContainText('two');
  await expect(handle('two')).toBeFocused();
  await handle('two').dragTo(row(2), { targetPosition: { x: 60, y: 36 } });
  await expect(row(2)).toContainText('two');
  await expect(page.getByText('Moved to position 3 of 3')).toBeAttached();
  const { rules: kept } = await product.rpc('mockApp.get', {});
  expect(kept.map(({ name }) => name)).toEqual(['one', 'three', 'two']);
});
