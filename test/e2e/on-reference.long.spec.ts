// Hints about the reference: with profile dapr in one place on the Subscriptions screen, and gone when the subscription is changed.
import { chooseTab, go } from './console-page.ts';
import { expect, test } from './fixture.ts';

const RISKY = {
  pubsubname: 'pubsub',
  topic: 'orders',
  routes: {
    rules: [
      { match: 'event.type.trim() == "a"', path: '/a' },
      { match: 'event.type == "size(x) > 1.0"', path: '/b' },
    ],
    default: '/orders',
  },
  deadLetterTopic: 'orders-dead',
};

test.describe('in a profile with a reference', () => {
  test.use({ flags: ['--profile', 'dapr'] });

  test('a rule that hangs the reference has one hint, which disappears once the rule is changed', async ({
    page,
    product,
    accessible,
  }) => {
    await product.rpc('mockApp.setSubscriptions', { subscriptions: [RISKY] });
    await go(page, 'Topics');
    await chooseTab(page, 'Subscriptions');
    const box = page.getByRole('region', { name: 'On the reference' });
    await expect(box.getByRole('heading', { level: 3 })).toHaveText([
      'Fails there: The rule calls a function that the reference does not have',
      'Differs there: Dead letter after the first failure',
    ]);
    await expect(box).toContainText('orders on pubsub, the app: rule 1, at trim(): event.type.trim() == "a"');
    await expect(box).toContainText('its health route stays at 500');
    await expect(page.getByRole('heading', { name: 'On the reference' })).toHaveCount(1);
    await accessible();

    const { items } = await product.rpc('logs.list', { level: 'warn', filter: 'part:reference' });
    expect(items.map(({ text }) => text)).toEqual([
      expect.stringContaining('app: pubsub/orders differs on the reference 1.13: '),
      expect.stringContaining('app: pubsub/orders does not work on the reference 1.13: '),
    ]);

    await page.setViewportSize({ width: 700, height: 800 });
    await expect(box).toBeVisible();
    const sticksOut = await box.evaluate((region) => region.scrollWidth > region.clientWidth);
    expect(sticksOut).toBe(false);

    const rules = [{ match: 'event.type == "a"', path: '/a' }];
    const plain = { pubsubname: 'pubsub', topic: 'orders', routes: { rules, default: '/orders' } };
    await product.rpc('mockApp.setSubscriptions', { subscriptions: [plain] });
    await expect(box).toHaveCount(0);
  });
});

test.describe('in the profile without a reference', () => {
  test.use({ flags: ['--profile', 'sidecar'] });

  test('there are no hints about the reference', async ({ page, product }) => {
    await product.rpc('mockApp.setSubscriptions', { subscriptions: [RISKY] });
    await go(page, 'Topics');
    await chooseTab(page, 'Subscriptions');
    await expect(page.getByRole('row').filter({ hasText: 'orders-dead' })).toContainText('Active');
    await expect(page.getByRole('region', { name: 'On the reference' })).toHaveCount(0);
    const { items } = await product.rpc('logs.list', { filter: 'part:reference' });
    expect(items).toEqual([]);
  });
});
