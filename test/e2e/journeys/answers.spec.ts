// Answers of the app: rows of the outcome table, an app that fails a few times.
import { choose, chooseTab, detail, go, messages, openMessage, usePreset } from '../console-page.ts';
import { isLong } from '../extent.ts';
import { expect, test } from '../fixture.ts';
import { inLong, journey, slowRetry } from './journey.ts';

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
    sentence: "The answer's body is not JSON (content type text/plain) and was ignored: processed.",
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

/** One row for each final state; the others differ in their sentence, which test/domain and test/renderer/cause.test.ts check. */
const WALKED = isLong ? ROWS : ROWS.filter(({ preset }) => ['S1', 'S4', 'S8'].includes(preset));

journey(
  'each row of the single-delivery table',
  async ({ page, product, look, accessible }) => {
    test.setTimeout(120_000);
    await slowRetry(product);
    const { items: presets } = await product.rpc('mockApp.presets', {});
    expect(presets).toEqual(
      expect.arrayContaining(ROWS.map(({ preset, title }) => expect.objectContaining({ preset, title }))),
    );
    for (const [index, { preset, title, state, sentence, rule }] of WALKED.entries()) {
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
    for (const { rule, logged } of WALKED) {
      if (logged === undefined) continue;
      const line = lines.getByRole('row').filter({ hasText: rule });
      await expect(line.first()).toContainText(logged);
      await expect(line.first().getByRole('link', { name: 'Open message' })).toBeVisible();
    }
    await expect(lines.getByRole('row').filter({ hasText: 'single.2xx.success' })).toHaveCount(0);
  },
  ['light', ...inLong('narrow')],
);

journey('fail n times, then succeed', async ({ page, product, accessible }) => {
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Add answer' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  await editor.getByRole('textbox', { name: 'Name' }).fill('fails twice');
  await editor.getByText('Applies to everything', { exact: true }).click();
  await editor.getByRole('combobox', { name: 'Topic' }).fill('orders');
  // Each answer within the answer has a name of its own.
  await choose(editor, 'Answer', 'Sequence');
  await editor.getByRole('button', { name: 'Add step' }).click();
  for (const name of ['Answer 1', 'Answer 2'])
    await expect(editor.getByRole('combobox', { name, exact: true })).toBeVisible();
  await choose(editor, 'Answer', 'Fail n times, then succeed');
  await expect(editor.getByRole('combobox', { name: 'Answer after the failures' })).toBeVisible();
  await editor.getByRole('textbox', { name: 'Fail how many times' }).fill('2');
  await editor.getByRole('textbox', { name: 'With status' }).fill('503');
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
