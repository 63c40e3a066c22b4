// Why a message took its route: every rule with the value it gave, without publishing anything.
import { chooseTab, detail, messages, openMessage } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const BY_TYPE = [
  {
    pubsubname: 'pubsub',
    topic: 'orders',
    routes: {
      rules: [
        { match: 'event.type == "a"', path: '/a' },
        { match: 'event.data.total > 100', path: '/large' },
      ],
      default: '/all',
    },
  },
];

async function publishTyped(product: Product, type: string, total: number): Promise<void> {
  await product.publish('orders', { total }, `?metadata.cloudevent.type=${type}`);
}

test('the route shows a rule that matched, one that could not be evaluated, and a missing subscription', async ({
  page,
  product,
}) => {
  await product.rpc('mockApp.setSubscriptions', { subscriptions: BY_TYPE });
  await publishTyped(product, 'large', 200);
  await openMessage(page, /, orders, large, Processed/, 'Route');
  await expect(
    detail(page).getByText('Rule 2 `event.data.total > 100` matched: route /large.'),
  ).toBeVisible();
  await detail(page).getByRole('link', { name: 'Filter by this route' }).click();
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue('route:/large');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await page.getByRole('button', { name: 'Clear filter' }).click();

  await product.publish('orders', { amount: 1 }, '?metadata.cloudevent.type=odd');
  await openMessage(page, /, orders, odd, Parked/, 'Route');
  await expect(
    detail(page).getByText(/^Rule 2 could not be evaluated: .* Such a message is not sent\.$/),
  ).toBeVisible();
  await chooseTab(detail(page), 'Attempts');
  await expect(
    detail(page).getByText(/^Rule 2 could not be evaluated: .* The message was not sent\./),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Waiting for you 1' }).click();
  const waiting = page.getByRole('list', { name: 'Waiting for you' });
  await expect(waiting).toContainText(
    '1 message parked: a match rule failed with an error, so nothing was sent. Fix the rule, then retry. policy.route-error',
  );
  await expect(waiting).not.toContainText('policy.exhausted');
  await page.keyboard.press('Escape');

  await product.publish('unheard', { orderId: 1 });
  await openMessage(page, /, unheard, .*No subscription/, 'Route');
  await expect(detail(page).getByText('No subscription for topic unheard.')).toBeVisible();

  const subscriptions = [{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/all' } }];
  await product.rpc('mockApp.setSubscriptions', { subscriptions });
  await openMessage(page, /, orders, large, Processed/, 'Route');
  await expect(
    detail(page).getByText(
      /^This message went to \/large by rule \d+ .+ The current rules choose differently:$/,
    ),
  ).toBeVisible();
});
