// Texts that distinguish lines are not cut: times in lists and in the log, the app of a held delivery.
import type { Locator } from '@playwright/test';
import { go, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const isCut = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => element.scrollWidth > element.clientWidth);

test.describe('two apps in a window of 700 px', () => {
  test.use({ viewport: { width: 700, height: 900 }, flags: ['--app', 'billing=mock'] });

  test('times are not cut, and held deliveries of one message name their apps', async ({ page, product }) => {
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
    const to = held.last().getByText(/^(app|billing) → \/\w+$/);
    await expect(to).toBeVisible();
    expect(await isCut(to)).toBe(false);
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
