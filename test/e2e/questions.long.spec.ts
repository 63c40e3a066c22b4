// Six of thirteen questions; the others are in questions.spec.ts.
import { detail, rows } from './console-page.ts';
import { expect } from './fixture.ts';
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
    'There is a subscription for topic later on pubsub (app), but it did not get this message: the message was published before it, or still waits in the broker.',
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
  await expect(head(page)).toContainText('1 of 5 · 4 left');
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
