// Every number that is a link leads to exactly what it counts: messages, or the deliveries of messages, and then it says so.
import type { Page } from '@playwright/test';
import { chooseTab, go } from './console-page.ts';
import { expect, test } from './fixture.ts';

interface Numbered {
  readonly where: string;
  readonly n: number;
  readonly filter: string;
  /** Words that a person can read about it. */
  readonly words: string;
}

const COUNTS_DELIVERIES = /deliver/i;

/** The numbers on the screen with a link to the list. */
async function numbersOn(page: Page, where: string): Promise<readonly Numbered[]> {
  const found = await page.locator('a[href*="/messages?"]').evaluateAll((links) =>
    links.map((link) => {
      const hints = [link, ...link.querySelectorAll('[title]')].map(
        (each) => each.getAttribute('title') ?? '',
      );
      const line = link.closest('li, [class*="part"]')?.textContent ?? '';
      return {
        href: link.getAttribute('href') ?? '',
        text: link.getAttribute('aria-label') ?? link.textContent ?? '',
        words: [...hints, line].join(' '),
      };
    }),
  );
  return found.flatMap(({ href, text, words }) => {
    const filter = new URLSearchParams(href.slice(href.indexOf('?'))).get('f');
    const number = /(?<![\w.:-])(\d[\d,]*)(?![\w:-])/.exec(text)?.[1];
    return filter === null || number === undefined
      ? []
      : [{ where, n: Number(number.replaceAll(',', '')), filter, words: `${text} ${words}` }];
  });
}

test.use({ flags: ['--app', 'shop=mock'] });

test('each number with a link is that of the list behind it', async ({ page, product }) => {
  await product.rpc('settings.set', { key: 'delivery.retry', value: { maxAttempts: 1 } });
  for (const appId of ['app', 'shop'])
    await product.rpc('mockApp.setSubscriptions', {
      appId,
      subscriptions: ['orders', 'refunds'].map((topic) => ({
        pubsubname: 'pubsub',
        topic,
        route: `/${topic}`,
      })),
    });
  const fails = {
    enabled: true,
    match: { topic: 'refunds' },
    answer: { kind: 'respond', status: 500 },
  } as const;
  await product.rpc('mockApp.setRules', { appId: 'app', rules: [fails] });
  await product.rpc('mockApp.setRules', {
    appId: 'shop',
    rules: [fails, { ...fails, match: { topic: 'orders' } }],
  });
  await product.rpc('holds.add', { at: 'delivery', filter: 'data.n:9', name: 'nine' });
  for (const n of [1, 2, 9]) await product.publish('orders', { n });
  for (const n of [1, 2]) await product.publish('refunds', { n });
  await product.publish('nobody', {});
  await product.when('all has ended', async () => {
    const { total } = await product.rpc('messages.list', { filter: 'state:parked', limit: 1 });
    return total === 4 ? true : undefined;
  });
  const numbers: Numbered[] = [];
  await page.getByRole('button', { name: /^Waiting for you/ }).click();
  await expect(
    page.getByRole('list', { name: 'Waiting for you' }).getByText('4 messages parked'),
  ).toBeVisible();
  numbers.push(...(await numbersOn(page, 'Waiting for you')));
  await page.keyboard.press('Escape');
  for (const [screen, tab] of [
    ['Topics', undefined],
    ['Topics', 'Subscriptions'],
    ['Components', undefined],
    ['Health', 'Metrics'],
    ['Apps', undefined],
    ['Mock app', undefined],
  ] as const) {
    await go(page, screen);
    if (tab !== undefined) await chooseTab(page, tab);
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    numbers.push(...(await numbersOn(page, [screen, tab].join(' '))));
  }
  expect(numbers.length).toBeGreaterThan(10);
  const wrong: string[] = [];
  for (const { where, n, filter, words } of numbers) {
    const { total, items } = await product.rpc('messages.list', { filter, limit: 500 });
    const most = items.reduce((sum, { deliveries }) => sum + Math.max(1, deliveries.length), 0);
    const isSaid = COUNTS_DELIVERIES.test(words) && n >= total && n <= most;
    if (n !== total && !isSaid) wrong.push(`${where}: "${words}" leads to ${total} rows of ${filter}`);
  }
  expect(wrong).toEqual([]);
});
