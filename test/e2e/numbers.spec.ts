// Every number that is a link leads to exactly what it counts: messages, or the deliveries of messages, and then it says so.
import type { Page } from '@playwright/test';
import type { DeliveryRow, MessageRow } from '../../core/contract/message.ts';
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

/** Number of what the rows have in the states of the filter: deliveries, and messages without any. */
function inStatesOf(filter: string, rows: readonly MessageRow[]): number {
  const [, states] = /(?<![-\w])state:([\w,-]+)/.exec(filter) ?? [];
  const [, app] = /(?<![-\w])app:([\w-]+)/.exec(filter) ?? [];
  const isCounted = ({ state, appId }: DeliveryRow): boolean =>
    (states === undefined || states.split(',').includes(state)) && (app === undefined || appId === app);
  return rows.reduce(
    (sum, { deliveries }) => sum + (deliveries.length === 0 ? 1 : deliveries.filter(isCounted).length),
    0,
  );
}

/** The numbers of the tabs over the list, with the filter that each tab sets. */
async function numbersOfTabs(page: Page): Promise<readonly Numbered[]> {
  const tabs = page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name: /\d$/ });
  const numbers: Numbered[] = [];
  for (let at = 0; at < (await tabs.count()); at += 1) {
    const tab = tabs.nth(at);
    const words = `${await tab.innerText()} ${await tab.getAttribute('title')}`;
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    const filter = await page.getByRole('combobox', { name: 'Filter messages' }).inputValue();
    const n = Number(/ (\d+)$/.exec(await tab.innerText())?.[1]);
    numbers.push({ where: 'Tab', n, filter, words });
  }
  return numbers;
}

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
    ['Holds', undefined],
    ['Recordings', undefined],
    ['Logs', undefined],
  ] as const) {
    await go(page, screen);
    if (tab !== undefined) await chooseTab(page, tab);
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    numbers.push(...(await numbersOn(page, [screen, tab].join(' '))));
  }
  await go(page, 'Messages');
  const ofTabs = await numbersOfTabs(page);
  // Needs attention, held, and without a subscription.
  expect(ofTabs.map(({ words }) => words)).toHaveLength(3);
  numbers.push(...ofTabs);
  expect(numbers.length).toBeGreaterThan(10);
  const wrong: string[] = [];
  for (const { where, n, filter, words } of numbers) {
    const { total, items } = await product.rpc('messages.list', { filter, limit: 500 });
    const isSaid = COUNTS_DELIVERIES.test(words) && n === inStatesOf(filter, items);
    if (n !== total && !isSaid) wrong.push(`${where}: "${words}" leads to ${total} rows of ${filter}`);
  }
  expect(wrong).toEqual([]);
});
