// Answers of the app, in full: the bulk-delivery table, and answers by hand over two attempts.
import { choose, chooseTab, detail, go, messages, openMessage, rows, toast } from '../console-page.ts';
import { expect } from '../fixture.ts';
import { journey, slowRetry } from './journey.ts';

journey('rows of the bulk-delivery table', async ({ page, product, accessible }) => {
  await slowRetry(product);
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'batched',
        routes: { default: '/batched' },
        bulkSubscribe: { enabled: true, maxMessagesCount: 3, maxAwaitDurationMs: 60_000 },
      },
    ],
  });
  const three = async (preset: string, round: number): Promise<void> => {
    await product.rpc('mockApp.usePreset', { preset });
    for (let entry = 1; entry <= 3; entry += 1) await product.publish('batched', { round, entry });
    await page.getByRole('combobox', { name: 'Filter messages' }).fill(`data.round:${round}`);
    await page.keyboard.press('Enter');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  };
  const article = detail(page).getByRole('article');

  await three('B1m', 1);
  await expect(rows(page, /, batched, .*Processed, 1 attempt/)).toHaveCount(1);
  await expect(rows(page, /, batched, .*Retrying, 1 attempt/)).toHaveCount(2);
  await rows(page, /Retrying/)
    .last()
    .click();
  await chooseTab(detail(page), 'Attempts');
  await expect(article).toContainText(
    /The answer has no status for entry .+: treated as RETRY\. The answer to a batch /,
  );
  await expect(article.getByText(/^Batch of 3; this is entry /)).toBeVisible();
  await accessible();
  await article.getByRole('button', { name: 'Rule' }).click();
  const applying = page.getByRole('table', { name: 'Rules' }).locator('[aria-current="true"]');
  await expect(applying).toContainText('2xx, no status for the entry');
  await page.keyboard.press('Escape');

  await three('B3', 2);
  await expect(rows(page, /, batched, .*Dropped, 1 attempt, last answer 404/)).toHaveCount(3);
  await rows(page, /Dropped/)
    .first()
    .click();
  await expect(article).toContainText('The app answered 404 to the batch of 3 entries: dropped.');

  await three('B4', 3);
  await expect(rows(page, /, batched, .*Retrying, 1 attempt, last answer 503/)).toHaveCount(3);
  await rows(page, /Retrying/)
    .first()
    .click();
  await expect(article).toContainText('The app answered 503 to the batch of 3 entries: to be retried.');
});

journey('ask me', async ({ page, product, accessible }) => {
  const soon = { maxAttempts: 5, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: soon });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'payments', routes: { default: '/pay' } }],
  });
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Add answer' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  // The answer comes first; what it is for is folded below it.
  const kind = editor.getByRole('combobox', { name: 'Answer', exact: true });
  await expect(kind).toBeVisible();
  await expect(editor.getByRole('combobox', { name: 'Topic' })).toBeHidden();
  const answerAt = await kind.boundingBox();
  const matchAt = await editor.getByText('Applies to everything', { exact: true }).boundingBox();
  expect(matchAt?.y).toBeGreaterThan(answerAt?.y ?? Infinity);
  await editor.getByText('Applies to everything', { exact: true }).click();
  await editor.getByRole('combobox', { name: 'Topic' }).fill('payments');
  await choose(editor, 'Answer', 'Ask me');
  await expect(editor.locator('footer')).toContainText(
    'For topic payments: ask me. Leads to Waiting for you',
  );
  // A slip of the hand does not throw the form away.
  await page.keyboard.press('Escape');
  await expect(editor.getByText('Discard what you entered?')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(editor.getByRole('button', { name: 'Save answer' })).toBeVisible();
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);

  await go(page, 'Messages');
  await product.publish('payments', { orderId: 1 });
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Mock app, 1 waiting' }).click();
  const item = page.getByRole('list', { name: 'Waiting for your answer' }).getByRole('listitem');
  await expect(item).toContainText('payments → /pay');
  await expect(item).toContainText('{orderId:1}');
  await accessible();
  await item.getByRole('button', { name: 'RETRY' }).focus();
  await page.keyboard.press('2');
  await expect(toast(page, 'Answered.').first()).toBeVisible();
  await product.when('the second ask', async () => {
    const { items } = await product.rpc('messages.list', { filter: 'attempts:2' });
    return items[0];
  });
  await expect(item).toHaveCount(1);
  await item.getByRole('button', { name: 'SUCCESS' }).focus();
  await page.keyboard.press('1');
  await expect(item).toHaveCount(0);
  await go(page, 'Messages');
  await openMessage(page, /Processed, 2 attempts, last answer 200 SUCCESS/, 'Attempts');
  await expect(detail(page).getByRole('article', { name: /^Attempt 1, 200 RETRY, Retrying/ })).toContainText(
    'The app asked for a retry.',
  );
});
