// What an answer leads to: the rule that applied, and what another answer would have done.
import { choose, detail, go, openMessage, rows, usePreset } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('DROP: the message is dropped and the rule is named', async ({ page, product, accessible }) => {
  await usePreset(page, '200 DROP');
  await product.publish('orders', { orderId: 1 });
  await go(page, 'Messages');
  await openMessage(page, /, orders, .*Dropped, 1 attempt, last answer 200 DROP/, 'Attempts');
  await detail(page)
    .getByRole('article', { name: /^Attempt 1/ })
    .getByRole('button', { name: 'Rule' })
    .click();
  const popover = page.getByRole('dialog', { name: 'Why this happened' });
  await expect(popover).toContainText('The app asked to drop it. A warning was logged.');
  await expect(popover).toContainText('single.2xx.drop');
  const applying = popover.getByRole('table', { name: 'Rules' }).locator('[aria-current="true"]');
  await expect(applying).toHaveCount(1);
  await expect(applying).toContainText('2xx, status DROP');
  await accessible();
});

test('"What if" says what another answer would lead to, and sends nothing', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /Processed/, 'Attempts');
  const sent = (await product.rpc('mockApp.get', {})).requests.length;
  await choose(detail(page), 'What if the app had answered', '404');
  const told = detail(page).getByRole('status').filter({ hasText: 'The app answered 404: dropped.' });
  await expect(told).toContainText('Dropped');
  await accessible();
  expect((await product.rpc('mockApp.get', {})).requests).toHaveLength(sent);
  await expect(rows(page, /Processed, 1 attempt/)).toBeVisible();
});
