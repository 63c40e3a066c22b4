// What the app answers decides: every row of the single-delivery table, with its state, its sentence and its log line.
import type { Locator, Page } from '@playwright/test';
import { choose, chooseTab, detail, go, messages, openMessage, rows, usePreset } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

interface Row {
  readonly id: string;
  readonly preset: string;
  readonly state: string;
  readonly sentence: string;
  readonly rule: string;
  readonly logged?: 'warning' | 'error';
}

const ROWS: readonly Row[] = [
  {
    id: 'S1',
    preset: '200, empty body',
    state: 'Processed',
    sentence: 'The app answered 200 without a status: treated as SUCCESS.',
    rule: 'single.2xx.empty',
  },
  {
    id: 'S1b',
    preset: '200 {}',
    state: 'Processed',
    sentence: 'The app answered 200 without a status: treated as SUCCESS.',
    rule: 'single.2xx.empty',
  },
  {
    id: 'S2',
    preset: '200 SUCCESS',
    state: 'Processed',
    sentence: 'The app answered SUCCESS.',
    rule: 'single.2xx.success',
  },
  {
    id: 'S3',
    preset: '200 RETRY',
    state: 'Retrying',
    sentence: 'The app asked for a retry.',
    rule: 'single.2xx.retry',
  },
  {
    id: 'S4',
    preset: '200 DROP',
    state: 'Dropped',
    sentence: 'The app asked to drop it. A warning was logged.',
    rule: 'single.2xx.drop',
    logged: 'warning',
  },
  {
    id: 'S5',
    preset: '200 MAYBE (an unknown status)',
    state: 'Retrying',
    sentence: '"MAYBE" is not SUCCESS, RETRY or DROP: treated as an error, to be retried.',
    rule: 'single.2xx.other',
    logged: 'error',
  },
  {
    id: 'S6',
    preset: '200, not JSON',
    state: 'Processed',
    sentence: "The answer's body could not be read and was ignored: processed.",
    rule: 'single.2xx.invalid',
  },
  {
    id: 'S7',
    preset: '404',
    state: 'Dropped',
    sentence: 'The app answered 404: dropped. An error was logged.',
    rule: 'single.404',
    logged: 'error',
  },
  {
    id: 'S8',
    preset: '500, 400, 302 in turn',
    state: 'Retrying',
    sentence: 'The app answered 500: to be retried. A warning was logged.',
    rule: 'single.other',
    logged: 'warning',
  },
];

const attempt = (page: Page, name: RegExp): Locator => detail(page).getByRole('article', { name });

/** Waits long enough between attempts that "retrying" can be read. */
const slowRetry = (product: Product): Promise<unknown> =>
  product.rpc('settings.set', {
    key: 'delivery.retry',
    value: { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 },
  });

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 700, height: 900 };

for (const viewport of [WIDE, NARROW]) {
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport });

    test('each row of the single-delivery table', async ({ page, product, accessible }) => {
      await slowRetry(product);
      for (const [index, { id, preset, state, sentence, rule }] of ROWS.entries()) {
        if (viewport === WIDE) await usePreset(page, preset);
        else await product.rpc('mockApp.usePreset', { preset: id });
        await product.publish('orders', { row: index });
        await go(page, 'Messages');
        await expect(messages(page)).toHaveAttribute('aria-rowcount', String(index + 1));
        await openMessage(page, new RegExp(`, orders, .*${state}, 1 attempt, .*Unread`), 'Attempts');
        await expect(attempt(page, new RegExp(`^Attempt 1, .*, ${state}$`))).toContainText(sentence);
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
      await accessible();
    });
  });
}

test('DROP: the message is dropped and the rule is named', async ({ page, product, accessible }) => {
  await usePreset(page, '200 DROP');
  await product.publish('orders', { orderId: 1 });
  await go(page, 'Messages');
  await openMessage(page, /, orders, .*Dropped, 1 attempt, last answer 200 DROP/, 'Attempts');
  await attempt(page, /^Attempt 1/)
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

test('500 twice, then OK: three attempts and the waits between them', async ({
  page,
  product,
  accessible,
}) => {
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Add answer' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  await editor.getByRole('textbox', { name: 'Name' }).fill('fails twice');
  await editor.getByRole('combobox', { name: 'Topic' }).fill('orders');
  await choose(editor, 'Answer', 'Fail n times, then succeed');
  await editor.getByRole('textbox', { name: 'Fail how many times' }).fill('2');
  await editor.getByRole('textbox', { name: 'with status' }).fill('500');
  await expect(editor.getByRole('status').last()).toHaveText(
    'For topic orders: answer 500 twice, then 200 SUCCESS.',
  );
  await accessible();
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);

  await product.publish('orders', { orderId: 1 });
  await go(page, 'Messages');
  await openMessage(page, /, orders, .*Processed, 3 attempts, last answer 200/, 'Attempts');
  const list = detail(page).getByRole('list', { name: 'Attempts' });
  await expect(list.getByRole('article')).toHaveCount(3);
  await expect(attempt(page, /^Attempt 1, 500, Retrying$/)).toContainText(
    'The app answered 500: to be retried.',
  );
  await expect(attempt(page, /^Attempt 2, 500, Retrying$/)).toContainText(
    'The app answered 500: to be retried.',
  );
  await expect(attempt(page, /^Attempt 3, 200 SUCCESS, Processed$/)).toContainText(
    'Answered by: fails twice',
  );
  await expect(list.getByText(/^waited \d+ ms\b/)).toHaveCount(2);

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
  await expect(page.getByRole('list', { name: 'Answers' }).getByRole('listitem').first()).toContainText(
    '3 hits',
  );
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
