// Texts that tell lines apart stay whole: times in lists and in the log, the app of a held delivery, payloads inside their cell.
import type { Locator } from '@playwright/test';
import { chooseTab, go, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const isCut = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => element.scrollWidth > element.clientWidth);

test.describe('two apps in a window of 700 px', () => {
  test.use({ viewport: { width: 700, height: 900 }, flags: ['--app', 'billing=mock'] });

  test('times are whole, and held deliveries of one message name their apps', async ({ page, product }) => {
    await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
    await product.rpc('mockApp.setSubscriptions', {
      appId: 'billing',
      subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/bills' } }],
    });
    await product.when('both apps subscribe', async () => {
      const { items } = await product.rpc('subscriptions.list', {});
      return items.filter(({ topic }) => topic === 'orders').length === 2 ? true : undefined;
    });
    await product.publish('orders', { orderId: 1 });
    await expect(rows(page, /Held/)).toBeVisible();
    expect(await isCut(rows(page, /Held/).locator('[data-col="time"]'))).toBe(false);
    await go(page, 'Holds');
    const held = page.getByRole('grid', { name: 'Held messages' }).getByRole('row');
    await expect(held).toHaveCount(2);
    await expect(held.last().getByText(/^delivery to (app|billing)/)).toBeVisible();
    await go(page, 'Logs');
    const time = page
      .getByRole('grid', { name: 'Log lines' })
      .getByRole('row')
      .nth(1)
      .getByRole('gridcell')
      .first();
    await expect(time).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/);
    expect(await isCut(time)).toBe(false);
  });
});

test('a long payload of a test to be made ends before the next column', async ({ page, product }) => {
  await product.publish('orders', { note: 'x'.repeat(150) });
  await expect(rows(page, /orders/)).toBeVisible();
  await go(page, 'Recordings');
  const row = page.getByRole('region', { name: 'Save as test' }).getByRole('row', { name: /orders/ });
  const [preview, state] = [row.getByText(/xxxx/).first(), row.getByRole('combobox')];
  const cell = await preview.locator('xpath=ancestor::td').boundingBox();
  const shown = await preview.locator('xpath=ancestor::td/*').first().boundingBox();
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0));
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual((await state.boundingBox())?.x ?? 0);
});

test('a graph that is larger than its frame says where it goes on, and leads there', async ({
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
