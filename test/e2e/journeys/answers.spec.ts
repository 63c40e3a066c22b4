// The app decides: every row of both outcome tables, answers given by hand, an app that fails a few times.
import {
  choose,
  chooseTab,
  detail,
  go,
  messages,
  openMessage,
  rows,
  toast,
  usePreset,
} from '../console-page.ts';
import { expect, type Product, test } from '../fixture.ts';
import { inLong, journey } from './journey.ts';

interface Row {
  readonly preset: string;
  readonly title: string;
  readonly state: string;
  readonly sentence: string;
  readonly rule: string;
  readonly logged?: 'warning' | 'error';
}

const EMPTY = 'The app answered 200 without a status: treated as SUCCESS.';
const ROWS: readonly Row[] = [
  {
    preset: 'S1',
    title: '200, empty body',
    state: 'Processed',
    sentence: EMPTY,
    rule: 'single.2xx.empty',
  },
  { preset: 'S1b', title: '200 {}', state: 'Processed', sentence: EMPTY, rule: 'single.2xx.empty' },
  {
    preset: 'S2',
    title: '200 SUCCESS',
    state: 'Processed',
    sentence: 'The app answered SUCCESS.',
    rule: 'single.2xx.success',
  },
  {
    preset: 'S3',
    title: '200 RETRY',
    state: 'Retrying',
    sentence: 'The app asked for a retry.',
    rule: 'single.2xx.retry',
  },
  {
    preset: 'S4',
    title: '200 DROP',
    state: 'Dropped',
    sentence: 'The app answered 200 DROP: it asked to drop the message. A warning was logged.',
    rule: 'single.2xx.drop',
    logged: 'warning',
  },
  {
    preset: 'S5',
    title: '200 MAYBE (an unknown status)',
    state: 'Retrying',
    sentence: '"MAYBE" is not SUCCESS, RETRY or DROP: treated as an error, to be retried.',
    rule: 'single.2xx.other',
    logged: 'error',
  },
  {
    preset: 'S6',
    title: '200, not JSON',
    state: 'Processed',
    sentence: "The answer's body could not be read and was ignored: processed.",
    rule: 'single.2xx.invalid',
  },
  {
    preset: 'S7',
    title: '404',
    state: 'Dropped',
    sentence: 'The app answered 404: dropped. An error was logged.',
    rule: 'single.404',
    logged: 'error',
  },
  {
    preset: 'S8',
    title: '500, 400, 302 in turn',
    state: 'Retrying',
    sentence: 'The app answered 500: to be retried. A warning was logged.',
    rule: 'single.other',
    logged: 'warning',
  },
];

/** Waits long enough between attempts that "retrying" can be read. */
const slowRetry = (product: Product): Promise<unknown> =>
  product.rpc('settings.set', {
    key: 'delivery.retry',
    value: { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 },
  });

journey(
  'each row of the single-delivery table',
  async ({ page, product, look, accessible }) => {
    test.setTimeout(120_000);
    await slowRetry(product);
    const { items: presets } = await product.rpc('mockApp.presets', {});
    expect(presets).toEqual(
      expect.arrayContaining(ROWS.map(({ preset, title }) => expect.objectContaining({ preset, title }))),
    );
    for (const [index, { preset, title, state, sentence, rule }] of ROWS.entries()) {
      // Chosen by hand once: the list of presets is one list.
      if (look === 'light' && index === 0) {
        await usePreset(page, title);
        await go(page, 'Messages');
      } else await product.rpc('mockApp.usePreset', { preset });
      await product.publish('orders', { row: index });
      await expect(messages(page)).toHaveAttribute('aria-rowcount', String(index + 1));
      await openMessage(page, new RegExp(`, orders, .*${state}, 1 attempt, .*Unread`), 'Attempts');
      const attempt = detail(page).getByRole('article', { name: new RegExp(`^Attempt 1, .*, ${state}$`) });
      await expect(attempt).toContainText(sentence);
      await chooseTab(detail(page), 'Timeline');
      await expect(detail(page).getByRole('table', { name: 'Transitions' })).toContainText(rule);
      await page.getByRole('button', { name: 'Close detail' }).click();
    }
    await accessible();

    await go(page, 'Logs');
    const lines = page.getByRole('grid', { name: 'Log lines' });
    for (const { rule, logged } of ROWS) {
      if (logged === undefined) continue;
      const line = lines.getByRole('row').filter({ hasText: rule });
      await expect(line.first()).toContainText(logged);
      await expect(line.first().getByRole('link', { name: 'Open message' })).toBeVisible();
    }
    await expect(lines.getByRole('row').filter({ hasText: 'single.2xx.success' })).toHaveCount(0);
  },
  ['light', ...inLong('narrow')],
);

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
  await expect(article).toContainText(/The answer has no status for entry .+: treated as RETRY\./);
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
  await expect(article).toContainText('The app answered 404 to the batch: all 3 entries dropped.');

  await three('B4', 3);
  await expect(rows(page, /, batched, .*Retrying, 1 attempt, last answer 503/)).toHaveCount(3);
  await rows(page, /Retrying/)
    .first()
    .click();
  await expect(article).toContainText('The app answered 503 to the batch: all 3 entries to be retried.');
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
  await expect(item).toContainText('payments → POST /pay');
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

journey('fail n times, then succeed', async ({ page, product, accessible }) => {
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Add answer' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  await editor.getByRole('textbox', { name: 'Name' }).fill('fails twice');
  await editor.getByText('Applies to everything', { exact: true }).click();
  await editor.getByRole('combobox', { name: 'Topic' }).fill('orders');
  await choose(editor, 'Answer', 'Fail n times, then succeed');
  await editor.getByRole('textbox', { name: 'Fail how many times' }).fill('2');
  await editor.getByRole('textbox', { name: 'with status' }).fill('503');
  await expect(editor.locator('footer')).toContainText(
    'For topic orders: answer 503 twice, then 200 SUCCESS. Leads to RetryingProcessed',
  );
  await accessible();
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);

  await product.publish('orders', { orderId: 1 });
  await go(page, 'Messages');
  await openMessage(page, /, orders, .*Processed, 3 attempts, last answer 200/, 'Attempts');
  const list = detail(page).getByRole('list', { name: 'Attempts' });
  await expect(list.getByRole('article')).toHaveCount(3);
  for (const n of [1, 2]) {
    await expect(
      list.getByRole('article', { name: new RegExp(`^Attempt ${n}, 503, Retrying$`) }),
    ).toContainText('The app answered 503: to be retried.');
  }
  const third = list.getByRole('article', { name: /^Attempt 3, 200 SUCCESS, Processed$/ });
  await expect(third).toContainText('Answered by: fails twice');
  await expect(list.getByText(/^waited \d+ ms\b/)).toHaveCount(2);
  await accessible();

  await chooseTab(detail(page), 'Timeline');
  const rules = detail(page).getByRole('table', { name: 'Transitions' }).locator('code');
  await expect(rules).toHaveText([
    'policy.accepted',
    'policy.attempt',
    'single.other',
    'policy.retry',
    'single.other',
    'policy.retry',
    'single.2xx.success',
  ]);
  await go(page, 'Mock app');
  const answers = page.getByRole('list', { name: 'Answers' });
  await expect(answers.getByRole('listitem').first()).toContainText('3 hits');
});
